import { atLeast, type Release } from '../release.ts';
import type { System, TopoNode } from './node.ts';

const mask = 0xfffffffffffff000n;
const gen4 = 0x1000c0101000a000n;
const gen5 = 0x1000c03010000000n;

/** PCIe generation of a Broadcom switch that is known to show itself as a switch of switches; 0 for all others. */
function broadcomGeneration(id: bigint | undefined, level: 0 | 1, release: Release): number {
  if (id === undefined) return 0;
  if ((id & mask) === gen4) return 4;
  if (atLeast(release, '2.20.3') && (id & mask) === gen5 + BigInt(level) * 0x1000n) return 5;
  return 0;
}

/**
 * One Broadcom chip may appear as a switch of switches; NCCL hangs what is below the inner ones on the outer
 * (src/graph/topo.cc: ncclTopoFlattenBcmSwitches). The moved links go to the end, unsorted, as there.
 */
export function flattenBroadcom(system: System, release: Release): void {
  const gone = new Set<TopoNode>();
  for (const outer of system.nodes.PCI) {
    if (gone.has(outer)) continue;
    const generation = broadcomGeneration(outer.pciId, 0, release);
    if (generation === 0) continue;
    const inner = outer.links
      .map((l) => l.to)
      .filter((n) => n.type === 'PCI' && broadcomGeneration(n.pciId, 1, release) === generation);
    outer.links = outer.links.filter((l) => !inner.includes(l.to));
    for (const sub of inner) {
      for (const link of sub.links) {
        if (link.to === outer) continue;
        outer.links.push({ ...link, from: outer });
        const back = link.to.links.find((l) => l.to === sub);
        if (back) back.to = outer;
      }
      gone.add(sub);
    }
    // Marks the switch so that it is not merged again.
    outer.pciId = (outer.pciId ?? 0n) | 0xffffn;
  }
  if (gone.size > 0) system.nodes.PCI = system.nodes.PCI.filter((n) => !gone.has(n));
}
