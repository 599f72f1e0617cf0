import type { NodeGraphs } from '../../nccl/communicator.ts';
import type { Paths } from '../../nccl/paths/table.ts';
import type { TopoLink, TopoNode } from '../../nccl/system/node.ts';
import type { Group } from '../ways.ts';

/** What a GPU's ways carry beyond the links they cross, sent and received together; GB/s as NCCL counts PCIe. */
export interface GpuLimits {
  /** To host memory for messages through a NIC; undefined where the NIC reads and writes the GPU's memory itself. */
  staged(graphs: NodeGraphs, gpu: TopoNode, net: TopoNode, send: boolean): number | undefined;
  /** For messages between GPUs that meet in host memory, however fast their links. */
  readonly shared?: number | undefined;
  /** What NICs read of a GPU's memory. */
  readonly read?: number | undefined;
  /** From device to device through a CPU's root complex, or to another CPU: of all GPUs below one port of the root complex. */
  peers?(graphs: NodeGraphs, gpu: TopoNode): { readonly root: number; readonly socket: number } | undefined;
  /**
   * What a rank's proxy copies through the kernel, sent and received together, where the network is sockets. Those know no memory but
   * the host's: what holds NICs that reach a GPU's is none of theirs.
   */
  readonly kernel?: number | undefined;
  /** Switches send what they could pass from device to device up to the root complex and down again (ACS). */
  readonly redirects?: boolean;
}

/** What a limit is of: a GPU's ways to host memory, those of NICs to its memory, those to peers through a CPU or two, or a core that works for it. */
export type LimitOf = 'host' | 'nic' | 'cpu' | 'socket' | 'core';

type Kind = 'memory' | 'shared' | 'read' | 'root' | 'socket' | 'kernel';

const names: Readonly<Record<Kind, string>> = {
  memory: 'host memory',
  shared: 'shared host memory',
  read: 'NICs that read',
  root: 'peers through the root complex',
  socket: 'peers through two sockets',
  kernel: 'a core in the kernel',
};
const limitOf: Readonly<Record<Kind, LimitOf>> = {
  memory: 'host',
  shared: 'host',
  read: 'nic',
  root: 'cpu',
  socket: 'socket',
  kernel: 'core',
};

/** Limits of GPUs as links of their own, which their messages cross besides the real ones. */
export class LimitLinks {
  /** The link of each rank, −1 without one. */
  private readonly of: Readonly<Record<Kind, Int32Array>>;
  private readonly known = new Map<NodeGraphs, Partial<Record<Kind, number>>[]>();

  constructor(
    ranks: number,
    private readonly limits: GpuLimits,
    /** Two GPUs of a group whose messages go by P2P, or through host memory. */
    private readonly via: (from: TopoNode, to: TopoNode) => string | undefined,
    private readonly add: (name: string, gpu: TopoNode, of: LimitOf, rate: number) => number,
  ) {
    const none = (): Int32Array => new Int32Array(ranks).fill(-1);
    this.of = { memory: none(), shared: none(), read: none(), root: none(), socket: none(), kernel: none() };
  }

  /** Makes the links of a group's GPUs: of those limits that their messages can meet. */
  make({ host, graphs, ranks }: Group): void {
    const { GPU } = graphs.ground.paths.system.nodes;
    const rates = this.known.get(graphs) ?? GPU.map((gpu) => this.rates(graphs, gpu));
    this.known.set(graphs, rates);
    const shared = new Map<string, number>();
    for (const [i, rank] of ranks.entries()) {
      const port = rootPort(graphs.ground.paths, GPU[i]!);
      for (const [kind, rate] of Object.entries(rates[i]!) as [Kind, number][]) {
        const key = (kind === 'root' || kind === 'socket') && port ? `${kind} ${port.seq}` : `${kind} ${rank} alone`;
        const made = shared.get(key);
        const name = `node${host} ${GPU[i]!.id} ↔ ${names[kind]}`;
        this.of[kind][rank] = made ?? this.add(name, GPU[i]!, limitOf[kind], rate);
        shared.set(key, this.of[kind][rank]!);
      }
    }
  }

  link(kind: Kind, rank: number): readonly number[] {
    const link = this.of[kind][rank]!;
    return link < 0 ? [] : [link];
  }

  /** What a message from device to device meets besides these links, at the GPU of a rank. */
  peer(links: readonly TopoLink[], rank: number): readonly number[] {
    if (links.some((l) => l.type === 'SYS')) return this.link('socket', rank);
    return links.some((l) => l.to.type === 'CPU') ? this.link('root', rank) : [];
  }

  private rates(graphs: NodeGraphs, gpu: TopoNode): Partial<Record<Kind, number>> {
    const { limits } = this;
    const { paths } = graphs.ground;
    const { GPU, NET } = paths.system.nodes;
    const staged = NET.map((n) => limits.staged(graphs, gpu, n, true) ?? limits.staged(graphs, gpu, n, false));
    const memory = staged.find((rate) => rate !== undefined);
    const meets = limits.shared !== undefined && GPU.some((other) => this.via(gpu, other) === 'SHM');
    const peers = this.passesCpu(graphs, gpu) ? limits.peers?.(graphs, gpu) : undefined;
    return {
      ...(limits.read === undefined ? {} : { read: limits.read }),
      ...(limits.kernel === undefined || NET.length === 0 ? {} : { kernel: limits.kernel }),
      ...(memory === undefined ? {} : { memory }),
      ...(meets ? { shared: limits.shared! } : {}),
      ...peers,
    };
  }

  /** Does it send to another device, or get from one, through a CPU but not its memory? */
  private passesCpu(graphs: NodeGraphs, gpu: TopoNode): boolean {
    const { paths } = graphs.ground;
    const { limits } = this;
    if (limits.redirects) return true;
    const { GPU } = paths.system.nodes;
    const through = (links: readonly TopoLink[]): boolean => links.some((l) => l.to.type === 'CPU');
    if (GPU.some((other) => this.via(gpu, other) === 'P2P' && through(paths.links(gpu, other)))) return true;
    return netsOf(graphs, gpu).some((net) => through(paths.links(net, gpu)) || through(paths.links(gpu, net)));
  }
}

/** The link by which a GPU, or the switches above it, hangs on its CPU. */
export function rootPort(paths: Paths, gpu: TopoNode): TopoLink | undefined {
  const [cpu] = paths.local(gpu, 'CPU');
  return cpu && paths.links(gpu, cpu).find((l) => l.to === cpu && l.type === 'PCI');
}

/** NICs by which a GPU's channels enter or leave, and those that are nearest to it. */
function netsOf({ ground: { paths }, ...graphs }: NodeGraphs, gpu: TopoNode): readonly TopoNode[] {
  const { GPU, NET } = paths.system.nodes;
  const index = GPU.indexOf(gpu);
  const nets = new Set(paths.local(gpu, 'NET'));
  for (const graph of [graphs.ring, graphs.tree, graphs.nvls]) {
    const per = graphs.ranks.length;
    for (let c = 0; c < (graph?.nChannels ?? 0); c++) {
      const ends = [graph!.intra[c * per], graph!.intra[(c + 1) * per - 1]];
      for (const [k, end] of ends.entries()) {
        const net = end === index ? NET[graph!.inter[2 * c + k]!] : undefined;
        if (net) nets.add(net);
      }
    }
  }
  return [...nets];
}

/** One GPU writes to the memory of the other's CPU, and the other reads there (NCCL_SHM_LOCALITY=2, the default). */
export function throughHost(paths: Paths, from: TopoNode, to: TopoNode): readonly TopoLink[] {
  const [cpu] = paths.local(to, 'CPU');
  if (!cpu) return paths.links(from, to);
  return [...paths.links(from, cpu), ...back(paths.links(to, cpu))];
}

/** From device to device where switches send all they could pass up to the root complex and down again. */
export function redirected(paths: Paths, links: readonly TopoLink[]): readonly TopoLink[] {
  const first = links.findIndex((l) => l.type === 'PCI');
  const switched = links.filter((l) => l.type === 'PCI');
  const ends = [switched[0]?.from, switched.at(-1)?.to];
  if (switched.length < 2 || links.some((l) => l.to.type === 'CPU' || l.from.type === 'CPU')) return links;
  const gpu = ends.find((n) => n?.type === 'GPU' || n?.type === 'DEV');
  const cpu = gpu && paths.local(gpu, 'CPU')[0];
  if (!cpu) return links;
  const [from, to] = [ends[0]!, ends[1]!];
  const rest = links.slice(first + switched.length);
  return [...links.slice(0, first), ...paths.links(from, cpu), ...back(paths.links(to, cpu)), ...rest];
}

const back = (links: readonly TopoLink[]): TopoLink[] =>
  [...links].reverse().map((l) => l.to.links.find((r) => r.to === l.from && r.type === l.type) ?? l);
