import type { Cpu, Gpu, Host, NicPort, PciDevice } from './host.ts';
import { deviceAt, type TreePath } from './names.ts';

/** What to change in a host; each function returns the thing changed or as it was. Structure stays. */
export interface HostEdit {
  readonly cpu?: (cpu: Cpu) => Cpu;
  readonly device?: (device: PciDevice) => PciDevice;
  readonly gpu?: (gpu: Gpu) => Gpu;
  readonly port?: (port: NicPort) => NicPort;
}

/** A changed copy of a host; what is not touched is shared. Recursion is safe: readers bound how deep a tree may be. */
export function editHost(host: Host, edit: HostEdit): Host {
  const device = (d: PciDevice): PciDevice => {
    const gpus = edit.gpu && d.gpus ? d.gpus.map(edit.gpu) : d.gpus;
    const ports = edit.port && d.ports ? d.ports.map(edit.port) : d.ports;
    const children = d.children.length > 0 ? d.children.map(device) : d.children;
    const changed = { ...d, children, ...(gpus ? { gpus } : {}), ...(ports ? { ports } : {}) };
    return edit.device ? edit.device(changed) : changed;
  };
  return {
    ...host,
    cpus: host.cpus.map((c) => {
      const changed = { ...c, devices: c.devices.map(device) };
      return edit.cpu ? edit.cpu(changed) : changed;
    }),
  };
}

/** A copy of the host with the device at `from` hung last below `to` (a NUMA node or a switch). */
export function moved(host: Host, from: TreePath, to: TreePath): Host {
  const device = deviceAt(host, from);
  if (!device) return host;
  const drop = (d: PciDevice): PciDevice => ({ ...d, children: d.children.filter((c) => c !== device).map(drop) });
  const target = to.length < 2 ? undefined : deviceAt(host, to);
  const hang = (d: PciDevice): PciDevice =>
    d === target
      ? { ...drop(d), children: [...d.children.filter((c) => c !== device).map(drop), device] }
      : { ...d, children: d.children.filter((c) => c !== device).map(hang) };
  return {
    ...host,
    cpus: host.cpus.map((cpu, i) => {
      const rest = cpu.devices.filter((d) => d !== device).map(hang);
      return { ...cpu, devices: !target && i === to[0] ? [...rest, device] : rest };
    }),
  };
}
