import type { Where } from '../../fact/fact.ts';
import { own } from '../own.ts';
import type { CommState } from './communicators.ts';
import { type Prefix, parsePrefix } from './prefix.ts';
import type { NcclHost } from './types.ts';

/** A family that is in the middle of several lines of one thread: a printed tree, a graph, a table. */
export interface Pending {
  /** False when the line is not part of it; it is closed then. */
  line(message: string, number: number): boolean;
  close(): void;
}

export interface HostState {
  /** Empty for records without a prefix. */
  readonly name: string;
  readonly pids: Set<number>;
  readonly devices: Set<number>;
  driver: { value: number; at: Where } | undefined;
  readonly at: Where;
}

/** One thread of one process, as the prefix of a record names it. */
export interface Thread {
  readonly host: HostState;
  readonly pid: number;
  readonly dev: number;
  /** The communicator whose initialisation this thread has announced. */
  comm: CommState | undefined;
  pending: Pending | undefined;
}

/** Each communicator is set up by a thread of its own, so a long run has many; all of them are forgotten beyond this. */
const threadLimit = 50_000;
const hostLimit = 20_000;
const pidLimit = 8192;

/** Who speaks: threads by prefix, hosts by name. */
export class Who {
  readonly hosts = new Map<string, HostState>();
  #threads = new Map<string, { readonly key: string; readonly thread: Thread }>();
  #last: Thread | undefined;
  #lastKey = '';
  readonly #at: (line: number) => Where;

  constructor(at: (line: number) => Where) {
    this.#at = at;
  }

  /** The thread of `line[start … end)`, which is `host:pid:tid [dev]`. */
  thread(line: string, start: number, end: number, number: number): Thread | undefined {
    if (this.#last !== undefined && this.#lastKey.length === end - start && line.startsWith(this.#lastKey, start)) {
      return this.#last;
    }
    const key = line.slice(start, end);
    let known = this.#threads.get(key);
    if (known === undefined) {
      const prefix = parsePrefix(key, line.slice(Math.max(0, start - 32), start), (host) => this.hosts.has(host));
      if (!prefix) return undefined;
      known = { key: own(key), thread: this.#make(prefix, number) };
      this.#threads.set(known.key, known);
    }
    this.#last = known.thread;
    this.#lastKey = known.key;
    return known.thread;
  }

  /** Who speaks in a record whose prefix was cut off, as people do when they quote a line: one thread of a host without a name. */
  anonymous(number: number): Thread {
    let known = this.#threads.get('');
    if (!known) {
      known = { key: '', thread: this.#make({ host: '', pid: 0, tid: 0, dev: -1 }, number) };
      this.#threads.set('', known);
    }
    return known.thread;
  }

  get last(): Thread | undefined {
    return this.#last;
  }

  #make({ host: name, pid, dev }: Prefix, number: number): Thread {
    let host = this.hosts.get(name);
    if (!host) {
      host = { name, pids: new Set(), devices: new Set(), driver: undefined, at: this.#at(number) };
      if (this.hosts.size < hostLimit) this.hosts.set(name, host);
    }
    if (host.pids.size < pidLimit) host.pids.add(pid);
    if (dev >= 0 && dev < 1024) host.devices.add(dev);
    if (this.#threads.size >= threadLimit) this.close();
    return { host, pid, dev, comm: undefined, pending: undefined };
  }

  /** Ends what the threads are in the middle of, and forgets them. */
  close(): void {
    for (const { thread } of this.#threads.values()) thread.pending?.close();
    this.#threads = new Map();
    this.#last = undefined;
    this.#lastKey = '';
  }

  result(): NcclHost[] {
    return [...this.hosts.values()].map(({ name, pids, devices, driver, at }) => ({
      name,
      processes: pids.size,
      devices: [...devices].sort((a, b) => a - b),
      ...(driver === undefined ? {} : { driver }),
      at,
    }));
  }
}
