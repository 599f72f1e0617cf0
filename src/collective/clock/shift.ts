import type { Program } from '../program.ts';
import type { Costs } from './costs.ts';

/** A shift of all ranks that leaves a program and its costs as they are. */
export interface Shift {
  /** So often until everyone is back in place: how many are alike. */
  readonly times: number;
  /** Whose place each worker takes; likewise each link, −1 for one that nothing crosses. */
  readonly worker: Int32Array;
  readonly link: Int32Array;
}

/**
 * The smallest shift after which nothing has changed: kinds of workers, who is joined to whom, what each hop costs and which
 * links it shares with whom. Most shifts fail within the first node, so that trying costs little.
 */
export function shiftOf(program: Program, costs: Costs): Shift | undefined {
  const { ranks, agents } = program;
  const places = new Places(program);
  for (let by = 1; by <= ranks / 2; by++) {
    const times = ranks / by;
    // The switches of nodes go along: so many of them as their share of the ranks.
    if (!Number.isInteger(times) || !Number.isInteger((agents - ranks) / times)) continue;
    const trial = new Trial(program, costs, (w) => places.image(w, by));
    if (trial.succeeds() && free(trial.link, times)) return { times, worker: trial.worker, link: trial.link };
  }
  return undefined;
}

/** Workers by agent and channel, in order. */
class Places {
  private readonly channels: number;
  /** First of each agent and channel in `at`, and the place of each worker from there. */
  private readonly start: Int32Array;
  private readonly at: Int32Array;
  private readonly place: Int32Array;

  constructor(private readonly program: Program) {
    const { agent, channel, count } = program.workers;
    let channels = 0;
    for (let w = 0; w < count; w++) if (channel[w]! >= channels) channels = channel[w]! + 1;
    this.channels = channels;
    const start = new Int32Array(program.agents * channels + 1);
    this.place = new Int32Array(count);
    for (let w = 0; w < count; w++) this.place[w] = start[agent[w]! * channels + channel[w]! + 1]!++;
    for (let p = 1; p < start.length; p++) start[p]! += start[p - 1]!;
    this.start = start;
    this.at = new Int32Array(count);
    for (let w = 0; w < count; w++) this.at[start[agent[w]! * channels + channel[w]!]! + this.place[w]!] = w;
  }

  /** Of the agent that many ranks further, the worker at the same place; −1 where there is none. */
  image(w: number, by: number): number {
    const { ranks, agents, workers } = this.program;
    const a = workers.agent[w]!;
    const switches = agents - ranks;
    const to = a < ranks ? (a + by) % ranks : ranks + ((a - ranks + (switches / ranks) * by) % switches);
    const slot = to * this.channels + workers.channel[w]!;
    const found = this.start[slot]! + this.place[w]!;
    return found < this.start[slot + 1]! ? this.at[found]! : -1;
  }
}

/** Whether a program looks the same to the images of its workers as to themselves. */
class Trial {
  readonly worker: Int32Array;
  readonly link: Int32Array;
  private readonly connection: Int32Array;
  private readonly taken: Uint8Array;

  constructor(
    private readonly program: Program,
    private readonly costs: Costs,
    private readonly imageOf: (worker: number) => number,
  ) {
    this.worker = new Int32Array(program.workers.count);
    this.connection = new Int32Array(program.connections.count);
    this.link = new Int32Array(costs.links.length).fill(-1);
    this.taken = new Uint8Array(costs.links.length);
  }

  succeeds(): boolean {
    const { count } = this.program.workers;
    for (let w = 0; w < count; w++) if (!this.sends(w)) return false;
    for (let w = 0; w < count; w++) if (!this.receives(w)) return false;
    return true;
  }

  private sends(w: number): boolean {
    const { kind, outStart, out } = this.program.workers;
    const image = this.imageOf(w);
    this.worker[w] = image;
    if (image < 0 || kind[w] !== kind[image]) return false;
    const count = outStart[w + 1]! - outStart[w]!;
    if (outStart[image + 1]! - outStart[image]! !== count) return false;
    for (let k = 0; k < count; k++) {
      const c = out[outStart[w]! + k]!;
      const to = out[outStart[image]! + k]!;
      this.connection[c] = to;
      if (!this.sameConnection(c, to)) return false;
    }
    return true;
  }

  /** What it receives over each of its connections comes from the image of who sends it. */
  private receives(w: number): boolean {
    const { inStart, in: ins } = this.program.workers;
    const image = this.worker[w]!;
    const count = inStart[w + 1]! - inStart[w]!;
    if (inStart[image + 1]! - inStart[image]! !== count) return false;
    for (let k = 0; k < count; k++) {
      if (this.connection[ins[inStart[w]! + k]!] !== ins[inStart[image]! + k]) return false;
    }
    return true;
  }

  private sameConnection(c: number, image: number): boolean {
    const { slots } = this.program.connections;
    const hop = this.costs.hops[c]!;
    const other = this.costs.hops[image]!;
    return (
      slots[c] === slots[image] &&
      hop.blockUs === other.blockUs &&
      hop.latencyUs === other.latencyUs &&
      hop.proxyUs === other.proxyUs &&
      (hop.weight ?? 1) === (other.weight ?? 1) &&
      this.sameLinks(hop.links, other.links) &&
      this.sameLinks(hop.blockLinks ?? none, other.blockLinks ?? none)
    );
  }

  private sameLinks(links: readonly number[], images: readonly number[]): boolean {
    if (links.length !== images.length) return false;
    for (let i = 0; i < links.length; i++) {
      const l = links[i]!;
      const image = images[i]!;
      // One that stays where it is belongs to all.
      if (l === image) return false;
      if (this.link[l] === image) continue;
      if (this.link[l]! >= 0 || this.taken[image] === 1) return false;
      if (this.costs.links[l]!.rate !== this.costs.links[image]!.rate) return false;
      this.link[l] = image;
      this.taken[image] = 1;
    }
    return true;
  }
}

const none: readonly number[] = [];

/** Whether every link comes back after so many shifts, and not before: one that all nodes share is no node's own. */
function free(image: Int32Array, times: number): boolean {
  const seen = new Uint8Array(image.length);
  for (let l = 0; l < image.length; l++) {
    if (image[l]! < 0 || seen[l] === 1) continue;
    let turns = 0;
    let x = l;
    do {
      seen[x] = 1;
      x = image[x]!;
      turns++;
    } while (x !== l && turns <= times);
    if (turns !== times) return false;
  }
  return true;
}
