import type { Cpu, Gpu, NicPort } from '../machine/host.ts';
import type { Machine } from '../machine/machine.ts';
import { deviceAt, type NamedDevice, nameDevices } from '../machine/names.ts';
import type { TopoNode } from '../nccl/system/node.ts';

/** Finds crowfly's name of what NCCL's graph calls a node, and back. */
export interface DeviceIndex {
  readonly all: readonly NamedDevice[];
  readonly byId: ReadonlyMap<string, NamedDevice>;
  of(node: TopoNode): NamedDevice | undefined;
  gpuOf(device: NamedDevice): Gpu | undefined;
  portOf(device: NamedDevice): NicPort | undefined;
}

export function indexDevices(machine: Machine): DeviceIndex {
  const known = indexed.get(machine);
  if (known) return known;
  const index = makeIndex(machine);
  indexed.set(machine, index);
  return index;
}

const indexed = new WeakMap<Machine, DeviceIndex>();

function makeIndex(machine: Machine): DeviceIndex {
  const all = nameDevices(machine);
  const byGpu = new Map<Gpu, NamedDevice>();
  const byPort = new Map<string, NamedDevice>();
  const byCpu = new Map<string, NamedDevice>();
  const gpuOf = (d: NamedDevice): Gpu | undefined =>
    d.kind === 'gpu' ? deviceAt(machine.hosts[d.host]!, d.path)?.gpus?.[d.slot ?? 0] : undefined;
  const portOf = (d: NamedDevice): NicPort | undefined =>
    d.kind === 'nic' ? deviceAt(machine.hosts[d.host]!, d.path)?.ports?.[d.slot ?? 0] : undefined;
  for (const device of all) {
    const host = machine.hosts[device.host]!;
    if (device.kind === 'gpu') {
      const gpu = gpuOf(device);
      if (gpu) byGpu.set(gpu, device);
    } else if (device.kind === 'nic') {
      const port = portOf(device);
      if (port) byPort.set(`${cpuKey(host.cpus[device.path[0]!]!)} ${port.dev}`, device);
      // A port that the source repeats under several NUMA nodes is one device.
      for (const twin of device.twins ?? []) byPort.set(`${cpuKey(host.cpus[twin[0]!]!)} ${port?.dev}`, device);
    } else if (device.kind === 'cpu')
      byCpu.set(`${device.host} ${cpuKey(host.cpus[device.path[0]!]!)} ${host.cpus[device.path[0]!]!.numa}`, device);
  }
  return {
    all,
    byId: new Map(all.map((d) => [d.id, d])),
    of: (node) => {
      if (node.gpu) return byGpu.get(node.gpu.gpu);
      if (node.net) return byPort.get(`${node.net.hostHash} ${node.net.dev}`);
      if (node.cpu) return byCpu.get(`0 ${cpuKey(node.cpu)} ${node.cpu.numa}`);
      return undefined;
    },
    gpuOf,
    portOf,
  };
}

const cpuKey = (cpu: Cpu): string => cpu.hostHash ?? '';
