import { type BytesPerSecond, bytesPerSecond, fromGBps, fromMbps } from '../base/units.ts';
import { type CpuPart, cpus, socketBytesPerSecond } from '../catalogue/cpus.ts';
import { gpus } from '../catalogue/gpus.ts';
import { gigatransfers, type PcieGen, pcieBytesPerSecond, pcieGenerations } from '../catalogue/pcie.ts';
import type { Cpu, Gpu, NicPort, PcieLink } from '../machine/host.ts';

/**
 * What a link carries at most in one direction, from its own facts; `undefined` where no input tells. These are ceilings of
 * the wire (line code taken off, packet headers still inside), not what software reaches.
 */
export function pcieRate(link: PcieLink): BytesPerSecond | undefined {
  const gt = gigatransfers(link.speed);
  if (gt === undefined || !link.width) return undefined;
  for (const g of pcieGenerations.values()) {
    if (g.rate.value === gt) return bytesPerSecond(pcieBytesPerSecond(g.id as PcieGen, link.width));
  }
  // Gen1 and gen2 spend two bits in ten on the line code: https://pcisig.com/faq
  return gt === 2.5 || gt === 5 ? bytesPerSecond((gt * 1e9 * 0.8 * link.width) / 8) : undefined;
}

/** PCIe generation behind a speed text, for people: 32.0 GT/s is 5. */
export function pcieGeneration(link: PcieLink): number | undefined {
  const gt = gigatransfers(link.speed);
  if (gt === undefined) return undefined;
  const i = [2.5, 5, 8, 16, 32, 64].indexOf(gt);
  return i < 0 ? undefined : i + 1;
}

/** GB/s of one NVLink and direction by compute capability, where the part itself is not known: NVLink 2 to 5. */
const bySm: readonly (readonly [number, number])[] = [
  [100, 50],
  [90, 25],
  [86, 14.0625],
  [70, 25],
  [60, 20],
];

export function nvlinkRate(gpu: Gpu, count: number): BytesPerSecond | undefined {
  const part = gpu.part === undefined ? undefined : gpus.get(gpu.part);
  const each =
    part?.nvlink?.perLink.value ?? bySm.find(([sm]) => (gpu.sm ?? 0) >= sm && (sm !== 86 || gpu.sm! < 90))?.[1];
  return each === undefined || count <= 0 ? undefined : fromGBps(each * count);
}

/** Half of the C2C link's total, as NCCL's file gives it (`bw` in MB/s for each of `count`). */
export function c2cRate(gpu: Gpu): BytesPerSecond | undefined {
  return gpu.c2c ? fromGBps((gpu.c2c.mbps * gpu.c2c.count) / 1000) : undefined;
}

export function portRate(port: NicPort): BytesPerSecond | undefined {
  return port.speedMbps !== undefined && port.speedMbps > 0 ? fromMbps(port.speedMbps) : undefined;
}

/** The catalogue's part for a CPU, by CPUID family and model; Arm and POWER hosts do not tell theirs in the files at hand. */
export function cpuPart(cpu: Cpu): CpuPart | undefined {
  if (cpu.arch !== 'x86_64') return undefined;
  for (const part of cpus.values()) {
    if (part.arch === cpu.arch && part.family?.value === cpu.family && part.model?.value === cpu.model) return part;
  }
  return undefined;
}

/** Between two sockets: the physical links of a known CPU kind, else NCCL's figure for it. */
export function socketRate(cpu: Cpu): BytesPerSecond | undefined {
  const part = cpuPart(cpu);
  return part ? bytesPerSecond(socketBytesPerSecond(part) ?? part.ncclSocketLink.value * 1e9) : undefined;
}
