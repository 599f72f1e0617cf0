import { describe, expect, it } from 'vitest';
import { random } from '../../src/base/random.ts';
import { bytes } from '../../src/base/units.ts';
import { run } from '../../src/engine/run.ts';
import { ScheduleBuilder } from '../../src/schedule/builder.ts';
import { pipeline } from '../../src/schedule/pipeline.ts';
import { MemoryMover, type Move } from './memory-mover.ts';
import { built } from './plain-ring.ts';

describe('a run with bytes', () => {
  const size = 1000;
  const chunk = 64;

  /** GPU → two buffers of host memory → one buffer of the far host → GPU. `leave` is a stage whose copy is left out. */
  function staged(leave?: number): {
    arrived: Uint8Array;
    sent: Uint8Array;
    calls: number;
    time: number;
    bare: number;
  } {
    const b = new ScheduleBuilder();
    const link = (name: string, rate: number) => [[b.resource('link', name, rate), 1]] as const;
    const operations = pipeline(b, {
      bytes: bytes(size),
      chunk: bytes(chunk),
      stages: [
        { label: 'd2h', path: link('pcie', 30), buffers: 2, copies: 1 },
        { label: 'wire', path: link('wire', 10), after: 3, buffers: 1 },
        { label: 'h2d', path: link('far pcie', 20), before: 1, copies: 1 },
      ],
    });
    const { next } = random(7);
    const sent = Uint8Array.from({ length: size }, () => Math.floor(next() * 256));
    const memory = new Map([
      ['gpu', sent],
      ['host', new Uint8Array(2 * chunk)],
      ['far host', new Uint8Array(chunk)],
      ['far gpu', new Uint8Array(size)],
    ]);
    const moves = new Map<number, Move>([
      [operations[0]!, { from: 'gpu', to: 'host', chunk, toBuffers: 2 }],
      [operations[1]!, { from: 'host', to: 'far host', chunk, fromBuffers: 2, toBuffers: 1 }],
      [operations[2]!, { from: 'far host', to: 'far gpu', chunk, fromBuffers: 1 }],
    ]);
    const mover = new MemoryMover(memory, moves);
    const schedule = built(b);
    const result = run(schedule, {
      mover: { copy: (o, i) => (o === leave ? undefined : mover.copy(o, i)) },
    });
    return {
      arrived: memory.get('far gpu')!,
      sent,
      calls: mover.calls.length,
      time: result.time,
      bare: run(schedule).time,
    };
  }

  it('brings every byte where it belongs, through buffers that are used again and again', () => {
    const { arrived, sent, calls, time, bare } = staged();
    expect(arrived).toEqual(sent);
    expect(calls).toBe(3 * Math.ceil(size / chunk));
    // Bytes cost no simulated time.
    expect(time).toBeCloseTo(bare, 9);
  });

  it('really is what brings them: without the copies of any one stage they do not arrive', () => {
    for (const stage of [0, 1, 2]) {
      const { arrived, sent } = staged(stage);
      expect(arrived).not.toEqual(sent);
    }
  });

  it('copies in the order of simulated time, each iteration once', () => {
    const b = new ScheduleBuilder();
    const link = b.resource('link', 'link', 10);
    const slow = b.operation({ amount: 30, repeat: 2, path: [[link, 1]] });
    const quick = b.operation({ amount: 5, repeat: 3, path: [[link, 1]] });
    const empty = b.operation({ amount: 0, waits: [{ on: quick }] });
    const last = b.operation({ amount: 1, path: [[link, 1]], waits: [{ on: slow, kind: 2 }, { on: empty }] });
    const mover = new MemoryMover(
      new Map([['x', new Uint8Array(8)]]),
      new Map([slow, quick, empty, last].map((o) => [o, { from: 'x', to: 'x', chunk: 1 }])),
    );
    run(built(b), { mover });
    expect(mover.calls).toEqual([
      [quick, 0],
      [quick, 1],
      [quick, 2],
      [slow, 0],
      [slow, 1],
      [last, 0],
    ]);
  });

  it('reduces as a ring does: every GPU ends with the sum', () => {
    const gpus = 4;
    const b = new ScheduleBuilder();
    const link = Array.from({ length: gpus }, (_, g) => b.resource('link', `out ${g}`, 10 + g));
    for (let g = 0; g < gpus; g++) {
      b.operation({
        amount: 1,
        repeat: 2 * (gpus - 1),
        path: [[link[g]!, 1]],
        after: 0.01 * g,
        waits: [{ on: (g + gpus - 1) % gpus, lag: 1 }],
      });
    }
    const data = Array.from({ length: gpus }, (_, g) => Int32Array.from({ length: gpus }, (_, i) => 10 ** g * (i + 1)));
    const want = data[0]!.map((_, i) => data.reduce((sum, d) => sum + d[i]!, 0));
    run(built(b), {
      mover: {
        copy(g, step) {
          const piece = (g - step + 2 * gpus) % gpus;
          const to = data[(g + 1) % gpus]!;
          if (step < gpus - 1) to[piece]! += data[g]![piece]!;
          else to[piece] = data[g]![piece]!;
        },
      },
    });
    for (const d of data) expect([...d]).toEqual([...want]);
  });
});
