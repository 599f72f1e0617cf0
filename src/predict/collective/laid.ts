import type { HopKind, Way, Wires } from '../../collective/clock/wires.ts';
import type { LinkType } from '../../nccl/system/node.ts';
import { type Wire, wireOf } from './wire-name.ts';

/** Something for each kind of way. */
export type ByKind = Readonly<Record<HopKind, number>>;

export const kinds = ['nvlink', 'pci', 'shm', 'net'] as const;
export const none = (): Record<HopKind, number> => ({ nvlink: 0, pci: 0, shm: 0, net: 0 });

/** For how long a byte of every message keeps a wire busy, by the ways whose messages cross it: µs. */
export interface WireLoad {
  readonly busy: ByKind;
  readonly wire: Wire;
  /** In a chain the hops from where its data first cross the wire to where they do so last, the first of the two included. */
  readonly span: ByKind;
  /** What comes to it has left a wire before that is as crowded, and comes no faster than that lets it. */
  readonly fed: boolean;
}

export interface Traffic {
  /** The wires that can be the most crowded one, whichever way is the slower. */
  readonly loads: readonly WireLoad[];
  /** Ways that messages take. */
  readonly kinds: ReadonlySet<HopKind>;
}

/** Hops alike: of one kind, and over wires that are as crowded. */
export interface HopClass {
  readonly kind: HopKind;
  readonly loads: readonly WireLoad[];
  /** Other kinds of ways cross one of their wires too. */
  readonly shared: boolean;
  readonly count: number;
  /** For how long a byte of every message over the same way alone keeps the slowest of its wires busy: µs. */
  readonly own: number;
  /** In a chain the same beside what crosses its wires earlier, which has not ended when the first of it comes. */
  readonly front: number;
  /** By how many hops what crossed them last is ahead. */
  readonly ahead: number;
}

/** Where in a chain a way is gone, in hops, and the wires it crosses there. */
interface Place {
  readonly at: number;
  readonly links: readonly number[];
}

/** Messages of equal size, laid onto links. */
export class Laid {
  private readonly load = new Map<number, Record<HopKind, number>>();
  /** Hops of a chain before the first that crosses a link, and before the last. */
  private readonly met = new Map<number, { first: ByKind; last: ByKind }>();
  private readonly kinds = new Set<HopKind>();
  private readonly ways = new Map<Way, number>();
  private readonly places = new Map<Way, Place[]>();
  /** What crosses a link of a chain, by the hops before it. */
  private readonly along = new Map<number, Map<number, number>>();

  constructor(
    private readonly wires: Wires,
    /** Of the links' rates, what they carry. */
    private readonly shares: Readonly<Partial<Record<LinkType, number>>>,
  ) {}

  /** So many messages over a way: on the links of the sending host, and on the other's; in a chain after the hops told. */
  cross(way: Way, leaving: number, entering = leaving, after?: ByKind): void {
    const { kind, links, into } = way;
    this.kinds.add(kind);
    this.ways.set(way, (this.ways.get(way) ?? 0) + (leaving + entering) / 2);
    links.forEach((link, k) => {
      const load = this.load.get(link) ?? none();
      const messages = into !== undefined && k >= into ? entering : leaving;
      load[kind] += messages;
      this.load.set(link, load);
      if (after !== undefined && messages > 0) this.meet(link, after, messages);
    });
    if (after !== undefined) this.place(way, sum(after), leaving, entering);
  }

  private place(way: Way, at: number, leaving: number, entering: number): void {
    const { links, into } = way;
    const met = links.filter((_, k) => (into !== undefined && k >= into ? entering : leaving) > 0);
    const places = this.places.get(way);
    if (places) places.push({ at, links: met });
    else this.places.set(way, [{ at, links: met }]);
  }

  private meet(link: number, after: ByKind, messages: number): void {
    const along = this.along.get(link) ?? new Map<number, number>();
    along.set(sum(after), (along.get(sum(after)) ?? 0) + messages);
    this.along.set(link, along);
    const known = this.met.get(link) ?? { first: after, last: after };
    const [first, last] = [sum(known.first) > sum(after), sum(known.last) < sum(after)];
    this.met.set(link, { first: first ? after : known.first, last: last ? after : known.last });
  }

  traffic(): Traffic {
    return { loads: this.most(this.load.keys()), kinds: this.kinds };
  }

  /** For how long a byte of every message over the network keeps each of its wires busy: µs, by link. */
  netWires(): Map<number, number> {
    const busy = new Map<number, number>();
    for (const [link, { net }] of this.load) if (net > 0) busy.set(link, net / this.carried(link));
    return busy;
  }

  /** The hops that were laid, alike ones together. */
  classes(): HopClass[] {
    const found = new Map<string, HopClass & { count: number }>();
    for (const [way, count] of this.ways) {
      const loads = this.most(way.links);
      const own = count / Math.min(...way.links.map((link) => this.carried(link)));
      const { front, ahead } = this.front(way, own);
      const busy = loads
        .map((l) => kinds.map((k) => `${l.busy[k].toPrecision(9)} ${l.span[k]}`).join() + l.fed)
        .join(' ');
      const key = `${way.kind} ${own.toPrecision(9)} ${front.toPrecision(9)} ${ahead} ${busy}`;
      const known = found.get(key);
      if (known) known.count += count;
      else found.set(key, { kind: way.kind, loads, count, own, front, ahead, shared: loads.some(isShared) });
    }
    return [...found.values()];
  }

  /** On the mean over the places of a chain where a way is gone. */
  private front(way: Way, own: number): Pick<HopClass, 'front' | 'ahead'> {
    const places = this.places.get(way) ?? [];
    let [front, ahead] = [0, 0];
    for (const { at, links } of places) {
      let most = { busy: own, last: at };
      for (const link of links) {
        let [messages, last] = [0, -1];
        for (const [place, count] of this.along.get(link)!) {
          if (place > at) continue;
          messages += count;
          if (place < at) last = Math.max(last, place);
        }
        const busy = messages / this.carried(link);
        if (busy > most.busy) most = { busy, last: last < 0 ? at : last };
      }
      front += most.busy / places.length;
      ahead += (at - most.last) / places.length;
    }
    return { front: Math.max(own, front), ahead };
  }

  /** Bytes a µs. */
  private carried(link: number): number {
    const { links, type } = this.wires;
    return (links[link]!.rate * (this.shares[type[link]!] ?? 1)) / 1e6;
  }

  /** Of these links those that can be the most crowded. */
  private most(of: Iterable<number>): WireLoad[] {
    const { type, ends } = this.wires;
    const loads: WireLoad[] = [];
    for (const link of of) {
      const load = this.load.get(link)!;
      const carried = this.carried(link);
      const busy = none();
      for (const kind of kinds) busy[kind] = load[kind] / carried;
      const one = { busy, span: this.span(link), fed: this.fed(link), wire: wireOf(type[link]!, ends[link]!) };
      if (loads.some((other) => covers(other, one))) continue;
      const kept = loads.filter((other) => !covers(one, other));
      loads.splice(0, loads.length, ...kept, one);
    }
    return loads;
  }

  private span(link: number): ByKind {
    const met = this.met.get(link);
    const span = none();
    if (met) for (const kind of kinds) span[kind] = Math.max(0, met.last[kind] - met.first[kind]);
    return span;
  }

  private fed(link: number): boolean {
    const met = this.met.get(link);
    if (!met) return false;
    const first = sum(met.first);
    const crowded = sum(this.load.get(link)!) / this.carried(link);
    for (const [other, { last }] of this.met) {
      if (sum(last) <= first && sum(this.load.get(other)!) / this.carried(other) >= crowded * (1 - 1e-9)) {
        if (other !== link) return true;
      }
    }
    return false;
  }
}

const sum = (by: ByKind): number => kinds.reduce((all, kind) => all + by[kind], 0);

const isShared = ({ busy }: WireLoad): boolean => kinds.filter((kind) => busy[kind] > 0).length > 1;

/** Never less busy, nor later; sums of the same loads in another order count as equal. */
const covers = (a: WireLoad, b: WireLoad): boolean =>
  kinds.every((kind) => a.busy[kind] >= b.busy[kind] * (1 - 1e-9) && a.span[kind] <= b.span[kind]) && (a.fed || !b.fed);

/** How many times as fast as the machine's the wires are, within and between nodes: what a bottleneck is worth. */
export interface Relief {
  readonly inside: number;
  readonly outside: number;
}

/** For how long one byte of every message keeps the most crowded wire busy, µs. `weight`: what a way's bytes cost wires. */
export function busiest(loads: readonly WireLoad[], weight: ByKind, { inside, outside }: Relief): number {
  let most = 0;
  for (const { busy } of loads) most = Math.max(most, weighed(busy, weight, inside, outside));
  return most;
}

/** For how long one byte of every message keeps a wire busy, µs. */
export const busyWith = (busy: ByKind, weight: ByKind, { inside, outside }: Relief): number =>
  weighed(busy, weight, inside, outside);

/** Of the wires that messages of one kind of way cross. */
export function busyOn({ loads }: Traffic, weight: ByKind, { inside, outside }: Relief, way: HopKind): number {
  let most = 0;
  for (const { busy } of loads) {
    if (busy[way] > 0) most = Math.max(most, weighed(busy, weight, inside, outside));
  }
  return most;
}

/**
 * For how long messages of one kind of way need their wires for a byte each, µs: beside others that are held up elsewhere for `lasting`
 * a byte they get what those leave.
 */
export function besides(
  { loads }: Traffic,
  weight: ByKind,
  { inside, outside }: Relief,
  way: HopKind,
  lasting: ByKind,
): number {
  let most = 0;
  for (const { busy } of loads) {
    if (busy[way] === 0) continue;
    const own = (busy[way] * weight[way]) / (way === 'net' ? outside : inside);
    let taken = 0;
    for (const kind of kinds) {
      if (kind === way || busy[kind] === 0) continue;
      taken += (busy[kind] * weight[kind]) / (kind === 'net' ? outside : inside) / lasting[kind];
    }
    const all = weighed(busy, weight, inside, outside);
    most = Math.max(most, taken < 1 ? Math.min(all, own / (1 - taken)) : all);
  }
  return most;
}

const weighed = (busy: ByKind, weight: ByKind, inside: number, outside: number): number =>
  (busy.nvlink * weight.nvlink + busy.pci * weight.pci + busy.shm * weight.shm) / inside +
  (busy.net * weight.net) / outside;

/** The most crowded wire of those that messages within nodes cross, or of those between them. */
export function tightest({ loads }: Traffic, weight: ByKind, between: boolean): Wire | undefined {
  let found: Wire | undefined;
  let most = 0;
  for (const { busy, wire } of loads) {
    if (busy.net > 0 !== between) continue;
    const sum = weighed(busy, weight, 1, 1);
    if (sum > most) {
      most = sum;
      found = wire;
    }
  }
  return found;
}
