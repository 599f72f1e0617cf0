import { checkGdr } from '../decide/gdr.ts';
import { networkIsFaster } from '../decide/net-faster.ts';
import { checkP2p, type P2pContext } from '../decide/p2p.ts';
import { C2C, merged, NET, NVL, P2C, PHB, PXB, PXN } from '../path-type.ts';
import { atLeast } from '../release.ts';
import type { System, TopoNode } from '../system/node.ts';
import { localCpu, localGpu, localNet } from './local.ts';
import { Paths } from './table.ts';
import { reverseLinks, walkFrom } from './walk.ts';

/** All paths of a system and the changes NCCL makes to them, in its order (src/graph/paths.cc: ncclTopoComputePaths). */
export function computePaths(system: System, context: P2pContext): Paths {
  const { release, settings } = context;
  const paths = new Paths(system);
  const reverse = reverseLinks(system.links);
  const rules = { release, nvbDisable: settings.nvbDisable };
  for (const type of ['CPU', 'GPU', 'NET'] as const) {
    for (const node of system.nodes[type]) walkFrom(node, paths, reverse, rules);
  }
  divertRefusedPeers(paths, context);
  if (atLeast(release, '2.27.3')) markP2c(paths, context);
  adjustNets(paths, context);
  for (const net of system.nodes.NET) {
    net.net!.localGpu = localGpu(paths, net, release, settings)?.index ?? -1;
  }
  return paths;
}

/** GPU pairs without P2P go through the CPU; pairs that neither P2P nor SHM serves are left to the network. */
function divertRefusedPeers(paths: Paths, context: P2pContext): void {
  const { release, settings } = context;
  const gpus = paths.system.nodes.GPU;
  for (const g of gpus) {
    for (const p of gpus) {
      if (p === g || checkP2p(paths, p, g, context).p2p) continue;
      const cpu = localCpu(paths, g, release);
      if (!cpu) continue;
      paths.reroute(p, cpu, g, merged(paths.typeOf(p, cpu), paths.typeOf(cpu, g), release));
    }
    if (!atLeast(release, '2.18.1')) continue;
    for (const p of gpus) {
      if (p === g) continue;
      const decision = checkP2p(paths, p, g, context);
      const faster = networkIsFaster(paths, p, g, release, settings);
      if (decision.p2p && (decision.through || !faster)) continue;
      if (!settings.shmDisable && !faster && p.host === g.host) continue;
      paths.setType(p, g, NET);
    }
  }
}

/** A GPU on C2C and a NIC on PCIe of the same CPU: better than any other way over a host bridge. */
function markP2c(paths: Paths, { release }: P2pContext): void {
  for (const gpu of paths.system.nodes.GPU) {
    const cpu = localCpu(paths, gpu, release);
    if (!cpu) continue;
    const nets = atLeast(release, '2.29.2') ? paths.local(gpu, 'NET') : paths.system.nodes.NET;
    for (const net of nets) {
      const [own, type] = [paths.typeOf(gpu, cpu), paths.typeOf(gpu, net)];
      const joined = atLeast(release, '2.27.5')
        ? merged(own, paths.typeOf(net, cpu), release) === P2C
        : own === C2C && type === PHB;
      if (!joined) continue;
      paths.setType(gpu, net, Math.min(P2C, paths.typeOf(gpu, net)));
      paths.setType(net, gpu, Math.min(P2C, paths.typeOf(net, gpu)));
    }
  }
}

/** PXN, and the detour through the CPU where GPUDirect RDMA is off. */
function adjustNets(paths: Paths, context: P2pContext): void {
  const { release, settings } = context;
  for (const net of paths.system.nodes.NET) {
    for (const gpu of paths.system.nodes.GPU) {
      if (atLeast(release, '2.12.7') && !settings.pxnDisable) {
        const relay = pxnRelay(paths, gpu, net, context);
        if (relay) paths.reroute(gpu, relay, net, PXN);
      }
      const type = paths.typeOf(gpu, net);
      if (atLeast(release, '2.21.5') && type >= PHB) continue;
      if (checkGdr(paths, gpu, net, false, release, settings).mode !== 'Disabled') continue;
      const cpu = localCpu(paths, gpu, release);
      if (!cpu) continue;
      paths.reroute(net, cpu, gpu, merged(paths.typeOf(net, cpu), paths.typeOf(cpu, gpu), release));
      paths.reroute(gpu, cpu, net, merged(paths.typeOf(gpu, cpu), paths.typeOf(cpu, net), release));
    }
  }
}

/** The neighbour through which a GPU sends to a NET that is nearer to that neighbour. */
function pxnRelay(paths: Paths, gpu: TopoNode, net: TopoNode, context: P2pContext): TopoNode | undefined {
  const { release, settings } = context;
  const nearEnough = settings.pxnC2c && atLeast(release, '2.27.3') ? P2C : PXB;
  const linked = (p: TopoNode): boolean => paths.typeOf(p, gpu) <= NVL;
  const type = paths.typeOf(gpu, net);
  if (!atLeast(release, '2.18.1')) return oldPxnRelay(paths, gpu, net, context, linked);
  const relay = localGpu(paths, net, release, settings);
  if (!relay || relay === gpu) return undefined;
  if (paths.typeOf(relay, net) > nearEnough || !linked(relay)) return undefined;
  if (atLeast(release, '2.21.5') && relay.host !== gpu.host) return undefined;
  if (atLeast(release, '2.30.3') && checkGdr(paths, relay, net, true, release, settings).mode === 'Disabled') {
    return undefined;
  }
  const far = atLeast(release, '2.27.6') ? PXN : nearEnough;
  return paths.bwOf(relay, net) > paths.bwOf(gpu, net) || type > far ? relay : undefined;
}

/** 2.12.7 to 2.17.1: any NVLink neighbour near the NET, with a liking for the one whose own NET it is. */
function oldPxnRelay(
  paths: Paths,
  gpu: TopoNode,
  net: TopoNode,
  { release, settings }: P2pContext,
  linked: (p: TopoNode) => boolean,
): TopoNode | undefined {
  const near = (p: TopoNode): boolean => p !== gpu && paths.typeOf(p, net) <= PXB && linked(p);
  const candidates = paths.system.nodes.GPU.filter(near);
  const far = paths.typeOf(gpu, net) > PXB;
  const own = candidates.find((p) => localNet(paths, p, 0, release, settings) === net);
  const relay = own ?? (atLeast(release, '2.12.12') ? candidates[candidates.length - 1] : undefined);
  if (!relay) return undefined;
  if (far) return relay;
  return atLeast(release, '2.14.3') && paths.bwOf(relay, net) > paths.bwOf(gpu, net) ? relay : undefined;
}
