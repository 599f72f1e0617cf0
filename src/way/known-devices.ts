import type { Machine } from '../machine/machine.ts';
import { type DeviceKind, splitName } from '../machine/names.ts';
import { indexDevices } from './devices.ts';

/** Kinds by how often a way between them is asked for. */
const asked: readonly DeviceKind[] = ['gpu', 'nic', 'nvme', 'cpu', 'nvswitch', 'switch'];

/** Names of the devices that a way may lead between, the first of many: those like the one that was named, then the others. */
export function knownDevices(machine: Machine, like = ''): string {
  const { local } = splitName(like.toLowerCase());
  const weight = (kind: DeviceKind): number => (local.startsWith(kind) ? -1 : asked.indexOf(kind));
  const names = [...indexDevices(machine).all].sort((a, b) => weight(a.kind) - weight(b.kind)).map((d) => d.id);
  return names.length > 16 ? `${names.slice(0, 16).join(', ')} …` : names.join(', ');
}
