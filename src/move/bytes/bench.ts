import { CaptureCard } from '../../device/capture.ts';
import type { Region } from '../../device/memory.ts';
import { gpuMemory, hostMemory, type Memory } from '../../device/memory.ts';
import { CopyEngine, Core, Drive, NicDma } from '../../device/movers.ts';
import { NvmeQueuePair } from '../../device/queues.ts';
import { Bar1, Registrar, type RegistrationSupport } from '../../device/registration.ts';

/** The devices of one node that a movement needs, with real memory. */
export interface BenchNode {
  readonly gpus: Map<string, Memory>;
  readonly hosts: Map<string, Memory>;
  readonly engines: Map<string, CopyEngine>;
  readonly bar1: Map<string, Bar1>;
  readonly core: Core;
  readonly nic: NicDma;
  readonly drive: Drive;
  readonly queues: NvmeQueuePair;
  readonly card: CaptureCard;
}

export interface BenchOptions {
  readonly support: RegistrationSupport;
  /** Bytes of each GPU's and each NUMA node's memory. */
  readonly gpuBytes: number;
  readonly hostBytes: number;
  readonly bar1Bytes: number;
}

export const generous: BenchOptions = {
  support: { peermem: true, dmabuf: false, gpu: true, memlock: Number.POSITIVE_INFINITY },
  gpuBytes: 2 ** 34,
  hostBytes: 2 ** 36,
  bar1Bytes: 2 ** 34,
};

/** A node whose devices come into being when they are first asked for. */
export function benchNode(name: string, options: BenchOptions): BenchNode {
  const bar1 = new Map<string, Bar1>();
  const registrar = new Registrar(options.support, (region: Region) => bar1.get(region.memory.name));
  const drive = new Drive(`${name}/drive`);
  return {
    gpus: new Map(),
    hosts: new Map(),
    engines: new Map(),
    bar1,
    core: new Core(`${name}/core`),
    nic: new NicDma(`${name}/nic`, registrar),
    drive,
    queues: new NvmeQueuePair(drive),
    card: new CaptureCard(`${name}/card`),
  };
}

export function gpuOf(node: BenchNode, name: string, options: BenchOptions): Memory {
  let memory = node.gpus.get(name);
  if (!memory) {
    memory = gpuMemory(name, options.gpuBytes);
    node.gpus.set(name, memory);
    node.bar1.set(name, new Bar1(options.bar1Bytes));
    node.engines.set(name, new CopyEngine(name));
  }
  return memory;
}

export function hostOf(node: BenchNode, name: string, options: BenchOptions, pageable = false): Memory {
  let memory = node.hosts.get(name);
  if (!memory) {
    memory = hostMemory(name, options.hostBytes, pageable);
    node.hosts.set(name, memory);
  }
  return memory;
}

/** What passed, over all memories and movers of some nodes. */
export interface Tally {
  /** Bytes read from and written to host memory. */
  readonly host: number;
  /** Bytes copied by copy engines and cores. */
  readonly copied: number;
  /** Of these, by cores. */
  readonly byCores: number;
  readonly byNics: number;
  readonly byDrives: number;
  readonly byCards: number;
  readonly registrations: number;
  readonly registerSeconds: number;
}

export function tally(nodes: readonly BenchNode[]): Tally {
  const sum = (f: (n: BenchNode) => number): number => nodes.reduce((s, n) => s + f(n), 0);
  const engines = (n: BenchNode): number => [...n.engines.values()].reduce((s, e) => s + e.moved.bytes, 0);
  return {
    host: sum((n) => [...n.hosts.values()].reduce((s, m) => s + m.traffic.read + m.traffic.written, 0)),
    copied: sum((n) => engines(n) + n.core.moved.bytes),
    byCores: sum((n) => n.core.moved.bytes),
    byNics: sum((n) => n.nic.moved.bytes),
    byDrives: sum((n) => n.drive.moved.bytes),
    byCards: sum((n) => n.card.moved.bytes),
    registrations: sum((n) => n.nic.registrar.registrations),
    registerSeconds: sum((n) => n.nic.registrar.seconds),
  };
}

/** What passed between two tallies. */
export function difference(after: Tally, before: Tally): Tally {
  return {
    host: after.host - before.host,
    copied: after.copied - before.copied,
    byCores: after.byCores - before.byCores,
    byNics: after.byNics - before.byNics,
    byDrives: after.byDrives - before.byDrives,
    byCards: after.byCards - before.byCards,
    registrations: after.registrations - before.registrations,
    registerSeconds: after.registerSeconds - before.registerSeconds,
  };
}
