import { calibration } from '../catalogue/calibration.ts';
import { gpus } from '../catalogue/gpus.ts';
import type { Cpu, Gpu } from '../machine/host.ts';
import type { TreePath } from '../machine/names.ts';
import { treeLeg } from '../physics/leg.ts';
import type { MoveEnd } from './ends.ts';
import { redirected, widest } from './wires.ts';

/**
 * What the host passes of a GPU's copies to another GPU, in bytes per second. They are writes, which nobody answers: it passes
 * more of them than of what a NIC or a drive reads from a GPU.
 */
export function writeLimit(end: MoveEnd, a: TreePath, b: TreePath): number {
  const leg = treeLeg(end.host, a, b);
  const cpu = end.host.cpus[a[0]!];
  if (leg.crosses === 'socket' && !zen4(cpu)) return calibration.socketWrite.value * widest(end, leg);
  if (leg.crosses !== 'socket' && leg.crosses !== 'host-bridge' && !redirected(end, a, b))
    return Number.POSITIVE_INFINITY;
  const share = cpu?.vendor === 'Intel' ? calibration.rootWriteIntel : calibration.rootPeerOther;
  return share.value * widest(end, leg);
}

/** EPYC 9004 and later, and Threadripper of their time: CPUID family 0x19 from model 0x10 on, and families after it. */
const zen4 = (cpu: Cpu | undefined): boolean =>
  cpu?.vendor === 'AMD' &&
  cpu.family !== undefined &&
  (cpu.family > 0x19 || (cpu.family === 0x19 && (cpu.model ?? 0) >= 0x10));

/** Bytes per second of the two copies through host memory. A GPU that does one after the other gives each the time of both. */
export function stagedRates(out: number, back: number, x: Gpu, y: Gpu): readonly [number, number] {
  if (![x, y].some((g) => g.part !== undefined && gpus.get(g.part)?.stagedInTurn?.value)) return [out, back];
  const turn = 1 / (1 / out + 1 / back);
  return [turn, turn];
}

/** Share of a staged copy's rate that is left where one switch is above both GPUs. */
export const belowSwitch = (end: MoveEnd, a: TreePath, b: TreePath): number =>
  treeLeg(end.host, a, b).crosses === 'switch' ? calibration.stagedBelowSwitch.value : 1;

/** GPUs with GDDR memory, by compute capability: Turing, GA10x, Ada and Blackwell 12.x. */
const gddr = (gpu: Gpu): boolean =>
  gpu.sm !== undefined && (gpu.sm === 75 || gpu.sm === 86 || gpu.sm === 89 || gpu.sm >= 120);

/** µs of handing over a chunk between the two copies through host memory; the slower GPU decides, here and below. */
export const stagedHandOver = (x: Gpu, y: Gpu): number =>
  (gddr(x) && gddr(y) ? calibration.handOverGddr : calibration.handOver).value;

/** µs of a small message through host memory. */
export const stagedSmall = (x: Gpu, y: Gpu): number =>
  (gddr(x) && gddr(y) ? calibration.stagedSmallGddr : calibration.stagedSmall).value;

/** µs of a small write to a peer over PCIe. */
export function peerSmall(gpu: Gpu): number {
  if (gpu.sm === 89) return calibration.peerSmallAda.value;
  return (gpu.sm ?? 0) >= 120 ? calibration.peerSmallBlackwell.value : calibration.peerSmall.value;
}

/** µs of a small write over links that join two GPUs. */
export const linkSmall = (sm: number | undefined): number =>
  ((sm ?? 0) >= 80 ? calibration.linkSmall : calibration.peerSmall).value;

/** What arrives of the rate of a GPU's NVLinks. */
export function nvlinkShare(gpu: Gpu): number {
  const sm = gpu.sm ?? 80;
  if (sm >= 100) return calibration.nvlink5.value;
  if (sm >= 90) return calibration.nvlink4.value;
  if (sm >= 80) return calibration.nvlink3.value;
  return calibration.nvlink2.value;
}
