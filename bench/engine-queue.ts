import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventQueue } from '../src/base/event-queue.ts';

/**
 * The event queue beside C++ `std::priority_queue`, built here with g++ -O3: the hold model (take the earliest event, put it
 * back a random time later) with the same numbers in both. The checksums must agree: both took the same events in the same
 * order. Runs alternate; medians are printed.
 *
 *   node --import tsx bench/engine-queue.ts [--runs 5]
 */
const runs = Number(process.argv[process.argv.indexOf('--runs') + 1]) || 5;
const events = 4_000_000;

function hold(held: number): { rate: number; sum: number } {
  let state = 12345;
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state * (1 / 4294967296);
  };
  const queue = new EventQueue(held + 1);
  for (let i = 0; i < held; i++) queue.push(next(), i);
  const begin = performance.now();
  let sum = 0;
  for (let i = 0; i < events; i++) {
    queue.pop();
    sum = (Math.imul(sum, 31) + queue.item) >>> 0;
    queue.push(queue.time + next(), queue.item);
  }
  return { rate: events / ((performance.now() - begin) / 1000), sum };
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!;

const folder = mkdtempSync(join(tmpdir(), 'queue-'));
try {
  const program = join(folder, 'queue');
  execFileSync('g++', ['-O3', '-march=native', '-std=c++17', '-o', program, 'bench/cpp/queue.cpp']);
  console.log('events held   here M/s   C++ -O3 M/s   ratio');
  hold(1000);
  for (const held of [100, 1_000, 10_000, 100_000]) {
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let i = 0; i < runs; i++) {
      const mine = hold(held);
      const [rate, sum] = execFileSync(program, [String(held), String(events)], { encoding: 'utf8' }).split(' ');
      if (Number(sum) !== mine.sum) throw new Error('the two queues took different events');
      ours.push(mine.rate);
      theirs.push(Number(rate));
    }
    const a = median(ours);
    const b = median(theirs);
    console.log(
      `${String(held).padStart(11)} ${(a / 1e6).toFixed(2).padStart(10)} ${(b / 1e6).toFixed(2).padStart(13)} ${(a / b).toFixed(2).padStart(7)}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}
