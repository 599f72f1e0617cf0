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
}

/** The numbers that make the links of a machine a clock: a caller fits or guesses them. */
export interface ClockConstants {
  readonly hop: Readonly<Record<HopKind, MessageCost>>;
  /** What of each kind of link's rate payload and flags together can have; 1 when left out. */
  readonly share?: Readonly<Partial<Record<LinkType, number>>>;
  /** Bytes per second that one block can pass on, whatever the wire; without limit when left out. */
  readonly blockRate?: number;
  readonly startUs: number;
  readonly finishUs: number;
}

/** Costs of a program on the links of a machine. */
export function machineCosts(program: Program, wires: Wires, constants: ClockConstants): Costs {
  const { share, blockRate, hop, startUs, finishUs } = constants;
  const links = wires.links.map(({ name, rate }, i) => ({
    name,
    rate: bytesPerSecond(rate * (share?.[wires.type[i]!] ?? 1)),
  }));
  const { algorithm } = program.task;
  const blocks = new Map<string, number>();
  const blockOf = (from: number, channel: number): number[] => {
    if (blockRate === undefined || from >= program.ranks) return [];
    const key = `${from} ${channel}`;
    let link = blocks.get(key);
    if (link === undefined) {
      link = links.push({ name: `block of rank ${from} channel ${channel}`, rate: bytesPerSecond(blockRate) }) - 1;
      blocks.set(key, link);
    }
    return [link];
  };
  const hopFor = (way: Way, own: readonly number[]): Hop => {
    const carried = hop[way.kind].proxyUs !== undefined;
    if (own.length === 0) return { ...hop[way.kind], links: way.links };
    return {
      ...hop[way.kind],
      links: carried ? way.links : [...own, ...way.links],
      ...(carried ? { blockLinks: own } : {}),
    };
  };
  // Ways are few beside the connections that take them.
  const known = new Map<Way, Hop>();
  return costsOf(
    program,
    links,
    (from, to, channel): Hop => {
      const way = wires.way(from, to, channel, algorithm);
      if (blockRate !== undefined) return hopFor(way, blockOf(from, channel));
      const found = known.get(way) ?? hopFor(way, []);
      known.set(way, found);
      return found;
    },
    { startUs, finishUs },
  );
}
