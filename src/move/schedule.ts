import type { Result } from '../base/result.ts';
import { ScheduleBuilder, type WaitSpec } from '../schedule/builder.ts';
import type { EngineMessage } from '../schedule/message.ts';
import { type ResourceKind, type Schedule, Wait } from '../schedule/schedule.ts';
import type { Message } from '../words/message.ts';
import { chunksOf, type Leg, legsOf } from './legs.ts';
import type { DataPathModel, MoveLoad, MoveStage } from './model.ts';

export interface ScheduleAsk extends Pick<MoveLoad, 'depth' | 'threads'> {
  readonly bytes: number;
  /** Operations that each worker does in turn; 1 when left out. */
  readonly rounds?: number;
  /** Bytes per second that a socket's memory passes; no limit when not known. */
  readonly hostMemory?: number;
  /** What stages, resources and cores are called. */
  readonly named: (message: Message) => string;
  /** Names beside those of the stages. */
  readonly names: ScheduleNames;
}

export interface ScheduleNames {
  readonly memory: (side: Side) => string;
  readonly core: (side: Side) => string;
  readonly control: string;
  readonly start: string;
  readonly handOver: (stage: string) => string;
}

export type Side = 'near' | 'far';

/** A movement as operations that the engine runs, and which of them move which leg's bytes. */
export interface MoveSchedule {
  readonly schedule: Schedule;
  /** By number of operation: the leg it moves and the transfer it belongs to. Others move no bytes. */
  readonly legs: ReadonlyMap<number, { readonly leg: number; readonly transfer: number }>;
  /** The last legs: when these are delivered, all is. */
  readonly ends: readonly number[];
}

/** So fast that it never holds anything up: for what no input gives a rate. */
const unlimited = 1e18;

/** Every operation of a movement under a load, leg by leg, each stage a resource and each leg an engine of one slot. */
export function scheduleMove(model: DataPathModel, ask: ScheduleAsk): Result<MoveSchedule, EngineMessage> {
  return new Scheduler(model, ask).build();
}

class Scheduler {
  private readonly builder = new ScheduleBuilder();
  private readonly moved = new Map<number, { leg: number; transfer: number }>();
  private readonly ends: number[] = [];
  private readonly legs: readonly Leg[];
  private readonly paths: readonly (readonly (readonly [number, number])[])[];
  private readonly slots: readonly number[];
  private readonly shared = new Map<string, number>();

  constructor(
    private readonly model: DataPathModel,
    private readonly ask: ScheduleAsk,
  ) {
    this.legs = legsOf(model, ask.bytes);
    let side: Side = 'near';
    this.paths = this.legs.map((leg) =>
      leg.stages.flatMap((stage) => {
        const path = this.pathOf(stage, side);
        if (stage.name.code === 'move.stage.wire') side = 'far';
        return path;
      }),
    );
    this.slots = this.legs.map((leg) => this.builder.engine(this.nameOf(leg), 1));
  }

  build(): Result<MoveSchedule, EngineMessage> {
    if (this.model.timing.workers) this.workers();
    else this.batch();
    const schedule = this.builder.build();
    return schedule.ok
      ? { ok: true, value: { schedule: schedule.value, legs: this.moved, ends: this.ends } }
      : schedule;
  }

  /** Posted one after the other; each leg takes the transfers in that order. */
  private batch(): void {
    const { timing } = this.model;
    const { bytes, depth, names } = this.ask;
    const { count, size, last } = chunksOf(this.model, bytes);
    const start = this.builder.operation({ label: names.start, amount: 0, after: timing.oneWay });
    let posted = start;
    let ready: WaitSpec[][] = this.legs.map(() => []);
    for (let transfer = 0; transfer < depth; transfer++) {
      if (transfer > 0) {
        posted = this.builder.operation({
          label: names.start,
          amount: 0,
          before: 1 / timing.startRate,
          waits: [{ on: posted }],
        });
      }
      this.control(posted);
      const next: WaitSpec[][] = [];
      let before: WaitSpec = { on: posted };
      this.legs.forEach((leg, k) => {
        const op = this.builder.next;
        const waits: WaitSpec[] = [before, ...ready[k]!];
        if (leg.gap > 0 && count > 1) waits.push({ on: op + 1, lag: 1 });
        this.move(k, transfer, { amount: size, last, repeat: count, waits });
        if (leg.gap > 0) {
          this.builder.operation({
            label: names.handOver(this.nameOf(leg)),
            amount: 0,
            repeat: count,
            before: leg.gap,
            waits: [{ on: op, kind: Wait.Sent }],
          });
        }
        next.push([leg.gap > 0 ? { on: op + 1, kind: Wait.WholeDelivered } : { on: op, kind: Wait.WholeSent }]);
        before = { on: op };
      });
      ready = next;
      this.ends.push(before.on);
    }
  }

  /** Each does one operation after the other; a leg serves whoever comes first. */
  private workers(): void {
    const { timing } = this.model;
    const { bytes, threads, names, rounds = 1 } = this.ask;
    const post = this.builder.engine(names.start, 1);
    for (let worker = 0; worker < threads; worker++) {
      const posted = this.builder.operation({
        label: names.start,
        amount: 0,
        repeat: rounds,
        before: 1 / timing.startRate,
        after: Math.max(0, timing.cycle - 1 / timing.startRate),
        holds: [post],
        waits: [{ on: this.builder.next + this.legs.length, lag: 1 }],
      });
      let before = posted;
      for (let k = 0; k < this.legs.length; k++) {
        before = this.move(k, worker, { amount: bytes, last: bytes, repeat: rounds, waits: [{ on: before }] });
      }
      this.ends.push(before);
      this.control(posted, rounds);
    }
  }

  private move(
    k: number,
    transfer: number,
    what: { amount: number; last: number; repeat: number; waits: readonly WaitSpec[] },
  ): number {
    const leg = this.legs[k]!;
    const op = this.builder.operation({
      ...what,
      label: this.nameOf(leg),
      after: leg.fill,
      copies: leg.stages.filter((s) => s.copy).length,
      path: this.paths[k]!,
      holds: [this.slots[k]!],
    });
    this.moved.set(op, { leg: k, transfer });
    return op;
  }

  /** The CPU is relieved of moving the bytes, not of control: posting, polling, launching. */
  private control(posted: number, repeat = 1): void {
    const amount = this.model.timing.cpuPerOperation;
    if (amount === 0) return;
    this.builder.operation({
      label: this.ask.names.control,
      amount,
      repeat,
      path: [[this.resource('core', this.ask.names.control, 1), 1]],
      waits: [{ on: posted }],
    });
  }

  private nameOf(leg: Leg): string {
    return [...new Set(leg.stages.map((s) => this.ask.named(s.name)))].join(' · ');
  }

  /** What a payload byte of a stage crosses: its own link or device, and its share of host memory and of a core. */
  private pathOf(stage: MoveStage, side: Side): (readonly [number, number])[] {
    const { named, names, hostMemory } = this.ask;
    const path: (readonly [number, number])[] = [];
    const kind = stage.copy ? 'unit' : 'link';
    if (Number.isFinite(stage.rate)) {
      path.push([this.builder.resource(kind, named(stage.name), stage.rate), 1]);
    } else {
      path.push([this.builder.resource(kind, named(stage.name), unlimited), 1]);
    }
    if (stage.hostMemory > 0) {
      path.push([this.resource('memory', names.memory(side), hostMemory ?? unlimited), stage.hostMemory]);
    }
    if (stage.cpuPerByte > 0) path.push([this.resource('core', names.core(side), 1), stage.cpuPerByte]);
    return path;
  }

  private resource(kind: ResourceKind, name: string, rate: number): number {
    let number = this.shared.get(name);
    if (number === undefined) {
      number = this.builder.resource(kind, name, rate);
      this.shared.set(name, number);
    }
    return number;
  }
}
