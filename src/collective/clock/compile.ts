import type { Result } from '../../base/result.ts';
import { ScheduleBuilder } from '../../schedule/builder.ts';
import type { EngineMessage } from '../../schedule/message.ts';
import { type Schedule, Wait } from '../../schedule/schedule.ts';
import type { Program } from '../program.ts';
import { ALL, NONE } from '../steps.ts';
import type { Costs, Hop } from './costs.ts';
import { type Pace, paces, type Run } from './pace.ts';

/** More workers than this are labelled by channel alone: nobody looks at so many one by one. */
const mostNamed = 4096;

/**
 * A program as a schedule. Every run of slices becomes one operation of its worker; a message that a proxy carries, or whose
 * receivers get it at different times, becomes an operation of its own after it. Operations wait for the messages they need and
 * for slots that are consumed again. Receiving takes no time of its own: it is part of the hop's latency.
 *
 * With `single` every slice is an operation of its own: larger by far, and exact where a run averages slices of an uneven last
 * turn or lets a new turn wait for all of the one before.
 */
export function compile(program: Program, costs: Costs, single = false): Result<Schedule, EngineMessage> {
  return new Compiler(program, costs, paces(program, single)).build();
}

class Compiler {
  private readonly b: ScheduleBuilder;
  /** First run of each worker in the arrays by run. */
  private readonly runStart: Int32Array;
  /** Operation of each run, −1 for one that sends nothing. */
  private readonly operation: Int32Array;
  /** Number of each connection among those of its sender and of its receiver. */
  private readonly outPort: Int32Array;
  private readonly inPort: Int32Array;
  /** Whether a connection has operations of its own. */
  private readonly carried: Uint8Array;
  /** The last such operation of each connection so far. */
  private readonly carrier: Int32Array;
  /** Runs of the worker at hand that have only received so far. */
  private readonly received: Run[] = [];
  /** Labels of channels, where workers have none of their own. */
  private readonly channelLabel: number[] = [];

  constructor(
    private readonly program: Program,
    private readonly costs: Costs,
    private readonly pace: readonly Pace[],
  ) {
    const { workers, connections } = program;
    this.outPort = portsOf(workers.outStart, workers.out, connections.count);
    this.inPort = portsOf(workers.inStart, workers.in, connections.count);
    this.carried = carriedByProxies(costs.hops, connections.count);
    this.carryTogether();
    this.carrier = new Int32Array(connections.count).fill(-1);
    this.runStart = runStarts(pace);
    this.operation = new Int32Array(this.runStart[workers.count]!).fill(-1);
    this.b = new ScheduleBuilder(this.number());
  }

  /** Where receivers of a message get it at different times, either all have an operation of their own, or none. */
  private carryTogether(): void {
    const { count, outStart, out } = this.program.workers;
    for (let w = 0; w < count; w++) {
      const first = outStart[w]!;
      if (outStart[w + 1]! - first < 2 || !sendsTogether(this.pace[w]!)) continue;
      const { latencyUs } = this.hop(out[first]!);
      let any = false;
      for (let k = first; k < outStart[w + 1]!; k++) {
        if (this.carried[out[k]!] === 1 || this.hop(out[k]!).latencyUs !== latencyUs) any = true;
      }
      for (let k = first; any && k < outStart[w + 1]!; k++) this.carried[out[k]!] = 1;
    }
  }

  /** Numbers the operations of all runs; returns how many there are, those of messages that are carried included. */
  private number(): number {
    const { count, outStart, out } = this.program.workers;
    let next = 0;
    for (let w = 0; w < count; w++) {
      const { runs } = this.pace[w]!;
      for (let r = 0; r < runs.length; r++) {
        const run = runs[r]!;
        if (run.to === NONE) continue;
        this.operation[this.runStart[w]! + r] = next++;
        const end = portsEnd(outStart, w, run.to);
        for (let k = firstPort(outStart, w, run.to); k < end; k++) next += this.carried[out[k]!]!;
      }
    }
    return next;
  }

  build(): Result<Schedule, EngineMessage> {
    for (const link of this.costs.links) this.b.resource('link', link.name, link.rate);
    for (let w = 0; w < this.program.workers.count; w++) this.worker(w);
    return this.b.build();
  }

  private hop(connection: number): Hop {
    return this.costs.hops[connection]!;
  }

  private worker(w: number): void {
    const { workers } = this.program;
    const outs = workers.out;
    const { runs } = this.pace[w]!;
    const label = this.labelOf(w);
    let before = -1;
    const { received } = this;
    received.length = 0;
    let earlier: readonly Run[] = [];
    const parallel = workers.sideBySide[w] === 1;
    const latest = parallel ? new Map<number, number>() : undefined;
    for (let r = 0; r < runs.length; r++) {
      const run = runs[r]!;
      if (run.to === NONE) {
        received.push(run);
        continue;
      }
      const first = firstPort(workers.outStart, w, run.to);
      const end = portsEnd(workers.outStart, w, run.to);
      this.begin(label, run, first, end);
      const previous = latest ? (latest.get(run.to) ?? -1) : before;
      if (previous >= 0) this.b.wait(previous, 0, Wait.WholeSent);
      const needed = this.costs.outOfStep ? earlier : received;
      for (let i = 0; i < needed.length; i++) this.needAll(w, needed[i]!, Number.NEGATIVE_INFINITY);
      if (this.costs.outOfStep) earlier = [...received];
      if (!parallel) received.length = 0;
      this.needAll(w, run, run.lead - run.firstIn);
      for (let k = first; k < end; k++) this.needSlots(outs[k]!, run);
      const own = this.operation[this.runStart[w]! + r]!;
      before = own;
      latest?.set(run.to, own);
      for (let k = first; k < end; k++) if (this.carried[outs[k]!] === 1) this.carry(label, outs[k]!, run, own);
    }
  }

  private labelOf(w: number): number {
    const { count, agent, channel } = this.program.workers;
    const of = channel[w]!;
    if (count <= mostNamed) return this.b.labelled(`rank ${agent[w]} channel ${of}`);
    this.channelLabel[of] ??= this.b.labelled(`channel ${of}`);
    return this.channelLabel[of];
  }

  /** The operation begun last needs all that a run of its worker receives. */
  private needAll(w: number, run: Run, shift: number): void {
    const { inStart, in: ins } = this.program.workers;
    const messages = run.firstIn + run.slices - run.lead;
    const end = portsEnd(inStart, w, run.from);
    for (let k = firstPort(inStart, w, run.from); k < end; k++)
      this.needMessages(ins[k]!, run.firstIn, messages, shift);
  }

  /** Begins the operation of a run that sends over the worker's connections `first` … `end` − 1. */
  private begin(label: number, run: Run, first: number, end: number): void {
    const { wireFactor } = this.costs;
    const { elementBytes } = this.program.task;
    const outs = this.program.workers.out;
    let block = 0;
    let latency = 0;
    for (let k = first; k < end; k++) {
      const hop = this.hop(outs[k]!);
      if (!run.idle) block = Math.max(block, hop.blockUs);
      if (this.carried[outs[k]!] === 0) latency = hop.latencyUs;
    }
    const last = run.last * elementBytes;
    this.b.begin(label, run.elements * elementBytes, run.slices, block * 1e-6, latency * 1e-6, last);
    for (let k = first; k < end; k++) {
      const hop = this.hop(outs[k]!);
      if (hop.blockLinks) this.cross(hop.blockLinks, wireFactor);
      if (hop.proxyUs === undefined) this.crossWires(hop);
    }
  }

  private crossWires(hop: Hop): void {
    this.cross(hop.links, this.costs.wireFactor * (hop.weight ?? 1));
  }

  private cross(links: readonly number[], factor: number): void {
    for (let i = 0; i < links.length; i++) this.b.cross(links[i]!, factor);
  }

  /** The way of a message after the block has let go of it. */
  private carry(label: number, connection: number, run: Run, own: number): void {
    const { elementBytes } = this.program.task;
    const hop = this.hop(connection);
    const { proxyUs, latencyUs } = hop;
    const amount = run.elements * elementBytes;
    const last = run.last * elementBytes;
    const held = run.idle ? 0 : (proxyUs ?? 0) * 1e-6;
    if (proxyUs === undefined) this.b.begin(label, 0, run.slices, 0, latencyUs * 1e-6);
    else this.b.begin(label, amount, run.slices, held, latencyUs * 1e-6, last);
    if (proxyUs !== undefined) this.crossWires(hop);
    this.b.wait(own, 0, Wait.Sent);
    // A proxy carries the messages of a connection one after the other.
    const before = this.carrier[connection]!;
    if (before >= 0) this.b.wait(before, 0, Wait.WholeSent);
    this.carrier[connection] = this.b.next - 1;
  }

  /** The operation whose iterations deliver the messages that a run sends over a connection. */
  private delivery(worker: number, run: number, connection: number): number {
    const own = this.operation[this.runStart[worker]! + run]!;
    if (this.carried[connection] === 0) return own;
    const { outStart, out } = this.program.workers;
    let carrier = own + 1;
    if (this.pace[worker]!.runs[run]!.to !== ALL) return carrier;
    for (let k = outStart[worker]!; out[k] !== connection; k++) carrier += this.carried[out[k]!]!;
    return carrier;
  }

  /** The operation begun last needs messages `first` … `end` − 1; its iteration i needs message i − `shift`. */
  private needMessages(connection: number, first: number, end: number, shift: number): void {
    const sender = this.program.connections.sender[connection]!;
    const { runs, sending } = this.pace[sender]!;
    const list = sending[this.outPort[connection]!]!;
    for (let k = firstOf(runs, list, false, first); k < list.length; k++) {
      const r = list[k]!;
      if (runs[r]!.firstOut >= end) break;
      const lag = shift + runs[r]!.firstOut;
      const on = this.delivery(sender, r, connection);
      if (lag >= 0) this.b.wait(on, lag);
      else this.b.wait(on, 0, Wait.WholeDelivered);
    }
  }

  /** Its messages over a connection need slots that earlier ones have left. */
  private needSlots(connection: number, run: Run): void {
    const { receiver, slots } = this.program.connections;
    // A slice takes its slots whether or not it is alone.
    const room = (slots[connection]! * run.parts) / this.program.slices;
    const first = Math.max(0, run.firstOut - room);
    const end = run.firstOut + run.slices - room;
    if (end <= first) return;
    const reader = receiver[connection]!;
    const theirs = this.pace[reader]!;
    const readers = theirs.receiving[this.inPort[connection]!]!;
    for (let k = firstOf(theirs.runs, readers, true, first); k < readers.length; k++) {
      const q = readers[k]!;
      const other = theirs.runs[q]!;
      if (other.firstIn >= end) break;
      const on = this.operation[this.runStart[reader]! + q]!;
      if (on >= 0) {
        const lag = room - other.lead - run.firstOut + other.firstIn;
        if (lag >= 0) this.b.wait(on, lag, Wait.Sent);
        else this.b.wait(on, 0, Wait.WholeSent);
        continue;
      }
      // Who only receives has read a message as soon as it is there.
      const from = Math.max(first, other.firstIn);
      this.needDelivered(connection, run, room, from, Math.min(end, endOf(other, true)));
    }
  }

  private needDelivered(connection: number, run: Run, room: number, first: number, end: number): void {
    const sender = this.program.connections.sender[connection]!;
    const { runs, sending } = this.pace[sender]!;
    const list = sending[this.outPort[connection]!]!;
    for (let k = firstOf(runs, list, false, first); k < list.length; k++) {
      const p = list[k]!;
      if (runs[p]!.firstOut >= end) break;
      const lag = room - run.firstOut + runs[p]!.firstOut;
      const carrier = this.delivery(sender, p, connection);
      if (lag >= 0) this.b.wait(carrier, lag);
      else this.b.wait(carrier, 0, Wait.WholeDelivered);
    }
  }
}

/** Of runs in order the first (as an index into `list`) that deals with message `first` of a connection or a later one. */
function firstOf(runs: readonly Run[], list: readonly number[], receiving: boolean, first: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (endOf(runs[list[mid]!]!, receiving) <= first) low = mid + 1;
    else high = mid;
  }
  return low;
}

const endOf = (run: Run, receiving: boolean): number =>
  receiving ? run.firstIn + run.slices - run.lead : run.firstOut + run.slices;

/** Number of each connection among those of the worker that lists it. */
function portsOf(start: Int32Array, list: Int32Array, connections: number): Int32Array {
  const ports = new Int32Array(connections);
  for (let w = 0; w + 1 < start.length; w++) {
    for (let k = start[w]!; k < start[w + 1]!; k++) ports[list[k]!] = k - start[w]!;
  }
  return ports;
}

function carriedByProxies(hops: readonly Hop[], connections: number): Uint8Array {
  const carried = new Uint8Array(connections);
  for (let c = 0; c < connections; c++) if (hops[c]!.proxyUs !== undefined) carried[c] = 1;
  return carried;
}

function runStarts(pace: readonly Pace[]): Int32Array {
  const start = new Int32Array(pace.length + 1);
  for (let w = 0; w < pace.length; w++) start[w + 1] = start[w]! + pace[w]!.runs.length;
  return start;
}

/** Where a worker's connections on one side that a step uses begin in their list, and where they end. */
const firstPort = (start: Int32Array, worker: number, port: number): number =>
  port === NONE || port === ALL ? start[worker]! : start[worker]! + port;

const portsEnd = (start: Int32Array, worker: number, port: number): number =>
  port === NONE ? start[worker]! : port === ALL ? start[worker + 1]! : start[worker]! + port + 1;

function sendsTogether({ runs }: Pace): boolean {
  for (const run of runs) if (run.to === ALL) return true;
  return false;
}
