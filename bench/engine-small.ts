import { bytes } from '../src/base/units.ts';
import { run } from '../src/engine/run.ts';
import { ScheduleBuilder } from '../src/schedule/builder.ts';
import { pipeline } from '../src/schedule/pipeline.ts';

/**
 * What a table of paths and sizes costs: 25 sizes from 8 B to 1 GiB × 16 staged transfers (four stages in chunks of 128 KiB, at
 * most 8 on their way, two copy engines, host memory shared), each built, checked and run. CPU time of one core.
 *
 *   node --import tsx bench/engine-small.ts
 */
function staged(size: number): number {
  const b = new ScheduleBuilder();
  const engine = b.engine('copy engine', 1);
  const memory = b.resource('memory', 'memory', 150e9);
  const pcie = b.resource('link', 'pcie', 25e9);
  const wire = b.resource('link', 'wire', 12.3e9);
  const far = b.resource('link', 'far pcie', 25.5e9);
  const core = b.resource('core', 'core', 1);
  pipeline(b, {
    bytes: bytes(size),
    chunk: bytes(128 * 1024),
    window: 8,
    stages: [
      {
        label: 'd2h',
        path: [
          [pcie, 1],
          [memory, 1],
        ],
        holds: [engine],
        before: 2e-6,
        copies: 1,
        buffers: 2,
      },
      {
        label: 'copy',
        path: [
          [memory, 2],
          [core, 1e-10],
        ],
        copies: 1,
        buffers: 4,
      },
      {
        label: 'wire',
        path: [
          [memory, 1],
          [wire, 1],
        ],
        before: 1e-6,
        after: 3e-6,
      },
      { label: 'h2d', path: [[far, 1]], before: 2e-6, after: 1e-6, copies: 1 },
    ],
  });
  const built = b.build();
  if (!built.ok) throw new Error(built.error.code);
  return run(built.value).effort.events;
}

const times: number[] = [];
let events = 0;
for (let round = 0; round < 7; round++) {
  const before = process.cpuUsage();
  events = 0;
  for (let path = 0; path < 16; path++)
    for (let size = 0; size < 25; size++) events += staged(Math.min(8 * 2 ** (size * 1.125), 2 ** 30));
  const { user, system } = process.cpuUsage(before);
  times.push((user + system) / 1e6);
}
const sorted = times.slice().sort((a, b) => a - b);
console.log(
  `400 transfers: first ${times[0]!.toFixed(3)} s, median ${sorted[3]!.toFixed(3)} s of CPU time, ${events} events`,
);
