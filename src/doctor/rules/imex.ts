import { say } from '../../words/message.ts';
import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/**
 * Memory that other processes are to map by a handle of the fabric: containers of one host that see one GPU each cannot hand such handles
 * over, and without an IMEX channel nobody can make one.
 */
export const imex: Rule = (facts) => {
  const failed = facts.warnings.filter(
    (w) =>
      w.kind === 'cuda-failure' &&
      (w.code === 101 || /invalid device ordinal/.test(w.text)) &&
      /p2p\.cc/.test(w.source ?? w.text),
  );
  const domain = facts.logs.flatMap((l) => l.mnnvl)[0];
  const channel = [
    ...facts.warnings.filter((w) => w.kind === 'mnnvl' && /not working/.test(w.text)).map((w) => w.at),
    ...facts.said('imex-channel').map((m) => m.at),
  ];
  if (channel.length > 0) {
    return finding('imex-fabric-handle-import', {
      confidence: facts.geforce ? 0.6 : 0.8,
      evidence: [...channel, ...failed.map((w) => w.at), domain?.at],
      commands: ['ls -l /dev/nvidia-caps-imex-channels', 'export NCCL_MNNVL_ENABLE=0'],
      also: [{ text: say('doctor.imex-channel'), command: 'nvidia-modprobe -i 0' }],
    });
  }
  const down = facts.said('imex-down');
  if (down.length > 0) {
    return finding('imex-fabric-handle-import', {
      severity: failed.length > 0 ? 'error' : 'warning',
      confidence: failed.length > 0 ? 0.9 : 0.75,
      evidence: [...down.map((m) => m.at), ...failed.map((w) => w.at)],
      fix: say('doctor.fix-imex-domain'),
      commands: ['sudo systemctl restart nvidia-imex', 'nvidia-imex-ctl -N'],
    });
  }
  if (failed.length === 0 || !(domain || facts.grace)) return undefined;
  return finding('imex-fabric-handle-import', {
    confidence: 0.85,
    evidence: [...failed.map((w) => w.at), domain?.at ?? facts.grace?.at],
    commands: ['export NCCL_MNNVL_ENABLE=0', 'export NCCL_CUMEM_ENABLE=0'],
  });
};
