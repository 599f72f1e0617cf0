import { guidNumber } from './guid.ts';
import type { Cpu, Gpu, Host, NicPort, PciDevice } from './host.ts';

/** Equal hosts that one NVLink domain joins, as NCCL sees them: one topology, its parts told apart by `Cpu.hostHash`. */
export function fuseHosts(host: Host, copies: number): Host {
  const ranks = rankCount(host);
  const cpus = Array.from({ length: copies }, (_, i) =>
    host.cpus.map(
      (cpu): Cpu => ({
        ...cpu,
        hostHash: `0x${(i + 1).toString(16)}`,
        devices: cpu.devices.map((d) => ofCopy(d, i, ranks)),
      }),
    ),
  );
  return { ...host, cpus: cpus.flat() };
}

export const gpuCount = (host: Host): number => gpusOf(host.cpus.flatMap((c) => c.devices)).length;

/** GPUs that a job uses: all where none has a rank. */
export function rankCount(host: Host): number {
  const gpus = gpusOf(host.cpus.flatMap((c) => c.devices));
  return gpus.filter((g) => g.rank !== undefined).length || gpus.length;
}

const gpusOf = (devices: readonly PciDevice[]): Gpu[] =>
  devices.flatMap((d) => [...(d.gpus ?? []), ...gpusOf(d.children)]);

/** Ranks go on where the copy before ended, and cards have GUIDs of their own: by those NCCL tells them apart. */
function ofCopy(device: PciDevice, copy: number, ranks: number): PciDevice {
  const gpus = device.gpus?.map((g): Gpu => (g.rank === undefined ? g : { ...g, rank: g.rank + copy * ranks }));
  const ports = device.ports?.map(
    (p): NicPort => (p.guid === undefined || copy === 0 ? p : { ...p, guid: `0x${guidOf(p.guid, copy).toString(16)}` }),
  );
  return {
    ...device,
    ...(gpus ? { gpus } : {}),
    ...(ports ? { ports } : {}),
    children: device.children.map((c) => ofCopy(c, copy, ranks)),
  };
}

const guidOf = (guid: string, copy: number): bigint => BigInt.asUintN(64, guidNumber(guid) + (BigInt(copy) << 40n));

/**
 * NICs that hang on one switch as a library shows them that joins them to as many rails as GPUs hang there: what AWS's
 * plugin for EFA does (https://github.com/aws/aws-ofi-nccl, multi-rail groups).
 */
export function joinRails(host: Host): Host {
  return { ...host, cpus: host.cpus.map((c) => ({ ...c, devices: c.devices.map(joined) })) };
}

const wider = (port: NicPort, joined: number): NicPort => ({
  ...port,
  joined,
  ...(port.speedMbps === undefined ? {} : { speedMbps: port.speedMbps * joined }),
});

function joined(device: PciDevice): PciDevice {
  const children = device.children.map(joined);
  const gpus = children.filter((c) => c.role === 'gpu').length;
  const nics = children.filter((c) => c.role === 'nic' && c.ports?.length === 1);
  if (gpus === 0 || nics.length <= gpus || nics.length % gpus !== 0) return { ...device, children };
  const rails = nics.length / gpus;
  const kept = new Set(nics.filter((_, i) => i % rails === 0));
  const wide = (nic: PciDevice): PciDevice => ({
    ...nic,
    link: children.find((c) => c.role === 'gpu')?.link ?? nic.link,
    ports: nic.ports!.map((p): NicPort => wider(p, rails)),
  });
  const left = children.filter((c) => !nics.includes(c) || kept.has(c));
  return { ...device, children: left.map((c) => (kept.has(c) ? wide(c) : c)) };
}

/**
 * The ports of one card as one NIC, as NCCL has them since 2.20.3 (src/transport/net_ib.cc, later src/graph/topo.cc): two of one rate, of
 * which `chosen` leaves both.
 */
export function joinCards(host: Host, chosen: (port: NicPort) => boolean): Host {
  return { ...host, cpus: host.cpus.map((c) => ({ ...c, devices: withCards(c.devices, chosen) })) };
}

/** Functions of one device that have a port each: the first stands for both. */
function withCards(devices: readonly PciDevice[], chosen: (port: NicPort) => boolean): PciDevice[] {
  const out: PciDevice[] = [];
  const first = new Map<string, number>();
  for (const device of devices) {
    const port = device.apart && device.ports?.length === 1 ? device.ports[0]! : undefined;
    const card = port && chosen(port) ? device.busId?.replace(/\.[0-7]$/, '') : undefined;
    const at = card === undefined ? undefined : first.get(card);
    const before = at === undefined ? undefined : out[at]!.ports![0]!;
    if (before && sameRate(before, port!)) {
      const name = before.name && port!.name ? { name: `${before.name}+${port!.name}` } : {};
      out[at!] = { ...out[at!]!, ports: [{ ...wider(before, 2), ...name }] };
      continue;
    }
    if (card !== undefined) first.set(card, out.length);
    out.push(device.children.length > 0 ? { ...device, children: withCards(device.children, chosen) } : device);
  }
  return out;
}

const sameRate = (a: NicPort, b: NicPort): boolean =>
  a.joined === undefined && a.speedMbps === b.speedMbps && a.layer === b.layer;
