import { fail, ok, type Result } from '../base/result.ts';
import type { Host } from '../machine/host.ts';
import type { Machine } from '../machine/machine.ts';
import { type DeviceKind, type NamedDevice, nameDevices, splitName } from '../machine/names.ts';
import { type Message, say } from '../words/message.ts';

/** An end of a movement: GPU memory, memory of a NUMA node, a drive, all drives, a capture card, or a client on the network. */
export interface MoveEnd {
  readonly kind: 'gpu' | 'host' | 'nvme' | 'storage' | 'capture' | 'client';
  readonly name: string;
  readonly node: number;
  readonly host: Host;
  /** Do the switches send peer requests up to the root complex (ACS request redirect)? */
  readonly acs: boolean;
  /** GPU, NUMA node or drive; the first drive for `storage`; none for a capture card or a client. */
  readonly device: NamedDevice | undefined;
  /** Devices of the end's node. */
  readonly devices: readonly NamedDevice[];
}

/**
 * Does peer traffic go up to the root complex? With an IOMMU in use Linux switches ACS on at every bridge that can
 * (`pci_request_acs`, drivers/pci/pci.c), unless a fact says that it was switched off again.
 */
export const redirects = ({ software }: Machine): boolean => (software.acs ?? software.iommu)?.value === true;

/** A client is on no node of ours. */
const nowhere = -1;

/** Finds what `gpu0`, `node1/host0`, `nvme2`, `storage`, `capture0` or `client` means on a machine. */
export function findEnd(machine: Machine, name: string): Result<MoveEnd, Message> {
  const { node, local } = splitName(name.toLowerCase());
  const hostIndex = machine.hosts.length > 1 ? node : 0;
  const host = machine.hosts[hostIndex];
  // A machine told once may have a twin: `node1` is answered as `explain` does.
  if (!host || node >= Math.max(machine.nodes, machine.hosts.length === 1 ? 2 : machine.hosts.length)) {
    return fail(say('move.no-node', { node, nodes: machine.nodes }));
  }
  if (name.toLowerCase() === 'client') {
    return ok({ kind: 'client', name, node: nowhere, host, device: undefined, devices: [], acs: false });
  }
  const all = nameDevices(machine).filter((d) => d.host === hostIndex);
  const first = all[0]?.node ?? 0;
  const devices = all.filter((d) => d.node === (all.some((x) => x.node === node) ? node : first));
  const kind = /^(gpu|host|nvme|storage|capture)/.exec(local)?.[1] as MoveEnd['kind'] | undefined;
  const base = { name, node, host, devices, acs: redirects(machine) };
  if (kind === 'capture' && /^capture\d+$/.test(local)) return ok({ ...base, kind, device: undefined });
  const wanted = local.replace(/^host/, 'cpu');
  const device = kind === 'storage' ? devices.find((d) => d.kind === 'nvme') : devices.find((d) => d.local === wanted);
  if (kind !== undefined && (device || (kind === 'storage' && machine.storage))) return ok({ ...base, kind, device });
  const known = listEnds(machine, devices);
  if (/^(?:nvme|storage)/.test(local) && !devices.some((d) => d.kind === 'nvme'))
    return fail(say('move.no-drives', { known }));
  return fail(say('move.no-end', { name, known }));
}

function listEnds(machine: Machine, devices: readonly NamedDevice[]): string {
  const of = (kind: DeviceKind): string[] => devices.filter((d) => d.kind === kind).map((d) => d.local);
  const hosts = of('cpu').map((d) => d.replace('cpu', 'host'));
  const list = [of('gpu'), of('nvme'), hosts].flatMap(span);
  return [...list, ...(machine.storage ? ['storage'] : []), 'capture0', 'client'].join(', ');
}

/** The ends that a movement on the first node may have. */
export function knownEnds(machine: Machine): string {
  const all = nameDevices(machine).filter((d) => d.host === 0);
  return listEnds(
    machine,
    all.filter((d) => d.node === all[0]?.node),
  );
}

/** Names of one kind as a person would say them: `gpu0..gpu7`, unless some are missing between. */
function span(names: readonly string[]): string[] {
  const [first, last] = [names[0], names.at(-1)];
  const gap = (name: string, i: number): boolean => !name.endsWith(String(i)) || /\.\d+$/.test(name);
  if (first === undefined || last === undefined || names.length < 3 || names.some(gap)) return [...names];
  return [`${first}..${last}`];
}
