import type { Cpu, Gpu, NicPort, PciDevice } from '../../machine/host.ts';

/** NCCL's node types. DEV (the physical GPU that holds the links) exists from 2.30.3 on. */
export const nodeTypes = ['GPU', 'PCI', 'NVS', 'CPU', 'NIC', 'NET', 'DEV'] as const;
export type NodeType = (typeof nodeTypes)[number];

export type LinkType = 'LOC' | 'NVL' | 'C2C' | 'PCI' | 'SYS' | 'NET';

export interface TopoLink {
  readonly type: LinkType;
  readonly from: TopoNode;
  to: TopoNode;
  /** GB/s, 32-bit float as in NCCL. */
  bw: number;
  /** Dense number, given when the system is complete. */
  seq: number;
}

export interface TopoNode {
  readonly type: NodeType;
  /** NCCL's own id, such as `GPU/0-101c0`. */
  readonly id: string;
  /** Index of the host in a topology fused from several. */
  readonly host: number;
  /** Position among the nodes of its type. */
  index: number;
  /** Dense number over all nodes of the system. */
  seq: number;
  links: TopoLink[];
  readonly gpu?: GpuNode;
  readonly net?: NetNode;
  readonly cpu?: Cpu;
  readonly pci?: PciDevice;
  /** Devices: compute capability. */
  readonly sm?: number;
  /** PCI switches: vendor, device and subsystem ids joined, as NCCL compares them. */
  pciId?: bigint;
}

export interface GpuNode {
  readonly gpu: Gpu;
  readonly dev: number;
  readonly rank: number;
  readonly sm: number;
  readonly gdr: boolean;
}

export interface NetNode {
  readonly port: NicPort;
  /** Which of several fused hosts it belongs to (`Cpu.hostHash`). */
  readonly hostHash: string;
  readonly dev: number;
  /** GUID of the card, or the NET's own number when the source has none. */
  readonly asic: string;
  readonly portNumber: number;
  readonly bw: number;
  readonly latency: number;
  readonly gdr: boolean;
  readonly collectives: boolean;
  /** Index of the GPU that NCCL pairs with this NET; -1 for none. Set when paths are computed. */
  localGpu: number;
}

export interface System {
  readonly nodes: Record<NodeType, TopoNode[]>;
  /** All nodes in `seq` order. */
  all: TopoNode[];
  links: TopoLink[];
}

export const emptySystem = (): System => ({
  nodes: { GPU: [], PCI: [], NVS: [], CPU: [], NIC: [], NET: [], DEV: [] },
  all: [],
  links: [],
});

/** Adds to a link of the same type and end, or makes one; a node's links stay sorted by falling bandwidth, stable. */
export function connect(from: TopoNode, to: TopoNode, type: LinkType, bw: number): void {
  const links = from.links;
  let i = links.findIndex((l) => l.to === to && l.type === type);
  if (i < 0) {
    i = links.length;
    links.push({ type, from, to, bw: 0, seq: -1 });
  }
  const link = links[i]!;
  link.bw = Math.fround(link.bw + Math.fround(bw));
  while (i > 0 && links[i - 1]!.bw < link.bw) {
    links[i] = links[i - 1]!;
    i--;
  }
  links[i] = link;
}

export function addNode(system: System, node: Omit<TopoNode, 'index' | 'seq' | 'links'>): TopoNode {
  const list = system.nodes[node.type];
  const full: TopoNode = { ...node, index: list.length, seq: -1, links: [] };
  list.push(full);
  return full;
}

/** Numbers nodes and links densely; called once the graph is complete and again after nodes were removed. */
export function number(system: System): void {
  system.all = [];
  system.links = [];
  for (const type of nodeTypes) {
    system.nodes[type].forEach((node, index) => {
      node.index = index;
      node.seq = system.all.length;
      system.all.push(node);
    });
  }
  for (const node of system.all) {
    for (const link of node.links) {
      link.seq = system.links.length;
      system.links.push(link);
    }
  }
}
