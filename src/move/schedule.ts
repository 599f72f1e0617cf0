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
  /** Goes before the names of what is this movement's own, where there are several. */
  readonly title?: string;
  /** Where the sender and the receiver are: movements with the same place share its host memory. */
  readonly places?: Readonly<Record<Side, string>>;
  /** What stages, resources and cores are called. */
  readonly named: (message: Message) => string;
  /** Names beside those of the stages. */
  readonly names: ScheduleNames;
}

export interface ScheduleNames {
  readonly memory: (place: string) => string;
  readonly core: (side: Side) => string;
  readonly control: string;
  readonly launch: string;
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
  const all = scheduleTogether([{ model, ask }]);
  if (!all.ok) return all;
  const { schedule, parts } = all.value;
  return { ok: true, value: { schedule, ...parts[0]! } };
}

export interface Movement {
  readonly model: DataPathModel;
  readonly ask: ScheduleAsk;
}

export type MovePart = Omit<MoveSchedule, 'schedule'>;

/** Several movements started together: those that cross the same wire, or the same host memory, share it. */
export function scheduleTogether(
  movements: readonly Movement[],
): Result<{ readonly schedule: Schedule; readonly parts: readonly MovePart[] }, EngineMessage> {
  const builder = new ScheduleBuilder();
  const wires = new Map<string, number>();
  const parts = movements.map(({ model, ask }) => new Scheduler(model, ask, builder, wires).part());
  const schedule = builder.build();
  return schedule.ok ? { ok: true, value: { schedule: schedule.value, parts } } : schedule;
}

class Scheduler {
  private readonly moved = new Map<number, { leg: number; transfer: number }>();
  private readonly ends: number[] = [];
  private readonly legs: readonly Leg[];
  private readonly paths: readonly (readonly (readonly [number, number])[])[];
  private readonly slots: readonly number[];
  private readonly own = new Map<string, number>();

  constructor(
    private readonly model: DataPathModel,
    private readonly ask: ScheduleAsk,
    private readonly builder: ScheduleBuilder,
    /** Resources that other movements know too, by key. */
    private readonly wires: Map<string, number>,
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

  part(): MovePart {
    if (this.model.timing.workers) this.workers();
    else this.batch();
    return { legs: this.moved, ends: this.ends };
  }

  /** Posted one after the other; each leg takes the transfers in that order. */
  private batch(): void {
    const { timing } = this.model;
    const { bytes, depth, names } = this.ask;
    const { count, size, last } = chunksOf(this.model, bytes);
    const start = this.builder.operation({ label: this.titled(names.start), amount: 0, after: timing.oneWay });
    let posted = start;
    let ready: WaitSpec[][] = this.legs.map(() => []);
    for (let transfer = 0; transfer < depth; transfer++) {
      if (transfer > 0) {
        posted = this.builder.operation({
          label: this.titled(names.start),
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
            label: this.titled(names.handOver(this.legName(leg))),
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
    const post = this.builder.engine(this.titled(names.start), 1);
    for (let worker = 0; worker < threads; worker++) {
      const posted = this.builder.operation({
        label: this.titled(names.start),
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
      label: this.titled(this.ask.names.control),
      amount,
      repeat,
      path: [[this.core(this.ask.names.control), 1]],
      waits: [{ on: posted }],
    });
  }

  private titled(name: string): string {
    return this.ask.title === undefined ? name : `${this.ask.title}: ${name}`;
  }

  private nameOf(leg: Leg): string {
    return this.titled(this.legName(leg));
  }

  private legName(leg: Leg): string {
    return [...new Set(leg.stages.map((s) => this.ask.named(s.name)))].join(' · ');
  }

  /** What a payload byte of a stage crosses: its own link or device, and its share of host memory and of a core. */
  private pathOf(stage: MoveStage, side: Side): (readonly [number, number])[] {
    const { named, names, hostMemory } = this.ask;
    const path: (readonly [number, number])[] = [];
    const kind = stage.copy ? 'unit' : 'link';
    if (Number.isFinite(stage.rate)) {
      path.push([this.builder.resource(kind, this.titled(named(stage.name)), stage.rate), 1]);
    } else {
      path.push([this.builder.resource(kind, this.titled(named(stage.name)), unlimited), 1]);
    }
    for (const link of stage.links) {
      path.push([this.resource(this.wires, link.key, 'link', named(link.name), link.rate), link.factor]);
    }
    if (stage.hostMemory > 0) {
      const place = this.ask.places?.[side] ?? side;
      const memory = this.resource(
        this.wires,
        `${place} memory`,
        'memory',
        names.memory(place),
        hostMemory ?? unlimited,
      );
      path.push([memory, stage.hostMemory]);
    }
    if (stage.cpuPerByte > 0) path.push([this.coreOf(stage, side), stage.cpuPerByte]);
    return path;
  }

  /** A core that moves the bytes is as busy as it can be; one that only launches copies is no one's bottleneck. */
  private coreOf(stage: MoveStage, side: Side): number {
    const { names } = this.ask;
    const moves = stage.cpuPerByte * stage.rate > 0.5;
    return moves ? this.core(names.core(side)) : this.builder.resource('core', this.titled(names.launch), 1);
  }

  /** Each movement has cores of its own. */
  private core(name: string): number {
    return this.resource(this.own, name, 'core', this.titled(name), 1);
  }

  private resource(known: Map<string, number>, key: string, kind: ResourceKind, name: string, rate: number): number {
    let number = known.get(key);
    if (number === undefined) {
      number = this.builder.resource(kind, name, rate);
      known.set(key, number);
    }
    return number;
  }
}
