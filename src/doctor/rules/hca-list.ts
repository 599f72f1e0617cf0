import { hcaChosen } from '../../nccl/ib-hca.ts';
import { say } from '../../words/message.ts';
import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/**
 * GPUs beside whose NICs the job's own list has none: they go through a neighbour's, or across the CPU, and the NICs left share what
 * all were bought for. A list that excludes says which ones nobody wants; one that fits no NIC here was written for another machine.
 */
export const hcaList: Rule = (facts) => {
  const set = facts.setting('NCCL_IB_HCA');
  const value = set?.value.trim() ?? '';
  if (!set || value === '' || value.startsWith('^')) return undefined;
  for (const matrix of facts.of('topo-matrix')) {
    const nics = matrix.devices.flatMap((d, i) => (d.kind === 'nic' && d.name ? [{ name: d.name, i }] : []));
    const chosen = nics.filter((n) => hcaChosen(value, n.name, 1));
    if (matrix.truncated || chosen.length === 0) continue;
    const without = matrix.devices.flatMap((gpu, row) => {
      if (gpu.kind !== 'gpu') return [];
      const near = nics.filter(({ i }) => /^P[IX]/.test(matrix.cells[row]?.[i] ?? ''));
      return near.length > 0 && !near.some((n) => chosen.includes(n)) ? [{ gpu, near }] : [];
    });
    if (without.length === 0) continue;
    const left = [...new Set(without.flatMap((w) => w.near.map((n) => n.name)))];
    const used = facts.severalNodes || facts.connections.some((c) => c.kind === 'NET');
    return finding('nics-left-out', {
      severity: used ? 'warning' : 'info',
      confidence: used ? 0.75 : 0.5,
      devices: left,
      evidence: [set.at, ...without.map((w) => w.gpu.at)],
      absent: [say('doctor.set', { name: 'NCCL_IB_HCA', value: value.slice(0, 60) })],
      commands: [`export NCCL_IB_HCA=${[...chosen.map((n) => n.name), ...left].join(',')}`],
    });
  }
  return undefined;
};
