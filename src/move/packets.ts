import { bytes } from '../base/units.ts';
import type { Machine } from '../machine/machine.ts';
import type { WireKind } from '../wire/efficiency.ts';
import { type PacketPart, packetParts } from '../wire/packet-parts.ts';
import type { MovePath } from './model.ts';

/** The network packets behind a data path; nothing where it crosses none, or one whose packets are not public. */
export function wireKind(machine: Machine, path: MovePath): WireKind | undefined {
  if (path === 'tcp' || path === 'ipoib-datagram' || path === 'ipoib-connected') return path;
  if (path !== 'host-rdma' && path !== 'host-staged-rdma' && path !== 'gpudirect-rdma') return undefined;
  switch (machine.fabric.transport?.value) {
    case 'roce':
      return 'roce-v2';
    case 'iwarp':
      return 'iwarp';
    case 'infiniband':
    case undefined:
      return 'infiniband';
    default:
      return undefined;
  }
}

/** The headers, payload and trailers of a full packet of a data path, in the order in which they travel. */
export function packetOf(machine: Machine, path: MovePath): readonly PacketPart[] | undefined {
  const kind = wireKind(machine, path);
  if (kind === undefined || kind === 'ipoib-connected') return undefined;
  const told = machine.fabric.mtu?.value;
  const usual: Record<typeof kind, number> = {
    infiniband: Math.min(4096, told ?? 4096),
    'roce-v2': Math.min(4096, told ?? 4096),
    iwarp: told ?? 9000,
    tcp: told ?? 1500,
    'ipoib-datagram': 2044,
  };
  return packetParts(kind, { mtu: bytes(usual[kind]), operation: 'write' });
}
