import type { Random } from '../base/random.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { type Message, say } from '../words/message.ts';
import { expectedAt, type Numbers, reducers } from './expected.ts';
import { bufferSizes, type Reduction } from './kinds.ts';
import { type Program, sliceOf, stepsOf } from './program.ts';
import { ALL, NONE, Place, type Steps } from './steps.ts';

export interface Interpretation {
  readonly outputs: readonly Numbers[];
  /** Elements sent over each connection. */
  readonly sent: Float64Array;
  readonly messages: number;
}

export interface InterpretOptions {
  readonly reduction?: Reduction;
  /** Leaves out one step of one worker. */
  readonly without?: { readonly worker: number; readonly step: number };
  /** Who goes on first when several can; without it, who became able first. The result must not depend on it. */
  readonly order?: Random;
}

/** A program told in full must not exceed this: it is meant for small sizes. */
const mostSteps = 20_000_000;

/**
 * Carries a program out on real data. Every worker does its steps as soon as the messages it waits for are there and slots are
 * free; if none can go on before all are done, or messages are left over, or one is of another size than its receiver expects,
 * the program is wrong and the fault says where.
 */
export function interpret(
  program: Program,
  inputs: readonly Numbers[],
  options: InterpretOptions = {},
): Result<Interpretation, Message> {
  return new Run(program, inputs, options).all();
}

/** Whether every rank holds what the definition of the collective says; the first element that differs is named. */
export function checkOutputs(
  program: Program,
  inputs: readonly Numbers[],
  outputs: readonly Numbers[],
  reduction: Reduction = 'sum',
  tolerance = 0,
): Message | undefined {
  for (let rank = 0; rank < program.ranks; rank++) {
    const output = outputs[rank]!;
    for (let i = 0; i < output.length; i++) {
      const want = expectedAt(program.task, inputs, reduction, rank, i);
      const got = output[i]!;
      if (want === undefined || got === want) continue;
      if (Math.abs(got - want) <= tolerance * Math.max(1, Math.abs(want))) continue;
      return say('collective.fault.wrong', { rank, element: i, got: String(got), want: String(want) });
    }
  }
  return undefined;
}

class Run {
  private readonly steps: Steps[] = [];
  private readonly step: Int32Array;
  private readonly slice: Int32Array;
  private readonly queues: Numbers[][];
  private readonly sent: Float64Array;
  private readonly outputs: Numbers[];
  private readonly scratch: Numbers[];
  private readonly listed: Uint8Array;
  private readonly ready: number[] = [];
  private messages = 0;
  private fault: Message | undefined;

  constructor(
    private readonly program: Program,
    private readonly inputs: readonly Numbers[],
    private readonly options: InterpretOptions,
  ) {
    const { workers, connections, ranks, task, scratch } = program;
    let total = 0;
    for (let w = 0; w < workers.count && total <= mostSteps; w++) {
      const told = stepsOf(program, w);
      total += told.length;
      this.steps.push(options.without?.worker === w ? told.without(options.without.step) : told);
    }
    if (total > mostSteps) this.fault = say('collective.fault.large', { most: mostSteps });
    this.step = new Int32Array(workers.count);
    this.slice = new Int32Array(workers.count);
    this.listed = new Uint8Array(workers.count);
    this.queues = Array.from({ length: connections.count }, () => []);
    this.sent = new Float64Array(connections.count);
    const { output } = bufferSizes(task.collective, task.count, ranks);
    this.outputs = inputs.map((x) => blank(x, output));
    this.scratch = inputs.map((x) => blank(x, scratch));
  }

  all(): Result<Interpretation, Message> {
    const { workers, connections } = this.program;
    for (let w = 0; w < workers.count; w++) this.list(w);
    while (this.fault === undefined && this.ready.length > 0) {
      const w = this.next();
      this.listed[w] = 0;
      while (this.fault === undefined && this.can(w)) this.doSlice(w);
    }
    this.fault ??= this.stuck();
    if (this.fault !== undefined) return fail(this.fault);
    for (let c = 0; c < connections.count; c++) {
      if (this.queues[c]!.length === 0) continue;
      return fail(say('collective.fault.left', { from: connections.from[c]!, to: connections.to[c]! }));
    }
    return ok({ outputs: this.outputs, sent: this.sent, messages: this.messages });
  }

  private next(): number {
    const { order } = this.options;
    if (order === undefined) return this.ready.shift()!;
    const i = order.below(this.ready.length);
    const w = this.ready[i]!;
    this.ready[i] = this.ready[this.ready.length - 1]!;
    this.ready.pop();
    return w;
  }

  private list(w: number): void {
    if (w < 0 || this.listed[w] === 1) return;
    this.listed[w] = 1;
    this.ready.push(w);
  }

  /** First and last entry of the connections a step uses on one side. */
  private span(start: Int32Array, w: number, port: number): [number, number] {
    if (port === NONE) return [0, 0];
    return port === ALL ? [start[w]!, start[w + 1]!] : [start[w]! + port, start[w]! + port + 1];
  }

  private can(w: number): boolean {
    const { workers, connections } = this.program;
    const steps = this.steps[w]!;
    const s = this.step[w]!;
    if (s >= steps.length) return false;
    const [firstIn, lastIn] = this.span(workers.inStart, w, steps.from[s]!);
    for (let k = firstIn; k < lastIn; k++) if (this.queues[workers.in[k]!]!.length === 0) return false;
    const [firstOut, lastOut] = this.span(workers.outStart, w, steps.to[s]!);
    for (let k = firstOut; k < lastOut; k++) {
      const c = workers.out[k]!;
      if (this.queues[c]!.length >= connections.slots[c]!) return false;
    }
    return true;
  }

  private doSlice(w: number): void {
    const { workers, connections, slices } = this.program;
    const steps = this.steps[w]!;
    const s = this.step[w]!;
    const total = steps.count[s]!;
    const most = sliceOf(this.program, total);
    const from = Math.min(total, this.slice[w]! * most);
    const count = Math.min(most, total - from);
    const agent = workers.agent[w]!;
    let value = this.read(agent, steps.source[s]! as Place, steps.sourceAt[s]! + from, count);
    const combine = reducers[this.options.reduction ?? 'sum'];
    const [firstIn, lastIn] = this.span(workers.inStart, w, steps.from[s]!);
    for (let k = firstIn; k < lastIn; k++) {
      const c = workers.in[k]!;
      const message = this.queues[c]!.shift()!;
      if (message.length !== count) {
        const [a, b] = [connections.from[c]!, connections.to[c]!];
        this.fault = say('collective.fault.size', { from: a, to: b, got: message.length, want: count });
        return;
      }
      this.list(connections.sender[c]!);
      // A value in the making has the arrays' own precision at every stage, as on a GPU.
      if (value === undefined) value = message;
      else for (let i = 0; i < count; i++) value[i] = combine(value[i]!, message[i]!);
    }
    const made = value ?? blank(this.inputs[0]!, count);
    this.write(agent, steps.target[s]! as Place, steps.targetAt[s]! + from, made);
    const [firstOut, lastOut] = this.span(workers.outStart, w, steps.to[s]!);
    for (let k = firstOut; k < lastOut; k++) {
      const c = workers.out[k]!;
      this.queues[c]!.push(made.slice());
      this.sent[c]! += count;
      this.messages++;
      this.list(connections.receiver[c]!);
    }
    if (++this.slice[w]! === slices) {
      this.slice[w] = 0;
      this.step[w]!++;
    }
  }

  private read(agent: number, place: Place, at: number, count: number): Numbers | undefined {
    if (place === Place.None) return undefined;
    const buffer = (place === Place.Input ? this.inputs : place === Place.Output ? this.outputs : this.scratch)[agent]!;
    return buffer.slice(at, at + count);
  }

  private write(agent: number, place: Place, at: number, value: Numbers): void {
    if (place === Place.None || value.length === 0) return;
    (place === Place.Output ? this.outputs : this.scratch)[agent]!.set(value, at);
  }

  private stuck(): Message | undefined {
    const { workers } = this.program;
    let count = 0;
    let first = -1;
    for (let w = 0; w < workers.count; w++) {
      if (this.step[w]! >= this.steps[w]!.length) continue;
      count++;
      if (first < 0) first = w;
    }
    if (count === 0) return undefined;
    return say('collective.fault.stuck', {
      count,
      all: workers.count,
      rank: workers.agent[first]!,
      channel: workers.channel[first]!,
      step: this.step[first]!,
    });
  }
}

function blank(like: Numbers, count: number): Numbers {
  if (like instanceof Float64Array) return new Float64Array(count).fill(Number.NaN);
  return like instanceof Float32Array ? new Float32Array(count).fill(Number.NaN) : new Int32Array(count).fill(-1);
}
