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
  /** Bytes per second on the wire that one worker can pass on, whatever the wire; without limit when left out. */
  readonly blockRate?: number;
  /** What a worker takes to fill the buffer of a NIC is part of the hop. */
  readonly freeOutside?: boolean;
  readonly startUs: number;
  readonly finishUs: number;
}

/** Costs of a program on the links of a machine. */
export function machineCosts(program: Program, wires: Wires, constants: ClockConstants): Costs {
  const { share, blockRate, freeOutside, hop, startUs, finishUs } = constants;
  const links = wires.links.map(({ name, rate }, i) => ({
    name,
    rate: bytesPerSecond(rate * (share?.[wires.type[i]!] ?? 1)),
  }));
  const { algorithm } = program.task;
  const { sender } = program.connections;
  const ofWorker = new Map<number, number>();
  /** A worker's threads pass the same data on to all, or serve its connections side by side and share what they can do. */
  const blockOf = (connection: number): number[] => {
    const worker = sender[connection]!;
    if (blockRate === undefined || program.workers.agent[worker]! >= program.ranks) return [];
    const made = program.workers.sideBySide[worker] === 1 ? ofWorker.get(worker) : undefined;
    if (made !== undefined) return [made];
    const name = `block of rank ${program.workers.agent[worker]} channel ${program.workers.channel[worker]}`;
    const link = links.push({ name, rate: bytesPerSecond(blockRate) }) - 1;
    ofWorker.set(worker, link);
    return [link];
  };
  const hopFor = (way: Way, own: readonly number[]): Hop => {
    const carried = hop[way.kind].proxyUs !== undefined;
    if (own.length === 0 || (way.kind === 'net' && freeOutside)) return { ...hop[way.kind], links: way.links };
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
    (from, to, channel, connection): Hop => {
      const way = wires.way(from, to, channel, algorithm);
      if (blockRate !== undefined) return hopFor(way, blockOf(connection));
      const found = known.get(way) ?? hopFor(way, []);
      known.set(way, found);
      return found;
    },
    { startUs, finishUs },
  );
}
