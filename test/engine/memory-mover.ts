import type { Mover } from '../../src/engine/observer.ts';

/** Where an operation's bytes come from and go to, in named memories of a test. */
export interface Move {
  readonly from: string;
  readonly to: string;
  readonly chunk: number;
  /** Buffers of `to` that are used in turn, and of `from`; as many as chunks when left out. */
  readonly toBuffers?: number;
  readonly fromBuffers?: number;
  /** Adds to what is there instead of replacing it. */
  readonly add?: boolean;
}

/** Plain memories, and the copies between them that a schedule stands for. */
export class MemoryMover implements Mover {
  readonly calls: [operation: number, iteration: number][] = [];

  constructor(
    readonly memory: Map<string, Uint8Array>,
    private readonly moves: ReadonlyMap<number, Move>,
  ) {}

  copy(operation: number, iteration: number): void {
    this.calls.push([operation, iteration]);
    const move = this.moves.get(operation);
    if (move === undefined) throw new Error(`nobody said what operation ${operation} moves`);
    const from = this.memory.get(move.from)!;
    const to = this.memory.get(move.to)!;
    const source = (iteration % (move.fromBuffers ?? Number.POSITIVE_INFINITY)) * move.chunk;
    const target = (iteration % (move.toBuffers ?? Number.POSITIVE_INFINITY)) * move.chunk;
    const bytes = from.subarray(source, source + move.chunk);
    if (move.add) for (const [i, byte] of bytes.entries()) to[target + i]! += byte;
    else to.set(bytes.subarray(0, to.length - target), target);
  }
}
