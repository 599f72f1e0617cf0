import { DIS, LOC, NVB, NVL, PHB, PXB, SYS } from '../path-type.ts';
import type { Paths } from '../paths/table.ts';
import { intelClass } from '../rates/cpu.ts';
import { atLeast, type Release } from '../release.ts';
import type { Settings } from '../settings.ts';
import type { System, TopoNode } from '../system/node.ts';

/** What NVML says of P2P between the GPUs of a pair: `ok`, `bad`, or not known (then taken as ok, and said so). */
export type DriverP2p = 'ok' | 'bad' | 'unknown';

export interface P2pContext {
  readonly release: Release;
  readonly settings: Settings;
  readonly driverP2p: (a: TopoNode, b: TopoNode) => DriverP2p;
  /** Capability of GPUs and NICs of which no input tells. */
  readonly gdrWhenUnknown: boolean;
}

export type P2pRule =
  | 'level' // path type against the level
  | 'amd-two-gpus' // default level raised on AMD with at most two GPUs
  | 'user-level'
  | 'disabled'
  | 'driver'
  | 'net-faster' // NCCL gave the pair to the network, which is faster than the way between the two
  | 'same-device'
  | 'not-connected';

export interface P2pDecision {
  readonly p2p: boolean;
  readonly read: boolean;
  /** Intermediate GPU of a two-hop NVLink path. */
  readonly through?: TopoNode;
  readonly rule: P2pRule;
  readonly type: number;
  readonly level: number;
  /** The path type before NCCL laid a detour: what the rule is about. */
  readonly wireType: number;
  /** P2P over an NVLink path that the driver reports as not working: NCCL stops with an error. */
  readonly fatal?: boolean;
}

/** The level that a release uses when nobody sets one, and whether AMD's exception made it. */
export function defaultP2pLevel(system: System, release: Release): { readonly level: number; readonly amd: boolean } {
  const cpu = system.nodes.CPU[0]?.cpu;
  const amd = cpu?.arch === 'x86_64' && cpu.vendor === 'AMD';
  if (atLeast(release, '2.23.4')) {
    const gpus = atLeast(release, '2.30.3') ? system.nodes.DEV.length : system.nodes.GPU.length;
    return amd && gpus <= 2 ? { level: SYS, amd: true } : { level: PXB, amd: false };
  }
  if (cpu?.arch === 'arm64') return { level: PXB, amd: false };
  if (cpu?.arch === 'x86_64') {
    if (cpu.vendor === 'Zhaoxin' && atLeast(release, '2.8.4')) return { level: PXB, amd: false };
    if (cpu.vendor === 'Intel') {
      if (atLeast(release, '2.9.6')) return { level: PXB, amd: false };
      if (intelClass(cpu, release) === 'BDW') return { level: PXB, amd: false };
      return { level: atLeast(release, '2.7.3') ? PHB : SYS, amd: false };
    }
  }
  return { level: SYS, amd: false };
}

/** May GPU `a` reach GPU `b` by CUDA peer-to-peer (src/graph/paths.cc: ncclTopoCheckP2p)? */
export function checkP2p(paths: Paths, a: TopoNode, b: TopoNode, context: P2pContext): P2pDecision {
  const { release, settings } = context;
  if (a === b) return { p2p: true, read: false, rule: 'same-device', type: LOC, wireType: LOC, level: LOC };
  const view = paths.view(a, b);
  if (view.type === DIS)
    return { p2p: false, read: false, rule: 'not-connected', type: DIS, wireType: DIS, level: LOC };
  const through = bridge(paths, a, b, view.hops, release);
  const fallback = defaultP2pLevel(paths.system, release);
  const level = settings.p2pDisabled ? LOC : (settings.p2pLevel ?? fallback.level);
  const rule: P2pRule = settings.p2pDisabled
    ? 'disabled'
    : settings.p2pLevel !== undefined
      ? 'user-level'
      : fallback.amd && view.type > PXB
        ? 'amd-two-gpus'
        : 'level';
  const read = readInstead(view.type, a, b, context);
  const wireType = paths.wireType(a, b);
  const base = { read, rule, type: view.type, wireType, level, ...(through ? { through } : {}) };
  if (view.type > level) {
    if (wireType > level) return { ...base, p2p: false };
    // A detour hides the way that would have been near enough: laid because the driver refused, or because the network is faster.
    if (!refusedByDriver(a, b, through, context)) return { ...base, p2p: false, rule: 'net-faster' };
    const linked = wireType === NVL || wireType === NVB;
    return { ...base, p2p: false, rule: 'driver', fatal: linked && settings.ignoreDisabledP2p !== 1 };
  }
  if (atLeast(release, '2.12.7') && settings.ignoreDisabledP2p !== 2 && a.pci !== b.pci && a.host === b.host) {
    if (refusedByDriver(a, b, through, context)) {
      const linked = view.type === NVL || view.type === NVB;
      // Up to 2.18.6 a bad status between PCIe GPUs gave a message, and P2P stayed on.
      const off = atLeast(release, '2.19.1') || settings.ignoreDisabledP2p === 1 || linked;
      if (off) return { ...base, p2p: false, rule: 'driver', fatal: linked && settings.ignoreDisabledP2p !== 1 };
    }
  }
  return { ...base, p2p: true };
}

/** Does NVML report one leg of the way as not working? */
function refusedByDriver(a: TopoNode, b: TopoNode, through: TopoNode | undefined, { driverP2p }: P2pContext): boolean {
  const legs = through ? [[a, through] as const, [through, b] as const] : [[a, b] as const];
  return legs.some(([x, y]) => driverP2p(x, y) === 'bad');
}

/** Two hops over NVLink: the GPU in the middle. */
function bridge(paths: Paths, a: TopoNode, b: TopoNode, hops: number, release: Release): TopoNode | undefined {
  const withDev = atLeast(release, '2.30.3');
  if (hops !== (withDev ? 4 : 2)) return undefined;
  const middle = paths.nodeAfter(a, b, withDev ? 1 : 0);
  return middle?.type === (withDev ? 'DEV' : 'GPU') ? paths.gpuOn(middle) : undefined;
}

function readInstead(type: number, a: TopoNode, b: TopoNode, { release, settings }: P2pContext): boolean {
  if (settings.p2pRead !== -2) return settings.p2pRead !== 0;
  return atLeast(release, '2.7.3') && type === NVL && a.gpu!.sm === 80 && b.gpu!.sm === 80;
}
