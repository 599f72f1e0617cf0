import { calibration } from '../catalogue/calibration.ts';
import { socketMemory } from '../catalogue/host-memory.ts';
import type { Host } from '../machine/host.ts';
import type { Machine } from '../machine/machine.ts';
import { gpusOf, type NamedDevice, nameDevices } from '../machine/names.ts';
import { findEnd } from '../move/ends.ts';
import { type DataPathModel, hostMemoryOf, type MovePath, moveRow } from '../move/model.ts';
import { dataPaths } from '../move/move.ts';
import { nearestNic } from '../move/wires.ts';
import type { Ask } from '../nccl/of-machine.ts';
import { cpuPart } from '../physics/link-rate.ts';
import { partOf } from '../physics/usual-rates.ts';

/** Work whose data may go either way. */
export interface Workload {
  readonly id: 'gradient' | 'checkpoint' | 'dataset' | 'video' | 'inference' | 'rare';
  readonly bytes: number;
  readonly depth: number;
  readonly threads: number;
  /** Operations a second that the work brings, where it is not "as fast as it goes". */
  readonly perSecond?: number;
  /** Does every GPU of the node do it at once? */
  readonly everyGpu: boolean;
  readonly from: 'gpu' | 'storage' | 'capture' | 'client';
  readonly to: 'gpu' | 'peer' | 'storage';
  readonly staged: MovePath;
  readonly direct: MovePath;
}

const MiB = 2 ** 20;

/** A frame of 4K video, 10 bits, 4:2:2 packed (SMPTE ST 2110-20): 3840 × 2160 × 2.5 bytes. */
const frameBytes = 3840 * 2160 * 2.5;

export const workloads: readonly Workload[] = [
  {
    id: 'gradient',
    bytes: 64 * MiB,
    depth: 8,
    threads: 1,
    everyGpu: true,
    from: 'gpu',
    to: 'peer',
    staged: 'host-staged-rdma',
    direct: 'gpudirect-rdma',
  },
  {
    id: 'checkpoint',
    bytes: 16 * MiB,
    depth: 8,
    threads: 8,
    everyGpu: false,
    from: 'gpu',
    to: 'storage',
    staged: 'posix-bounce',
    direct: 'gpudirect-storage',
  },
  {
    id: 'dataset',
    bytes: MiB,
    depth: 8,
    threads: 16,
    everyGpu: false,
    from: 'storage',
    to: 'gpu',
    staged: 'posix-bounce',
    direct: 'gpudirect-storage',
  },
  {
    id: 'inference',
    bytes: 4096,
    depth: 1,
    threads: 1,
    perSecond: 10_000,
    everyGpu: false,
    from: 'client',
    to: 'gpu',
    staged: 'host-staged-rdma',
    direct: 'gpudirect-rdma',
  },
  {
    id: 'video',
    bytes: frameBytes,
    depth: 1,
    threads: 1,
    perSecond: 60,
    everyGpu: false,
    from: 'capture',
    to: 'gpu',
    staged: 'capture-staged',
    direct: 'gpudirect-video',
  },
  {
    id: 'rare',
    bytes: MiB,
    depth: 1,
    threads: 1,
    perSecond: 1,
    everyGpu: false,
    from: 'gpu',
    to: 'peer',
    staged: 'host-staged-rdma',
    direct: 'gpudirect-rdma',
  },
];

/** One way of doing the work, for all GPUs that do it at once. */
export interface GainSide {
  readonly path: MovePath;
  readonly latencyUs: number;
  /** GB/s for each GPU (or in all, for work of one GPU), host memory and cores counted as shared. */
  readonly bandwidthGBps: number;
  /** Cores kept busy. */
  readonly cores: number;
  /** GB/s through host memory. */
  readonly hostMemoryGBps: number;
  /** Share of the host's memory bandwidth; absent where that is not known. */
  readonly hostMemoryShare?: number;
  /** Host memory, not the path, is what limits it. */
  readonly memoryBound: boolean;
}

export type GainWord = 'bandwidth' | 'latency' | 'relief' | 'nothing' | 'slower';

export interface GainRow {
  readonly workload: Workload;
  readonly gpus: number;
  readonly staged: GainSide;
  readonly direct: GainSide;
  /** Does the machine take the direct path today? */
  readonly allowed: DataPathModel['allowed'];
  readonly rule: DataPathModel['rule'];
  /** What the direct way brings first; `nothing` where that is so. */
  readonly word: GainWord;
}

/** What the direct way brings on this machine, for each work that it can do. */
export function gains(machine: Machine, ask: Ask, list: readonly Workload[] = workloads): GainRow[] {
  const devices = nameDevices(machine).filter((d) => d.host === 0 && d.node === 0);
  const gpus = devices.filter((d) => d.kind === 'gpu');
  const wide = machine.nodes > 1 ? machine : { ...machine, nodes: 2 };
  const prefix = 'node0/';
  const noticed = 0.05 * ((hostMemoryBandwidth(machine) ?? mostMemoryBandwidth(machine)) / 1e9);
  const rows: GainRow[] = [];
  for (const workload of list) {
    const gpu = gpus[0];
    if (!gpu) break;
    const from = {
      gpu: prefix + gpu.local,
      capture: `${prefix}capture0`,
      storage: `${prefix}storage`,
      client: 'client',
    }[workload.from];
    const to = { gpu: prefix + gpu.local, peer: `node1/${gpu.local}`, storage: `${prefix}storage` }[workload.to];
    const models = dataPaths(wide, ask, from, to);
    if (!models.ok) continue;
    const staged = models.value.find((m) => m.path === workload.staged);
    const direct = models.value.find((m) => m.path === workload.direct);
    if (!staged || !direct) continue;
    const count = workload.everyGpu ? gpus.length : 1;
    const sharing = workload.everyGpu && workload.to === 'peer' ? nicSharers(wide, gpus) : 1;
    const a = side(machine, staged, workload, count, sharing);
    const b = side(machine, direct, workload, count, sharing);
    rows.push({
      workload,
      gpus: count,
      staged: a,
      direct: b,
      allowed: direct.allowed,
      rule: direct.rule,
      word: verdict(workload, a, b, noticed),
    });
  }
  return rows;
}

/** Peak times a share, over the sockets of a node; nothing where a CPU's kind is not known. */
export function hostMemoryBandwidth(machine: Machine): number | undefined {
  const host = machine.hosts[0];
  if (!host) return undefined;
  const perSocket = new Map<string, number>();
  for (const cpu of host.cpus) {
    const part = cpu.arch === 'arm64' ? armOf(host) : cpuPart(cpu)?.id;
    const peak = part === undefined ? undefined : socketMemory.get(part);
    if (!peak) return undefined;
    // Several NUMA nodes of a socket share its memory; without a socket number each counts as one.
    perSocket.set(String(cpu.socket ?? `numa ${cpu.numa}`), peak.value * 1e9 * calibration.memoryShare.value);
  }
  return [...perSocket.values()].reduce((s, x) => s + x, 0);
}

/** Arm's CPUs do not tell their kind in the files at hand; a GPU that hangs on one by C2C does. */
function armOf(host: Host): string | undefined {
  const coherent = gpusOf(host).filter((g) => g.c2c !== undefined);
  if (coherent.length === 0) return undefined;
  return coherent.some((g) => partOf(g)?.unified?.value) ? 'gb10' : 'grace';
}

/** What the host's memory could do at the very most, whatever its CPUs are: the fastest that the catalogue knows in every socket. */
function mostMemoryBandwidth(machine: Machine): number {
  const sockets = new Set(machine.hosts[0]?.cpus.map((c) => c.socket ?? `numa ${c.numa}`)).size;
  const fastest = Math.max(...[...socketMemory.values()].map((s) => s.value));
  return Math.max(1, sockets) * fastest * 1e9 * calibration.memoryShare.value;
}

/** How many GPUs of a node send through the NIC that most of them share. */
function nicSharers(machine: Machine, gpus: readonly NamedDevice[]): number {
  const users = new Map<string, number>();
  for (const gpu of gpus) {
    const end = findEnd(machine, `node0/${gpu.local}`);
    const nic = end.ok ? nearestNic(end.value, gpu) : undefined;
    if (nic) users.set(nic.id, (users.get(nic.id) ?? 0) + 1);
  }
  return Math.max(1, ...users.values());
}

function side(machine: Machine, m: DataPathModel, w: Workload, gpus: number, sharing: number): GainSide {
  const row = moveRow(m, w.bytes, { depth: w.depth, threads: w.threads, both: false });
  const perByte = hostMemoryOf(m);
  const wire = m.stages.find((x) => x.name.code === 'move.stage.wire');
  const share = wire ? wire.rate / sharing / 1e9 : Number.POSITIVE_INFINITY;
  const possible = Math.min(row.bandwidthGBps, share);
  const wanted = w.perSecond === undefined ? possible : Math.min(possible, (w.perSecond * w.bytes) / 1e9);
  // A node sends and receives: half of a two-node path's traffic is its own, twice over.
  const traffic = perByte * wanted * gpus;
  const memory = hostMemoryBandwidth(machine);
  const limit = memory === undefined || traffic === 0 ? 1 : Math.min(1, memory / 1e9 / traffic);
  const bandwidth = wanted * limit;
  return {
    path: m.path,
    latencyUs: row.latencyUs,
    bandwidthGBps: bandwidth,
    cores: row.cpuSecondsPerGB * bandwidth * gpus,
    hostMemoryGBps: traffic * limit,
    ...(memory === undefined ? {} : { hostMemoryShare: (traffic * limit) / (memory / 1e9) }),
    memoryBound: limit < 1,
  };
}

/** Small or rare messages may gain nothing that anybody would notice, and then that is the answer. */
function verdict(w: Workload, staged: GainSide, direct: GainSide, noticed: number): GainWord {
  if (w.perSecond === undefined && direct.bandwidthGBps < staged.bandwidthGBps * 0.95) return 'slower';
  if (w.perSecond === undefined)
    return direct.bandwidthGBps > staged.bandwidthGBps * 1.05 ? 'bandwidth' : relief(staged, noticed);
  const period = 1e6 / w.perSecond;
  if (staged.latencyUs - direct.latencyUs > 0.1 * period) return 'latency';
  return relief(staged, noticed);
}

/** Cores or memory bandwidth set free, when it is enough to notice: half a core, or `noticed` GB/s (5 % of what memory can do). */
const relief = (staged: GainSide, noticed: number): GainWord =>
  staged.cores >= 0.5 || staged.hostMemoryGBps >= noticed ? 'relief' : 'nothing';
