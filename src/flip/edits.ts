import { assumed } from '../fact/fact.ts';
import { editHost, moved } from '../machine/edit.ts';
import type { Machine } from '../machine/machine.ts';
import { deviceAt, type NamedDevice, nameDevices } from '../machine/names.ts';
import type { Ask } from '../nccl/of-machine.ts';
import { releaseOf } from '../nccl/of-machine.ts';
import { pathTypes, SYS, typesOf } from '../nccl/path-type.ts';
import { atLeast, releaseFor, releases } from '../nccl/release.ts';
import { type Message, say } from '../words/message.ts';

/** What kind of change an edit is; the order is that of effort. */
export const efforts = ['unset', 'setting', 'module', 'upgrade', 'firmware', 'slot', 'part'] as const;
export type Effort = (typeof efforts)[number];

/** One changed fact: a variable, a module, a switch in the BIOS, a slot. */
export interface Edit {
  readonly id: string;
  readonly effort: Effort;
  /** Order among edits of equal effort, the mildest first. */
  readonly rank: number;
  readonly what: Message;
  readonly command?: string;
  readonly apply: (machine: Machine, ask: Ask) => { readonly machine: Machine; readonly ask: Ask };
}

export const cost = (edit: Edit): number => efforts.indexOf(edit.effort) * 1000 + edit.rank;

/** Devices that the edits may move or change: the ends of a question, and the NICs on its way. */
export interface Focus {
  readonly host: number;
  readonly gpus: readonly NamedDevice[];
  readonly nics: readonly NamedDevice[];
}

/** Every single edit that crowfly knows to propose, cheapest first. */
export function editsOf(machine: Machine, ask: Ask, focus: Focus): Edit[] {
  const edits = [
    ...variableEdits(machine, ask),
    ...capabilityEdits(machine, focus),
    ...statusEdits(machine),
    ...releaseEdits(machine, ask),
    ...slotEdits(machine, focus),
  ];
  return edits.sort((a, b) => cost(a) - cost(b) || (a.id < b.id ? -1 : 1));
}

const switches: readonly (readonly [string, readonly string[], string])[] = [
  ['NCCL_NET_GDR_READ', ['1', '0'], '2.4.2'],
  ['NCCL_P2P_DISABLE', ['1'], '2.3.5'],
  ['NCCL_NET_GDR_C2C', ['1', '0'], '2.26.2'],
  ['NCCL_PXN_C2C', ['1', '0'], '2.27.3'],
  ['NCCL_NVB_DISABLE', ['1'], '2.9.9'],
  ['NCCL_PXN_DISABLE', ['1'], '2.12.7'],
  ['NCCL_NET_DISABLE_INTRA', ['1'], '2.12.10'],
  ['NCCL_IGNORE_DISABLED_P2P', ['2', '1'], '2.12.7'],
];

/** Variables: removing one that is set, and every value the release knows. */
function variableEdits(machine: Machine, ask: Ask): Edit[] {
  const release = releaseOf(machine, ask);
  const edits: Edit[] = [];
  const set = new Map<string, string>();
  for (const [name, fact] of machine.software.env) set.set(name, fact.value);
  for (const [name, value] of ask.env ?? []) set.set(name, value);
  const add = (name: string, values: readonly string[]): void => {
    if (set.has(name)) edits.push(unset(name));
    values.forEach((value, i) => {
      if (set.get(name) !== value) edits.push(setting(name, value, i));
    });
  };
  const levels = typesOf(release).filter((t) => pathTypes.indexOf(t) <= SYS);
  add('NCCL_P2P_LEVEL', levels);
  add('NCCL_NET_GDR_LEVEL', levels);
  for (const [name, values, from] of switches) if (atLeast(release, from)) add(name, values);
  // They only ever take a way away.
  for (const name of ['NCCL_IB_DISABLE', 'NCCL_IB_HCA', 'NCCL_NET']) add(name, []);
  return edits;
}

function unset(name: string): Edit {
  return {
    id: `unset ${name}`,
    effort: 'unset',
    rank: 0,
    what: say('flip.unset', { name }),
    command: `unset ${name}`,
    apply: (machine, ask) => ({
      machine: { ...machine, software: { ...machine.software, env: without(machine.software.env, name) } },
      ask: { ...ask, env: without(ask.env ?? new Map(), name) },
    }),
  };
}

function setting(name: string, value: string, rank: number): Edit {
  return {
    id: `${name}=${value}`,
    effort: 'setting',
    rank,
    what: say('flip.set', { name, value }),
    command: `export ${name}=${value}`,
    apply: (machine, ask) => ({ machine, ask: { ...ask, env: new Map([...(ask.env ?? []), [name, value]]) } }),
  };
}

function without<V>(map: ReadonlyMap<string, V>, name: string): Map<string, V> {
  const copy = new Map(map);
  copy.delete(name);
  return copy;
}

/** GPUDirect RDMA on the NIC side (module or DMA-BUF, for all NICs of the hosts) and on the GPU side. */
function capabilityEdits(machine: Machine, focus: Focus): Edit[] {
  const edits: Edit[] = [];
  const ports = focus.nics.map((d) => deviceAt(machine.hosts[d.host]!, d.path)?.ports?.[d.slot ?? 0]);
  const gpus = focus.gpus.map((d) => deviceAt(machine.hosts[d.host]!, d.path)?.gpus?.[d.slot ?? 0]);
  const everywhere =
    (change: Parameters<typeof editHost>[1]): Edit['apply'] =>
    (m, ask) => ({
      machine: { ...m, hosts: m.hosts.map((h) => editHost(h, change)) },
      ask,
    });
  if (ports.some((p) => p && p.gdr !== true)) {
    edits.push({
      id: 'nic-gdr on',
      effort: 'module',
      rank: 0,
      what: say('flip.peermem'),
      command: 'sudo modprobe nvidia_peermem',
      apply: everywhere({ port: (p) => ({ ...p, gdr: true }) }),
    });
  }
  if (ports.some((p) => p && p.gdr !== false)) {
    edits.push({
      id: 'nic-gdr off',
      effort: 'module',
      rank: 1,
      what: say('flip.peermem-gone'),
      apply: everywhere({ port: (p) => ({ ...p, gdr: false }) }),
    });
  }
  if (gpus.some((g) => g && g.gdr !== true)) {
    edits.push({
      id: 'gpu-gdr on',
      effort: 'part',
      rank: 0,
      what: say('flip.gpu-gdr'),
      apply: everywhere({ gpu: (g) => ({ ...g, gdr: true }) }),
    });
  }
  if (gpus.some((g) => g && g.gdr !== false)) {
    edits.push({
      id: 'gpu-gdr off',
      effort: 'part',
      rank: 1,
      what: say('flip.gpu-gdr-gone'),
      apply: everywhere({ gpu: (g) => ({ ...g, gdr: false }) }),
    });
  }
  return edits;
}

/** What the driver says of P2P: firmware settings (ACS, IOMMU) or a driver without it. */
function statusEdits(machine: Machine): Edit[] {
  const status = machine.software.p2pStatus?.value;
  const to =
    (value: boolean): Edit['apply'] =>
    (m, ask) => ({
      machine: { ...m, software: { ...m.software, p2pStatus: assumed(value), p2pPairs: new Map() } },
      ask,
    });
  const edits: Edit[] = [];
  if (status !== true)
    edits.push({ id: 'p2p-status ok', effort: 'firmware', rank: 0, what: say('flip.p2p-ok'), apply: to(true) });
  if (status !== false)
    edits.push({ id: 'p2p-status bad', effort: 'firmware', rank: 1, what: say('flip.p2p-bad'), apply: to(false) });
  return edits;
}

/** Another NCCL: the releases after the one at hand, nearest first. */
function releaseEdits(machine: Machine, ask: Ask): Edit[] {
  const now = releaseOf(machine, ask);
  return releases
    .map((name) => releaseFor(name)!)
    .filter((r, i, all) => r.code > now.code && all.findIndex((o) => o.code === r.code) === i)
    .map((r, i) => ({
      id: `nccl ${r.name}`,
      effort: 'upgrade' as const,
      rank: i,
      what: say('flip.nccl', { version: r.name }),
      apply: (m: Machine, a: Ask) => ({ machine: m, ask: { ...a, nccl: r.name } }),
    }));
}

/** A NIC moved next to a GPU: below the same switch, or to the same NUMA node where the GPU hangs on none. */
function slotEdits(machine: Machine, focus: Focus): Edit[] {
  const host = machine.hosts[focus.host];
  if (!host) return [];
  const edits: Edit[] = [];
  const all = nameDevices(machine).filter((d) => d.host === focus.host);
  for (const nic of focus.nics) {
    for (const gpu of focus.gpus) {
      if (nic.host !== focus.host || gpu.host !== focus.host || nic.path.length < 2 || gpu.path.length < 2) continue;
      const parent = gpu.path.slice(0, -1);
      if (nic.path.slice(0, -1).join('.') === parent.join('.')) continue;
      const beside = all.find((d) => d.path.join('.') === parent.join('.'));
      edits.push({
        id: `move ${nic.id} to ${parent.join('.')}`,
        effort: 'slot',
        rank: 0,
        what: say('flip.slot', { nic: nic.id, place: beside?.id ?? '?', gpu: gpu.id }),
        apply: (m, ask) => ({
          machine: { ...m, hosts: m.hosts.map((h, i) => (i === focus.host ? moved(h, nic.path, parent) : h)) },
          ask,
        }),
      });
    }
  }
  return edits;
}
