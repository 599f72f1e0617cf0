import { atLeast, type Release } from '../release.ts';
import type { Settings } from '../settings.ts';
import type { TopoNode } from '../system/node.ts';

/**
 * What NETs have left while channels are tried, and which of them a channel that came in by one may go out by
 * (src/graph/search.cc: ncclTopoSearchRecNet, ncclTopoSearchCheckNet).
 */
export class Crossing {
  /** Number of a NET's card and port: those share bandwidth. */
  private readonly card: Int32Array;
  /** NETs of each card. */
  private readonly onCard: number[][] = [];
  /** Number of a NET's id, which several may share. */
  private readonly idOf: Int32Array;
  /** GB/s by NET. */
  readonly left: Float32Array;
  private readonly names: boolean;
  private readonly place: readonly string[];

  constructor(
    private readonly nets: readonly TopoNode[],
    private readonly settings: Settings,
    release: Release,
  ) {
    const cards = nets.map((x) => `${x.net!.asic} ${x.net!.portNumber}`);
    this.card = Int32Array.from(cards, (key) => cards.indexOf(key));
    this.card.forEach((first, n) => {
      const list = this.onCard[first] ?? [];
      list.push(n);
      this.onCard[first] = list;
    });
    const ids = nets.map((x) => x.id);
    this.idOf = Int32Array.from(ids, (id) => ids.indexOf(id));
    this.left = Float32Array.from(nets, (x) => x.net!.bw);
    this.place = nets.map((x) => `${x.pci?.busId ?? x.net!.asic} ${x.net!.portNumber}`);
    this.names = atLeast(release, '2.30.7');
  }

  charge(net: number, bw: number): void {
    for (const n of this.onCard[this.card[net]!]!) this.left[n]! -= bw;
  }

  sameNet(a: number, b: number): boolean {
    return a >= 0 && b >= 0 && this.idOf[a] === this.idOf[b];
  }

  /** Never from one plane of the network to another, where both are known. */
  inPlane(n: number, start: number): boolean {
    return !this.names || alike(this.nets[n]!.net!.port.plane, this.nets[start]!.net!.port.plane) !== false;
  }

  /** Without crossing NICs: on the same rail where both are known, else by the same port of the same card. */
  onRail(n: number, start: number): boolean {
    const a = this.nets[n]!;
    const b = this.nets[start]!;
    const named = this.names ? alike(a.net!.port.rail, b.net!.port.rail) : undefined;
    if (named !== undefined) return named;
    if (this.settings.railPerHost && a.host !== b.host) return this.place[n] === this.place[start];
    return this.card[n] === this.card[start];
  }
}

/** Undefined where one of the two is not known: NCCL takes -1 for that. */
function alike(a: number | undefined, b: number | undefined): boolean | undefined {
  return a === undefined || b === undefined || a === -1 || b === -1 ? undefined : a === b;
}
