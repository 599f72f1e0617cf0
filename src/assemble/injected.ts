import type { Host, NicPort, PciDevice } from '../machine/host.ts';
import { pciTree } from '../machine/names.ts';
import { busNumber } from '../nccl/bus-id.ts';

/**
 * Files written to be injected (`NCCL_TOPO_FILE` of a cloud) name PCIe functions and leave the rest to NCCL, which adds each
 * rank's GPU and the NICs it finds. Here every GPU takes part, numbered by bus id as NVML numbers them, and every network
 * function is a NIC; NVLinks and capabilities stay unknown. A file that already holds GPUs or NICs is left as it is.
 */
export function withInjected(host: Host): { readonly host: Host; readonly filled: boolean } {
  const gpus: string[] = [];
  const nics: string[] = [];
  let anyGpu = false;
  let anyNic = false;
  host.cpus.forEach((cpu, i) => {
    for (const { device } of pciTree(cpu, i)) {
      anyGpu ||= device.gpus !== undefined;
      anyNic ||= device.ports !== undefined;
      if (device.role === 'gpu' && device.busId !== undefined) gpus.push(device.busId);
      if (device.role === 'nic' && device.busId !== undefined) nics.push(device.busId);
    }
  });
  if (anyGpu || gpus.length === 0) return { host, filled: false };
  const byBus = (a: string, b: string): number => busNumber(a) - busNumber(b);
  const gpuOrder = [...new Set(gpus)].sort(byBus);
  const nicOrder = [...new Set(nics)].sort(byBus);
  const fill = (d: PciDevice): PciDevice => {
    const children = d.children.map(fill);
    if (d.role === 'gpu' && d.busId !== undefined) {
      const dev = gpuOrder.indexOf(d.busId);
      return { ...d, children, gpus: [{ dev, rank: dev, nvlinks: [], nvlinksUnknown: true, at: d.at }] };
    }
    if (d.role === 'nic' && d.busId !== undefined && !anyNic) {
      const port: NicPort = { dev: nicOrder.indexOf(d.busId), at: d.at };
      return { ...d, children, ports: [port] };
    }
    return { ...d, children };
  };
  return { host: { ...host, cpus: host.cpus.map((c) => ({ ...c, devices: c.devices.map(fill) })) }, filled: true };
}
