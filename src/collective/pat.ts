import type { ProgramBuilder, Task } from './program.ts';
import { inChunks } from './ring.ts';
import { type Share, slicing } from './share.ts';
import { NONE, Place, type Sink } from './steps.ts';

const { None, Input, Output, Scratch } = Place;

/**
 * PAT, parallel aggregated trees (src/include/collectives.h: PatAGAlgorithm), with everything aggregated: one rank a node, in
 * ⌈log2 n⌉ rounds rank r and the rank 2^d further on exchange all parts that r has by then, farthest first. ReduceScatter is
 * the same backwards. The rounds and partners are NCCL's; how many parts NCCL puts in one message, which depends on its buffer,
 * is not modelled: here each is a message of its own.
 */
export function buildPat(b: ProgramBuilder, task: Task, ranks: number, parts: readonly Share[]): void {
  const gathers = task.collective === 'all_gather';
  const rounds = Math.ceil(Math.log2(ranks));
  const { slots } = slicing(task);
  for (const part of parts) {
    const first: number[] = [];
    for (let d = 0; d < rounds; d++) {
      for (let r = 0; r < ranks; r++) {
        const to = (r + (gathers ? 1 : -1) * 2 ** d + ranks) % ranks;
        const made = b.connection(r, to, part.channel, slots);
        if (r === 0) first[d] = made;
      }
    }
    const group = b.speaks((rank, sink) => (gathers ? gather : scatter)(task, ranks, part, rank, sink));
    const kind = b.kindOf(`pat ${part.count}`);
    for (let r = 0; r < ranks; r++) {
      const ins = first.map((f, d) => f + ((r + (gathers ? -1 : 1) * 2 ** d + ranks) % ranks));
      const outs = first.map((f) => f + r);
      b.worker(group, r, kind, r, part.channel, ins, outs);
    }
  }
}

/** Offsets (in ranks) of the parts that are passed on over distance 2^d, as offsets at the one who has them. */
function held(ranks: number, d: number): number[] {
  const out: number[] = [];
  for (let o = 0; o + 2 ** d < ranks; o += 2 ** (d + 1)) out.push(o);
  return out;
}

function gather(task: Task, ranks: number, part: Share, rank: number, sink: Sink): void {
  const owner = (offset: number): number => ((rank - offset + 2 * ranks) % ranks) * task.count;
  inChunks(task, part, sink, (at, size) => {
    sink.step(NONE, NONE, Input, at, Output, owner(0) + at, size);
    for (let d = Math.ceil(Math.log2(ranks)) - 1; d >= 0; d--) {
      for (const o of held(ranks, d)) {
        sink.step(NONE, d, Output, owner(o) + at, None, 0, size);
        sink.step(d, NONE, None, 0, Output, owner(o + 2 ** d) + at, size);
      }
    }
  });
}

function scatter(task: Task, ranks: number, part: Share, rank: number, sink: Sink): void {
  const owner = (offset: number): number => ((rank - offset + 2 * ranks) % ranks) * task.count;
  inChunks(task, part, sink, (at, size) => {
    const begun = new Set<number>();
    const place = (o: number): Place => (begun.has(o) ? Scratch : Input);
    const rounds = Math.ceil(Math.log2(ranks));
    for (let d = 0; d < rounds; d++) {
      for (const o of held(ranks, d)) {
        const far = o + 2 ** d;
        sink.step(NONE, d, place(far), owner(far) + at, None, 0, size);
        // What comes in belongs to the one `o` before me; my own is complete after the last round.
        const last = o === 0 && d === rounds - 1;
        sink.step(d, NONE, place(o), owner(o) + at, last ? Output : Scratch, last ? at : owner(o) + at, size);
        begun.add(o);
      }
    }
  });
}
