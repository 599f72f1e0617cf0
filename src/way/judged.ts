import type { Answer, Where } from '../fact/fact.ts';
import type { Message } from '../words/message.ts';
import type { Way } from './stages.ts';

/** How data gets from one device to another, and which rule makes it so. */
export interface Course {
  readonly from: string;
  readonly to: string;
  /** Does it take the direct way? */
  readonly direct: Answer;
  /** The way taken; where that is not known, the ways it may be, direct one first. */
  readonly ways: readonly Way[];
  readonly rule: Message;
  readonly evidence: readonly Where[];
  readonly settle?: string;
  /** NCCL's path type, where NCCL decides. */
  readonly type?: number;
  /** NICs it goes through, for ways over the network. */
  readonly nics?: readonly string[];
  /** Where it is open whether NVLink joins two nodes: what is decided over the network if it does not. */
  readonly network?: Judged;
}

/** A course whose ends are known to who asked. */
export type Judged = Omit<Course, 'from' | 'to'>;
