import { pcieGenerations } from '../catalogue/pcie.ts';
import type { Fact, Where } from '../fact/fact.ts';
import { editHost } from '../machine/edit.ts';
import type { Gpu, Host, NicPort, PciDevice, PcieLink } from '../machine/host.ts';
import type { Machine, Transport } from '../machine/machine.ts';
import { portsOf } from '../machine/names.ts';
import type { Document } from '../read/documents.ts';
import { type SmiGpu, smiField } from '../read/gpu/smi-query.ts';
import type { RdmaPort } from '../read/rdma/ports.ts';
import { say } from '../words/message.ts';

/** What tools say of a GPU, by its number. */
interface ToldGpu {
  readonly product?: string;
  readonly link?: PcieLink;
}

/**
 * A host with what the outputs of other tools add where its own source is silent: names and PCIe links of GPUs from nvidia-smi,
 * rates and link layers of NIC ports from ibstat and its kin. Devices are matched by their number and name.
 */
export function withToolFacts(host: Host, documents: readonly Document[]): Host {
  const gpus = gpusTold(documents);
  const ports = portsTold(documents);
  if (gpus.size === 0 && ports.size === 0) return host;
  const gpu = (g: Gpu): Gpu => {
    const product = gpus.get(g.dev)?.product;
    return product === undefined || g.product !== undefined || g.part !== undefined ? g : { ...g, product };
  };
  const port = (p: NicPort): NicPort => {
    const told = p.name === undefined ? undefined : ports.get(keyOf(p));
    return told ? filled(p, told) : p;
  };
  const down = new Set(portsDown(host, documents).map((p) => p.key));
  const isDown = (p: NicPort): boolean => down.has(keyOf(p));
  const device = (d: PciDevice): PciDevice => {
    if (d.role === 'nic' && d.ports?.some(isDown)) {
      const left = d.ports.filter((p) => !isDown(p));
      return left.length > 0 ? { ...d, ports: left } : { ...d, role: 'other', ports: [] };
    }
    const link = d.gpus?.length === 1 ? gpus.get(d.gpus[0]!.dev)?.link : undefined;
    return link && !d.link.speed && !d.link.width ? { ...d, link: { ...d.link, ...link } } : d;
  };
  return editHost(host, { gpu, port, device });
}

/** A port of the host that a tool shows down, beside others that are up; NCCL takes the latter alone. */
interface PortDown {
  readonly key: string;
  readonly name: string;
  readonly at: readonly Where[];
}

const keyOf = (p: NicPort): string => `${p.name ?? ''} ${p.port ?? 1}`;

function portsDown(host: Host, documents: readonly Document[]): PortDown[] {
  const ports = portsTold(documents);
  const down: PortDown[] = [];
  let up = false;
  for (const p of portsOf(host)) {
    const state = p.name === undefined ? undefined : ports.get(keyOf(p))?.state;
    if (state?.value === 'active') up = true;
    if (state?.value === 'down') down.push({ key: keyOf(p), name: p.name!, at: state.at });
  }
  // Where none is up, the list is of another time, or nothing goes over these NICs: then all are shown as they are wired.
  return up ? down : [];
}

/** What was left out of the host, and the line that says why. */
export const portsLeftOut = (host: Host, documents: readonly Document[]): Machine['notes'] =>
  portsDown(host, documents).map(({ name, at }) => ({ message: say('assemble.port-down', { name }), at }));

function filled(p: NicPort, told: RdmaPort): NicPort {
  const up = told.state === undefined || told.state.value === 'active';
  const speedMbps = up && told.rate && told.rate.value > 0 ? told.rate.value * 1000 : undefined;
  const layer = told.layer && (told.layer.value === 'InfiniBand' ? 'infiniband' : 'ethernet');
  return {
    ...p,
    ...(p.speedMbps === undefined && speedMbps !== undefined ? { speedMbps } : {}),
    ...(p.layer === undefined && layer !== undefined ? { layer } : {}),
  };
}

/** Later lists add what earlier ones leave out. */
function gpusTold(documents: readonly Document[]): Map<number, ToldGpu> {
  const told = new Map<number, ToldGpu>();
  const add = (index: number, gpu: ToldGpu): void => void told.set(index, { ...gpu, ...told.get(index) });
  for (const d of documents) {
    if (d.kind === 'smi-gpus' || d.kind === 'smi-table') {
      for (const g of d.gpus) if (whole(g.name)) add(g.index, { product: g.name });
    } else if (d.kind === 'smi-query') {
      // Fields before the first head, and pieces without one, are of no GPU that could be told.
      for (const [i, g] of d.gpus.filter((x) => x.busId !== undefined).entries()) add(i, queried(g));
    }
  }
  return told;
}

/** The table of nvidia-smi cuts long names. */
const whole = (name: string): boolean => name !== '' && !name.endsWith('...');

function queried(gpu: SmiGpu): ToldGpu {
  const product = smiField(gpu, 'product name')?.value;
  const gen = /^\d$/.exec(smiField(gpu, 'pcie generation/max')?.value ?? '')?.[0];
  const speed = [...pcieGenerations.values()].find((g) => g.id === `gen${gen}`)?.speedText;
  const width = lanes(smiField(gpu, 'link width/max')?.value);
  const currentWidth = lanes(smiField(gpu, 'link width/current')?.value);
  return {
    ...(product === undefined ? {} : { product }),
    ...(speed !== undefined && width !== undefined
      ? { link: { speed, width: Math.min(width, currentWidth ?? width), ...(currentWidth ? { currentWidth } : {}) } }
      : {}),
  };
}

const lanes = (text: string | undefined): number | undefined => {
  const found = /^(\d{1,2})x$/.exec(text ?? '');
  return found ? Number(found[1]) : undefined;
};

function portsTold(documents: readonly Document[]): Map<string, RdmaPort> {
  const told = new Map<string, RdmaPort>();
  for (const d of documents) {
    if (d.kind !== 'rdma-ports') continue;
    for (const p of d.ports) {
      const key = `${p.device} ${p.port}`;
      const known = told.get(key);
      told.set(key, known ? { ...p, ...known } : p);
    }
  }
  return told;
}

/** InfiniBand or RoCE, where every active port with a link layer says the same. */
export function transportTold(documents: readonly Document[]): Fact<Transport> | undefined {
  const ports = documents.flatMap((d) => (d.kind === 'rdma-ports' ? d.ports : []));
  const up = ports.filter((p) => p.layer !== undefined && p.state?.value === 'active');
  const layers = new Set(up.map((p) => p.layer!.value));
  if (layers.size !== 1) return undefined;
  const value = layers.has('InfiniBand') ? 'infiniband' : 'roce';
  return { value, at: up[0]!.layer!.at, by: 'inferred' };
}
