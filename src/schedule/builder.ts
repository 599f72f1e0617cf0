import { fail, ok, type Result } from '../base/result.ts';
import { checkSchedule } from './check.ts';
import { Floats, Ints } from './growable.ts';
import { type EngineMessage, notWhole } from './message.ts';
import { OperationRows, WaitRows } from './rows.ts';
import { type ResourceKind, type Schedule, Wait } from './schedule.ts';

/** One operation, spelled out. Everything but the amount has a default that adds nothing. */
export interface OperationSpec {
  readonly label?: string;
  /** Payload bytes (CPU seconds for work on a core) of one iteration. */
  readonly amount: number;
  /** Amount of the last iteration, when it is a smaller rest. */
  readonly last?: number;
  /** Number of iterations. */
  readonly repeat?: number;
  /** Seconds. */
  readonly before?: number;
  /** Seconds. */
  readonly after?: number;
  readonly copies?: number;
  /** Resources crossed, each with its units per payload byte. */
  readonly path?: readonly (readonly [resource: number, factor: number])[];
  /** Engines of which a slot is held. */
  readonly holds?: readonly number[];
  /** Name of a flow: its operations are sent one after the other, in the order in which they were added. */
  readonly flow?: string;
  /** Operations waited for: iteration i for iteration i − lag (0), until delivered unless told otherwise. */
  readonly waits?: readonly WaitSpec[];
}

export interface WaitSpec {
  readonly on: number;
  readonly lag?: number;
  readonly kind?: Wait;
}

/**
 * Builds a schedule. `operation` takes one spelled out; the many are built without objects: `begin`, then `cross`, `hold` and
 * `wait` for the operation begun last. Operations are numbered from 0 in order, and a wait may name one that comes later.
 */
export class ScheduleBuilder {
  private readonly resourceName: string[] = [];
  private readonly resourceKind: ResourceKind[] = [];
  private readonly resourceRate = new Floats();
  private readonly engineName: string[] = [];
  private readonly engineSlots = new Ints();
  private readonly labels: string[] = [];
  private readonly labelNumber = new Map<string, number>();
  private readonly rows: OperationRows;
  private readonly pathResource = new Ints();
  private readonly pathFactor = new Floats();
  private readonly holdEngine = new Ints();
  private readonly waits = new WaitRows();
  private readonly lastOfFlow = new Map<string, number>();
  private fault: EngineMessage | undefined;

  /** @param operations how many there will be, where that is known */
  constructor(operations = 64) {
    this.rows = new OperationRows(operations);
  }

  /** @param rate bytes per second; on a core CPU seconds per second */
  resource(kind: ResourceKind, name: string, rate: number): number {
    this.resourceRate.push(rate);
    this.resourceKind.push(kind);
    return this.resourceName.push(name) - 1;
  }

  engine(name: string, slots: number): number {
    if (!Number.isInteger(slots)) this.refuse(name, 'slots', slots, 1);
    this.engineSlots.push(slots);
    return this.engineName.push(name) - 1;
  }

  /** The number of a label; the same text has the same number. */
  labelled(text: string): number {
    let n = this.labelNumber.get(text);
    if (n === undefined) {
      n = this.labels.push(text) - 1;
      this.labelNumber.set(text, n);
    }
    return n;
  }

  /** Number of operations so far: the number the next one gets. */
  get next(): number {
    return this.rows.count;
  }

  operation(spec: OperationSpec): number {
    const o = this.begin(
      this.labelled(spec.label ?? `#${this.next}`),
      spec.amount,
      spec.repeat ?? 1,
      spec.before ?? 0,
      spec.after ?? 0,
      spec.last ?? spec.amount,
      spec.copies ?? 0,
    );
    for (const [resource, factor] of spec.path ?? []) this.cross(resource, factor);
    for (const engine of spec.holds ?? []) this.hold(engine);
    for (const { on, lag, kind } of spec.waits ?? []) this.wait(on, lag, kind);
    if (spec.flow !== undefined) this.inFlow(spec.flow);
    return o;
  }

  begin(label: number, amount: number, repeat = 1, before = 0, after = 0, last = amount, copies = 0): number {
    if (!Number.isInteger(repeat) || repeat > 0x7fffffff) this.refuse(this.labels[label] ?? '', 'repeat', repeat, 1);
    const { pathResource, holdEngine, waits } = this;
    return this.rows.add(
      label,
      amount,
      last,
      repeat,
      before,
      after,
      copies,
      pathResource.length,
      holdEngine.length,
      waits.count,
    );
  }

  /** The operation begun last crosses a resource; crossing it again adds up. */
  cross(resource: number, factor = 1): void {
    if (factor === 0) return;
    for (let k = this.rows.path; k < this.pathResource.length; k++) {
      if (this.pathResource.at(k) !== resource) continue;
      this.pathFactor.set(k, this.pathFactor.at(k) + factor);
      return;
    }
    this.pathResource.push(resource);
    this.pathFactor.push(factor);
  }

  /** The operation begun last holds a slot of an engine while it runs. */
  hold(engine: number): void {
    this.holdEngine.push(engine);
  }

  /** The operation begun last waits for another. */
  wait(on: number, lag = 0, kind: Wait = Wait.Delivered): void {
    if (!Number.isInteger(lag)) this.refuse(this.labels[this.rows.labelOf(this.next - 1)] ?? '', 'lag', lag, 0);
    this.waits.add(on, lag, kind);
  }

  /** The operation begun last belongs to a flow: it starts when the one before it in that flow has sent everything. */
  inFlow(flow: string): void {
    const before = this.lastOfFlow.get(flow);
    if (before !== undefined) this.wait(before, 0, Wait.WholeSent);
    this.lastOfFlow.set(flow, this.next - 1);
  }

  /** The schedule, checked; or the first thing that is wrong with it. */
  build(): Result<Schedule, EngineMessage> {
    const count = this.next;
    const schedule: Schedule = {
      resources: {
        count: this.resourceName.length,
        name: this.resourceName,
        kind: this.resourceKind,
        rate: this.resourceRate.done(),
        times: new Float64Array(this.resourceName.length).fill(1),
      },
      engines: {
        count: this.engineName.length,
        name: this.engineName,
        slots: this.engineSlots.done(),
        times: new Float64Array(this.engineName.length).fill(1),
      },
      operations: {
        count,
        ...this.rows.done(this.pathResource.length, this.holdEngine.length, this.waits.count),
        ...this.waits.done(),
        labels: this.labels,
        times: new Float64Array(count).fill(1),
        pathResource: this.pathResource.done(),
        pathFactor: this.pathFactor.done(),
        holdEngine: this.holdEngine.done(),
      },
    };
    const fault = this.fault ?? checkSchedule(schedule);
    return fault === undefined ? ok(schedule) : fail(fault);
  }

  /** Integers are checked as they come: an integer array would round them in silence. */
  private refuse(where: string, what: 'slots' | 'repeat' | 'lag', value: number, least: number): void {
    this.fault ??= notWhole(where, what, value, least);
  }
}
