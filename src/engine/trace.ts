import type { Seconds } from '../base/units.ts';
import type { EngineMessage } from '../schedule/message.ts';
import { labelOf, type Schedule } from '../schedule/schedule.ts';
import type { Observer } from './observer.ts';

/** One event of the Trace Event Format that Perfetto and chrome://tracing read; times in microseconds. */
export interface TraceEvent {
  readonly ph: 'X' | 'M' | 'C';
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts?: number;
  readonly dur?: number;
  readonly cat?: string;
  readonly args?: Readonly<Record<string, string | number>>;
}

export interface TraceDocument {
  readonly displayTimeUnit: 'ns';
  readonly traceEvents: readonly TraceEvent[];
  /** What was left out, when something was. */
  readonly otherData: { readonly leftOut: number };
}

/** What the groups of tracks, and the slice over everything, are called. */
export interface TraceTitles {
  readonly operations: string;
  readonly engines: string;
  readonly resources: string;
  readonly total: string;
}

const plain: TraceTitles = { operations: 'operations', engines: 'engines', resources: 'resources', total: 'total' };

/** Tracks of one kind are a process in the viewer. */
const OPERATIONS = 1;
const ENGINES = 2;
const RESOURCES = 3;

const us = (t: number): number => Math.round(t * 1e9) / 1e3;

/**
 * Records a run as a trace: each operation, engine and resource is a track; an iteration is a slice on its operation's and its
 * engines' tracks; waits for a slot are slices too; on a resource's track lie the flows that it held, with their rate. Bounded:
 * after `most` slices the rest is counted, not kept.
 */
export class Trace implements Observer {
  private readonly events: TraceEvent[] = [];
  private leftOut = 0;

  constructor(
    private readonly schedule: Schedule,
    private readonly most = 200_000,
    private readonly titles: TraceTitles = plain,
  ) {}

  onRan(operation: number, iteration: number, from: number, flow: number, to: number, delivered: number): void {
    const { operations } = this.schedule;
    const name = this.name(operation, iteration);
    const args = { iteration, 'flows from (us)': us(flow), 'delivered (us)': us(delivered) };
    this.slice(OPERATIONS, operation, name, 'run', from, to, args);
    for (let k = operations.holdStart[operation]!; k < operations.holdStart[operation + 1]!; k++) {
      this.slice(ENGINES, operations.holdEngine[k]!, name, 'run', from, to, args);
    }
  }

  onWaited(operation: number, iteration: number, engine: number, from: number, to: number): void {
    const waiting = `${this.name(operation, iteration)} … ${this.schedule.engines.name[engine]}`;
    this.slice(OPERATIONS, operation, waiting, 'wait', from, to, { iteration });
  }

  onHeld(operation: number, iteration: number, resource: number, rate: number, from: number, to: number): void {
    const args = { iteration, 'bytes per second': rate };
    this.slice(RESOURCES, resource, this.name(operation, iteration), 'held', from, to, args);
  }

  /** What was left out, as a message; undefined when nothing was. */
  note(): EngineMessage | undefined {
    if (this.leftOut === 0) return undefined;
    return { code: 'engine.trace.cut', args: { kept: this.events.length, left: this.leftOut } };
  }

  /** The trace of everything up to `time`. Slices that overlap on one track are put on lanes of their own. */
  document(time: Seconds): TraceDocument {
    const { engines, resources, operations } = this.schedule;
    const names: TraceEvent[] = [
      meta('process_name', OPERATIONS, 0, this.titles.operations),
      meta('process_name', ENGINES, 0, this.titles.engines),
      meta('process_name', RESOURCES, 0, this.titles.resources),
    ];
    const lanes = new Map<string, number[]>();
    const laneOf = new Map<string, number>();
    let next = 1;
    const track = (pid: number, x: number, lane: number): number => {
      const key = `${pid} ${x} ${lane}`;
      const known = laneOf.get(key);
      if (known !== undefined) return known;
      const name =
        pid === OPERATIONS ? labelOf(operations, x) : pid === ENGINES ? engines.name[x]! : resources.name[x]!;
      names.push(meta('thread_name', pid, next, lane === 0 ? name : `${name} (${lane + 1})`));
      laneOf.set(key, next);
      return next++;
    };
    const inOrder = [...this.events].sort((a, b) => a.ts! - b.ts! || a.pid - b.pid || a.tid - b.tid);
    const events = inOrder.map((event) => {
      const key = `${event.pid} ${event.tid}`;
      let ends = lanes.get(key);
      if (ends === undefined) {
        ends = [];
        lanes.set(key, ends);
      }
      let lane = ends.findIndex((end) => end <= event.ts! + 1e-6);
      if (lane < 0) lane = ends.length;
      ends[lane] = event.ts! + event.dur!;
      return { ...event, tid: track(event.pid, event.tid, lane) };
    });
    const length: TraceEvent = {
      ph: 'X',
      name: this.titles.total,
      pid: OPERATIONS,
      tid: 0,
      ts: 0,
      dur: us(time),
      cat: 'run',
    };
    return {
      displayTimeUnit: 'ns',
      traceEvents: [...names, length, ...events],
      otherData: { leftOut: this.leftOut },
    };
  }

  private name(operation: number, iteration: number): string {
    const { operations } = this.schedule;
    const label = labelOf(operations, operation);
    return operations.repeat[operation] === 1 ? label : `${label} [${iteration}]`;
  }

  private slice(
    pid: number,
    tid: number,
    name: string,
    cat: string,
    from: number,
    to: number,
    args: Readonly<Record<string, string | number>>,
  ): void {
    if (this.events.length >= this.most) {
      this.leftOut++;
      return;
    }
    this.events.push({ ph: 'X', name, pid, tid, ts: us(from), dur: us(to - from), cat, args });
  }
}

const meta = (name: string, pid: number, tid: number, text: string): TraceEvent => ({
  ph: 'M',
  name,
  pid,
  tid,
  args: { name: text },
});
