import { bytes } from '../base/units.ts';
import { cloudNetworks } from '../catalogue/cloud-networks.ts';
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
    // On the wire TCPX is plain TCP.
    case 'tcpx':
      return 'tcp';
    case 'infiniband':
    case undefined:
      return 'infiniband';
    default:
      return undefined;
  }
}

/** What queue pairs cut their messages to: the largest that the link's MTU leaves room for (IBTA vol. 1, 9.3; RoCE takes 1,024 of 1,500). */
const pathMtus = [4096, 2048, 1024, 512, 256];

/**
 * Bytes that a packet of a kind holds at most on this network, counted as `WireOptions.mtu` counts them. What the inputs tell
 * is InfiniBand's MTU where RDMA travels, the link's where TCP is the transport; else the usual one.
 */
export function packetMtu(machine: Machine, kind: WireKind): number {
  const told = machine.fabric.mtu?.value;
  const transport = machine.fabric.transport?.value;
  switch (kind) {
    case 'tcp':
      if (transport === 'tcpx' || transport === 'tcpxo') return told ?? cloudNetworks.tcpxMtu.value;
      return (transport === 'tcp' ? told : undefined) ?? 1500;
    case 'ipoib-datagram':
      return 2044;
    case 'ipoib-connected':
      return 65520;
    case 'iwarp':
      // 4,096 is a description's default for RDMA, and no MTU of Ethernet.
      return told === undefined || told === 4096 ? 9000 : told;
    default:
      return pathMtus.find((mtu) => mtu <= (told ?? 4096)) ?? 256;
  }
}

/** The headers, payload and trailers of a full packet of a data path, in the order in which they travel. */
export function packetOf(machine: Machine, path: MovePath): readonly PacketPart[] | undefined {
  const kind = wireKind(machine, path);
  if (kind === undefined || kind === 'ipoib-connected') return undefined;
  return packetParts(kind, { mtu: bytes(packetMtu(machine, kind)), operation: 'write' });
}
