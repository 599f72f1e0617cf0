import type { Wires } from '../../collective/clock/wires.ts';
import { nvlinkGBps } from '../../nccl/rates/nvlink.ts';
import type { LinkType } from '../../nccl/system/node.ts';
import { linkPeak, pciePayload } from './crossing.ts';
import type { CollectiveGround } from './ground.ts';
import type { ByKind } from './laid.ts';
import type { Speeds } from './speeds.ts';

/** What a link carries, in the rate that NCCL counts with. */
export function linkShares(
  { sm, made, netTotal }: Pick<CollectiveGround, 'sm' | 'made' | 'netTotal'>,
  { links, type }: Wires,
): Partial<Record<LinkType, number>> {
  const ports = links.filter((l, i) => type[i] === 'NET' && l.name.startsWith('node0 ') && l.name.includes('→ NET'));
  const counted = ports.reduce((sum, l) => sum + l.rate, 0);
  return {
    NVL: linkPeak(sm) / nvlinkGBps(sm, made.release),
    PCI: pciePayload,
    ...(counted > 0 ? { NET: (netTotal * 1e9) / counted } : {}),
  };
}

/** Bytes that each byte of a message costs the wires it crosses: what arrives is less than they carry, by the way it goes. */
export const wireWeights = (s: Speeds): ByKind => ({
  nvlink: 1 / (s.gpu.nvlinkShare * s.exchangeShare),
  pci: 1 / s.exchangeShare,
  shm: 1 / s.exchangeShm,
  net: 1 / s.net.share,
});
