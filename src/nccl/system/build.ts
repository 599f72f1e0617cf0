import { fail, ok, type Result } from '../../base/result.ts';
import type { Where } from '../../fact/fact.ts';
import { guidNumber } from '../../machine/guid.ts';
import type { Cpu, Gpu, Host, NicPort, PciDevice } from '../../machine/host.ts';
import { portsOf } from '../../machine/names.ts';
import type { Message } from '../../words/message.ts';
import { say } from '../../words/message.ts';
import { busNumber } from '../bus-id.ts';
import { portsLeft } from '../ib-hca.ts';
import { interCpuGBps } from '../rates/cpu.ts';
import { nvlinkGBps } from '../rates/nvlink.ts';
import { pcieGBps } from '../rates/pcie.ts';
import { atLeast, type Release } from '../release.ts';
import { flattenBroadcom } from './flatten.ts';
import { addNode, connect, emptySystem, number, type System, type TopoNode } from './node.ts';
import { pruned } from './prune.ts';
import { sortSystem } from './sort.ts';

/** Why NCCL itself would not start on such a topology. */
export interface Refusal {
  readonly reason: Message;
  readonly at: readonly Where[];
}

const local = 5000;

/**
 * Builds NCCL's graph of a host (or of the hosts fused into an NVLink domain), in the order in which NCCL itself would: its choices depend on that order.
 * Follows src/graph/topo.cc (ncclTopoGetSystemFromXml) of https://github.com/NVIDIA/nccl, as the facts by release tell.
 */
export function buildSystem(
  host: Host,
  release: Release,
  gdrWhenUnknown = false,
  ibHca?: string,
): Result<System, Refusal> {
  const system = emptySystem();
  const left = portsLeft(ibHca === undefined ? [] : portsOf(host), ibHca);
  const builder = new Builder(system, release, gdrWhenUnknown, left, ranksOf(host));
  const hostIndex = new Map<string, number>();
  const groups: { cpus: Cpu[]; host: number }[] = [];
  for (const whole of host.cpus) {
    const cpu = atLeast(release, '2.8.3') ? pruned(whole) : whole;
    if (!cpu) continue;
    const key = cpu.hostHash ?? '';
    let index = hostIndex.get(key);
    if (index === undefined) {
      index = hostIndex.size;
      hostIndex.set(key, index);
      groups.push({ cpus: [], host: index });
    }
    groups[index]!.cpus.push(cpu);
    builder.addCpu(cpu, index);
  }
  for (const group of groups) for (const cpu of group.cpus) builder.addNvlinks(cpu.devices, group.host);
  if (builder.refusal) return fail(builder.refusal);
  for (const group of groups) for (const cpu of group.cpus) builder.addLateLinks(cpu.devices, group.host);
  if (atLeast(release, '2.9.6')) flattenBroadcom(system, release);
  connectCpus(system, release);
  sortSystem(system);
  number(system);
  if (system.nodes.GPU.length === 0) return fail({ reason: say('rule.refused.no-gpu'), at: [] });
  return ok(system);
}

class Builder {
  refusal: Refusal | undefined;
  private readonly withDev: boolean;
  private readonly gpuByBus = new Map<string, TopoNode>();
  private readonly nicByBus = new Map<string, TopoNode>();
  private readonly pciByBus = new Map<string, TopoNode>();
  private readonly cpuOfGpu = new Map<TopoNode, TopoNode>();

  constructor(
    private readonly system: System,
    private readonly release: Release,
    private readonly gdrWhenUnknown: boolean,
    private readonly seen: (port: NicPort) => boolean,
    private readonly ranks: ReadonlyMap<Gpu, number>,
  ) {
    this.withDev = atLeast(release, '2.30.3');
  }

  addCpu(cpu: Cpu, host: number): void {
    const id = cpu.numa < 0 ? (2n ** 56n + BigInt(cpu.numa)).toString(16) : cpu.numa.toString(16);
    const node = addNode(this.system, { type: 'CPU', id: `CPU/${host}-${id}`, host, cpu });
    this.addDevices(cpu.devices, node, node, host);
  }

  /** Iterative: a hostile file may nest devices very deeply. */
  private addDevices(devices: readonly PciDevice[], parent: TopoNode, cpu: TopoNode, host: number): void {
    const stack: { device: PciDevice; parent: TopoNode; enter: boolean; node?: TopoNode }[] = [];
    for (let i = devices.length - 1; i >= 0; i--) stack.push({ device: devices[i]!, parent, enter: true });
    while (stack.length > 0) {
      const step = stack.pop()!;
      if (!step.enter) {
        this.attach(step.node!, step.parent, step.device);
        continue;
      }
      const node = this.addDevice(step.device, cpu, host);
      if (!node) {
        continue;
      }
      if (step.device.role === 'port') {
        connect(step.parent, node, 'PCI', local);
        connect(node, step.parent, 'PCI', local);
        continue;
      }
      // NCCL connects a device to its parent after it has added what is below.
      stack.push({ ...step, enter: false, node });
      if (node.type === 'PCI') {
        const below = step.device.children;
        for (let i = below.length - 1; i >= 0; i--) stack.push({ device: below[i]!, parent: node, enter: true });
      }
    }
  }

  private attach(node: TopoNode, parent: TopoNode, device: PciDevice): void {
    const bw = pcieGBps(device.link.speed, device.link.widthTold ?? device.link.width, this.release);
    connect(node, parent, 'PCI', bw);
    connect(parent, node, 'PCI', bw);
  }

  /** The node to be connected to the parent, or nothing (ignored, or merged into one that is already connected). */
  private addDevice(device: PciDevice, cpu: TopoNode, host: number): TopoNode | undefined {
    if (device.ports) return this.addNic(device, device.ports, cpu, host);
    if (device.role === 'gpu' || device.gpus) return this.addGpu(device, cpu, host);
    if (device.role === 'nvswitch') {
      return addNode(this.system, { type: 'NVS', id: `NVS/${host}-${hex(device)}`, host, pci: device });
    }
    if (device.role === 'nic' || device.role === 'port') return undefined;
    const node = addNode(this.system, { type: 'PCI', id: `PCI/${host}-${hex(device)}`, host, pci: device });
    node.pciId = pciId(device);
    this.pciByBus.set(`${host}-${hex(device)}`, node);
    return node;
  }

  private addGpu(device: PciDevice, cpu: TopoNode, host: number): TopoNode | undefined {
    const ranked = (device.gpus ?? []).filter((g) => g.rank !== undefined);
    if (ranked.length === 0) return undefined;
    const local = hex(device);
    const other = device.busId === undefined ? undefined : this.gpuByBus.get(`${host}-${local}`)?.pci;
    if (other) {
      const reason = say('rule.refused.same-bus', { bus: device.busId! });
      this.refusal ??= { reason, at: [...device.at, ...other.at] };
      return undefined;
    }
    let top: TopoNode | undefined;
    for (const [n, gpu] of ranked.entries()) {
      const node = addNode(this.system, {
        type: 'GPU',
        // Ranks that share a GPU are numbered above the bits of its bus, since there are nodes for both.
        id: `GPU/${host}-${this.withDev && n > 0 ? ((BigInt(n) << 40n) | BigInt(`0x${local}`)).toString(16) : local}`,
        host,
        pci: device,
        gpu: {
          gpu,
          dev: gpu.dev,
          rank: this.ranks.get(gpu) ?? gpu.rank!,
          sm: gpu.sm ?? 0,
          gdr: gpu.gdr ?? this.gdrWhenUnknown,
        },
      });
      if (this.withDev) {
        top ??= addNode(this.system, { type: 'DEV', id: `DEV/${host}-${local}`, host, pci: device, sm: gpu.sm ?? 0 });
        connect(node, top, 'LOC', 5000);
        connect(top, node, 'LOC', 5000);
      }
      top ??= node;
    }
    this.gpuByBus.set(`${host}-${local}`, top!);
    this.cpuOfGpu.set(top!, cpu);
    return top;
  }

  private addNic(device: PciDevice, ports: readonly NicPort[], cpu: TopoNode, host: number): TopoNode | undefined {
    // A `<nic>` block directly under a CPU has no bus id: all such blocks of a host become one node, on the first CPU.
    const key = `${host}-${device.busId === undefined ? '0' : hex(device)}`;
    let nic = this.nicByBus.get(key);
    const fresh = nic === undefined;
    if (!nic) {
      nic = addNode(this.system, { type: 'NIC', id: `NIC/${key}`, host, pci: device });
      this.nicByBus.set(key, nic);
    }
    for (const port of ports) {
      if (port.net === false || !this.seen(port)) continue;
      const speed = port.speedMbps === undefined || port.speedMbps <= 0 ? 10000 : port.speedMbps;
      const net = addNode(this.system, {
        type: 'NET',
        id: `NET/${host}-${port.dev.toString(16)}`,
        host,
        pci: device,
        net: {
          port,
          hostHash: cpu.cpu?.hostHash ?? '',
          dev: port.dev,
          asic: cardOf(port, host, this.release),
          portNumber: port.port ?? 0,
          bw: Math.fround(speed / 8000),
          latency: port.latencyUs ?? 0,
          gdr: port.gdr ?? this.gdrWhenUnknown,
          collectives: port.collectives ?? false,
          localGpu: -1,
        },
      });
      connect(nic, net, 'NET', speed / 8000);
      connect(net, nic, 'NET', speed / 8000);
    }
    return fresh ? nic : undefined;
  }

  addNvlinks(devices: readonly PciDevice[], host: number): void {
    for (const { device, gpu } of holders(devices)) {
      // Before 2.8.3 nothing prunes these, and NCCL's own picture of a host has the GPUs of its ranks alone.
      if (gpu.rank === undefined) continue;
      for (const link of gpu.nvlinks) {
        const from = this.gpuByBus.get(`${host}-${hex(device)}`);
        if (!from) {
          this.refusal ??= {
            reason: say('rule.refused.gpu-hidden', { gpu: `gpu${gpu.dev}`, bus: device.busId ?? '?' }),
            at: [...link.at, ...device.at],
          };
          return;
        }
        const bw = Math.fround(link.count * Math.fround(nvlinkGBps(gpu.sm ?? 0, this.release)));
        if (link.to === 'gpu') {
          const to = this.gpuByBus.get(`${host}-${busNumber(link.target ?? '').toString(16)}`);
          if (to) connect(from, to, 'NVL', bw);
          continue;
        }
        const to =
          link.to === 'cpu'
            ? this.cpuOfGpu.get(from)!
            : (this.system.nodes.NVS[0] ?? addNode(this.system, { type: 'NVS', id: 'NVS/0-0', host: 0 }));
        connect(from, to, 'NVL', bw);
        connect(to, from, 'NVL', bw);
      }
    }
  }

  /** C2C links and private switch-to-switch links. */
  addLateLinks(devices: readonly PciDevice[], host: number): void {
    if (atLeast(this.release, '2.26.2')) {
      for (const { device, gpu } of holders(devices)) {
        const { c2c } = gpu;
        const from = this.gpuByBus.get(`${host}-${hex(device)}`);
        if (!c2c || !from) continue;
        const cpu = this.cpuOfGpu.get(from)!;
        const bw = (c2c.mbps * c2c.count) / 1000;
        connect(from, cpu, 'C2C', bw);
        connect(cpu, from, 'C2C', bw);
      }
    }
    if (atLeast(this.release, '2.22.3')) {
      for (const device of walk(devices)) {
        const from = this.pciByBus.get(`${host}-${hex(device)}`);
        for (const peer of device.peers ?? []) {
          const to = this.pciByBus.get(`${host}-${busNumber(peer).toString(16)}`);
          if (from && to) connect(from, to, 'LOC', local);
        }
      }
    }
  }
}

function connectCpus(system: System, release: Release): void {
  for (const a of system.nodes.CPU) {
    for (const b of system.nodes.CPU) {
      if (a !== b && a.host === b.host) connect(a, b, 'SYS', interCpuGBps(a.cpu!, release));
    }
  }
}

const hex = (device: PciDevice): string => busNumber(device.busId ?? '').toString(16);

/**
 * A card as NCCL tells it: its GUID as a number, on whatever host, else the NET's; without a GUID older releases went by the
 * device number alone.
 */
function cardOf({ guid, dev }: NicPort, host: number, release: Release): string {
  if (guid === undefined) return atLeast(release, '2.30.7') ? `${host}/${dev}` : String(dev);
  return `0x${guidNumber(guid).toString(16)}`;
}

function pciId(device: PciDevice): bigint {
  const part = (text: string | undefined): bigint => BigInt(Number.parseInt(text ?? '0', 16) & 0xffff || 0);
  return (
    (part(device.vendor) << 48n) |
    (part(device.device) << 32n) |
    (part(device.subsystemVendor) << 16n) |
    part(device.subsystemDevice)
  );
}

/** All devices of a tree in file order, without recursion. */
export function* walk(devices: readonly PciDevice[]): Generator<PciDevice> {
  const stack = [...devices].reverse();
  while (stack.length > 0) {
    const device = stack.pop()!;
    yield device;
    for (let i = device.children.length - 1; i >= 0; i--) stack.push(device.children[i]!);
  }
}

/**
 * The ranks of a communicator of these GPUs alone: in the order of those that the source gives, which may be part of a larger
 * job's (the second node's begin at 8), or name one twice.
 */
function ranksOf(host: Host): Map<Gpu, number> {
  const gpus: Gpu[] = [];
  for (const cpu of host.cpus) {
    for (const device of walk(cpu.devices)) gpus.push(...(device.gpus ?? []).filter((g) => g.rank !== undefined));
  }
  gpus.sort((a, b) => a.rank! - b.rank!);
  return new Map(gpus.map((gpu, rank) => [gpu, rank]));
}

/** Of several ranks on one GPU NCCL reads the links of the first. */
function* holders(devices: readonly PciDevice[]): Generator<{ device: PciDevice; gpu: Gpu }> {
  for (const device of walk(devices)) {
    const gpu = device.gpus?.find((g) => g.rank !== undefined) ?? device.gpus?.[0];
    if (gpu) yield { device, gpu };
  }
}
