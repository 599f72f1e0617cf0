import { finding } from '../finding.ts';
import { stagedWays } from '../peermem-facts.ts';
import type { Rule } from '../rule.ts';

/** One host uses GPUDirect RDMA and another does not: the slower one sets the pace. */
export const gdrAsymmetric: Rule = (facts) => {
  const direct = facts.connections.find((c) => c.kind === 'NET' && c.gdr);
  const staged = direct ? stagedWays(facts).filter((s) => s.host !== direct.host) : [];
  if (!direct || staged.length === 0) return undefined;
  return finding('gdr-asymmetric-between-nodes', {
    confidence: 0.85,
    devices: staged.map((s) => s.host).filter((h) => h !== ''),
    evidence: [...staged.slice(0, 3).map((s) => s.at), direct.at],
    commands: ['sudo modprobe nvidia_peermem'],
    settle: "lsmod | grep -E 'nvidia_peermem|nv_peer_mem'",
  });
};
