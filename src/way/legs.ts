import type { Answer, Where } from '../fact/fact.ts';
import type { Transport } from '../machine/machine.ts';
import type { TopoNode } from '../nccl/system/node.ts';
import { type Message, say } from '../words/message.ts';
import type { Judged } from './judged.ts';
import type { Stages } from './stages.ts';

/** How a part of a way is laid, and whether the NIC reads or writes GPU memory on it. */
export interface LegBuild {
  readonly direct: boolean;
  readonly add: (stages: Stages) => void;
}

/** One GPU–NIC leg: its verdict and the ways it may be built, the direct one first. */
export interface NetLeg {
  readonly judged: Omit<Judged, 'ways'>;
  readonly ways: readonly LegBuild[];
}

/** A way is as direct as the worse of its ends. */
export const worse = (a: Answer, b: Answer): Answer =>
  a === 'no' || b === 'no' ? 'no' : a === 'unknown' || b === 'unknown' ? 'unknown' : 'yes';

/** Both ends direct, or both staged: what may be on one end may be on the other. */
export function combine(a: readonly LegBuild[], b: readonly LegBuild[]): (readonly [LegBuild, LegBuild])[] {
  const n = Math.max(a.length, b.length);
  return Array.from({ length: n }, (_, i) => [a[Math.min(i, a.length - 1)]!, b[Math.min(i, b.length - 1)]!] as const);
}

/** What the wire between two nodes is. */
export function wireMedium(transport: Transport | undefined): Message {
  switch (transport) {
    case 'infiniband':
      return say('answer.wire.infiniband');
    case 'roce':
      return say('answer.wire.roce');
    case 'iwarp':
      return say('answer.wire.iwarp');
    case 'tcp':
      return say('answer.wire.tcp');
    case 'ipoib':
      return say('answer.wire.ipoib');
    case undefined:
      return say('answer.wire.unknown');
    default:
      return say('answer.wire.cloud', { transport });
  }
}

/** The lines that tell of both ends, those of the deciding fact before them. */
export function places(a: TopoNode, b: TopoNode, more: readonly Where[] = []): Where[] {
  const all = [...more, ...(a.gpu?.gpu.at ?? []), ...(b.net?.port.at ?? b.gpu?.gpu.at ?? [])];
  return all.filter((w, i) => all.findIndex((v) => v.file === w.file && v.line === w.line) === i);
}
