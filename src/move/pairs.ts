import { calibration } from '../catalogue/calibration.ts';
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

/** µs of a small write to a peer over PCIe. */
export function peerSmall(gpu: Gpu): number {
  if (gpu.sm === 89) return calibration.peerSmallAda.value;
  return (gpu.sm ?? 0) >= 120 ? calibration.peerSmallBlackwell.value : calibration.peerSmall.value;
}

/** µs of a small write over links that join two GPUs. */
export const linkSmall = (sm: number | undefined): number =>
  ((sm ?? 0) >= 80 ? calibration.linkSmall : calibration.peerSmall).value;
