import { type Wires, wiresOf } from '../../collective/clock/wires.ts';
import type { Machine } from '../../machine/machine.ts';
import type { Communicator } from '../../nccl/communicator.ts';
import { hostMemory } from './crossing.ts';
import type { Exchange } from './exchange.ts';
import { linkShares } from './exchange-wires.ts';
import { Laid, type Traffic } from './laid.ts';

/** Ranks of one host and of another, alike to many such pairs: hosts by their number among those that stand for all. */
interface HostPair {
  readonly from: number;
  readonly to: number;
  /** How far apart the first ranks of the pairs are that this one stands for. */
  readonly apart: readonly number[];
  /** How many of them a wire of the sending host serves, and one of the receiving host. */
  readonly atSender: number;
  readonly atReceiver: number;
}

/**
 * Lays the messages of an exchange onto the wires they cross, on the ways that NCCL takes for each pair. Hosts are alike but for the
 * last one, so that up to three stand for all: what one of them has to do with many others is counted, not laid out.
 */
export class ExchangeLoads {
  private readonly known = new Map<string, Traffic>();
  private made: Wires | undefined;

  constructor(
    private readonly machine: Machine,
    private readonly c: Communicator,
    private readonly ground: { readonly sm: number; readonly netTotal: number },
  ) {}

  /** `channels`: how many each message takes. */
  of(exchange: Exchange, channels: number): Traffic {
    const key = `${exchange} ${channels}`;
    const found = this.known.get(key) ?? this.lay(exchange, channels);
    this.known.set(key, found);
    return found;
  }

  private lay(exchange: Exchange, parts: number): Traffic {
    const { c } = this;
    const few = Math.min(this.alike, 2) + (this.alike < c.hosts ? 1 : 0);
    const ranks = few === c.hosts ? c.ranks : c.ranks - (c.hosts - few) * c.perHost;
    const wires = this.made ?? wiresOf({ ...c, hosts: few, ranks }, hostMemory(this.machine, c.release));
    this.made = wires;
    const laid = new Laid(wires, c.p2p.channels);
    if (exchange === 'sendrecv') {
      for (let from = 0; from < ranks; from++) laid.add(from, (from + 1) % ranks, parts, [1], 1, 1);
    } else {
      for (const pair of this.pairs(exchange, few)) this.between(exchange, parts, pair, ranks, laid);
    }
    return laid.traffic(linkShares({ ...this.ground, made: c }, wires));
  }

  /** Hosts but for a last one that has less. */
  private get alike(): number {
    return this.c.hosts - (this.c.rest.length > 0 ? 1 : 0);
  }

  private pairs(exchange: Exchange, few: number): HostPair[] {
    const { alike } = this;
    const { perHost, hosts } = this.c;
    const steps = (first: number, last: number, sign: number): number[] =>
      Array.from({ length: last - first + 1 }, (_, k) => sign * (first + k) * perHost);
    const pairs: HostPair[] = [{ from: 0, to: 0, apart: [0], atSender: 1, atReceiver: 1 }];
    if (alike > 1) {
      pairs.push({ from: 0, to: 1, apart: steps(1, alike - 1, 1), atSender: alike - 1, atReceiver: 1 });
      pairs.push({ from: 1, to: 0, apart: steps(1, alike - 1, -1), atSender: 1, atReceiver: alike - 1 });
    }
    if (alike < hosts) {
      const last = few - 1;
      const many = exchange === 'alltoall' ? alike : 1;
      const first = alike - many + 1;
      pairs.push({ from: last, to: last, apart: [0], atSender: 1, atReceiver: 1 });
      pairs.push({ from: 0, to: last, apart: steps(first, alike, 1), atSender: 1, atReceiver: many });
      pairs.push({ from: last, to: 0, apart: steps(first, alike, -1), atSender: many, atReceiver: 1 });
    }
    return pairs;
  }

  private between(exchange: Exchange, parts: number, pair: HostPair, end: number, laid: Laid): void {
    const { ranks, perHost } = this.c;
    const ranksOf = (host: number): number[] =>
      Array.from({ length: Math.min(perHost, end - host * perHost) }, (_, i) => host * perHost + i);
    for (const from of ranksOf(pair.from)) {
      for (const to of ranksOf(pair.to)) {
        if (from === to || (exchange === 'gather' && to !== 0) || (exchange === 'scatter' && from !== 0)) continue;
        const rounds = pair.apart.map((far) => (((far + (to % perHost) - (from % perHost)) % ranks) + ranks) % ranks);
        laid.add(from, to, parts, rounds, pair.atSender, pair.atReceiver);
      }
    }
  }
}
