import type { Connections, Program, Workers } from '../program.ts';
import type { Costs, Hop, Link } from './costs.ts';
import { type Shift, shiftOf } from './shift.ts';

/** A program of which only the ranks of one period remain, for all that are alike. */
export interface FoldedProgram {
  readonly program: Program;
  readonly costs: Costs;
  /** How many there are of each worker, connection and link. */
  readonly times: number;
  /** Number in the folded costs of each link, −1 for one that nothing crosses. */
  readonly link: Int32Array;
}

/**
 * Folds a program before it becomes a schedule: where shifting all ranks by some number of them changes nothing, as by the GPUs
 * of a node in a ring of equal nodes, every worker does at every moment what its images do. Those of the first ranks are kept,
 * joined to each other as they are to their neighbours' images, with links that carry what each of the many carries. Undefined
 * where nothing is alike: one slow NIC is enough.
 *
 * What is averaged over a kind of workers is alike too; where every slice is told by itself (`single`), the rest of an uneven
 * division falls elsewhere for each, and this must not be used.
 */
export function foldProgram(program: Program, costs: Costs): FoldedProgram | undefined {
  const shift = shiftOf(program, costs);
  return shift && new Folding(program, costs, shift).done();
}

class Folding {
  /** The workers that are kept. */
  private readonly kept: number[] = [];
  /** Among them, the one that speaks for each worker. */
  private readonly speaker: Int32Array;
  /** First connection of each kept worker. */
  private readonly outStart: Int32Array;

  constructor(
    private readonly whole: Program,
    private readonly costs: Costs,
    private readonly shift: Shift,
  ) {
    const { workers } = whole;
    this.speaker = new Int32Array(workers.count).fill(-1);
    for (let w = 0; w < workers.count; w++) {
      if (this.speaker[w]! >= 0) continue;
      const mine = this.kept.push(w) - 1;
      for (let v = w; this.speaker[v]! < 0; v = shift.worker[v]!) this.speaker[v] = mine;
    }
    this.outStart = new Int32Array(this.kept.length + 1);
    this.kept.forEach((w, i) => {
      this.outStart[i + 1] = this.outStart[i]! + workers.outStart[w + 1]! - workers.outStart[w]!;
    });
  }

  done(): FoldedProgram {
    const { whole, kept } = this;
    const workers = this.workers();
    const program: Program = {
      ...whole,
      connections: this.connections(),
      workers,
      tell: (worker, sink) => whole.tell(kept[worker]!, sink),
    };
    const { costs, link } = this.foldedCosts();
    return { program, costs, times: this.shift.times, link };
  }

  /** The connections of the kept senders, in order. */
  private sent(): number[] {
    const { outStart, out } = this.whole.workers;
    return this.kept.flatMap((w) => [...out.subarray(outStart[w]!, outStart[w + 1]!)]);
  }

  /** The one that speaks for a connection: of its sender's speaker the one at the same place. */
  private connection(c: number): number {
    const { workers, connections } = this.whole;
    const sender = connections.sender[c]!;
    let port = 0;
    while (workers.out[workers.outStart[sender]! + port] !== c) port++;
    return this.outStart[this.speaker[sender]!]! + port;
  }

  private workers(): Workers {
    const { kept } = this;
    const { agent, channel, kind, sideBySide, threads, inStart, in: ins } = this.whole.workers;
    const of = (values: Int32Array): Int32Array => Int32Array.from(kept, (w) => values[w]!);
    const start = new Int32Array(kept.length + 1);
    const all: number[] = [];
    kept.forEach((w, i) => {
      for (let k = inStart[w]!; k < inStart[w + 1]!; k++) all.push(this.connection(ins[k]!));
      start[i + 1] = all.length;
    });
    return {
      count: kept.length,
      agent: of(agent),
      channel: of(channel),
      kind: of(kind),
      sideBySide: Uint8Array.from(kept, (w) => sideBySide[w]!),
      threads: Float64Array.from(kept, (w) => threads[w]!),
      inStart: start,
      in: Int32Array.from(all),
      outStart: this.outStart,
      out: Int32Array.from({ length: this.outStart[kept.length]! }, (_, c) => c),
    };
  }

  private connections(): Connections {
    const sent = this.sent();
    const { from, to, sender, receiver, channel, slots } = this.whole.connections;
    const of = (values: Int32Array): Int32Array => Int32Array.from(sent, (c) => values[c]!);
    const speaker = (values: Int32Array): Int32Array => Int32Array.from(sent, (c) => this.speaker[values[c]!]!);
    return {
      count: sent.length,
      from: of(from),
      to: of(to),
      sender: speaker(sender),
      receiver: speaker(receiver),
      channel: of(channel),
      slots: of(slots),
    };
  }

  private foldedCosts(): { readonly costs: Costs; readonly link: Int32Array } {
    const { links } = this.costs;
    const link = new Int32Array(links.length).fill(-1);
    const kept: Link[] = [];
    const all = (numbers: readonly number[]): readonly number[] =>
      numbers.map((l) => {
        if (link[l]! < 0) {
          const mine = kept.push(links[l]!) - 1;
          for (let x = l; link[x]! < 0; x = this.shift.link[x]!) link[x] = mine;
        }
        return link[l]!;
      });
    const hops = this.sent().map((c): Hop => {
      const hop = this.costs.hops[c]!;
      return { ...hop, links: all(hop.links), ...(hop.blockLinks ? { blockLinks: all(hop.blockLinks) } : {}) };
    });
    return { costs: { ...this.costs, links: kept, hops }, link };
  }
}
