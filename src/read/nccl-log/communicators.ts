import type { Where } from '../../fact/fact.ts';
import { own } from '../own.ts';
import type { CommRank, Communicator } from './types.ts';
import type { Thread } from './who.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface CommState {
  /** Place in the document. */
  readonly index: number;
  commId: string | undefined;
  readonly nRanks: number;
  api: string | undefined;
  nNodes: number | undefined;
  readonly ranks: Mutable<CommRank>[];
  readonly at: Where;
}

interface Named {
  readonly pointer: string;
  readonly rank: number;
  readonly nRanks: number;
  readonly commId: string | undefined;
  readonly split: string | undefined;
}

/** Ranks of all communicators together. */
const rankLimit = 60_000;

const numberAfter = (text: string, word: string): number | undefined => {
  const at = text.indexOf(word);
  if (at < 0) return undefined;
  const value = Number.parseInt(text.slice(at + word.length, at + word.length + 16), 10);
  return Number.isNaN(value) ? undefined : value;
};

const wordAfter = (text: string, word: string): string | undefined => {
  const at = text.indexOf(word);
  if (at < 0) return undefined;
  const from = at + word.length;
  const end = text.indexOf(' ', from);
  return own(text.slice(from, end < 0 ? undefined : end).slice(0, 64));
};

/** Lines about communicators (logs sheet §10): start and end of their set-up, layout, timings, destruction. */
export class Communicators {
  readonly list: CommState[] = [];
  dropped = 0;
  readonly #byId = new Map<string, CommState>();
  readonly #byPointer = new Map<string, { comm: CommState; rank: Mutable<CommRank> }>();
  #ranks = 0;
  readonly #at: (line: number) => Where;

  constructor(at: (line: number) => Where) {
    this.#at = at;
  }

  line(message: string, thread: Thread, number: number): boolean {
    if (message.startsWith('Init timings')) return this.#timings(message, thread);
    const commAt = message.indexOf('comm 0x');
    if (commAt < 0 || commAt > 64) return false;
    if (message.includes(' nranks ')) return this.#phase(message, commAt, thread, number);
    if (message.includes(' nRanks ') && message.includes(' nNodes ')) return this.#layout(message, thread);
    return false;
  }

  #key(pointer: string, thread: Thread): string {
    return `${thread.host.name}:${thread.pid}:${pointer}`;
  }

  #phase(message: string, commAt: number, thread: Thread, number: number): boolean {
    const phase = /(Init|Destroy|Abort)? ?(START|COMPLETE)\s*$/.exec(
      message.length > 600 ? message.slice(-32) : message,
    );
    const pointer = wordAfter(message, 'comm ');
    const rank = numberAfter(message, ' rank ');
    const nRanks = numberAfter(message, ' nranks ');
    if (!phase || pointer === undefined || rank === undefined || nRanks === undefined) return false;
    const key = this.#key(pointer, thread);
    if (phase[1] === 'Destroy' || phase[1] === 'Abort') {
      const known = this.#byPointer.get(key);
      if (known) known.rank.ended = { how: phase[1], at: this.#at(number) };
      this.#byPointer.delete(key);
      return true;
    }
    const commId = wordAfter(message, ' commId ');
    const entry = this.#rank(
      key,
      { pointer, rank, nRanks, commId, split: this.#split(message, thread) },
      thread,
      number,
    );
    if (!entry) return true;
    const api = /(\w+) comm 0x/.exec(message.slice(0, commAt + 7));
    if (api) entry.comm.api ??= own(api[1]!);
    const one = entry.rank;
    one.cudaDev = numberAfter(message, ' cudaDev ') ?? one.cudaDev;
    const nvmlDev = numberAfter(message, ' nvmlDev ');
    if (nvmlDev !== undefined) one.nvmlDev = nvmlDev;
    const busId = wordAfter(message, ' busId ')?.replace(/^0x/, '');
    if (busId !== undefined) one.busId = busId;
    if (phase[2] === 'START') one.started ??= this.#at(number);
    else one.complete ??= this.#at(number);
    thread.comm = entry.comm;
    return true;
  }

  /** Splits print no id (2.23 and later): those of one parent, count and colour belong together. */
  #split(message: string, thread: Thread): string | undefined {
    const parent = wordAfter(message, ' parent ');
    const color = numberAfter(message, ' color ');
    if (parent === undefined || color === undefined) return undefined;
    const index = this.#byPointer.get(this.#key(parent, thread))?.comm.index ?? -1;
    const count = numberAfter(message, ' splitCount ') ?? numberAfter(message, ' childCount ') ?? 0;
    return `split ${index} ${count} ${color}`;
  }

  #rank(
    key: string,
    named: Named,
    thread: Thread,
    number: number,
  ): { comm: CommState; rank: Mutable<CommRank> } | undefined {
    const { pointer, rank, commId } = named;
    const known = this.#byPointer.get(key);
    if (
      known &&
      known.rank.rank === rank &&
      (commId === undefined || known.comm.commId === undefined || known.comm.commId === commId)
    ) {
      // COMPLETE carries an id that START lacked (2.23 and later, split).
      if (commId !== undefined && known.comm.commId === undefined) known.comm.commId = commId;
      return known;
    }
    if (this.#ranks >= rankLimit) {
      this.dropped++;
      return undefined;
    }
    this.#ranks++;
    const comm = this.#comm(named, thread.comm, number);
    const made: Mutable<CommRank> = { rank, host: thread.host.name, pid: thread.pid, cudaDev: thread.dev, pointer };
    comm.ranks.push(made);
    const entry = { comm, rank: made };
    this.#byPointer.set(key, entry);
    return entry;
  }

  #comm({ commId, nRanks, rank, split }: Named, current: CommState | undefined, number: number): CommState {
    const group = commId ?? split ?? `anonymous ${nRanks}`;
    const known = this.#byId.get(group);
    if (commId !== undefined && known) return known;
    // Without an id: the youngest communicator of that group that still lacks this rank.
    if (
      split === undefined &&
      current &&
      current.commId === undefined &&
      current.nRanks === nRanks &&
      !has(current, rank)
    ) {
      return current;
    }
    if (known && known.nRanks === nRanks && !has(known, rank)) return known;
    const comm: CommState = {
      index: this.list.length,
      commId,
      nRanks,
      api: undefined,
      nNodes: undefined,
      ranks: [],
      at: this.#at(number),
    };
    this.list.push(comm);
    this.#byId.set(group, comm);
    return comm;
  }

  #layout(message: string, thread: Thread): boolean {
    const pointer = wordAfter(message, 'comm ');
    const known = pointer === undefined ? undefined : this.#byPointer.get(this.#key(pointer, thread));
    if (!known) return true;
    const nNodes = numberAfter(message, ' nNodes ');
    if (nNodes !== undefined) known.comm.nNodes ??= nNodes;
    const localRank = numberAfter(message, ' localRank ');
    const localRanks = numberAfter(message, ' localRanks ');
    const mnnvl = numberAfter(message, ' MNNVL ');
    if (localRank !== undefined) known.rank.localRank = localRank;
    if (localRanks !== undefined) known.rank.localRanks = localRanks;
    if (mnnvl !== undefined) known.rank.mnnvl = mnnvl;
    return true;
  }

  #timings(message: string, thread: Thread): boolean {
    const rank = numberAfter(message, 'rank ');
    const total = /total (\d{1,9}(?:\.\d{1,9})?)/.exec(message);
    if (!thread.comm || !total) return true;
    for (const one of thread.comm.ranks) {
      if (one.rank === rank && one.pid === thread.pid && one.host === thread.host.name)
        one.initSeconds = Number(total[1]);
    }
    return true;
  }

  result(): Communicator[] {
    this.#byPointer.clear();
    return this.list.map(({ commId, nRanks, api, nNodes, ranks, at }) => ({
      ...(commId === undefined ? {} : { commId }),
      nRanks,
      ...(api === undefined ? {} : { api }),
      ...(nNodes === undefined ? {} : { nNodes }),
      ranks: ranks.sort((a, b) => a.rank - b.rank),
      at,
    }));
  }
}

function has(comm: CommState, rank: number): boolean {
  for (const one of comm.ranks) if (one.rank === rank) return true;
  return false;
}
