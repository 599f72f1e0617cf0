import { nearest } from '../../base/nearest.ts';
import { cpus } from '../../catalogue/cpus.ts';
import { meshLinks } from '../../catalogue/cube-mesh.ts';
import { gpus } from '../../catalogue/gpus.ts';
import { nics } from '../../catalogue/nics.ts';
import { linkKinds, type NodeParts } from '../../catalogue/node.ts';
import { genNumber, type PcieGen, pcieGenerations } from '../../catalogue/pcie.ts';
import { findSystem, nearestSystem, systems } from '../../catalogue/systems.ts';
import { say } from '../../words/message.ts';
import { parseRate } from './rate.ts';
import type { NodeSource } from './types.ts';
import { Section } from './values.ts';

/** The `node:` of a description: a catalogue id, `{file: …}`, or parts. */
export function readNode(top: Section): NodeSource | undefined {
  const value = top.raw('node');
  if (value === undefined || value.kind === 'nothing') return top.missing('node');
  if (value.kind === 'text') {
    const system = findSystem(value.text);
    if (system !== undefined) return { kind: 'system', system: system.id, at: value.at };
    const close = nearestSystem(value.text);
    const args = { key: 'node', value: value.text.slice(0, 60), known: [...systems.keys()].join(', ') };
    return top.problem(
      close === undefined
        ? say('cluster.unknownValue', args)
        : say('cluster.unknownValueNear', { ...args, nearest: close }),
      value.at,
    );
  }
  if (value.kind !== 'map') return top.problem(say('cluster.nodeShape'), value.at);
  const section = new Section(value.entries, 'node', value.at, top.problems);
  if (section.has('file')) {
    const path = section.text('file');
    section.finish();
    return path === undefined ? undefined : { kind: 'file', path: path.value, at: path.at[0]! };
  }
  const parts = readParts(section);
  section.finish();
  return parts === undefined ? undefined : { kind: 'parts', parts, at: value.at, keys: section.places() };
}

function readParts(node: Section): NodeParts | undefined {
  const before = node.problems.length;
  const gpu = node.choice('gpu', gpus.keys());
  const count = node.number('gpus', 1, 256);
  const link = node.choice('link', linkKinds)?.value ?? 'pcie';
  const nic = readNic(node);
  const nicCount = node.number('nics', 0, 256)?.value ?? (nic === undefined ? 0 : 1);
  const cpu = node.choice('cpu', cpus.keys());
  const sockets = node.number('sockets', 1, 32)?.value ?? 1;
  const pcie = node.choice('pcie', pcieGenerations.keys())?.value;
  const gpusPerSwitch = node.number('gpusPerSwitch', 0, 64)?.value ?? 0;
  const nicsPerSwitch = node.number('nicsPerSwitch', 0, 64)?.value;
  const nvlinksPerPair = node.number('nvlinksPerPair', 1, 64)?.value;
  const numaPerSocket = node.number('numaPerSocket', 1, 8)?.value;
  if (!node.has('gpu')) node.missing('gpu');
  if (!node.has('gpus')) node.missing('gpus');
  if (!node.has('cpu')) node.missing('cpu');
  if (nicCount > 0 && nic === undefined && !node.has('nic')) node.missing('nic');
  if (gpu === undefined || count === undefined || cpu === undefined || node.problems.length > before) return undefined;

  const switches = gpusPerSwitch === 0 ? 0 : Math.ceil(count.value / gpusPerSwitch);
  const parts: NodeParts = {
    gpu: gpu.value,
    gpus: count.value,
    link,
    ...(nvlinksPerPair === undefined ? {} : { nvlinksPerPair }),
    ...nic,
    nics: nicCount,
    cpu: cpu.value,
    sockets,
    ...(numaPerSocket === undefined ? {} : { numaPerSocket }),
    pcie: pcie ?? slower(gpus.get(gpu.value)!.pcie.gen.value, cpus.get(cpu.value)!.pcieGen.value),
    gpusPerSwitch,
    nicsPerSwitch: nicsPerSwitch ?? (switches === 0 ? 0 : Math.ceil(nicCount / switches)),
  };
  checkTogether(node, parts);
  return node.problems.length > before ? undefined : parts;
}

/** `nic: 200Gb/s`, or an adapter of the catalogue. */
function readNic(node: Section): { nicGbps: number; nicPart?: string } | undefined {
  const text = node.text('nic');
  if (text === undefined) return undefined;
  const rate = parseRate(text.value);
  if (rate !== undefined) return { nicGbps: rate };
  const part = nics.get(text.value.toLowerCase());
  if (part !== undefined) return { nicGbps: part.portRate.value, nicPart: part.id };
  const close = nearest(text.value, nics.keys());
  const args = { key: 'node.nic', value: text.value.slice(0, 60), known: `200Gb/s, ${[...nics.keys()].join(', ')}` };
  return node.problem(
    close === undefined
      ? say('cluster.unknownValue', args)
      : say('cluster.unknownValueNear', { ...args, nearest: close }),
    text.at[0],
  );
}

/** Parts that are fine each but cannot stand in one node. */
function checkTogether(node: Section, parts: NodeParts): void {
  const gpu = gpus.get(parts.gpu)!;
  const most = cpus.get(parts.cpu)!.maxSockets.value;
  if (parts.sockets > most) {
    node.problem(
      say('cluster.outOfRange', { key: 'node.sockets', value: parts.sockets, low: 1, high: most }),
      node.where('sockets'),
    );
  }
  if (parts.link !== 'pcie' && gpu.nvlink === undefined) {
    node.problem(say('cluster.noNvlink', { gpu: gpu.id, link: parts.link }), node.where('link'));
    return;
  }
  if (parts.link === 'nvlink-hybrid-cube-mesh' && parts.gpus > 8) {
    node.problem(
      say('cluster.outOfRange', { key: 'node.gpus', value: parts.gpus, low: 1, high: 8 }),
      node.where('gpus'),
    );
  }
  if (parts.link === 'nvlink-pairs' && parts.gpus % 2 !== 0) {
    node.problem(say('cluster.oddPairs', { gpus: parts.gpus }), node.where('gpus'));
  }
  const links = gpu.nvlink?.links.value ?? 0;
  const perPair = parts.nvlinksPerPair ?? 1;
  const asked = {
    pcie: 0,
    nvswitch: 0,
    'nvlink-pairs': perPair,
    'nvlink-all-to-all': perPair * (parts.gpus - 1),
    'nvlink-hybrid-cube-mesh': meshLinks(Math.min(8, parts.gpus)),
  }[parts.link];
  if (asked > links) {
    node.problem(
      say('cluster.tooManyLinks', { gpu: gpu.id, links, asked }),
      node.where(node.has('nvlinksPerPair') ? 'nvlinksPerPair' : 'gpus'),
    );
  }
}

const slower = (a: number, b: number): PcieGen => {
  const gen = Math.min(a, b);
  return [...pcieGenerations.keys()].find((id) => genNumber(id) === gen) ?? 'gen3';
};
