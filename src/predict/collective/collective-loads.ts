import { type Wires, wiresOf } from '../../collective/clock/wires.ts';
import type { AlgorithmName } from '../../collective/kinds.ts';
import { waysOf } from '../../collective/ways.ts';
import type { Machine } from '../../machine/machine.ts';
import type { Communicator } from '../../nccl/communicator.ts';
import { type ByKind, type HopClass, Laid, none, type Traffic } from './laid.ts';
import { channelLines, headLines, type RankBusy } from './tree-lines.ts';
import { type Edge, longestWays, type TreeUp, type WayUp } from './ways-up.ts';
import { gpuLimits, linkShares } from './wire-rates.ts';

/** A chunk of every channel's hops on the wires: of all rings together, and one by one as a chunk of a ring meets them. */
export interface RingLoads {
  readonly traffic: Traffic;
  readonly hops: readonly HopClass[];
}

export interface TreeLoads {
  /** Up and down at once; up alone. */
  readonly traffic: Traffic;
  readonly up: Traffic;
  /** From leaves to the root: the longest ways, whatever is slower. */
  readonly ways: readonly WayUp[];
  /** Between nodes: of each wire that can be the most crowded one, for how long a byte keeps it busy hop by hop (`tree-lines.ts`). */
  readonly lines: readonly (readonly number[])[];
}

export interface NvlsLoads {
  /** All that a round crosses; what every rank sends to the switches; what the switches hand out. */
  readonly traffic: Traffic;
  readonly spread: Traffic;
  readonly handed: Traffic;
  /** Between the heads of nodes, up and down; of each wire that can be the most crowded one, hop by hop (`tree-lines.ts`). */
  readonly between: Traffic;
  readonly lines: readonly (readonly number[])[];
}

/** Hosts that are looked at: the first ones stand for all, whatever place in a tree they have, and the last for itself. */
const watched = 16;

/**
 * Lays the hops of channels onto the wires they cross, on the ways that NCCL takes: as the engine does, once for a machine and a
 * number of channels.
 */
export class CollectiveLoads {
  private readonly known = new Map<string, unknown>();
  private made: { readonly wires: Wires; readonly few: number } | undefined;

  constructor(
    private readonly machine: Machine,
    private readonly c: Communicator,
    private readonly ground: { readonly sm: number; readonly netTotal: number },
  ) {}

  ring(channels: number): RingLoads {
    return this.once(`ring ${channels}`, () => this.ringOf(channels));
  }

  /** A ring without the hop into the root, for Broadcast, or without the one out of it, for Reduce; rank 0 is the root. */
  chain(channels: number, reduces: boolean): RingLoads {
    return this.once(`chain ${channels} ${reduces}`, () => this.ringOf(channels, reduces ? 'reduce' : 'broadcast'));
  }

  tree(channels: number): TreeLoads {
    return this.once(`tree ${channels}`, () => this.treeOf(channels));
  }

  nvls(channels: number, reduces: boolean, hands: boolean): NvlsLoads {
    return this.once(`nvls ${channels} ${reduces} ${hands}`, () => this.nvlsOf(channels, reduces, hands));
  }

  private once<T>(key: string, make: () => T): T {
    const found = this.known.get(key) as T | undefined;
    if (found !== undefined) return found;
    const value = make();
    this.known.set(key, value);
    return value;
  }

  private get here(): { readonly wires: Wires; readonly few: number } {
    if (this.made) return this.made;
    const { c } = this;
    const last = c.rest.length > 0 ? 1 : 0;
    const few = Math.min(c.hosts - last, watched) + last;
    const ranks = few === c.hosts ? c.ranks : c.ranks - (c.hosts - few) * c.perHost;
    const wires = wiresOf({ ...c, hosts: few, ranks }, gpuLimits(this.machine, c.release));
    this.made = { wires, few };
    return this.made;
  }

  private laid(): Laid {
    const { wires } = this.here;
    return new Laid(wires, linkShares({ ...this.ground, made: this.c, machine: this.machine }, wires));
  }

  /** The host that stands for one, and whether its own wires are looked at. */
  private standIn(host: number): { readonly host: number; readonly seen: boolean } {
    const { few } = this.here;
    const { hosts, rest } = this.c;
    if (rest.length > 0 && host === hosts - 1) return { host: few - 1, seen: true };
    const alike = few - (rest.length > 0 ? 1 : 0);
    return host < alike ? { host, seen: true } : { host: host % alike, seen: false };
  }

  /** The way of a hop, where a host that is looked at takes part or the hop stays within one; laid on the wires looked at. */
  private hop(
    laid: readonly Laid[],
    from: number,
    to: number,
    channel: number,
    algorithm: AlgorithmName,
    after?: ByKind,
  ): Edge | undefined {
    const { perHost } = this.c;
    const { few, wires } = this.here;
    const [a, b] = [Math.floor(from / perHost), Math.floor(to / perHost)];
    const [x, y] = [this.standIn(a), this.standIn(b)];
    if (a !== b && !x.seen && !y.seen) return undefined;
    const rank = (host: number, of: number): number => host * perHost + (of % perHost);
    // Hosts that are not looked at are far from those that are: any other one will do.
    const other = (own: number): number => (own + 1) % few;
    const there = x.seen || a === b ? x.host : other(y.host);
    const here = y.seen || a === b ? y.host : other(x.host);
    const way = wires.way(rank(there, from), rank(here, to), channel, algorithm);
    const edge = { way, leaving: x.seen ? 1 : 0, entering: y.seen ? 1 : 0 };
    for (const one of laid) one.cross(way, edge.leaving, edge.entering, after);
    return edge;
  }

  /** All hops of the rings; of a chain but that which would close it. */
  private ringOf(channels: number, chain?: 'broadcast' | 'reduce'): RingLoads {
    const laid = this.laid();
    const all = none();
    let farthest = none();
    const rings = this.c.channels;
    for (let channel = 0; channel < channels; channel++) {
      const { ring } = rings[channel % rings.length]!;
      const first = chain ? ring.indexOf(0) + (chain === 'reduce' ? 1 : 0) : 0;
      const passed = none();
      for (let i = first; i < first + ring.length - (chain ? 1 : 0); i++) {
        const from = ring[i % ring.length]!;
        const to = ring[(i + 1) % ring.length]!;
        const after = chain && { ...passed };
        const kind = this.hop([laid], from, to, channel, 'Ring', after)?.way.kind ?? 'net';
        passed[kind]++;
        all[kind] += 1 / channels;
      }
      // Of chains that begin at different places of a node some cross the network once more.
      if (passed.net >= farthest.net) farthest = passed;
    }
    return { traffic: laid.traffic(), hops: forAll(laid.classes(), chain ? farthest : all) };
  }

  private treeOf(channels: number): TreeLoads {
    const both = this.laid();
    const up = this.laid();
    const { channels: all } = this.c;
    const trees = Array.from({ length: channels }, (_, channel): TreeUp => {
      const parent = all[channel % all.length]!.treeUp;
      const edges = parent.map((to, from) => {
        if (to < 0) return undefined;
        this.hop([both], to, from, channel, 'Tree');
        return this.hop([both, up], from, to, channel, 'Tree');
      });
      return { parent, edges };
    });
    const lines = this.channelLines(trees);
    const most = (lines[0] ?? []).map((_, hop) => Math.max(...lines.map((line) => line[hop]!)));
    return { traffic: both.traffic(), up: up.traffic(), ways: longestWays(trees, most), lines };
  }

  private nvlsOf(channels: number, reduces: boolean, hands: boolean): NvlsLoads {
    const { wires, few } = this.here;
    const { c } = this;
    const [all, spread, handed] = [this.laid(), this.laid(), this.laid()];
    const ranks = few === c.hosts ? c.ranks : c.ranks - (c.hosts - few) * c.perHost;
    const nvls = waysOf({ ...c, hosts: few, ranks }).nvls;
    const into = (from: number, to: number, ...laids: Laid[]): void => {
      const way = wires.way(from, to, 0, 'NVLS');
      for (const laid of laids) laid.cross(way, channels);
    };
    nvls?.nodes.forEach((members, d) => {
      const fabric = ranks + d;
      for (const head of nvls.heads[d]!) {
        if (reduces) for (const r of members) into(r, fabric, all, spread);
        if (reduces) into(fabric, head, all);
        if (hands) into(head, fabric, all);
        if (hands) for (const r of members) into(fabric, r, all, handed);
      }
    });
    const heads = this.betweenHeads(channels);
    return { traffic: all.traffic(), spread: spread.traffic(), handed: handed.traffic(), ...heads };
  }

  /** Heads of a kind meet by two trees over nodes, one for even channels and one for odd. */
  private betweenHeads(channels: number): Pick<NvlsLoads, 'between' | 'lines'> {
    const both = this.laid();
    const nvls = waysOf(this.c).nvls;
    if (!nvls || nvls.nodes.length === 1) return { between: both.traffic(), lines: [] };
    const { trees, heads } = nvls;
    for (let channel = 0; channel < channels; channel++) {
      for (const [d, above] of trees[channel % 2]!.entries()) {
        if (above < 0) continue;
        for (const [h, from] of heads[d]!.entries()) {
          const to = heads[above]![h]!;
          this.hop([both], to, from, channel, 'NVLSTree');
          this.hop([both], from, to, channel, 'NVLSTree');
        }
      }
    }
    const last = this.c.rest.length > 0 ? heads.length - 1 : 0;
    const like = (node: number): number => (node === last ? last : 0);
    return { between: both.traffic(), lines: headLines(trees, heads, channels, like, this.busyBy('NVLSTree')) };
  }

  private channelLines(trees: readonly TreeUp[]): (readonly number[])[] {
    const { hosts, perHost, rest } = this.c;
    const last = rest.length > 0 ? hosts - 1 : 0;
    return channelLines(trees, hosts, perHost, (host) => (host === last ? last : 0), this.busyBy('Tree'));
  }

  private busyBy(algorithm: AlgorithmName): RankBusy {
    return (own, other, sends, channel) => {
      const laid = this.laid();
      const edge = sends ? this.hop([], own, other, channel, algorithm) : this.hop([], other, own, channel, algorithm);
      if (edge) laid.cross(edge.way, sends ? edge.leaving : 0, sends ? 0 : edge.entering);
      return laid.netWires();
    };
  }
}

/** Classes of the hops that were looked at, in the numbers of all. */
function forAll(classes: readonly HopClass[], all: ByKind): HopClass[] {
  const seen = none();
  for (const { kind, count } of classes) seen[kind] += count;
  return classes.map((c) => ({ ...c, count: (c.count * all[c.kind]) / seen[c.kind] }));
}
