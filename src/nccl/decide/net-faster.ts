import { PXB } from '../path-type.ts';
import type { Paths } from '../paths/table.ts';
import { atLeast, type Release } from '../release.ts';
import type { Settings } from '../settings.ts';
import type { TopoNode } from '../system/node.ts';

/**
 * From 2.14.3: two GPUs of one node talk through their NICs when each has one at PXB or better with more bandwidth than the
 * GPUs have between them (src/graph/paths.cc: ncclTopoCheckNet).
 */
export function networkIsFaster(paths: Paths, a: TopoNode, b: TopoNode, release: Release, settings: Settings): boolean {
  if (!atLeast(release, '2.14.3') || settings.netDisableIntra) return false;
  const between = paths.bwOf(a, b);
  return bestNet(paths, a) > between && bestNet(paths, b) > between;
}

/** GB/s of the best way to a NET that stays below the CPU. */
export function bestNet(paths: Paths, gpu: TopoNode): number {
  let best = 0;
  for (const net of paths.system.nodes.NET) {
    const p = paths.view(gpu, net);
    if (p.type <= PXB && p.bw > best) best = p.bw;
  }
  return best;
}
