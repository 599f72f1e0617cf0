import { gpus as parts } from '../../catalogue/gpus.ts';
import type { Gpu, PciDevice } from '../../machine/host.ts';
import { type Message, say } from '../../words/message.ts';
import type { NvlinkMesh } from './model.ts';

/** A GPU of one node with its place and name. */
export interface NodeGpu {
  readonly gpu: Gpu;
  readonly device: PciDevice;
  /** `gpu0`. */
  readonly name: string;
}

export interface NvlinkView {
  readonly band?: Message;
  readonly mesh?: NvlinkMesh;
  readonly lines: readonly Message[];
  /** GPUs with fewer NVLinks than the others. */
  readonly short: readonly LinkCount[];
  /** GPUs with more NVLinks than the part has: the input is wrong. */
  readonly tooMany: readonly LinkCount[];
}

interface LinkCount {
  readonly name: string;
  readonly links: number;
  readonly most: number;
}

/** Larger squares are no picture any more. */
const largestMesh = 16;

/** How the NVLinks of a node are told: a band for a switch, a line for a simple pattern, a square of numbers otherwise. */
export function viewNvlinks(gpus: readonly NodeGpu[], chips: number, domain: number | undefined): NvlinkView {
  const lines: Message[] = [];
  const toSwitch = gpus.map((g) => sum(g.gpu, 'nvswitch'));
  const most = Math.max(0, ...toSwitch);
  const attached = gpus.filter((_, i) => toSwitch[i]! > 0);
  let band: Message | undefined;
  if (most > 0) {
    const chip = chips > 1 ? say('show.nvswitch.chips', { chips }) : say('show.nvswitch.some');
    const args = { chip, links: most, rate: perDirection(attached[0]!.gpu, most) };
    band =
      domain !== undefined && domain > gpus.length
        ? say('show.nvswitch.domain', { ...args, domain })
        : attached.length === gpus.length
          ? say('show.nvswitch.band', args)
          : say('show.nvswitch.part', { ...args, gpus: foldNames(attached.map((g) => g.name)) });
  }
  const short = gpus
    .map((g, i) => ({ name: g.name, links: toSwitch[i]!, most: Math.max(most, most > 0 ? ofPart(g.gpu) : 0) }))
    .filter((g) => g.links < g.most);
  const tooMany = gpus
    .map((g, i) => ({ name: g.name, links: toSwitch[i]!, most: ofPart(g.gpu) }))
    .filter((g) => g.most > 0 && g.links > g.most);

  const index = new Map(gpus.flatMap((g, i) => (g.device.busId === undefined ? [] : [[g.device.busId, i] as const])));
  const counts = gpus.map(() => gpus.map(() => 0));
  let outside = 0;
  gpus.forEach((g, i) => {
    for (const link of g.gpu.nvlinks) {
      if (link.to !== 'gpu') continue;
      const j = link.target === undefined ? undefined : index.get(link.target);
      // Some clouds write a GPU's own bus as the target: that says nothing.
      if (j === undefined) outside += link.count;
      else if (j !== i) counts[i]![j]! += link.count;
    }
  });
  const mesh = describeMesh(gpus, counts, lines);
  if (outside > 0 && mesh === undefined) lines.push(say('show.nvlink.outside', { links: outside }));
  const coherent = gpus.filter((g) => g.gpu.c2c !== undefined && g.gpu.c2c.count > 0);
  if (coherent.length > 0) {
    const { mbps, count } = coherent[0]!.gpu.c2c!;
    lines.push(
      say('show.c2c', { gpus: foldNames(coherent.map((g) => g.name)), rate: Math.round((mbps * count) / 1000) }),
    );
  }
  const toCpu = gpus.filter((g) => sum(g.gpu, 'cpu') > 0);
  if (toCpu.length > 0) {
    lines.push(say('show.nvlink.cpu', { gpus: foldNames(toCpu.map((g) => g.name)), links: sum(toCpu[0]!.gpu, 'cpu') }));
  }
  return { ...(band === undefined ? {} : { band }), ...(mesh === undefined ? {} : { mesh }), lines, short, tooMany };
}

const sum = (gpu: Gpu, to: 'gpu' | 'nvswitch' | 'cpu'): number =>
  gpu.nvlinks.reduce((total, link) => (link.to === to ? total + link.count : total), 0);

/** NVLinks the part has, where the catalogue knows it. */
const ofPart = (gpu: Gpu): number => (gpu.part === undefined ? 0 : (parts.get(gpu.part)?.nvlink?.links.value ?? 0));

/** The data-sheet rate of so many links in one direction, where the part is known. */
function perDirection(gpu: Gpu, links: number): Message {
  const each = gpu.part === undefined ? undefined : parts.get(gpu.part)?.nvlink?.perLink.value;
  return each === undefined || links > ofPart(gpu)
    ? say('show.rate.unknown')
    : say('show.rate', { gbps: Math.round(each * links) });
}

/** Pairs and all-to-all are a line each; anything else is the square itself. */
function describeMesh(
  gpus: readonly NodeGpu[],
  counts: readonly (readonly number[])[],
  lines: Message[],
): NvlinkMesh | undefined {
  const peers = counts.map((row) => row.filter((n) => n > 0).length);
  if (peers.every((n) => n === 0)) return undefined;
  const symmetric = counts.every((row, i) => row.every((n, j) => n === counts[j]![i]!));
  if (symmetric && peers.every((n) => n <= 1)) {
    const byCount = new Map<number, string[]>();
    counts.forEach((row, i) => {
      row.forEach((n, j) => {
        if (n === 0 || j < i) return;
        const pair = `${gpus[i]!.name}–${gpus[j]!.name}`;
        const list = byCount.get(n);
        if (list === undefined) byCount.set(n, [pair]);
        else list.push(pair);
      });
    });
    for (const [links, pairs] of byCount) lines.push(say('show.nvlink.pairs', { pairs: pairs.join(', '), links }));
    return undefined;
  }
  const first = counts[0]?.[1] ?? 0;
  if (counts.every((row, i) => row.every((n, j) => i === j || n === first))) {
    lines.push(say('show.nvlink.all', { links: first }));
    return undefined;
  }
  if (gpus.length > largestMesh) {
    lines.push(say('show.nvlink.large', { gpus: gpus.length }));
    return undefined;
  }
  return { gpus: gpus.map((g) => g.name), counts };
}

/** `gpu0, gpu1, gpu2, gpu5` as `gpu0–gpu2, gpu5`; at most six pieces, then how many are left. */
export function foldNames(names: readonly string[]): string {
  const pieces: string[] = [];
  let start = 0;
  const split = (name: string): [string, number] => {
    const found = /^(.*?)(\d+)$/.exec(name);
    return found === null ? [name, Number.NaN] : [found[1]!, Number(found[2])];
  };
  for (let i = 1; i <= names.length; i++) {
    const [stem, number] = i < names.length ? split(names[i]!) : ['', Number.NaN];
    const [before, last] = split(names[i - 1]!);
    if (i < names.length && stem === before && number === last + 1) continue;
    const length = i - start;
    if (length >= 3) pieces.push(`${names[start]!}–${names[i - 1]!}`);
    else pieces.push(...names.slice(start, i));
    start = i;
  }
  return pieces.length <= 6 ? pieces.join(', ') : `${pieces.slice(0, 6).join(', ')} +${pieces.length - 6}`;
}
