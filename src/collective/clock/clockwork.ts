import type { Result } from '../../base/result.ts';
import { type Bytes, bytes } from '../../base/units.ts';
import type { Communicator } from '../../nccl/communicator.ts';
import { choose } from '../../nccl/tuning/choice.ts';
import type { Message } from '../../words/message.ts';
import { buildProgram, type Ways } from '../build.ts';
import { type CollectiveName, isPointToPoint } from '../kinds.ts';
import type { Task } from '../program.ts';
import { directTaskOf, taskOf, tuned, waysOf } from '../ways.ts';
import type { GpuLimits } from './limit-links.ts';
import { type ClockConstants, machineCosts } from './machine-costs.ts';
import { type CollectiveTime, type TimeOptions, timeCollective } from './time.ts';
import { type Wires, wiresOf } from './wires.ts';

/** A communicator with its ways and wires laid out once, to time many collectives on it. */
export class Clockwork {
  readonly ways: Ways;
  readonly wires: Wires;

  constructor(
    readonly communicator: Communicator,
    limits?: GpuLimits,
  ) {
    this.ways = waysOf(communicator);
    this.wires = wiresOf(communicator, limits);
  }

  /**
   * What NCCL would do for a vector of so many bytes (the whole one, as `size` in nccl-tests); undefined where its variables leave
   * no algorithm. As nccl-tests does, a vector that does not divide into equal parts is made smaller.
   */
  task(collective: CollectiveName, vector: Bytes, elementBytes: number, root = 0): Task | undefined {
    const c = this.communicator;
    const parted = collective !== 'all_reduce' && collective !== 'broadcast' && collective !== 'reduce';
    const parts = parted && collective !== 'sendrecv' ? c.ranks : 1;
    const count = Math.floor(vector / elementBytes / parts);
    if (isPointToPoint(collective)) return directTaskOf(c, collective, count, elementBytes, root);
    const coll = tuned[collective]!;
    const size = bytes(count * elementBytes * parts);
    const choice = choose(c.facts, c.launch, c.model[coll], coll, Math.max(1, size));
    return choice && taskOf(choice, collective, count, elementBytes, root, c.launch.bufferBytes.Simple);
  }

  time(task: Task, constants: ClockConstants, options: TimeOptions = {}): Result<CollectiveTime, Message> {
    const program = buildProgram(task, this.ways);
    if (!program.ok) return program;
    return timeCollective(program.value, machineCosts(program.value, this.wires, constants), options);
  }
}
