import { editHost } from '../machine/edit.ts';
import type { Cpu, CpuVendor, Host, PciDevice } from '../machine/host.ts';
import { gpusOf } from '../machine/names.ts';
import type { Document } from '../read/documents.ts';
import type { NcclLog } from '../read/nccl-log/types.ts';

type Told = Pick<Cpu, 'arch' | 'vendor' | 'family' | 'model'>;

const vendors: ReadonlyMap<string, CpuVendor> = new Map([
  ['GenuineIntel', 'Intel'],
  ['AuthenticAMD', 'AMD'],
]);

/**
 * The make of the CPU, where a matrix is all that shows the machine: NCCL lets two GPUs talk across an AMD CPU and not across one of
 * Intel. By lscpu, by what the kernel calls its IOMMU, or by a log in which two GPUs did so.
 */
export function withCpus(host: Host, documents: readonly Document[]): Host {
  if (host.cpus.some((c) => c.arch !== undefined || c.vendor !== undefined)) return host;
  const told = byLscpu(documents) ?? byKernel(documents) ?? byPeers(host, documents);
  return told ? editHost(host, { cpu: (c) => ({ ...c, ...told }) }) : host;
}

function byLscpu(documents: readonly Document[]): Told | undefined {
  for (const d of documents) {
    if (d.kind !== 'cpu-info') continue;
    const field = (name: string): string => d.fields.get(name)?.value ?? '';
    const vendor =
      vendors.get(field('Vendor ID')) ?? (/^Intel|^AMD/.exec(field('Model name'))?.[0] as CpuVendor | undefined);
    if (vendor === undefined) continue;
    const [family, model] = [field('CPU family'), field('Model')].map((n) => (/^\d{1,3}$/.test(n) ? Number(n) : -1));
    const known: Pick<Told, 'family' | 'model'> = family! >= 0 && model! >= 0 ? { family: family!, model: model! } : {};
    if (vendor === 'Intel' && known.model === undefined) continue;
    return { arch: 'x86_64', vendor, ...known };
  }
  return undefined;
}

function byKernel(documents: readonly Document[]): Told | undefined {
  const said = documents.flatMap((d) => (d.kind === 'messages' && d.from === 'kernel' ? d.messages : []));
  if (said.some((m) => m.text.includes('AMD-Vi:'))) return { arch: 'x86_64', vendor: 'AMD' };
  // Of Intel's the generation counts, which the kernel does not tell.
  return undefined;
}

/** Two GPUs without NVLink or a switch in common that a log shows reach each other although nobody raised the level. */
function byPeers(host: Host, documents: readonly Document[]): Told | undefined {
  const gpus = gpusOf(host);
  if (gpus.length !== 2 || gpus.some((g) => g.nvlinks.length > 0)) return undefined;
  const below = (d: PciDevice): number => (d.gpus?.length ?? 0) + d.children.reduce((n, c) => n + below(c), 0);
  if (host.cpus.some((c) => c.devices.some((d) => below(d) > 1))) return undefined;
  const logs: readonly NcclLog[] = documents.flatMap((d) => (d.kind === 'nccl-log' ? [d] : []));
  if (logs.some((l) => l.environment.some((e) => e.name.startsWith('NCCL_P2P_')))) return undefined;
  const peers = logs.flatMap((l) => l.connections).some((c) => c.kind === 'P2P');
  return peers ? { arch: 'x86_64', vendor: 'AMD' } : undefined;
}
