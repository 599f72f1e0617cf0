import type { Costs } from '../../src/collective/clock/costs.ts';
import { type Program, sliceOf, stepsOf } from '../../src/collective/program.ts';
import { ALL, NONE } from '../../src/collective/steps.ts';

/**
 * When a program is done where no link is shared, worked out message by message with neither schedule nor engine: a slice starts
 * when its messages are there, its slots are free and the one before has been sent; who only receives reads at once.
 */
export function referenceTime(program: Program, costs: Costs): number {
  const { workers, connections } = program;
  const steps = Array.from({ length: workers.count }, (_, w) => stepsOf(program, w));
  const arrival: number[][] = Array.from({ length: connections.count }, () => []);
  const consumed: number[][] = Array.from({ length: connections.count }, () => []);
  const taken = new Int32Array(connections.count);
  const sent = new Int32Array(connections.count);
  const carrierFree = new Float64Array(connections.count);
  const step = new Int32Array(workers.count);
  const slice = new Int32Array(workers.count);
  const free = new Float64Array(workers.count);
  // Where connections are served side by side, each has its own threads.
  const portFree = new Float64Array(connections.count);
  let end = 0;
  const span = (start: Int32Array, list: Int32Array, w: number, port: number): number[] =>
    port === NONE ? [] : port === ALL ? [...list.subarray(start[w]!, start[w + 1]!)] : [list[start[w]! + port]!];
  const rate = (links: readonly number[], weight = 1): number =>
    Math.min(Number.POSITIVE_INFINITY, ...links.map((l) => costs.links[l]!.rate / costs.wireFactor / weight));
  const carriedTogether = (w: number): boolean => {
    const outs = span(workers.outStart, workers.out, w, ALL);
    const told = steps[w]!;
    const together = told.to.subarray(0, told.length).includes(ALL);
    const hops = outs.map((c) => costs.hops[c]!);
    return (
      together && (hops.some((h) => h.latencyUs !== hops[0]!.latencyUs) || hops.some((h) => h.proxyUs !== undefined))
    );
  };
  const together = Array.from({ length: workers.count }, (_, w) => carriedTogether(w));
  const advance = (w: number): boolean => {
    const told = steps[w]!;
    const s = step[w]!;
    if (s >= told.length) return false;
    const ins = span(workers.inStart, workers.in, w, told.from[s]!);
    const outs = span(workers.outStart, workers.out, w, told.to[s]!);
    if (ins.some((c) => arrival[c]!.length <= taken[c]!)) return false;
    if (outs.some((c) => sent[c]! >= connections.slots[c]! && consumed[c]!.length <= sent[c]! - connections.slots[c]!))
      return false;
    const most = sliceOf(program, told.count[s]!);
    const count = Math.min(most, told.count[s]! - Math.min(told.count[s]!, slice[w]! * most));
    const bytes = count * program.task.elementBytes;
    const there = Math.max(0, ...ins.map((c) => arrival[c]![taken[c]!]!));
    if (outs.length === 0) {
      for (const c of ins) {
        consumed[c]!.push(arrival[c]![taken[c]!]!);
        taken[c]!++;
      }
      if (workers.sideBySide[w] === 0) free[w] = Math.max(free[w]!, there);
      end = Math.max(end, there);
    } else {
      const own = workers.sideBySide[w] === 1 ? portFree[outs[0]!]! : free[w]!;
      const slots = outs.map((c) =>
        sent[c]! < connections.slots[c]! ? 0 : consumed[c]![sent[c]! - connections.slots[c]!]!,
      );
      const begin = Math.max(own, there, ...slots);
      const idle = slice[w]! > 0 && count === 0;
      const block = idle ? 0 : Math.max(...outs.map((c) => costs.hops[c]!.blockUs)) * 1e-6;
      const speed = Math.min(
        ...outs.map((c) => {
          const hop = costs.hops[c]!;
          const wires = hop.proxyUs === undefined ? rate(hop.links, hop.weight) : Number.POSITIVE_INFINITY;
          return Math.min(rate(hop.blockLinks ?? []), wires);
        }),
      );
      const done = begin + block + (bytes === 0 ? 0 : bytes / speed);
      for (const c of outs) {
        const hop = costs.hops[c]!;
        let out = done;
        if (hop.proxyUs !== undefined || together[w]) {
          out = Math.max(done, carrierFree[c]!) + (idle ? 0 : (hop.proxyUs ?? 0)) * 1e-6;
          if (hop.proxyUs !== undefined && bytes > 0) out += bytes / rate(hop.links, hop.weight);
          carrierFree[c] = out;
        }
        arrival[c]!.push(out + hop.latencyUs * 1e-6);
        end = Math.max(end, out + hop.latencyUs * 1e-6);
        sent[c]!++;
      }
      for (const c of ins) {
        consumed[c]!.push(done);
        taken[c]!++;
      }
      if (workers.sideBySide[w] === 1) portFree[outs[0]!] = done;
      else free[w] = done;
    }
    if (++slice[w]! === program.slices) {
      slice[w] = 0;
      step[w]!++;
    }
    return true;
  };
  for (let moved = true; moved; ) {
    moved = false;
    for (let w = 0; w < workers.count; w++) while (advance(w)) moved = true;
  }
  return end + (costs.startUs + costs.finishUs) * 1e-6;
}
