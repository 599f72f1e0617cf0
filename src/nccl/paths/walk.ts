import { C2C, LOC, NVB, NVL, PHB, PIX, PXB, SYS } from '../path-type.ts';
import { atLeast, type Release } from '../release.ts';
import type { LinkType, TopoLink, TopoNode } from '../system/node.ts';
import type { PathSet, Paths } from './table.ts';

/** A link's own path type; a NET link counts as LOC, since only the way between NIC and GPU matters. */
const ofLink: Record<LinkType, number> = { LOC, NVL, C2C, PCI: PIX, SYS, NET: LOC };

export interface WalkRules {
  readonly release: Release;
  readonly nvbDisable: boolean;
}

/**
 * Breadth-first from a base node outwards; sets every node's path towards it (src/graph/paths.cc: ncclTopoSetPaths).
 * `reverse[link.seq]` is the link of the other direction.
 */
export function walkFrom(
  base: TopoNode,
  paths: Paths,
  reverse: readonly (TopoLink | undefined)[],
  rules: WalkRules,
): void {
  const set = paths.leadingTo(base);
  set.type[base.seq] = LOC;
  set.bw[base.seq] = 5000;
  const better = atLeast(rules.release, '2.30.7') ? byType : atLeast(rules.release, '2.8.3') ? byHops : byBandwidth;
  const bridging = atLeast(rules.release, '2.8.3') && !rules.nvbDisable;
  // From a GPU rank the first hop leads to its own device, so bridges start one hop later.
  const bridgeHops = base.type === 'GPU' && atLeast(rules.release, '2.30.3') ? 2 : 1;
  const queued = new Uint32Array(paths.system.all.length);
  let round = 0;
  let now: TopoNode[] = [base];
  while (now.length > 0) {
    round++;
    const next: TopoNode[] = [];
    for (const node of now) {
      const count = set.count[node.seq]!;
      const type = set.type[node.seq]!;
      const passing = node !== base && (node.type === 'DEV' || node.type === 'GPU') && !ownDevice(node, base, count);
      for (const link of node.links) {
        const far = link.to;
        if (passing && !mayPass(node, link, count, bridging, bridgeHops)) continue;
        const bw = Math.min(set.bw[node.seq]!, link.bw);
        let step = ofLink[link.type];
        if (atLeast(rules.release, '2.8.3')) {
          if (node.type === 'PCI' && far.type === 'PCI') step = PXB;
        } else if (link.type === 'PCI' && (node.type === 'PCI' || far.type === 'PCI') && count + 1 > 3) step = PXB;
        if (link.type === 'PCI' && (node.type === 'CPU' || far.type === 'CPU')) step = PHB;
        if (passing && type === NVL && link.type === 'NVL' && count === bridgeHops) step = NVB;
        const joined = Math.max(type, step);
        if (!better(set, far.seq, joined, bw, count)) continue;
        const back = reverse[link.seq];
        if (!back) {
          paths.oneWay ??= link;
          continue;
        }
        set.head[far.seq] = paths.cons(back, set.head[node.seq]!);
        set.count[far.seq] = count + 1;
        set.bw[far.seq] = bw;
        set.type[far.seq] = joined;
        if (queued[far.seq] !== round) {
          queued[far.seq] = round;
          next.push(far);
        }
      }
    }
    now = next;
  }
}

/** Leaving one's own device is no passing through. */
const ownDevice = (node: TopoNode, base: TopoNode, count: number): boolean =>
  base.type === 'GPU' && node.type === 'DEV' && count === 1 && node.pci === base.pci && node.host === base.host;

/** Through a GPU only to the rank on it, or over one NVLink to a further GPU. */
function mayPass(node: TopoNode, link: TopoLink, count: number, bridging: boolean, bridgeHops: number): boolean {
  if (node.type === 'DEV' && link.to.type === 'GPU' && link.type === 'LOC') return true;
  return bridging && link.type === 'NVL' && link.to.type === node.type && count <= bridgeHops;
}

type Better = (set: PathSet, far: number, type: number, bw: number, count: number) => boolean;

/** From 2.30.7: better type, then more bandwidth, then fewer hops. */
const byType: Better = (set, far, type, bw, count) => {
  const t = set.type[far]!;
  if (type !== t) return type < t;
  const b = set.bw[far]!;
  if (bw !== b) return bw > b;
  return count + 1 < set.count[far]!;
};

/** 2.8.3 to 2.30.4: more bandwidth, and not by a longer way. */
const byHops: Better = (set, far, _type, bw, count) => {
  const b = set.bw[far]!;
  return (b === 0 || set.count[far]! > count) && b < bw;
};

/** Up to 2.7.8: more bandwidth. */
const byBandwidth: Better = (set, far, _type, bw) => set.bw[far]! < bw;

/** The reverse of every link (the first from the far end of the same type), by link number. */
export function reverseLinks(links: readonly TopoLink[]): (TopoLink | undefined)[] {
  const first = new Map<string, TopoLink>();
  for (const l of links) {
    const key = `${l.from.seq} ${l.to.seq} ${l.type}`;
    if (!first.has(key)) first.set(key, l);
  }
  return links.map((l) => first.get(`${l.to.seq} ${l.from.seq} ${l.type}`));
}
