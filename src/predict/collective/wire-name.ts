import type { Ends } from '../../collective/clock/wires.ts';
import type { LinkType, TopoNode } from '../../nccl/system/node.ts';

/** A wire that channels share: what it is, and between which devices. */
export interface Wire {
  readonly kind: 'nvlink' | 'pcie' | 'socket' | 'port' | 'root' | 'read' | 'core';
  /** `gpu0–nvswitch`, `nic0`. */
  readonly of: string;
}

/** What people call that which holds a GPU beyond its links, and where its ways then lead. */
const limited = { host: 'pcie', nic: 'read', cpu: 'root', socket: 'socket', core: 'core' } as const;
const ends = { host: 'host', nic: 'nic', cpu: 'cpu', socket: 'cpu', core: 'core' } as const;

export function wireOf(type: LinkType, { from, to, of }: Ends): Wire {
  if (!to) return { kind: limited[of ?? 'host'], of: `${nameOf(from)}–${ends[of ?? 'host']}` };
  const port = [from, to].find((n) => n.type === 'NET');
  if (port) return { kind: 'port', of: nameOf(port) };
  const kind = type === 'NVL' || type === 'C2C' ? 'nvlink' : type === 'PCI' ? 'pcie' : 'socket';
  return { kind, of: `${nameOf(from)}–${nameOf(to)}` };
}

/** As people call it: the GPU of a DEV, the port of a NIC; a switch by its address. */
function nameOf(node: TopoNode): string {
  switch (node.type) {
    case 'GPU':
      return `gpu${node.gpu!.dev}`;
    case 'DEV': {
      const gpu = node.links.find((l) => l.to.type === 'GPU')?.to;
      return gpu ? nameOf(gpu) : node.id;
    }
    case 'NET':
      return `nic${node.net!.dev}`;
    case 'NIC': {
      const net = node.links.find((l) => l.to.type === 'NET')?.to;
      return net ? nameOf(net) : node.id;
    }
    case 'CPU':
      return `cpu${node.index}`;
    case 'NVS':
      return 'nvswitch';
    case 'PCI':
      return `switch${node.index}`;
  }
}
