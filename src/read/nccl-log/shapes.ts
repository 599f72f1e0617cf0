import type { Where } from '../../fact/fact.ts';
import { Bounded, own } from '../own.ts';
import { TreeLines } from './trees.ts';
import type { ChannelCount, Ring, TreeNode } from './types.ts';
import type { Thread } from './who.ts';

const ringLimit = 20_000;

/** NCCL printed at most 20 ranks of a ring until 2.22. */
const printedRanks = 20;

/** Rings, trees and channel counts (logs sheet §9), each distinct one once. */
export class Shapes {
  readonly rings = new Bounded<Ring>(ringLimit);
  readonly #trees = new TreeLines();
  readonly counts = new Bounded<{ -readonly [K in keyof ChannelCount]: ChannelCount[K] }>(4096);
  readonly #at: (line: number) => Where;

  constructor(at: (line: number) => Where) {
    this.#at = at;
  }

  /** `Channel 00/02 :    0   1   2   3`, `Ring 00 : 0 1 2 3`; also the links `Ring 00 : prev -> rank -> next`, which say no more. */
  get dropped(): number {
    return this.rings.dropped + this.#trees.dropped;
  }

  ring(message: string, thread: Thread, number: number): boolean {
    const found =
      /^(?:Channel|Ring) (\d{1,15})(?:\/(\d{1,15}))? :((?:\s+\d{1,15})+)\s*(\.\.\.)?\s*(?:comm 0x.*)?$/.exec(message);
    if (!found) return /^Ring \d{1,15} : -?\d{1,15} -> -?\d{1,15} -> -?\d{1,15}/.test(message);
    const channel = Number(found[1]);
    this.rings.take(`${thread.comm?.index} ${message}`, () => {
      const ranks = found[3]!.trim().split(/\s+/).map(Number);
      const size = thread.comm?.nRanks;
      const cut = found[4] !== undefined || (size === undefined ? ranks.length === printedRanks : ranks.length < size);
      return {
        ...this.#comm(thread),
        channel,
        ...(found[2] === undefined ? {} : { channels: Number(found[2]) }),
        ranks,
        truncated: cut,
        at: this.#at(number),
      };
    });
    return true;
  }

  /** `Trees [0] 1/-1/-1->0->-1 …` (2.8+), `up->rank->d0/d1/d2` (2.4), two halves with `|` (2.5–2.7); `Tree 0 : up -> rank -> d0/d1/d2`. */
  tree(message: string, thread: Thread, number: number): boolean {
    if (!/^Trees \[\d{1,15}\] -?\d|^Tree \d{1,15} : -?\d/.test(message)) return false;
    this.#trees.add(message, thread, number);
    return true;
  }

  trees(): TreeNode[] {
    return this.#trees.result(this.#at);
  }

  /** `24 coll channels, 24 collnet channels, 0 nvls channels, 32 p2p channels, 32 p2p channels per peer`. */
  count(message: string, thread: Thread, number: number): boolean {
    const found =
      /^(\d{1,15}) coll channels, (?:(\d{1,15}) collnet channels, )?(?:(\d{1,15}) nvls channels, )?(\d{1,15}) p2p channels, (\d{1,15}) p2p channels per peer/.exec(
        message,
      );
    if (!found) return false;
    const [whole, coll, collnet, nvls, p2p, perPeer] = found;
    const entry = this.counts.take(own(`${thread.comm?.index} ${whole}`), () => ({
      ...this.#comm(thread),
      coll: Number(coll),
      p2p: Number(p2p),
      p2pPerPeer: Number(perPeer),
      ...(nvls === undefined ? {} : { nvls: Number(nvls) }),
      ...(collnet === undefined ? {} : { collnet: Number(collnet) }),
      count: 0,
      at: this.#at(number),
    }));
    if (entry) entry.count++;
    return true;
  }

  #comm({ comm }: Thread): { communicator?: number } {
    return comm === undefined ? {} : { communicator: comm.index };
  }
}
