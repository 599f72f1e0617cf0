import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/** Containers of one host that see one GPU each cannot hand over memory handles of the fabric. */
export const imex: Rule = (facts) => {
  const failed = facts.warnings.filter(
    (w) =>
      w.kind === 'cuda-failure' &&
      (w.code === 101 || /invalid device ordinal/.test(w.text)) &&
      /p2p\.cc/.test(w.source ?? w.text),
  );
  const domain = facts.logs.flatMap((l) => l.mnnvl)[0];
  if (failed.length === 0 || !(domain || facts.grace)) return undefined;
  return finding('imex-fabric-handle-import', {
    confidence: 0.85,
    evidence: [...failed.map((w) => w.at), domain?.at ?? facts.grace?.at],
    commands: ['export NCCL_MNNVL_ENABLE=0', 'export NCCL_CUMEM_ENABLE=0'],
  });
};
