import type { Cpu, Gpu, Host, NicPort, PciDevice } from '../../machine/host.ts';

const mapDevices = (devices: readonly PciDevice[], change: (device: PciDevice) => PciDevice): readonly PciDevice[] =>
  devices.map((device) => change({ ...device, children: mapDevices(device.children, change) }));
const mapHost = (host: Host, change: (device: PciDevice) => PciDevice): Host => ({
  ...host,
  cpus: host.cpus.map((cpu): Cpu => ({ ...cpu, devices: mapDevices(cpu.devices, change) })),
});

function each<T>(host: Host, visit: (device: PciDevice, cpu: number, switchKey: string) => T[]): T[] {
  const all: T[] = [];
  const walk = (device: PciDevice, cpu: number, top: string): void => {
    all.push(...visit(device, cpu, top));
    for (const child of device.children) walk(child, cpu, top);
  };
  host.cpus.forEach((cpu, index) => {
    cpu.devices.forEach((device, i) => {
      walk(device, index, `${index}/${i}`);
    });
  });
  return all;
}

/** A job that uses only the first `count` GPUs: the others stay in the machine, but have no rank. */
export function useGpus(host: Host, count: number): Host {
  const devs = each(host, (device) => (device.gpus ?? []).map((gpu) => gpu.dev)).sort((a, b) => a - b);
  const used = new Map(devs.slice(0, count).map((dev, rank) => [dev, rank]));
  const change = (gpu: Gpu): Gpu => {
    const rank = used.get(gpu.dev);
    const { rank: _unused, ...rest } = gpu;
    return rank === undefined ? rest : { ...rest, rank };
  };
  return mapHost(host, (device) => (device.gpus === undefined ? device : { ...device, gpus: device.gpus.map(change) }));
}

/**
 * A job that uses only `count` ports: those closest to the GPUs in use (on their switch, then on their NUMA node), spread
 * evenly over them. The others are left out, as NCCL_IB_HCA leaves them out, and the rest is numbered anew.
 */
export function useNics(host: Host, count: number): Host {
  const gpuTops = new Set<string>();
  const gpuCpus = new Set<number>();
  each(host, (device, cpu, top) => {
    if (device.gpus?.some((gpu) => gpu.rank !== undefined)) {
      gpuTops.add(top);
      gpuCpus.add(cpu);
    }
    return [];
  });
  const ports = each(host, (device, cpu, top) =>
    (device.ports ?? []).map((port) => ({ dev: port.dev, near: gpuTops.has(top) ? 0 : gpuCpus.has(cpu) ? 1 : 2 })),
  ).sort((a, b) => a.dev - b.dev);
  const chosen: number[] = [];
  for (const near of [0, 1, 2]) {
    const group = ports.filter((port) => port.near === near);
    const take = Math.min(group.length, count - chosen.length);
    for (let i = 0; i < take; i++) chosen.push(group[Math.floor((i * group.length) / take)]!.dev);
  }
  const renumbered = new Map(chosen.sort((a, b) => a - b).map((dev, i) => [dev, i]));
  const keep = (ports: readonly NicPort[]): NicPort[] =>
    ports.filter((port) => renumbered.has(port.dev)).map((port) => ({ ...port, dev: renumbered.get(port.dev)! }));
  const prune = (devices: readonly PciDevice[]): readonly PciDevice[] =>
    devices
      .map((device) => ({ ...device, children: prune(device.children) }))
      .map((device) => (device.ports === undefined ? device : { ...device, ports: keep(device.ports) }))
      .filter((device) => device.ports === undefined || device.ports.length > 0 || (device.gpus?.length ?? 0) > 0)
      .filter((device) => device.role !== 'switch' || device.children.length > 0);
  return { ...host, cpus: host.cpus.map((cpu) => ({ ...cpu, devices: prune(cpu.devices) })) };
}
