import type { HopKind } from '../../collective/clock/wires.ts';
import { none } from './laid.ts';

/** Hops of a ring that are alike, and what a chunk takes of them; µs. */
export interface RingHop {
  readonly kind: HopKind;
  /** Of all hops of a ring, how many are alike. */
  readonly count: number;
  /** Other kinds of hops cross their wires too. */
  readonly shared: boolean;
  /** Until what is sent is read. */
  readonly latency: number;
  /** For how long the sender is held besides its bytes, for all slices together. */
  readonly held: number;
  /** For how long a chunk is on its way with none but its like on the wires, and with the chunks of all ranks there. */
  readonly alone: number;
  readonly move: number;
}

interface Steps {
  readonly ranks: number;
  readonly steps: number;
  /** A chunk is cut into so many slices; what part of it the first one is. */
  readonly slices: number;
  readonly part: number;
  /** Chunks that a buffer holds. */
  readonly inFlight: number;
  /** What is sent does not wait for what comes in: only for slots. */
  readonly freely?: boolean;
}

/** A hop as ranks meet it: until the first slice is sent, and all of the chunk; µs. */
interface Met {
  readonly count: number;
  readonly latency: number;
  readonly first: number;
  readonly all: number;
}

/** µs until the last rank has what so many steps bring it. */
export function passedOn(hops: readonly RingHop[], of: Steps): number {
  const { ranks, steps, slices, part, inFlight } = of;
  const met = inTime(hops, of);
  // Most ranks pass on over the commonest kind of hop what they have read: so long they hold its slots. Where slots are waited for,
  // channels of a GPU are at different places, and meet few others on its wires.
  let held = 0;
  let common = 0;
  for (const hop of hops) {
    if (hop.count <= common) continue;
    common = hop.count;
    held = hop.held / slices + hop.alone * part;
  }
  let most = 0;
  for (const { latency, first, all } of met) {
    const slots = Math.floor((steps - 1) / inFlight) * (latency + first + held - inFlight * all);
    most = Math.max(most, steps * all + latency + Math.max(0, slots));
  }
  return of.freely ? most : Math.max(most, along(met, ranks, steps) + queued(met, ranks, steps));
}

/** Until how many send at a time is found: each round halves what it is off, or does better. */
const rounds = 4;

/**
 * Where all hops are of one kind, all ranks send at once. Where a few are of another, ranks fall out of step, and meet on a wire as many
 * as are sending at a time. The few that the others wait for keep step among themselves.
 */
function inTime(hops: readonly RingHop[], of: Steps): readonly Met[] {
  const { ranks } = of;
  const counts = none();
  for (const { kind, count } of hops) counts[kind] += count;
  const common = (kind: HopKind): boolean => 2 * counts[kind] >= ranks;
  const outOfStep = ({ kind, shared }: RingHop): boolean =>
    (shared || common(kind)) && counts[kind] < ranks * (1 - 1e-9);
  if (!hops.some((hop) => hop.move > hop.alone && outOfStep(hop))) return metWith(hops, of, () => 1);
  let sending = 1;
  let met: readonly Met[] = [];
  for (let round = 0; round < rounds; round++) {
    const besides = (hop: RingHop): number => (outOfStep(hop) ? sending : 1);
    met = metWith(hops, of, besides);
    let [period, busy] = [0, 0];
    for (const { count, latency, first } of met) period += count * (latency + first);
    for (const hop of hops) busy += hop.count * moving(hop, besides(hop));
    sending = Math.min(1, busy / period);
  }
  return met;
}

/** Beside this part of all others. */
const moving = ({ alone, move }: RingHop, others: number): number => alone + (move - alone) * others;

/** The slowest first. */
function metWith(hops: readonly RingHop[], { slices, part }: Steps, besides: (hop: RingHop) => number): Met[] {
  const met: Met[] = [];
  for (const hop of hops) {
    const { count, latency, held, move } = hop;
    const own = moving(hop, besides(hop));
    insert(met, { count, latency, first: held / slices + own * part, all: Math.max(move, own + held) });
  }
  return met;
}

function insert(hops: Met[], hop: Met): void {
  const time = hop.latency + hop.first;
  let at = hops.length;
  hops.push(hop);
  for (; at > 0 && hops[at - 1]!.latency + hops[at - 1]!.first < time; at--) hops[at] = hops[at - 1]!;
  hops[at] = hop;
}

/** From rank to rank over so many hops in a row, wherever most of the slow ones are; at the end the rest of the chunk comes in. */
function along(hops: readonly Met[], ranks: number, steps: number): number {
  const rounds = Math.floor(steps / ranks);
  const share = steps / ranks - rounds;
  let slower = 0;
  let met = 0;
  let time = 0;
  let rest = 0;
  for (const { count, latency, first, all } of hops) {
    slower += count;
    // Those as slow as this or slower stand as far from each other as they can.
    const more = Math.ceil(share * slower - 1e-9) - met;
    met += more;
    time += (rounds * count + more) * (latency + first);
    rest = Math.max(rest, all - first);
  }
  return time + rest;
}

/**
 * What ranks send at once comes to the slowest hop faster than it goes over it, once: the last chunk that meets as many slow hops as the
 * first one waits for those before it. Or one more does, which meets a slow hop less. µs.
 */
function queued(hops: readonly Met[], ranks: number, steps: number): number {
  const slow = hops[0]!;
  const gap = Math.floor(ranks / slow.count + 1e-9);
  if (gap < 2) return 0;
  let others = 0;
  for (const { count, latency, first } of hops.slice(1)) others += count * (latency + first);
  const other = others / (ranks - slow.count);
  const behind = slow.all - other;
  if (behind <= 0) return 0;
  const last = (steps - 1) % gap;
  return Math.max(last * behind, Math.min(gap, steps) * behind - behind - (slow.latency + slow.first - other));
}
