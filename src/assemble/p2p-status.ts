import type { Fact } from '../fact/fact.ts';
import type { P2pStatusTable } from '../read/gpu/smi-p2p.ts';
import type { NcclLog } from '../read/nccl-log/types.ts';

/**
 * What NVML says of each pair, from one table or from several (reads, writes, atomics, NVLink …; which one a table is of, it does
 * not say). A pair that one of them calls OK has P2P: the others are of something more special.
 */
export function p2pPairs(tables: readonly P2pStatusTable[]): ReadonlyMap<string, Fact<boolean>> {
  const pairs = new Map<string, Fact<boolean>>();
  for (const { rows } of tables) {
    for (const { gpu, cells, at } of rows) {
      cells.forEach((cell, to) => {
        if (cell === 'X' || cell === 'U' || to === gpu) return;
        const key = `${gpu} ${to}`;
        if (cell === 'OK' || !pairs.has(key)) pairs.set(key, { value: cell === 'OK', at: [at], by: 'input' });
      });
    }
  }
  return pairs;
}

/** Pairs that a log of one node shows in direct use: what NVML says of them need not be asked. */
export function pairsInUse(logs: readonly NcclLog[]): ReadonlyMap<string, Fact<boolean>> {
  const pairs = new Map<string, Fact<boolean>>();
  for (const c of logs.flatMap((l) => l.connections)) {
    const [from, to] = [c.from.device, c.to.device];
    if (c.kind !== 'P2P' || from === undefined || to === undefined || from === to) continue;
    for (const key of [`${from} ${to}`, `${to} ${from}`])
      if (!pairs.has(key)) pairs.set(key, { value: true, at: [c.at], by: 'input' });
  }
  return pairs;
}
