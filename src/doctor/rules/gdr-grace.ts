import { finding } from '../finding.ts';
import { stagedWays } from '../peermem-facts.ts';
import type { Rule } from '../rule.ts';

/** On Grace the GPU and the NICs meet in the CPU; releases before 2.26 take that as too far for GPUDirect RDMA. */
export const gdrGrace: Rule = (facts) => {
  const numa = facts
    .of('topo-matrix')
    .flatMap((m) => m.devices)
    .find((d) => /^\d+$/.test(d.gpuNumaId ?? ''));
  const grace = facts.grace ?? numa;
  if (!grace || facts.olderThan('2.26.2') === false || facts.setting('NCCL_NET_GDR_LEVEL')) return undefined;
  const ways = stagedWays(facts);
  if (ways.length === 0) return undefined;
  return finding('gdr-disabled-by-default-grace', {
    confidence: facts.release ? 0.85 : 0.6,
    evidence: [...ways.map((w) => w.at), grace.at, facts.release?.at],
    commands: ['export NCCL_NET_GDR_LEVEL=SYS'],
  });
};
