import type { Conflict } from '../fact/fact.ts';
import { editHost } from '../machine/edit.ts';
import type { Cpu, Host, NicPort, PciDevice } from '../machine/host.ts';
import { pciTree } from '../machine/names.ts';
import type { TopoDevice, TopoMatrix } from '../read/nvidia-smi-topo.ts';
import { say } from '../words/message.ts';
import { compareWithMatrix } from './compare-matrix.ts';
import { hostFromMatrix, withNvlinks } from './from-matrix.ts';

/**
 * A host of a PCIe tree beside a matrix of the same machine. The tree tells bridges, addresses and drives; the matrix NVLinks, NUMA nodes
 * and what the RDMA devices are called. Joined only where every letter agrees: else the matrix, which saw the drivers, stands alone.
 */
export function joinTree(
  tree: Host,
  matrix: TopoMatrix,
): { readonly host?: Host; readonly conflicts: readonly Conflict[] } {
  const wired = onNodes(named(withNvlinks(tree, matrix), matrix), hostFromMatrix(matrix).host);
  // What is used is the matrix: the second claim.
  const conflicts = compareWithMatrix(wired, matrix).map((c): Conflict => ({ ...c, used: 1 }));
  const nics = matrix.devices.filter((d) => d.kind === 'nic');
  const ports = portsByAddress(wired).length;
  if (conflicts.length === 0 && nics.length > ports) conflicts.push(moreNics(ports, wired, nics));
  const sameNics = nics.length === 0 || nics.length === ports;
  return conflicts.length === 0 && sameNics ? { host: wired, conflicts: [] } : { conflicts };
}

/** The tree has fewer, so that nobody knows which of the matrix it has. */
function moreNics(ports: number, { cpus }: Host, nics: readonly TopoDevice[]): Conflict {
  const at = cpus.flatMap((c) => c.devices.flatMap((d) => d.at)).slice(0, 1);
  return {
    about: say('assemble.conflict.nics'),
    claims: [
      { value: String(ports), at },
      { value: String(nics.length), at: nics.slice(0, 1).map((d) => d.at) },
    ],
    used: 1,
  };
}

/** Drivers number RDMA devices and nvidia-smi GPUs in the order of their addresses. */
function named(host: Host, matrix: TopoMatrix): Host {
  const nics = matrix.devices.filter((d) => d.kind === 'nic');
  const order = portsByAddress(host);
  if (nics.length !== order.length) return host;
  const inOrder = [...nics].sort((a, b) => (a.name ?? '').localeCompare(b.name ?? '', 'en', { numeric: true }));
  return editHost(host, {
    port: (p: NicPort) => {
      const nic = inOrder[order.indexOf(p.dev)];
      return nic ? { ...p, dev: nic.index, ...(nic.name === undefined ? {} : { name: nic.name }) } : p;
    },
  });
}

function portsByAddress(host: Host): number[] {
  const ports = host.cpus.flatMap((c, i) =>
    [...pciTree(c, i)].flatMap(({ device }) =>
      (device.ports ?? []).map((p) => ({ dev: p.dev, bus: device.busId ?? '' })),
    ),
  );
  return ports.sort((a, b) => (a.bus < b.bus ? -1 : a.bus > b.bus ? 1 : 0)).map((p) => p.dev);
}

/** What hangs below one host bridge is on the NUMA node that the matrix gives any GPU or NIC there. */
function onNodes(tree: Host, matrix: Host): Host {
  const nodeOf = new Map<string, Cpu>();
  for (const cpu of matrix.cpus) for (const d of cpu.devices) for (const key of keysOf(d)) nodeOf.set(key, cpu);
  const cpus = matrix.cpus.map((cpu): { cpu: Cpu; devices: PciDevice[] } => ({ cpu, devices: [] }));
  const all = tree.cpus.flatMap((c) => c.devices);
  const bridges = [...new Set(all.map((d) => d.hostBridge))];
  const told = bridges.map((b) =>
    all
      .filter((d) => d.hostBridge === b)
      .flatMap(keysOf)
      .map((k) => nodeOf.get(k))
      .find((c) => c !== undefined),
  );
  const model = tree.cpus[0];
  const loose: PciDevice[] = [];
  bridges.forEach((bridge, i) => {
    // Firmware numbers the root buses of a socket in a row: one between two of the same node is of that node.
    const before = told.slice(0, i).findLast((c) => c !== undefined);
    const after = told.slice(i + 1).find((c) => c !== undefined);
    const cpu = told[i] ?? (before === after || matrix.cpus.length === 1 ? (before ?? after) : undefined);
    const here = all.filter((d) => d.hostBridge === bridge);
    const place = cpus.find((c) => c.cpu === cpu);
    if (place) place.devices.push(...here);
    else loose.push(...here);
  });
  return {
    ...tree,
    cpus: [
      ...cpus.map(
        ({ cpu, devices }): Cpu => ({
          ...(model?.vendor ? { vendor: model.vendor } : {}),
          ...(model?.arch ? { arch: model.arch } : {}),
          ...cpu,
          devices,
        }),
      ),
      ...(loose.length > 0 && model ? [{ ...model, numa: -1, devices: loose }] : []),
    ],
  };
}

const keysOf = (d: PciDevice): string[] => [
  ...(d.gpus ?? []).map((g) => `gpu ${g.dev}`),
  ...(d.ports ?? []).map((p) => `nic ${p.name ?? p.dev}`),
  ...d.children.flatMap(keysOf),
];
