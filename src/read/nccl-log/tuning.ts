import type { Where } from '../../fact/fact.ts';
import { Bounded, own } from '../own.ts';
import type { Call, Choice, TuningTable } from './types.ts';
import type { Pending, Thread } from './who.ts';

const tableLimit = 64;
const choiceLimit = 8192;
const callLimit = 8192;

type Cell = TuningTable['cells'][number];
type MaxThreads = TuningTable['maxThreads'][number];
type Column = { readonly algorithm: string; readonly protocol: string };
type Counting<T extends { readonly count: number }> = Omit<T, 'count'> & { count: number };

const collectives = new Set(['Broadcast', 'Reduce', 'AllGather', 'ReduceScatter', 'AllReduce']);

/** What TUNING and COLL print (logs sheet §9): the model's table, the choice of each call, the calls. */
export class Tuning {
  readonly tables: TuningTable[] = [];
  readonly #choices = new Bounded<Counting<Choice>>(choiceLimit);
  readonly #calls = new Map<string, Map<number, Counting<Call>>>();
  #callCount = 0;
  droppedCalls = 0;
  readonly #at: (line: number) => Where;

  constructor(at: (line: number) => Where) {
    this.#at = at;
  }

  get dropped(): number {
    return this.#choices.dropped + this.droppedCalls;
  }

  /** A table begins with its column titles; cells are between bars. */
  begin(message: string, thread: Thread, number: number): Pending | undefined {
    if (!message.includes('|') || !/^\s*(?:Latency\/AlgBw|Algorithm)\s*\|/.test(message)) return undefined;
    const cells: Cell[] = [];
    const maxThreads: MaxThreads[] = [];
    let algorithms: string[] = [];
    let columns: Column[] = [];
    const take = (text: string): boolean => {
      const bars = text.split('|').map((part) => part.trim());
      if (bars.length < 2 || bars.length > 64 || cells.length > 1000) return false;
      const title = bars[0]!;
      const values = bars.slice(1).filter((part) => part !== '');
      if (title === 'Latency/AlgBw') {
        // 2.5 … 2.17: `Tree/    LL` in each column.
        columns = values.map((value) => {
          const [algorithm, protocol] = value.split('/').map((part) => part.trim());
          return { algorithm: own(algorithm ?? ''), protocol: own(protocol ?? '') };
        });
      } else if (title === 'Algorithm') algorithms = values.map(own);
      else if (title === 'Protocol') {
        // 2.18 and later: three protocols below each algorithm.
        columns = values.map((value, i) => ({ algorithm: algorithms[Math.floor(i / 3)] ?? '', protocol: own(value) }));
      } else if (title === 'Max NThreads') {
        values.forEach((value, i) => {
          const column = columns[i];
          if (column && /^-?\d{1,15}$/.test(value)) maxThreads.push({ ...column, value: Number(value) });
        });
      } else if (collectives.has(title)) {
        values.forEach((value, i) => {
          const pair = /^(\d{1,15}(?:\.\d{1,15})?) *\/ *(\d{1,15}(?:\.\d{1,15})?)$/.exec(value);
          const column = columns[i];
          if (pair && column)
            cells.push({ collective: own(title), ...column, latencyUs: Number(pair[1]), bw: Number(pair[2]) });
        });
      } else return false;
      return true;
    };
    take(message);
    return {
      line: take,
      close: () => {
        if (cells.length === 0 || this.tables.length >= tableLimit) return;
        this.tables.push({ host: thread.host.name, cells, maxThreads, at: this.#at(number) });
      },
    };
  }

  /** `… Bytes -> Algo 1 proto 2 time 12.5` and `AllReduce: 1024 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..3}`. */
  choice(message: string, number: number): boolean {
    const found =
      /^(?:(\w+): )?(\d{1,15}) Bytes -> Algo (\w+) proto (\w+)(?: time (\d{1,15}(?:\.\d{1,15})?))?(?: channel\{Lo\.\.Hi\}=\{(\d{1,15})\.\.(\d{1,15})\})?/.exec(
        message,
      );
    if (!found) return false;
    const [whole, collective, bytes, algorithm, protocol, time, lo, hi] = found;
    const entry = this.#choices.take(whole, () => ({
      ...(collective === undefined ? {} : { collective: own(collective) }),
      bytes: Number(bytes),
      algorithm: own(algorithm!),
      protocol: own(protocol!),
      ...(time === undefined ? {} : { timeUs: Number(time) }),
      ...(lo === undefined ? {} : { channels: { lo: Number(lo), hi: Number(hi) } }),
      count: 0,
      at: this.#at(number),
    }));
    if (entry) entry.count++;
    return true;
  }

  /** `AllReduce: opCount 1f sendbuff … count 1024 datatype 7 …`, whose name ends at `colon`. Counted by name, size and type. */
  call(line: string, from: number, colon: number, number: number): boolean {
    const countAt = line.indexOf(' count ', colon);
    if (countAt < 0) return false;
    let i = countAt + 7;
    let elements = 0;
    let code = line.charCodeAt(i);
    // Fifteen digits are more than any count has, and keep the number exact.
    while (code >= 48 && code <= 57 && i < countAt + 22) {
      elements = elements * 10 + code - 48;
      code = line.charCodeAt(++i);
    }
    let datatype = 0;
    if (line.startsWith(' datatype ', i)) {
      i += 10;
      code = line.charCodeAt(i);
      while (code >= 48 && code <= 57 && datatype < 100_000) {
        datatype = datatype * 10 + code - 48;
        code = line.charCodeAt(++i);
      }
    }
    const name = line.slice(from, colon);
    let byKey = this.#calls.get(name);
    if (!byKey) {
      if (this.#calls.size >= 64) return true;
      byKey = new Map();
      this.#calls.set(own(name), byKey);
    }
    const key = elements * 64 + (datatype & 63);
    let call = byKey.get(key);
    if (!call) {
      if (this.#callCount >= callLimit) {
        this.droppedCalls++;
        return true;
      }
      this.#callCount++;
      call = { collective: own(name), elements, datatype, count: 0, at: this.#at(number) };
      byKey.set(key, call);
    }
    call.count++;
    return true;
  }

  choices(): Choice[] {
    return this.#choices.values();
  }

  calls(): Call[] {
    return [...this.#calls.values()].flatMap((byKey) => [...byKey.values()]).sort((a, b) => a.at.line - b.at.line);
  }
}
