import { C2C, NVL, P2C, PHB, PXN } from '../path-type.ts';
import { localCpu } from '../paths/local.ts';
import type { Paths } from '../paths/table.ts';
import { atLeast, type Release } from '../release.ts';
import { defaultGdrLevel, type Settings } from '../settings.ts';
import type { TopoNode } from '../system/node.ts';

export type GdrMode = 'Disabled' | 'Default' | 'PCI';

export type GdrRule =
  | 'nic-cannot'
  | 'gpu-cannot'
  | 'read-off' // NCCL_NET_GDR_READ=0
  | 'read-needs-nvlink' // before sm80: only with an NVLink peer, or alone
  | 'level'
  | 'user-level';

export interface GdrDecision {
  readonly mode: GdrMode;
  readonly rule: GdrRule;
  readonly distance: number;
  /** The path type before NCCL laid a detour through the CPU. */
  readonly wireType: number;
  readonly level: number;
  /** The GPU whose distance counted, when data goes through a neighbour (PXN). */
  readonly proxy?: TopoNode;
}

/**
 * Does NCCL use GPUDirect RDMA between a GPU and a NET; `send`: the NIC reads GPU memory
 * (src/graph/paths.cc: ncclTopoCheckGdr).
 */
export function checkGdr(
  paths: Paths,
  gpu: TopoNode,
  net: TopoNode,
  send: boolean,
  release: Release,
  settings: Settings,
): GdrDecision {
  const level = settings.gdrLevel ?? defaultGdrLevel(settings, release);
  const own = paths.typeOf(gpu, net);
  const off = (rule: GdrRule): GdrDecision => ({
    mode: 'Disabled',
    rule,
    distance: own,
    wireType: paths.wireType(gpu, net),
    level,
  });
  if (!net.net!.gdr) return off('nic-cannot');
  if (!gpu.gpu!.gdr) return off('gpu-cannot');
  if (send) {
    if (settings.gdrRead === 0) return off('read-off');
    const always = atLeast(release, '2.19.1') && gpu.gpu!.sm >= 80;
    if (settings.gdrRead < 0 && !always) {
      const gpus = paths.system.nodes.GPU;
      const linked = gpus.length === 1 || gpus.some((g) => g !== gpu && paths.typeOf(gpu, g) === NVL);
      if (!linked) return off('read-needs-nvlink');
    }
  }
  let who = gpu;
  let distance = own;
  if (own === PXN) {
    who = proxyOf(paths, gpu, net) ?? gpu;
    distance = paths.typeOf(who, net);
  }
  const cpu = localCpu(paths, who, release);
  const overC2c = cpu !== undefined && paths.typeOf(who, cpu) === C2C;
  let counted = distance;
  if (settings.gdrC2c && !atLeast(release, '2.29.2')) {
    // The C2C way to a NIC behind the CPU counted as C2C before it had a level of its own.
    if (atLeast(release, '2.27.3') ? distance === P2C : distance === PHB && overC2c) counted = C2C;
  }
  const rule: GdrRule = settings.gdrLevel === undefined ? 'level' : 'user-level';
  const wireType = who === gpu ? paths.wireType(gpu, net) : distance;
  const decision = { rule, distance, wireType, level, ...(who === gpu ? {} : { proxy: who }) };
  if (counted > level) return { ...decision, mode: 'Disabled' };
  const pci = overC2c && distance !== P2C && counted !== C2C && atLeast(release, '2.26.2');
  return { ...decision, mode: pci ? 'PCI' : 'Default' };
}

/** The first GPU on the way that is not the sender's own: the relay of a PXN path. */
export function proxyOf(paths: Paths, gpu: TopoNode, net: TopoNode): TopoNode | undefined {
  for (const link of paths.links(gpu, net)) {
    const node = link.to;
    if ((node.type === 'DEV' || node.type === 'GPU') && (node.pci !== gpu.pci || node.host !== gpu.host)) {
      // Through an NVSwitch the relay is the last GPU before the PCIe part.
      return paths.gpuOn(node);
    }
  }
  return undefined;
}
