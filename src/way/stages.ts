import { type BytesPerSecond, fromGBps } from '../base/units.ts';
import type { Where } from '../fact/fact.ts';
import type { Gpu, Host, NicPort } from '../machine/host.ts';
import { deviceAt, type NamedDevice, type TreePath } from '../machine/names.ts';
import { type Leg, slowest, treeLeg } from '../physics/leg.ts';
import { c2cRate, nvlinkRate, pcieGeneration, portRate } from '../physics/link-rate.ts';
import { type Message, say } from '../words/message.ts';

/** The data paths of the contract that a way in a report can be. */
export type DataPath =
  | 'same-device'
  | 'nvlink'
  | 'nvlink-c2c'
  | 'p2p-pcie'
  | 'host-staged'
  | 'memcpy-pinned'
  | 'gpudirect-rdma'
  | 'host-staged-rdma'
  | 'gpudirect-storage'
  | 'p2pdma'
  | 'posix-bounce'
  | 'tcp'
  | 'ipoib'
  | 'not-known';

/** One leg of a way: who moves the bytes, over what, how fast at most. */
export interface Stage {
  readonly from: string;
  readonly to: string;
  /** Devices passed on the way. */
  readonly via: readonly string[];
  readonly by: Message;
  readonly medium: Message;
  /** Ceiling of the slowest link of the leg; absent where a rate is not known. */
  readonly rate?: BytesPerSecond;
  /** Counts up where this stage is a copy (a pass over the payload by a core or a copy engine). */
  readonly copy?: number;
  readonly at: readonly Where[];
}

export interface Way {
  readonly path: DataPath;
  readonly copies: number;
  readonly stages: readonly Stage[];
  /** Index of the slowest stage, when all rates are known. */
  readonly weakest?: number;
}

/** Builds the stages of one host's ways; `prefix` is the node's name on a cluster (`node1/`). */
export class Stages {
  private copies = 0;
  readonly list: Stage[] = [];

  /** Copy engine or kernel of a GPU between its memory and host memory of a NUMA node. */
  hostCopy(end: End, gpu: NamedDevice, cpu: NamedDevice, toHost: boolean): void {
    const g = end.gpu(gpu)!;
    const c2c = c2cRate(g);
    const leg = treeLeg(end.host, gpu.path, cpu.path);
    const [from, to] = toHost ? [end.name(gpu), end.memory(cpu)] : [end.memory(cpu), end.name(gpu)];
    this.push({
      from,
      to,
      via: c2c ? [] : end.names(toHost ? leg.via : [...leg.via].reverse()),
      by: say('answer.by.copy-engine'),
      medium: c2c ? say('answer.medium.c2c') : end.pcie(leg),
      ...(c2c ? { rate: c2c } : rateOf(leg)),
      copy: ++this.copies,
      at: g.at,
    });
  }

  /** The NIC reads or writes GPU memory through the CPU that the GPU is tied to by C2C. */
  nicDmaOverC2c(end: End, gpu: NamedDevice, cpu: NamedDevice, nic: NamedDevice, reads: boolean): void {
    const leg = treeLeg(end.host, cpu.path, nic.path);
    const c2c = c2cRate(end.gpu(gpu)!);
    const pcie = rateOf(leg).rate;
    const [from, to] = reads ? [end.name(gpu), end.name(nic)] : [end.name(nic), end.name(gpu)];
    const via = [end.name(cpu), ...end.names(leg.via)];
    this.push({
      from,
      to,
      via: reads ? via : via.reverse(),
      by: say('answer.by.nic', { nic: end.name(nic) }),
      medium: say('answer.medium.c2c-then', { pcie: end.pcie(leg) }),
      ...(c2c === undefined || pcie === undefined ? {} : { rate: Math.min(c2c, pcie) as BytesPerSecond }),
      at: end.port(nic)?.at ?? [],
    });
  }

  /** The NIC reads or writes memory by DMA: of a GPU or of the host. */
  nicDma(end: End, memory: NamedDevice, nic: NamedDevice, reads: boolean): void {
    const leg = treeLeg(end.host, memory.path, nic.path);
    const here = memory.kind === 'cpu' ? end.memory(memory) : end.name(memory);
    const [from, to] = reads ? [here, end.name(nic)] : [end.name(nic), here];
    this.push({
      from,
      to,
      via: end.names(reads ? leg.via : [...leg.via].reverse()),
      by: say('answer.by.nic', { nic: end.name(nic) }),
      medium: end.pcie(leg),
      ...rateOf(leg),
      at: end.port(nic)?.at ?? [],
    });
  }

  /** A drive reads or writes memory by DMA: of a GPU or of the host. */
  driveDma(end: End, drive: NamedDevice, memory: NamedDevice, fills: boolean): void {
    const leg = treeLeg(end.host, drive.path, memory.path);
    const there = memory.kind === 'cpu' ? end.memory(memory) : end.name(memory);
    const [from, to] = fills ? [end.name(drive), there] : [there, end.name(drive)];
    this.push({
      from,
      to,
      via: end.names(fills ? leg.via : [...leg.via].reverse()),
      by: say('answer.by.drive', { drive: end.name(drive) }),
      medium: end.pcie(leg),
      ...rateOf(leg),
      at: deviceAt(end.host, drive.path)?.at ?? [],
    });
  }

  /** Kernel sockets: a core copies between user and kernel memory, then the NIC moves it. */
  socket(end: End, cpu: NamedDevice, nic: NamedDevice, sends: boolean): void {
    const user = end.memory(cpu);
    const kernel = end.kernel(cpu);
    const copy: Stage = {
      ...(sends ? { from: user, to: kernel } : { from: kernel, to: user }),
      via: [],
      by: say('answer.by.core'),
      medium: say('answer.medium.memory'),
      copy: 0,
      at: [],
    };
    if (sends) this.push({ ...copy, copy: ++this.copies });
    const leg = treeLeg(end.host, cpu.path, nic.path);
    const [from, to] = sends ? [kernel, end.name(nic)] : [end.name(nic), kernel];
    this.push({
      from,
      to,
      via: end.names(leg.via),
      by: say('answer.by.nic', { nic: end.name(nic) }),
      medium: end.pcie(leg),
      ...rateOf(leg),
      at: end.port(nic)?.at ?? [],
    });
    if (!sends) this.push({ ...copy, copy: ++this.copies });
  }

  /** `far` is the end of the other GPU where switches join two nodes. */
  nvlink(end: End, a: NamedDevice, b: NamedDevice, far = end): void {
    const x = end.gpu(a)!;
    const { count, switched } = nvlinksBetween(end, x, far === end ? b : undefined);
    const rate = nvlinkRate(x, count);
    this.push({
      from: end.name(a),
      to: far.name(b),
      via: switched ? ['NVSwitch'] : [],
      by: say('answer.by.gpu', { gpu: end.name(a) }),
      medium: say('answer.medium.nvlink', { count }),
      ...(rate === undefined ? {} : { rate }),
      copy: ++this.copies,
      at: x.nvlinks[0]?.at ?? x.at,
    });
  }

  p2pPcie(end: End, a: NamedDevice, b: NamedDevice, read: boolean): void {
    const leg = treeLeg(end.host, a.path, b.path);
    this.push({
      from: end.name(a),
      to: end.name(b),
      via: end.names(leg.via),
      by: say('answer.by.gpu', { gpu: end.name(read ? b : a) }),
      medium: end.pcie(leg),
      ...rateOf(leg),
      copy: ++this.copies,
      at: end.gpu(a)!.at,
    });
  }

  wire(from: End, nicA: NamedDevice, to: End, nicB: NamedDevice, medium: Message, mbps: number | undefined): void {
    const a = from.port(nicA);
    const b = to.port(nicB);
    const rates = [a && portRate(a), b && portRate(b), mbps === undefined ? undefined : fromGBps(mbps / 8000)].filter(
      (r): r is BytesPerSecond => r !== undefined,
    );
    this.push({
      from: from.name(nicA),
      to: to.name(nicB),
      via: [],
      by: say('answer.by.wire'),
      medium,
      ...(rates.length === 0 ? {} : { rate: Math.min(...rates) as BytesPerSecond }),
      at: a?.at ?? [],
    });
  }

  way(path: DataPath): Way {
    const known = this.list.filter((s) => !isMemory(s)).every((s) => s.rate !== undefined);
    let weakest: number | undefined;
    this.list.forEach((s, i) => {
      if (s.rate !== undefined && (weakest === undefined || s.rate < this.list[weakest]!.rate!)) weakest = i;
    });
    return { path, copies: this.copies, stages: this.list, ...(known && weakest !== undefined ? { weakest } : {}) };
  }

  private push(stage: Stage): void {
    this.list.push(stage);
  }
}

/** Core copies within host memory have no link to be rated by. */
const isMemory = (s: Stage): boolean => s.medium.code === 'answer.medium.memory';

/** One end of a way: a host and how its devices are called there. */
export class End {
  constructor(
    readonly host: Host,
    readonly devices: readonly NamedDevice[],
    readonly prefix: string,
  ) {}

  name(device: NamedDevice): string {
    return `${this.prefix}${device.local}`;
  }

  memory(cpu: NamedDevice): string {
    return `${this.prefix}host${this.host.cpus[cpu.path[0]!]?.numa ?? 0}`;
  }

  kernel(cpu: NamedDevice): string {
    return `${this.memory(cpu)}/kernel`;
  }

  names(paths: readonly TreePath[]): string[] {
    return paths.map((p) => {
      const key = p.join('.');
      const found = this.devices.find((d) => d.path.join('.') === key);
      return found ? this.name(found) : '?';
    });
  }

  gpu(device: NamedDevice): Gpu | undefined {
    return deviceAt(this.host, device.path)?.gpus?.[device.slot ?? 0];
  }

  port(device: NamedDevice): NicPort | undefined {
    return deviceAt(this.host, device.path)?.ports?.[device.slot ?? 0];
  }

  /** What a PCIe leg runs over, by its slowest link. */
  pcie(leg: Leg): Message {
    const least = slowest(leg.links);
    if (!least) return say('answer.medium.pcie-unknown');
    if (least.kind === 'socket') return say('answer.medium.socket');
    const device = deviceAt(this.host, least.owner);
    const gen = device ? pcieGeneration(device.link) : undefined;
    if (gen === undefined) return say('answer.medium.pcie-unknown');
    return say('answer.medium.pcie', { gen, width: device?.link.width ?? 0 });
  }
}

const rateOf = (leg: Leg): { rate?: BytesPerSecond } => {
  const least = slowest(leg.links);
  return least?.rate === undefined ? {} : { rate: least.rate };
};

function nvlinksBetween(end: End, gpu: Gpu, to: NamedDevice | undefined): { count: number; switched: boolean } {
  const bus = to && deviceAt(end.host, to.path)?.busId;
  let direct = 0;
  let switched = 0;
  for (const l of gpu.nvlinks) {
    if (l.to === 'gpu' && bus !== undefined && l.target === bus) direct += l.count;
    else if (l.to === 'nvswitch') switched += l.count;
  }
  return direct > 0 ? { count: direct, switched: false } : { count: switched, switched: true };
}
