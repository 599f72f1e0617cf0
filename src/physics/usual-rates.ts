import { graceCores } from '../catalogue/cpus.ts';
import { gpuByProduct, gpus } from '../catalogue/gpus.ts';
import { nics } from '../catalogue/nics.ts';
import { type PcieGen, pcieGenerations } from '../catalogue/pcie.ts';
import { type SystemEntry, systems } from '../catalogue/systems.ts';
import { editHost } from '../machine/edit.ts';
import type { Gpu, Host, NicPort, PciDevice } from '../machine/host.ts';
import type { Machine } from '../machine/machine.ts';
import { gpusOf, portsOf } from '../machine/names.ts';
import { type Message, say } from '../words/message.ts';

/** A machine whose rates are all told, and what was taken for that. */
export interface Rated {
  readonly machine: Machine;
  readonly assumed: readonly Message[];
}

const known = new WeakMap<Machine, Rated>();

/**
 * Rates that no input tells, as they are usual beside the GPUs at hand: a matrix of `nvidia-smi topo -m` names neither ports nor
 * PCIe links, and NCCL's own stand-in (10 Gb/s) is a figure of nobody's machine. Never a fact: who asks says what was assumed.
 */
export function usualRates(machine: Machine): Rated {
  const found = known.get(machine);
  if (found) return found;
  const said = new Map<string, Message>();
  const hosts = machine.hosts.map((host) => rated(host, machine, said));
  const made =
    said.size === 0 ? { machine, assumed: [] } : { machine: { ...machine, hosts }, assumed: [...said.values()] };
  known.set(machine, made);
  return made;
}

function rated(host: Host, machine: Machine, said: Map<string, Message>): Host {
  const all = gpusOf(host);
  const note = (message: Message): void => void said.set(JSON.stringify(message), message);
  const untold = all.filter((g) => g.part === undefined && g.sm === undefined && partOf(g) === undefined);
  const first = all.find((g) => !untold.includes(g)) ?? all[0];
  const like = usualSystem(host, first);
  const part = (first && partOf(first)) ?? (like ? gpus.get(like.parts.gpu) : undefined);
  const gen: PcieGen = part ? (`gen${part.pcie.gen.value}` as PcieGen) : (like?.parts.pcie ?? 'gen4');
  const speed = pcieGenerations.get(gen)?.speedText ?? pcieGenerations.get('gen4')!.speedText;
  const told = portsOf(host).flatMap((p) => (p.speedMbps !== undefined && p.speedMbps > 0 ? [p.speedMbps / 1000] : []));
  const beside = told.length > 0 ? Math.max(...told) : undefined;
  const rateOf = (port: NicPort): number =>
    1000 * (nics.get(port.part ?? '')?.portRate.value ?? networkRate(machine) ?? beside ?? like?.parts.nicGbps ?? 100);
  const gpu = (g: Gpu): Gpu => {
    if (!host.ratesUnknown || !untold.includes(g) || !part || g.nvlinks.length === 0) return g;
    const product = part.products[0] ?? part.id;
    // Where others are named, those are what it is taken after, not its NVLinks.
    const alone = first === undefined || untold.includes(first);
    note(alone ? say('usual.gpu', { gpu: product, links: linksOf(g) }) : say('usual.gpu-beside', { gpu: product }));
    return { ...g, part: part.id, ...(part.sm ? { sm: part.sm.value } : {}) };
  };
  const port = (p: NicPort): NicPort => {
    if (p.speedMbps !== undefined && p.speedMbps > 0) return p;
    const speedMbps = rateOf(p);
    const like = speedMbps === 1000 * (beside ?? 0);
    note(say(like ? 'usual.port-beside' : 'usual.port', { rate: speedMbps / 1000 }));
    return { ...p, speedMbps };
  };
  const device = (d: PciDevice): PciDevice => {
    if (!host.ratesUnknown || d.link.speed || d.link.width) return d;
    note(say('usual.pcie', { gen: gen.slice(3) }));
    return { ...d, link: { ...d.link, speed, width: 16 } };
  };
  // GPUs first: `untold` holds them as they were.
  const named = editHost(host, { gpu });
  const { ratesUnknown, ...rest } = editHost(named, { port, device });
  return said.size === 0 && ratesUnknown ? { ...rest, ratesUnknown } : rest;
}

const networkRate = ({ fabric }: Machine): number | undefined =>
  fabric.rateMbps === undefined ? undefined : fabric.rateMbps.value / 1000;

/** The catalogue's part of a GPU, by its id or its name. */
export const partOf = (g: Gpu) =>
  g.part !== undefined ? gpus.get(g.part) : g.product === undefined ? undefined : gpuByProduct(g.product);

const linksOf = (g: Gpu): number => g.nvlinks.reduce((sum, l) => sum + l.count, 0);

/** The system of the catalogue that is most like the host: of its GPU, or of as many NVLinks; then of as many GPUs. */
function usualSystem(host: Host, gpu: Gpu | undefined): SystemEntry | undefined {
  if (!gpu) return undefined;
  const count = gpusOf(host).length;
  const part = partOf(gpu);
  const links = linksOf(gpu);
  const switched = gpu.nvlinks.some((l) => l.to === 'nvswitch');
  // A module with a CPU of its own for each GPU shows as many NUMA nodes.
  const grace = host.cpus.length >= count && host.cpus.every((c) => c.affinity === undefined || ofGrace(c.affinity));
  const fits = ({ parts }: SystemEntry): boolean => {
    const its = gpus.get(parts.gpu);
    if (part) return parts.gpu === part.id;
    if (gpu.sm !== undefined) return its?.sm?.value === gpu.sm && links > 0 === (parts.link !== 'pcie');
    return links > 0 && its?.nvlink?.links.value === links && (parts.cpu !== 'grace' || grace);
  };
  const like = [...systems.values()].filter(fits);
  const alike = (s: SystemEntry): number =>
    2 * Number((s.parts.link === 'nvswitch') === switched) + Number(s.parts.gpus === count);
  return like.sort((a, b) => alike(b) - alike(a))[0];
}

/** A range of all cores of a Grace CPU, as matrices write it; several threads of a core, or fewer cores, are of another. */
function ofGrace(affinity: string): boolean {
  const range = /^(\d+)-(\d+)$/.exec(affinity.trim());
  return range !== null && Number(range[2]) - Number(range[1]) + 1 === graceCores.value;
}
