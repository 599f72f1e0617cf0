import { type Wires, wiresOf } from '../../collective/clock/wires.ts';
import { channelOf, type P2pWays, roundOf } from '../../collective/p2p.ts';
import type { Machine } from '../../machine/machine.ts';
import type { Communicator } from '../../nccl/communicator.ts';
import type { Exchange } from './exchange.ts';
import { Laid, type Traffic } from './laid.ts';
import { gpuLimits, linkShares } from './wire-rates.ts';

/** Messages on the wires, and the parts of them that the busiest channel of a rank has to send, or to receive. */
export interface ExchangeTraffic extends Traffic {
  readonly most: number;
}

/** Ranks of one host and of another, alike to many such pairs: hosts by their number among those that stand for all. */
interface HostPair {
  readonly from: number;
  readonly to: number;
  /** The pairs that this one stands for, as hosts of the whole job. */
  readonly of: readonly (readonly [number, number])[];
  /** How many of them a wire of the sending host serves, and one of the receiving host. */
  readonly atSender: number;
  readonly atReceiver: number;
}

/**
 * Lays the messages of an exchange onto the wires they cross, on the ways that NCCL takes for each pair. Hosts are alike but for the
 * last one, so that up to three stand for all: what one of them has to do with many others is counted, not laid out.
 */
export class ExchangeLoads {
  private readonly known = new Map<string, ExchangeTraffic>();
  private made: Wires | undefined;
  /** Hosts that stand for all, and their ranks. */
  private readonly few: number;
  private readonly fewRanks: number;
  /** Hosts but for a last one that has less. */
  private readonly alike: number;

  constructor(
    private readonly machine: Machine,
    private readonly c: Communicator,
    readonly ways: P2pWays,
    private readonly ground: { readonly sm: number; readonly netTotal: number },
  ) {
    this.alike = c.hosts - (c.rest.length > 0 ? 1 : 0);
    this.few = Math.min(this.alike, 2) + (this.alike < c.hosts ? 1 : 0);
    this.fewRanks = c.ranks - (c.hosts - this.few) * c.perHost;
  }

  /** `parts`: channels that each message takes. */
  of(exchange: Exchange, parts: number): ExchangeTraffic {
    const key = `${exchange} ${parts}`;
    const found = this.known.get(key) ?? this.lay(exchange, parts);
    this.known.set(key, found);
    return found;
  }

  private lay(exchange: Exchange, parts: number): ExchangeTraffic {
    const { c, few, fewRanks } = this;
    const wires = this.made ?? wiresOf({ ...c, hosts: few, ranks: fewRanks }, gpuLimits(this.machine, c.release));
    this.made = wires;
    const laid = new Laid(wires, linkShares({ ...this.ground, made: c, machine: this.machine }, wires));
    const pairs = exchange === 'sendrecv' ? this.neighbours() : this.pairs(exchange);
    for (const pair of pairs) this.between(exchange, parts, pair, wires, laid);
    return { ...laid.traffic(), most: exchange === 'sendrecv' ? 1 : this.busiest(exchange, parts) };
  }

  private pairs(exchange: Exchange): HostPair[] {
    const { alike, few } = this;
    const { hosts } = this.c;
    const others = (first: number, last: number): number[] =>
      Array.from({ length: last - first + 1 }, (_, k) => first + k);
    const pairs: HostPair[] = [{ from: 0, to: 0, of: [[0, 0]], atSender: 1, atReceiver: 1 }];
    if (alike > 1) {
      const far = others(1, alike - 1);
      pairs.push({ from: 0, to: 1, of: far.map((h) => [0, h]), atSender: alike - 1, atReceiver: 1 });
      pairs.push({ from: 1, to: 0, of: far.map((h) => [h, 0]), atSender: 1, atReceiver: alike - 1 });
    }
    if (alike < hosts) {
      const last = few - 1;
      const far = others(0, exchange === 'alltoall' ? alike - 1 : 0);
      pairs.push({ from: last, to: last, of: [[alike, alike]], atSender: 1, atReceiver: 1 });
      pairs.push({ from: 0, to: last, of: far.map((h) => [h, alike]), atSender: 1, atReceiver: far.length });
      pairs.push({ from: last, to: 0, of: far.map((h) => [alike, h]), atSender: far.length, atReceiver: 1 });
    }
    return pairs;
  }

  /** A ring of all ranks: within each host, and from each to the next. */
  private neighbours(): HostPair[] {
    const { few } = this;
    const { hosts } = this.c;
    const one = { atSender: 1, atReceiver: 1 };
    return Array.from({ length: few }, (_, host) => host).flatMap((host) => {
      const at = host === few - 1 ? hosts - 1 : host;
      const within: HostPair = { from: host, to: host, of: [[at, at]], ...one };
      return few === 1
        ? [within]
        : [within, { from: host, to: (host + 1) % few, of: [[at, (at + 1) % hosts]], ...one }];
    });
  }

  private between(
    exchange: Exchange,
    parts: number,
    { from, to, of, atSender, atReceiver }: HostPair,
    wires: Wires,
    laid: Laid,
  ): void {
    const { ranks, perHost, p2p } = this.c;
    const { local } = this.ways;
    const end = this.fewRanks;
    const onHost = (host: number): number[] =>
      Array.from({ length: Math.min(perHost, end - host * perHost) }, (_, i) => host * perHost + i);
    for (const a of onHost(from)) {
      for (const b of onHost(to)) {
        if (a === b || !isSent(exchange, a, b, end)) continue;
        const channels = of.flatMap(([x, y]) => {
          const round = roundOf(x * perHost + (a % perHost), y * perHost + (b % perHost), ranks, local);
          return Array.from({ length: parts }, (_, p) => channelOf(round, p, p2p.channels, ranks, local));
        });
        const on = new Map<number, number>();
        for (const channel of channels) on.set(channel, (on.get(channel) ?? 0) + 1 / channels.length);
        for (const [channel, part] of on) {
          laid.cross(wires.way(a, b, channel, 'Direct'), part * atSender, part * atReceiver);
        }
      }
    }
  }

  /** A rank's own part and those of all others take channels by their rounds; some have more than others. */
  private busiest(exchange: Exchange, parts: number): number {
    const { ranks, perHost, p2p } = this.c;
    const { local } = this.ways;
    const taken = new Int32Array(p2p.channels);
    let most = 0;
    const count = (round: (other: number) => number): void => {
      taken.fill(0);
      for (let other = 0; other < ranks; other++) {
        const at = round(other);
        for (let p = 0; p < parts; p++) taken[channelOf(at, p, p2p.channels, ranks, local)]!++;
      }
      most = Math.max(most, ...taken);
    };
    // Where nodes are alike, so are their ranks; else those of the first host and of the last one stand for all.
    const even = exchange !== 'alltoall' || ranks % local === 0;
    const first = Array.from({ length: even ? 1 : perHost }, (_, i) => i);
    const last = even ? [] : Array.from({ length: ranks % perHost }, (_, i) => ranks - 1 - i);
    for (const rank of [...first, ...last]) {
      if (exchange !== 'gather') count((other) => roundOf(rank, other, ranks, local));
      if (exchange !== 'scatter') count((other) => roundOf(other, rank, ranks, local));
    }
    return most;
  }
}

/** Whether rank `from` of the hosts that stand for all sends to rank `to`. */
function isSent(exchange: Exchange, from: number, to: number, ranks: number): boolean {
  if (exchange === 'sendrecv') return to === (from + 1) % ranks;
  return exchange === 'alltoall' || (exchange === 'gather' ? to : from) === 0;
}
