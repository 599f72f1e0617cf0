import { atLeast, channelLimit, type Release } from '../release.ts';
import type { Settings } from '../settings.ts';
import type { TopoNode } from '../system/node.ts';
import type { Paths } from './table.ts';

/** The CPU (NUMA node) a GPU belongs to, or none. */
export function localCpu(paths: Paths, gpu: TopoNode, release: Release): TopoNode | undefined {
  if (paths.cpuOf.has(gpu)) return paths.cpuOf.get(gpu);
  const cpu = findCpu(paths, gpu, release);
  paths.cpuOf.set(gpu, cpu);
  return cpu;
}

function findCpu(paths: Paths, gpu: TopoNode, release: Release): TopoNode | undefined {
  let best: TopoNode | undefined;
  for (const cpu of paths.system.nodes.CPU) {
    const p = paths.view(gpu, cpu);
    if (p.hops === 0) continue;
    if (!best) {
      best = cpu;
      continue;
    }
    const b = paths.view(gpu, best);
    if (atLeast(release, '2.30.7')) {
      if (p.bw > b.bw || (p.bw === b.bw && (p.type < b.type || (p.type === b.type && p.hops < b.hops)))) best = cpu;
    } else if (p.hops < b.hops) best = cpu;
  }
  return best;
}

const isPowerOfTwo = (n: number): boolean => n > 0 && (n & (n - 1)) === 0;

function mirrorBits(value: number, powerOfTwo: number): number {
  let mirror = 0;
  for (let b = 1, mb = powerOfTwo >> 1; b < powerOfTwo; b <<= 1, mb >>= 1) if (value & b) mirror |= mb;
  return mirror;
}

/** How many NETs a GPU uses, of `nets` local ones shared by `gpus` local GPUs. */
function netsPerGpu(nets: number, gpus: number, policy: Settings['netDevices']): number {
  if (policy.policy === 'ALL') return nets;
  if (policy.policy === 'MAX') return Math.min(policy.max, nets);
  return Math.ceil(nets / gpus);
}

/** The NET that a rank uses for a channel (src/graph/topo.cc: ncclTopoGetLocalNet). */
export function localNet(
  paths: Paths,
  gpu: TopoNode,
  channel: number,
  release: Release,
  settings: Settings,
): TopoNode | undefined {
  const nets = paths.local(gpu, 'NET');
  if (nets.length === 0) return undefined;
  const gpus = paths.local(nets[0]!, 'GPU');
  if (gpus.length === 0) return undefined;
  const dev = gpu.gpu!.dev;
  if (!atLeast(release, '2.18.1')) return nets[dev % nets.length];
  let index = atLeast(release, '2.30.7') ? dev % gpus.length : dev;
  if (isPowerOfTwo(nets.length)) index = mirrorBits(index, nets.length);
  index += channel % netsPerGpu(nets.length, gpus.length, settings.netDevices);
  return nets[index % nets.length];
}

/** The GPU that a NET is paired with: the first local one whose local NET, for some channel, is this NET. */
export function localGpu(paths: Paths, net: TopoNode, release: Release, settings: Settings): TopoNode | undefined {
  const first = paths.firstNet(net);
  const candidates = atLeast(release, '2.19.1') ? paths.local(first, 'GPU') : paths.system.nodes.GPU;
  if (candidates.length === 0) return undefined;
  const limit = Math.min(channelLimit(release), Math.max(1, paths.system.nodes.NET.length));
  for (let c = 0; c < limit; c++) {
    for (const gpu of candidates) if (localNet(paths, gpu, c, release, settings)?.id === net.id) return gpu;
  }
  return undefined;
}
