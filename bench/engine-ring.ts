import { bytes } from '../src/base/units.ts';
import { fold } from '../src/engine/fold.ts';
import { run } from '../src/engine/run.ts';
import { ScheduleBuilder } from '../src/schedule/builder.ts';
import type { Schedule } from '../src/schedule/schedule.ts';

/**
 * Ring AllReduce of 1 GiB on a two-level machine with contention on: nodes of 8 GPUs on NVLink, one NIC per GPU, and rings
 * (channels) that leave a node by a different NIC each and share the NVLink ports. Build, fold and run are all counted.
 *
 *   node --import tsx bench/engine-ring.ts [--gpus 1024] [--channels 8] [--unfolded] [--slow-nic] [--runs 3]
 *
 * The first run in a process includes warming up. Without --gpus each size runs in a process of its own, so that memory is each one's own.
 */
const has = (name: string): boolean => process.argv.includes(name);
const option = (name: string, otherwise: number): number =>
  has(name) ? Number(process.argv[process.argv.indexOf(name) + 1]) : otherwise;

const perNode = 8;
const total = bytes(2 ** 30);
/** A step's share of a channel travels in chunks of at most this. */
const chunk = 512 * 1024;

function ring(gpus: number, channels: number, slowNic: boolean): Schedule {
  const b = new ScheduleBuilder();
  const nvlinkOut = Array.from({ length: gpus }, (_, g) => b.resource('link', `gpu${g} nvlink out`, 360e9));
  const nvlinkIn = Array.from({ length: gpus }, (_, g) => b.resource('link', `gpu${g} nvlink in`, 360e9));
  const nicOut = Array.from({ length: gpus }, (_, g) =>
    b.resource('link', `nic${g} out`, slowNic && g === 3 ? 24e9 : 48e9),
  );
  const nicIn = Array.from({ length: gpus }, (_, g) => b.resource('link', `nic${g} in`, 48e9));
  const share = total / gpus / channels;
  const chunks = Math.ceil(share / chunk);
  const repeat = 2 * (gpus - 1) * chunks;
  const within = b.labelled('nvlink');
  const between = b.labelled('network');
  for (let c = 0; c < channels; c++) {
    const base = b.next;
    for (let i = 0; i < gpus; i++) {
      // Position i of channel c: nodes in order, and within a node from the GPU after the channel's NIC round to it.
      const node = i - (i % perNode);
      const at = (k: number): number => node + ((c + 1 + k) % perNode);
      const from = at(i % perNode);
      const leaves = i % perNode === perNode - 1 && gpus > perNode;
      b.begin(leaves ? between : within, share / chunks, repeat, leaves ? 3e-6 : 1e-6, leaves ? 4e-6 : 1e-6);
      if (leaves) {
        b.cross(nicOut[from]!);
        b.cross(nicIn[((node + perNode) % gpus) + ((c + 1) % perNode)]!);
      } else {
        b.cross(nvlinkOut[from]!);
        b.cross(nvlinkIn[at((i + 1) % perNode)]!);
      }
      // A chunk is passed on in the step after the one in which it came.
      b.wait(base + ((i + gpus - 1) % gpus), chunks);
    }
  }
  const built = b.build();
  if (!built.ok) throw new Error(JSON.stringify(built.error));
  return built.value;
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!;

function measure(gpus: number): void {
  const channels = option('--channels', 8);
  const before = process.memoryUsage.rss();
  const times: number[] = [];
  let line = '';
  let first = '';
  for (let i = 0; i < option('--runs', 3); i++) {
    const cpu = process.cpuUsage();
    const begin = performance.now();
    const schedule = ring(gpus, channels, has('--slow-nic'));
    const built = performance.now();
    const folded = has('--unfolded') ? schedule : fold(schedule).schedule;
    const done = performance.now();
    const result = run(folded);
    const end = performance.now();
    const spent = process.cpuUsage(cpu);
    times.push((end - begin) / 1000);
    if (i === 0)
      first = `${((end - begin) / 1000).toFixed(3)} s (CPU ${((spent.user + spent.system) / 1e6).toFixed(3)} s)`;
    line = `${result.time.toFixed(6)} s simulated, ${folded.operations.count} of ${schedule.operations.count} operations, ${result.effort.iterations} iterations (${result.effort.events} events); build ${(built - begin).toFixed(0)}, fold ${(done - built).toFixed(0)}, run ${(end - done).toFixed(0)} ms`;
  }
  const rss = (process.resourceUsage().maxRSS * 1024 - before) / 2 ** 20;
  console.log(
    `${String(gpus).padStart(6)} GPUs × ${channels} channels: first ${first}, median ${median(times).toFixed(3)} s, ${rss.toFixed(0)} MiB beyond Node's ${(before / 2 ** 20).toFixed(0)}; ${line}`,
  );
}

if (has('--gpus')) measure(option('--gpus', 64));
else {
  const { execFileSync } = await import('node:child_process');
  for (const gpus of [64, 1024, 4096, 16384]) {
    execFileSync(process.execPath, [...process.execArgv, ...process.argv.slice(1), '--gpus', String(gpus)], {
      stdio: 'inherit',
    });
  }
}
