import type { Cpu } from '../../machine/host.ts';
import { atLeast, type Release, since } from '../release.ts';

/** NCCL's classes of Intel CPUs, which its logs print as 1 to 4. */
export type IntelClass = 'BDW' | 'SKL' | 'SRP' | 'ERP';

export function intelClass(cpu: Cpu, release: Release): IntelClass {
  if (cpu.family === 6 && cpu.model !== undefined) {
    if (atLeast(release, '2.26.2')) {
      if (cpu.model >= 0xcf) return 'ERP';
      if (cpu.model >= 0x8f) return 'SRP';
    }
    if (cpu.model >= 0x55) return 'SKL';
  }
  return 'BDW';
}

const intelSkl: readonly (readonly [string, number])[] = [
  ['2.6.4', 9],
  ['2.18.1', 10],
];
const amd: readonly (readonly [string, number])[] = [
  ['2.6.4', 5000],
  ['2.16.2', 16],
  ['2.16.5', 5000],
  ['2.19.1', 16],
];

/** GB/s between two NUMA nodes, from the CPU's own kind (src/graph/topo.cc: ncclTopoGetInterCpuBw). */
export function interCpuGBps(cpu: Cpu, release: Release): number {
  if (cpu.arch === 'ppc64') return 32;
  if (cpu.arch === 'arm64') return 6;
  if (cpu.arch !== 'x86_64') return 5000;
  if (cpu.vendor === 'Intel') {
    const kind = intelClass(cpu, release);
    return kind === 'ERP' ? 40 : kind === 'SRP' ? 22 : kind === 'SKL' ? since(release, intelSkl) : 6;
  }
  if (cpu.vendor === 'AMD') return since(release, amd);
  if (cpu.vendor === 'Zhaoxin') {
    if (!atLeast(release, '2.8.4')) return 5000;
    return cpu.family === 7 && cpu.model === 0x5b ? 9 : 6;
  }
  return 5000;
}
