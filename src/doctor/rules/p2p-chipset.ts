import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/**
 * The driver says of every pair that the chipset stands in the way. Many machines are so by design, so it is a remark; boards of the
 * GeForce line have a finding of their own.
 */
export const p2pChipset: Rule = (facts) => {
  const tables = facts.of('p2p-status');
  if (facts.geforce || tables.length === 0) return undefined;
  const rows = tables.flatMap((t) => t.rows);
  if (!rows.every((r) => r.cells.every((c) => c === 'X' || c === 'CNS'))) return undefined;
  // Something in the inputs reached a peer all the same: an older table.
  if (facts.connections.some((c) => c.kind === 'P2P')) return undefined;
  return finding('p2p-chipset-unsupported', {
    devices: rows.map((r) => `gpu${r.gpu}`),
    evidence: rows.map((r) => r.at),
    commands: ['systemd-detect-virt; nvidia-smi topo -m'],
  });
};
