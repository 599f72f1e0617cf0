import { nearest } from '../base/nearest.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { type PcieGen, pcieGenerations } from '../catalogue/pcie.ts';
import { assumed } from '../fact/fact.ts';
import { editHost, moved } from '../machine/edit.ts';
import type { Host, PciDevice } from '../machine/host.ts';
import type { Machine, Software } from '../machine/machine.ts';
import { deviceAt, findDevice, type NamedDevice } from '../machine/names.ts';
import { type Message, say } from '../words/message.ts';

/** `--assume FACT=VALUE`: a fact the inputs lack or get wrong, or a change to try. */
export type Assumption =
  | { readonly fact: SwitchFact; readonly on: boolean }
  /** `nic0.slot=gpu4`: that device hangs where the other one does. */
  | { readonly fact: 'slot'; readonly device: string; readonly beside: string }
  /** `nic0.link=gen4x8`: the PCIe link of that device. */
  | { readonly fact: 'link'; readonly device: string; readonly gen: PcieGen; readonly width: number }
  /** `nic0.rate=200Gb/s`: the port of that NIC. */
  | { readonly fact: 'rate'; readonly device: string; readonly mbps: number };

/** What is on or off for the whole machine. */
export type SwitchFact = (typeof switches)[number];

const switches = ['gdr', 'p2p', 'acs', 'iommu', 'peermem', 'dmabuf', 'nvlink', 'p2pdma'] as const;
const ofDevice = ['slot', 'link', 'rate'] as const;
const on = new Set(['on', 'yes', 'true', '1']);
const off = new Set(['off', 'no', 'false', '0']);

const known = [...switches, ...ofDevice.map((f) => `DEVICE.${f}`)].join(', ');

export function parseAssumption(text: string): Result<Assumption, Message> {
  const i = text.indexOf('=');
  const name = i < 0 ? text : text.slice(0, i);
  const value = i < 0 ? '' : text.slice(i + 1).trim();
  const dot = name.lastIndexOf('.');
  if (dot > 0) return deviceAssumption(name.slice(0, dot), name.slice(dot + 1), value);
  const fact = switches.find((f) => f === name);
  if (fact === undefined) return unknown(name, switches);
  if (on.has(value.toLowerCase())) return ok({ fact, on: true });
  if (off.has(value.toLowerCase())) return ok({ fact, on: false });
  return fail(say('assemble.assume.value', { fact, value }));
}

function unknown(name: string, names: readonly string[]): Result<Assumption, Message> {
  const near = nearest(name, names);
  return fail(
    say(near ? 'assemble.assume.unknown-near' : 'assemble.assume.unknown', { name, near: near ?? '', known }),
  );
}

function deviceAssumption(device: string, name: string, value: string): Result<Assumption, Message> {
  const fact = ofDevice.find((f) => f === name);
  const wrong = (form: string): Result<Assumption, Message> =>
    fail(say('assemble.assume.form', { fact: `${device}.${name}`, value, form }));
  switch (fact) {
    case undefined:
      return unknown(name, ofDevice);
    case 'slot':
      return /^[\w/]{1,40}$/.test(value) ? ok({ fact, device, beside: value }) : wrong('gpu4, cpu1');
    case 'link': {
      const found = /^gen([3-6])x(1|2|4|8|16)$/i.exec(value);
      if (!found) return wrong('gen4x8');
      return ok({ fact, device, gen: `gen${found[1]!}` as PcieGen, width: Number(found[2]) });
    }
    case 'rate': {
      const found = /^(\d{1,5}(?:\.\d{1,3})?)\s*(?:Gb\/s|Gbps|G)$/i.exec(value);
      if (!found || Number(found[1]) <= 0) return wrong('200Gb/s');
      return ok({ fact, device, mbps: Number(found[1]) * 1000 });
    }
  }
}

/** An assumption as it is typed. */
export function assumptionText(a: Assumption): string {
  switch (a.fact) {
    case 'slot':
      return `${a.device}.slot=${a.beside}`;
    case 'link':
      return `${a.device}.link=${a.gen}x${a.width}`;
    case 'rate':
      return `${a.device}.rate=${Math.round(a.mbps / 100) / 10}Gb/s`;
    default:
      return `${a.fact}=${a.on ? 'on' : 'off'}`;
  }
}

/** The machine with the assumptions in force, in their order; each stays marked as assumed. */
export function assume(machine: Machine, assumptions: readonly Assumption[]): Result<Machine, Message> {
  let m = machine;
  for (const a of assumptions) {
    const next = one(m, a);
    if (!next.ok) return next;
    m = next.value;
  }
  return ok(m);
}

function one(m: Machine, a: Assumption): Result<Machine, Message> {
  switch (a.fact) {
    case 'gdr':
      return ok(withGdr({ ...m, software: { ...m.software, gdr: assumed(a.on) } }, a.on, true));
    case 'p2p':
      // Assumed of all pairs, whatever a table says of some.
      return ok({ ...m, software: { ...m.software, p2pStatus: assumed(a.on), p2pPairs: new Map() } });
    case 'peermem':
    case 'dmabuf': {
      // Either of the two lets a NIC register GPU memory; without both it cannot.
      const software: Software = { ...m.software, [a.fact]: assumed(a.on) };
      const other = (a.fact === 'peermem' ? software.dmabuf : software.peermem)?.value;
      const next = { ...m, software };
      if (a.on || other === true) return ok(withGdr(next, true, false));
      // What worked is taken to have worked by what is gone now; where nobody said that it worked, the other may yet do it.
      return ok(other === false ? withGdr(next, false, false) : withoutWorkingGdr(next));
    }
    case 'nvlink':
      return ok(a.on ? m : withoutNvlink(m));
    case 'slot':
      return slot(m, a.device, a.beside);
    case 'link':
      return atDevice(m, a.device, (d) => ({
        ...d,
        link: { speed: pcieGenerations.get(a.gen)!.speedText, width: a.width },
      }));
    case 'rate':
      return atDevice(m, a.device, (d, slotOf) => ({
        ...d,
        ...(d.ports ? { ports: d.ports.map((p, i) => (i === slotOf ? { ...p, speedMbps: a.mbps } : p)) } : {}),
      }));
    default:
      return ok({ ...m, software: { ...m.software, [a.fact]: assumed(a.on) } satisfies Software });
  }
}

const withGdr = (m: Machine, gdr: boolean, gpus: boolean): Machine => ({
  ...m,
  hosts: m.hosts.map((h) =>
    editHost(h, { port: (p) => ({ ...p, gdr }), ...(gpus ? { gpu: (g) => ({ ...g, gdr }) } : {}) }),
  ),
});

const withoutWorkingGdr = (m: Machine): Machine => ({
  ...m,
  hosts: m.hosts.map((h) => editHost(h, { port: (p) => (p.gdr === true ? { ...p, gdr: false } : p) })),
});

function withoutNvlink(m: Machine): Machine {
  const { nvlinkDomain: _domain, ...rest } = m;
  return {
    ...rest,
    hosts: m.hosts.map((h) => {
      const { nvswitches: _switches, ...host } = h;
      return editHost(host, { gpu: (g) => ({ ...g, nvlinks: [] }) });
    }),
  };
}

function find(m: Machine, name: string): Result<NamedDevice, Message> {
  const device = findDevice(m, name);
  return device && device.path.length > 0 ? ok(device) : fail(say('assemble.assume.no-device', { name }));
}

/** Changes one PCI device; of hosts that stand for several equal nodes, on all of them. */
function atDevice(
  m: Machine,
  name: string,
  change: (device: PciDevice, slot: number | undefined) => PciDevice,
): Result<Machine, Message> {
  const found = find(m, name);
  if (!found.ok) return found;
  const { host, path, slot: at } = found.value;
  const target = deviceAt(m.hosts[host]!, path);
  if (!target) return fail(say('assemble.assume.no-device', { name }));
  const walk = (d: PciDevice): PciDevice =>
    d === target ? change(d, at) : d.children.length > 0 ? { ...d, children: d.children.map(walk) } : d;
  return ok(withHost(m, host, (h) => ({ ...h, cpus: h.cpus.map((c) => ({ ...c, devices: c.devices.map(walk) })) })));
}

const withHost = (m: Machine, index: number, change: (host: Host) => Host): Machine => ({
  ...m,
  hosts: m.hosts.map((h, i) => (i === index ? change(h) : h)),
});

function slot(m: Machine, name: string, beside: string): Result<Machine, Message> {
  const from = find(m, name);
  if (!from.ok) return from;
  const to = find(m, beside);
  if (!to.ok) return to;
  if (from.value.host !== to.value.host || from.value.path.length < 2)
    return fail(say('assemble.assume.slot', { name, beside }));
  // Beside a device is below its parent; a NUMA node or a switch is a parent itself.
  const inside = to.value.kind === 'cpu' || to.value.kind === 'switch';
  const parent = inside ? to.value.path : to.value.path.slice(0, -1);
  return ok(withHost(m, from.value.host, (h) => moved(h, from.value.path, parent)));
}
