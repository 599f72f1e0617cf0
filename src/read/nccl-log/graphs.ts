import type { Where } from '../../fact/fact.ts';
import { Bounded, own } from '../own.ts';
import type { PrintedGraph } from './types.ts';
import type { Pending, Thread } from './who.ts';

const graphLimit = 4096;

interface Collected {
  readonly graph: PrintedGraph;
  readonly hosts: Set<string>;
  count: number;
}

const head =
  /^Pattern (\d{1,15}), crossNic (\d{1,15}), nChannels (\d{1,15}), (?:bw|speed) (\d{1,15}(?:\.\d{1,15})?)\/(\d{1,15}(?:\.\d{1,15})?)(?:, nvlink \d{1,15})?, type (\w+)(?:\/(\w+))?, sameChannels (\d{1,15})/;

const row = /^\s*\d{1,15} :((?: +[A-Z]{3}\/[0-9A-Fa-f]+(?:-[0-9A-Fa-f]+)?)+)\s*$/;

/** The results of NCCL's search under GRAPH (logs sheet §8): a `Pattern` line and one row a channel. */
export class Graphs {
  readonly #found = new Bounded<Collected>(graphLimit);
  readonly #at: (line: number) => Where;

  constructor(at: (line: number) => Where) {
    this.#at = at;
  }

  get dropped(): number {
    return this.#found.dropped;
  }

  begin(message: string, thread: Thread, number: number): Pending | undefined {
    const found = head.exec(message);
    if (!found) return undefined;
    const rows: string[] = [];
    return {
      line(text) {
        const channel = row.exec(text);
        if (!channel || rows.length >= 128) return false;
        rows.push(own(channel[1]!.trim()));
        return true;
      },
      close: () => this.#keep(found, rows, thread, number),
    };
  }

  #keep(found: RegExpExecArray, rows: readonly string[], thread: Thread, number: number): void {
    const [whole, pattern, crossNic, nChannels, bwIntra, bwInter, typeIntra, typeInter, same] = found;
    const entry = this.#found.take(`${whole}\n${rows.join('\n')}`, () => ({
      graph: {
        hosts: [],
        pattern: Number(pattern),
        crossNic: Number(crossNic),
        nChannels: Number(nChannels),
        bwIntra: Number(bwIntra),
        bwInter: Number(bwInter),
        typeIntra: own(typeIntra!),
        ...(typeInter === undefined ? {} : { typeInter: own(typeInter) }),
        sameChannels: Number(same),
        channels: rows.map((text) => text.split(/ +/).map(own)),
        count: 0,
        at: this.#at(number),
      },
      hosts: new Set(),
      count: 0,
    }));
    if (!entry) return;
    entry.count++;
    if (entry.hosts.size < 4096) entry.hosts.add(thread.host.name);
  }

  result(): PrintedGraph[] {
    return this.#found.values().map(({ graph, hosts, count }) => ({ ...graph, hosts: [...hosts], count }));
  }
}
