import { bytesPerSecond } from '../../base/units.ts';
import type { LinkType } from '../../nccl/system/node.ts';
import type { Program } from '../program.ts';
import { type Costs, costsOf, type Hop } from './costs.ts';
import type { HopKind, Way, Wires } from './wires.ts';

/** What a message costs besides its bytes, in µs (see `Hop`). */
export interface MessageCost {
  readonly blockUs: number;
  readonly latencyUs: number;
  readonly proxyUs?: number;
  readonly weight?: number;
}

/** The numbers that make the links of a machine a clock: a caller fits or guesses them. */
export interface ClockConstants {
  readonly hop: Readonly<Record<HopKind, MessageCost>>;
  /** What of each kind of link's rate payload and flags together can have; 1 when left out. */
  readonly share?: Readonly<Partial<Record<LinkType, number>>>;
  /** Bytes per second on the wire that one worker can pass on, whatever the wire; without limit when left out. */
  readonly blockRate?: number;
  /** In exchanges, what one message can have of the block rate; all where left out. */
  readonly alone?: Readonly<Record<HopKind, number>>;
  /** What a worker takes to fill the buffer of a NIC is part of the hop. */
  readonly freeOutside?: boolean;
  readonly startUs: number;
  readonly finishUs: number;
  /** See `Costs`. */
  readonly outOfStep?: boolean;
}

const none: readonly number[] = [];

/** Costs of a program on the links of a machine. */
export function machineCosts(program: Program, wires: Wires, constants: ClockConstants): Costs {
  const { share, blockRate, alone, freeOutside, hop, startUs, finishUs, outOfStep = false } = constants;
  const links = wires.links.map(({ name, rate }, i) => ({
    name,
    rate: bytesPerSecond(rate * (share?.[wires.type[i]!] ?? 1)),
  }));
  const { algorithm } = program.task;
  const { sender, from, to, channel } = program.connections;
  const shared = new Map<string | number, number>();
  const block = (rank: number, channel: number, threads: number, of = 'block', key?: string | number): number => {
    const made = key === undefined ? undefined : shared.get(key);
    if (made !== undefined) return made;
    const name = `${of} of rank ${rank} channel ${channel}`;
    const link = links.push({ name, rate: bytesPerSecond(blockRate! * threads) }) - 1;
    if (key !== undefined) shared.set(key, link);
    return link;
  };
  /** What a channel sends at once shares one half of its threads, and what it receives the other. */
  const end = (rank: number, on: number, of: 'senders' | 'receivers'): number =>
    block(rank, on, 1, of, `${of} ${rank} ${on}`);
  /** A worker's threads pass the same data on to all, or serve its connections side by side and share what they can do. */
  const blocksOf = (c: number, kind: HopKind): readonly number[] => {
    const worker = sender[c]!;
    const { agent, channel: on, sideBySide, threads } = program.workers;
    if (blockRate === undefined || agent[worker]! >= program.ranks) return none;
    if (algorithm === 'Direct') {
      const ends = [end(from[c]!, channel[c]!, 'senders'), end(to[c]!, channel[c]!, 'receivers')];
      const part = from[c] === to[c] ? 1 : (alone?.[kind] ?? 1);
      return part < 1 ? [...ends, block(from[c]!, on[worker]!, part, kind, `${kind} ${worker}`)] : ends;
    }
    return [
      block(agent[worker]!, on[worker]!, threads[worker]!, 'block', sideBySide[worker] === 1 ? worker : undefined),
    ];
  };
  const hopFor = (way: Way, own: readonly number[]): Hop => {
    const free = own.length === 0 || (way.kind === 'net' && freeOutside === true);
    return { ...hop[way.kind], links: way.links, ...(free ? {} : { blockLinks: own }) };
  };
  // Ways are few beside the connections that take them, and so are the blocks that serve many.
  const hops = new Map<Way, Hop>();
  const byBlock = new Map<number, { readonly way: Way; readonly hop: Hop }>();
  return costsOf(
    program,
    links,
    (from, to, channel, connection): Hop => {
      const way = wires.way(from, to, channel, algorithm);
      const own = blocksOf(connection, way.kind);
      if (own.length > 1) return hopFor(way, own);
      if (own.length === 1) {
        const last = byBlock.get(own[0]!);
        if (last?.way === way) return last.hop;
        const hop = hopFor(way, own);
        byBlock.set(own[0]!, { way, hop });
        return hop;
      }
      const found = hops.get(way) ?? hopFor(way, own);
      hops.set(way, found);
      return found;
    },
    { startUs, finishUs, outOfStep },
  );
}
