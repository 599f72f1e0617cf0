import type { NodeParts } from '../../catalogue/node.ts';

/** What hangs on one root port of a NUMA node, by number: a switch with devices below it, or one device. */
export interface Slot {
  readonly behindSwitch: boolean;
  readonly gpus: number[];
  readonly nics: number[];
  readonly drives: number[];
}

export interface NumaPlan {
  readonly numa: number;
  readonly socket: number;
  readonly slots: Slot[];
}

export interface DrivePlan {
  readonly count: number;
  readonly placement: 'same-switch' | 'same-socket' | 'other-socket';
}

/** Where every device of a described node goes. NUMA nodes stand in the order in which GPUs are dealt to them. */
export interface NodePlan {
  readonly numas: readonly NumaPlan[];
  /** Drives were wanted on another socket, and there is none. */
  readonly noOtherSocket: boolean;
}

/** The k-th of `count` things falls into this of `groups` equal, consecutive shares. */
const share = (k: number, count: number, groups: number): number => Math.floor((k * groups) / count);

export function planNode(parts: NodeParts, drives?: DrivePlan): NodePlan {
  const perSocket = parts.numaPerSocket ?? 1;
  const total = parts.sockets * perSocket;
  const order = parts.numaOrder ?? Array.from({ length: total }, (_, i) => i);
  const numas: NumaPlan[] = order.map((numa) => ({ numa, socket: Math.floor(numa / perSocket), slots: [] }));
  const slot = (behindSwitch: boolean): Slot => ({ behindSwitch, gpus: [], nics: [], drives: [] });

  const groups: Slot[] = [];
  if (parts.gpusPerSwitch > 0) {
    const count = Math.ceil(parts.gpus / parts.gpusPerSwitch);
    for (let g = 0; g < count; g++) {
      const group = slot(true);
      groups.push(group);
      numas[share(g, count, numas.length)]!.slots.push(group);
    }
    for (let i = 0; i < parts.gpus; i++) groups[Math.floor(i / parts.gpusPerSwitch)]!.gpus.push(i);
  } else {
    for (let i = 0; i < parts.gpus; i++) {
      const own = slot(false);
      own.gpus.push(i);
      numas[share(i, parts.gpus, numas.length)]!.slots.push(own);
    }
  }
  placeNics(parts, numas, groups, slot);
  const noOtherSocket = drives !== undefined && placeDrives(drives, numas, slot);
  addEmptySockets(parts, perSocket, numas);
  return { numas, noOtherSocket };
}

/**
 * NICs go below the switches of the GPUs, evenly when there are fewer than places (4 NICs over 8 switches: every other
 * one); what does not fit, or is to hang on the socket, is spread evenly over the NUMA nodes.
 */
function placeNics(parts: NodeParts, numas: NumaPlan[], groups: readonly Slot[], slot: (sw: boolean) => Slot): void {
  const below = parts.nicsPerSwitch;
  let done = 0;
  if (below > 0 && groups.length > 0) {
    const fit = Math.min(parts.nics, below * groups.length);
    for (; done < fit; done++) groups[share(done, fit, groups.length)]!.nics.push(done);
  } else if (below > 0) {
    const count = Math.ceil(parts.nics / below);
    for (let s = 0; s < count; s++) {
      const own = slot(true);
      while (own.nics.length < below && done < parts.nics) own.nics.push(done++);
      numas[share(s, count, numas.length)]!.slots.push(own);
    }
  }
  const rest = parts.nics - done;
  for (let i = 0; i < rest; i++) {
    const own = slot(false);
    own.nics.push(done + i);
    numas[share(i, rest, numas.length)]!.slots.push(own);
  }
}

/** Drives go next to GPU 0: on its switch, on its socket, or deliberately on another one. Says whether that failed. */
function placeDrives(drives: DrivePlan, numas: NumaPlan[], slot: (sw: boolean) => Slot): boolean {
  const home = numas.find((n) => n.slots.some((s) => s.gpus.includes(0))) ?? numas[0]!;
  const group = home.slots.find((s) => s.gpus.includes(0));
  const other = numas.find((n) => n.socket !== home.socket);
  const target = drives.placement === 'other-socket' ? (other ?? home) : home;
  for (let i = 0; i < drives.count; i++) {
    if (drives.placement === 'same-switch' && group?.behindSwitch) {
      group.drives.push(i);
      continue;
    }
    const own = slot(false);
    own.drives.push(i);
    target.slots.push(own);
  }
  return drives.placement === 'other-socket' && other === undefined;
}

/** A socket without any device is still there, and so is its memory. */
function addEmptySockets(parts: NodeParts, perSocket: number, numas: NumaPlan[]): void {
  for (let socket = 0; socket < parts.sockets; socket++) {
    if (!numas.some((n) => n.socket === socket)) numas.push({ numa: socket * perSocket, socket, slots: [] });
  }
  // Of NUMA nodes below one socket, those that stay empty say nothing; the first of a socket stays.
  for (let i = numas.length - 1; i >= 0; i--) {
    const n = numas[i]!;
    if (n.slots.length > 0) continue;
    const kept = numas.some((m) => m !== n && m.socket === n.socket && (m.slots.length > 0 || m.numa < n.numa));
    if (kept) numas.splice(i, 1);
  }
}
