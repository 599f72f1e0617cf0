import type { Cpu, PciDevice } from '../../machine/host.ts';

/**
 * From 2.8.3 on NCCL keeps only the GPUs of the job's ranks and the NETs, with what leads to them; a NUMA node that holds
 * neither is gone (src/graph/xml.cc: ncclTopoTrimXml).
 */
export function pruned(cpu: Cpu): Cpu | undefined {
  const devices = cpu.devices.map(keep).filter((d): d is PciDevice => d !== undefined);
  return devices.length === 0 ? undefined : { ...cpu, devices };
}

/** Recursion is safe: the reader bounds how deep a file may nest. */
function keep(device: PciDevice): PciDevice | undefined {
  const children = device.children.map(keep).filter((d): d is PciDevice => d !== undefined);
  const used = (device.ports?.length ?? 0) > 0 || (device.gpus ?? []).some((g) => g.rank !== undefined);
  if (!used && children.length === 0) return undefined;
  return { ...device, children };
}
