import type { Where } from '../../fact/fact.ts';
import type { Cpu, Gpu, Host, PciDevice } from '../../machine/host.ts';
import type { Machine } from '../../machine/machine.ts';
import { type NamedDevice, nameDevices, nodesOf, nvswitchCount } from '../../machine/names.ts';
import { type Message, say } from '../../words/message.ts';
import { foldBoxes, foldHosts } from './fold.ts';
import { judgeLinks, type LinkSubject, linkMax, linkText } from './links.ts';
import type { BoxKind, Mark, Picture, PictureBox, PictureHost, PictureNote } from './model.ts';
import { foldNames, type NodeGpu, viewNvlinks } from './nvlink.ts';
import { legendOf, titleOf } from './title.ts';

export interface PictureOptions {
  /** Draw every device, however many are equal. */
  readonly unfolded?: boolean;
  /** Different hosts to draw at most. */
  readonly hosts?: number;
}

/** Makes a machine ready for drawing. */
export function picture(machine: Machine, options: PictureOptions = {}): Picture {
  const named = nameDevices(machine);
  const { ofCpu, count } = nodesOf(machine);
  const notes: PictureNote[] = [];
  const all: PictureHost[] = [];
  // One pass over the names, not one per node: an NVLink domain has hundreds of nodes.
  const byNode = new Map<number, NamedDevice[]>();
  for (const device of named) {
    const list = byNode.get(device.node);
    if (list === undefined) byNode.set(device.node, [device]);
    else list.push(device);
  }
  machine.hosts.forEach((host, hostIndex) => {
    const nodes = ofCpu[hostIndex]!;
    const cpusOf = new Map<number, number[]>();
    nodes.forEach((node, index) => {
      const list = cpusOf.get(node);
      if (list === undefined) cpusOf.set(node, [index]);
      else list.push(index);
    });
    const domain = machine.nvlinkDomain ?? (cpusOf.size > 1 ? gpuCount(byNode, cpusOf.keys()) : undefined);
    for (const [node, cpus] of cpusOf) {
      const label = count > 1 ? `node${node}` : '';
      all.push(drawNode(host, cpus, byNode.get(node) ?? [], label, domain, notes));
    }
  });
  const copies = machine.hosts.length === 1 && all.length === 1 ? machine.nodes : 1;
  const limit = options.hosts ?? 8;
  const folded = options.unfolded ? all : foldHosts(all);
  const shown = folded.slice(0, limit).map((host) => ({
    ...host,
    count: host.count * copies,
    cpus: options.unfolded ? host.cpus : host.cpus.map(foldBoxes),
  }));
  return {
    title: titleOf(machine),
    hosts: shown,
    hidden: folded.slice(limit).reduce((sum, host) => sum + host.count, 0),
    legend: legendOf(machine),
    notes: sortNotes(mergeNotes(notes)),
  };
}

const gpuCount = (byNode: ReadonlyMap<number, readonly NamedDevice[]>, nodes: Iterable<number>): number => {
  let sum = 0;
  for (const node of nodes) for (const device of byNode.get(node) ?? []) if (device.kind === 'gpu') sum++;
  return sum;
};

function drawNode(
  host: Host,
  cpuIndexes: readonly number[],
  devices: readonly NamedDevice[],
  label: string,
  domain: number | undefined,
  notes: PictureNote[],
): PictureHost {
  const at = new Map<string, NamedDevice[]>();
  for (const device of devices) {
    for (const path of [device.path, ...(device.twins ?? [])]) {
      if (path.length === 0) continue;
      const key = path.join('/');
      const list = at.get(key);
      if (list === undefined) at.set(key, [device]);
      else list.push(device);
    }
  }
  const subjects: LinkSubject[] = [];
  const gpus: NodeGpu[] = [];
  const walk = (device: PciDevice, path: readonly number[]): void => {
    const names = at.get(path.join('/')) ?? [];
    for (const name of names) {
      if (device.role !== 'nvswitch') subjects.push({ device, name: name.local });
      const gpu = name.kind === 'gpu' && name.slot !== undefined ? device.gpus?.[name.slot] : undefined;
      if (gpu !== undefined) gpus.push({ gpu, device, name: name.local });
    }
    device.children.forEach((child, i) => {
      walk(child, [...path, i]);
    });
  };
  for (const index of cpuIndexes) {
    host.cpus[index]!.devices.forEach((device, i) => {
      walk(device, [index, i]);
    });
  }
  gpus.sort((a, b) => a.gpu.dev - b.gpu.dev);

  const marks = new Map<string, Mark>();
  const prefix = label === '' ? '' : `${label}/`;
  const note = (mark: Mark, names: readonly string[], message: (names: string) => Message): void => {
    for (const name of names) if (rank(mark) > rank(marks.get(name))) marks.set(name, mark);
    notes.push({
      mark,
      devices: names.map((n) => prefix + n),
      message: message(foldNames(names.map((n) => prefix + n))),
    });
  };
  for (const finding of judgeLinks(subjects)) note(finding.mark, finding.names, finding.message);
  const view = viewNvlinks(
    gpus,
    nvswitchCount(
      host,
      gpus.map((g) => g.gpu),
    ),
    domain,
  );
  for (const { name, links, most } of view.short) {
    note('bad', [name], (names) => say('show.nvlink.short', { names, links, most }));
  }
  for (const { name, links, most } of view.tooMany) {
    note('look', [name], (names) => say('show.nvlink.tooMany', { names, links, most }));
  }

  const box = (device: PciDevice, path: readonly number[]): PictureBox[] => {
    const names = at.get(path.join('/')) ?? [];
    const children = device.children.flatMap((child, i) => box(child, [...path, i]));
    const link = linkText(linkMax(device.link));
    const base = {
      count: 1,
      at: device.at,
      // A stand-in ties NVLinks together and is nobody's address.
      ...(device.busId === undefined || device.standIn ? {} : { busId: device.busId }),
      ...(link === undefined ? {} : { link }),
    };
    const leaves = names
      .filter((n) => n.kind === 'gpu' || n.kind === 'nic' || n.kind === 'nvme')
      .map((n): PictureBox => {
        const mark = marks.get(n.local);
        const gpu = n.kind === 'gpu' && n.slot !== undefined ? device.gpus?.[n.slot] : undefined;
        const port = n.kind === 'nic' && n.slot !== undefined ? device.ports?.[n.slot] : undefined;
        return {
          ...base,
          kind: n.kind,
          label: n.local,
          id: n.id,
          ...(port?.speedMbps !== undefined && port.speedMbps > 0 ? { detail: gigabits(port.speedMbps) } : {}),
          ...(n.name === undefined ? {} : { name: n.name }),
          ...(mark === undefined ? {} : { mark }),
          at: placesOf(device.at, gpu?.at, port?.at, port?.gdrAt),
          nvlinks: gpu === undefined ? 0 : realLinks(gpu, device.busId),
          children: [],
        };
      });
    if (device.role === 'switch' || (device.role === 'bridge' && children.length > 0)) {
      const name = names.find((n) => n.kind === 'switch');
      const mark = name === undefined ? undefined : marks.get(name.local);
      return [
        {
          ...base,
          kind: device.role,
          label: name?.local ?? '',
          id: name?.id ?? device.busId ?? '',
          ...(mark === undefined ? {} : { mark }),
          nvlinks: 0,
          children: [...leaves, ...children],
        },
      ];
    }
    return [...leaves, ...children];
  };
  const cpus = cpuIndexes.map((index): PictureBox => {
    const cpu = host.cpus[index]!;
    const name = devices.find((d) => d.kind === 'cpu' && d.path[0] === index);
    const detail = cpuDetail(cpu, host);
    return {
      kind: 'cpu' satisfies BoxKind,
      label: name?.local ?? `cpu${Math.max(0, cpu.numa)}`,
      id: name?.id ?? '',
      count: 1,
      at: cpu.at,
      ...(detail === undefined ? {} : { detail }),
      nvlinks: 0,
      children: cpu.devices.flatMap((device, i) => box(device, [index, i])),
    };
  });
  return {
    label,
    ...(host.names[0] === undefined ? {} : { name: host.names[0] }),
    count: 1,
    cpus,
    ...(view.band === undefined ? {} : { band: view.band }),
    ...(view.mesh === undefined ? {} : { mesh: view.mesh }),
    lines: view.lines,
  };
}

/** So many places tell of one device; more would be a list, not an answer. */
const mostPlaces = 5;

/** The lines that tell of a device, each once. */
function placesOf(...lists: (readonly Where[] | undefined)[]): Where[] {
  const seen = new Map<string, Where>();
  for (const at of lists.flatMap((list) => list ?? [])) seen.set(`${at.file}:${at.line}`, at);
  return [...seen.values()].slice(0, mostPlaces);
}

/** NVLinks that lead somewhere: some clouds write the GPU itself as the other end of its bridge. */
const realLinks = (gpu: Gpu, busId: string | undefined): number =>
  gpu.nvlinks.reduce((total, link) => (link.to === 'gpu' && link.target === busId ? total : total + link.count), 0);

/** `400G`, `2.5G`. */
const gigabits = (mbps: number): string => `${Math.round(mbps / 100) / 10}G`;

function cpuDetail(cpu: Cpu, host: Host): Message | undefined {
  const byArch = { arm64: 'Arm', ppc64: 'POWER', x86_64: 'x86' } as const;
  const vendor =
    cpu.vendor !== undefined && cpu.vendor !== 'other'
      ? cpu.vendor
      : cpu.arch === undefined
        ? undefined
        : byArch[cpu.arch];
  const perSocket = host.cpus.filter((c) => c.socket !== undefined && c.socket === cpu.socket).length;
  if (vendor === undefined) return cpu.numa < 0 ? say('show.cpu.onlyNoNuma') : undefined;
  if (cpu.numa < 0) return say('show.cpu.noNuma', { vendor });
  return perSocket > 1 ? say('show.cpu.socket', { vendor, socket: cpu.socket! }) : say('show.cpu', { vendor });
}

const ranks: Record<Mark, number> = { unknown: 1, look: 2, bad: 3 };
const rank = (mark: Mark | undefined): number => (mark === undefined ? 0 : ranks[mark]);
const sortNotes = (notes: readonly PictureNote[]): PictureNote[] =>
  [...notes].sort((a, b) => rank(b.mark) - rank(a.mark));

/** The same thing said of several nodes is one note. */
function mergeNotes(notes: readonly PictureNote[]): PictureNote[] {
  const merged = new Map<string, PictureNote>();
  for (const note of notes) {
    const { names: _names, ...rest } = note.message.args;
    const key = `${note.mark}|${note.message.code}|${JSON.stringify(rest)}`;
    const before = merged.get(key);
    if (before === undefined) {
      merged.set(key, note);
      continue;
    }
    const devices = [...before.devices, ...note.devices];
    merged.set(key, { ...before, devices, message: say(note.message.code, { ...rest, names: foldNames(devices) }) });
  }
  return [...merged.values()];
}
