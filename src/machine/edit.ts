import type { Cpu, Gpu, Host, NicPort, PciDevice } from './host.ts';

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
