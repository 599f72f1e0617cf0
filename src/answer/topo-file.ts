import { fail, ok, type Result } from '../base/result.ts';
import { diagnose } from '../doctor/diagnose.ts';
import { effectOf, type Finding, titleOf } from '../doctor/finding.ts';
import type { Where } from '../fact/fact.ts';
import { editHost } from '../machine/edit.ts';
import type { Host, PciDevice } from '../machine/host.ts';
import type { Machine } from '../machine/machine.ts';
import type { Ask } from '../nccl/of-machine.ts';
import type { Document } from '../read/documents.ts';
import type { PciDevice as ListedDevice } from '../read/pci/types.ts';
import type { ReadResult } from '../read/reader.ts';
import { type Message, say } from '../words/message.ts';
import { answerPredict } from './predict.ts';

/** Findings that speak of a topology file. */
const about: ReadonlySet<string> = new Set([
  'topo-file-bottleneck',
  'topo-file-suspicious-link-speed',
  'topo-xml-empty-link-speed',
  'gdr-disabled-in-topo',
]);

/** What was noted while topology files were read, that is wrong with them. */
export interface TopologyMistake {
  /** As other programs call it: `topo-xml-same-bus`. */
  readonly id: string;
  readonly message: Message;
  readonly at: Where;
}

const noted = 'input.topoXml.';

export function mistakesOf(inputs: readonly ReadResult[]): TopologyMistake[] {
  return inputs.flatMap(({ file, notes }) =>
    notes.flatMap(({ message, line }) =>
      message.code.startsWith(noted)
        ? [{ id: `topo-xml-${message.code.slice(noted.length)}`, message, at: { file, line } }]
        : [],
    ),
  );
}

export interface LintedTopology {
  readonly findings: readonly (Finding & { readonly title: Message; readonly effect: Message })[];
  readonly files: readonly string[];
}

/** What is wrong with the topology files among the inputs. */
export function lintTopology(documents: readonly Document[]): LintedTopology {
  const files = documents.flatMap((d) => (d.kind === 'nccl-topo-xml' ? [d.file] : []));
  const { findings } = diagnose(documents);
  return {
    files,
    findings: findings
      .filter((f) => about.has(f.id))
      .map((f) => ({ ...f, title: titleOf(f.id), effect: effectOf(f.id) })),
  };
}

/**
 * A flavour's real switches on the addresses that a virtual machine shows: GPUs and NICs in the order of their addresses,
 * which hypervisors keep. Refused when their numbers differ.
 */
export function onVirtualAddresses(flavour: Machine, documents: readonly Document[]): Result<Machine, Message> {
  const seen = documents.flatMap((d) => (d.kind === 'lspci' ? d.devices : []));
  const gpus = seen
    .filter((d) => /3D|VGA|Display/.test(d.className) && madeBy(d, /^10de:/, /NVIDIA/))
    .map((d) => d.address);
  const nics = seen
    .filter((d) => /Infiniband|Ethernet/.test(d.className) && madeBy(d, /^15b3:|^14e4:/, /Mellanox|Broadcom/))
    .map((d) => d.address);
  const host = flavour.hosts[0]!;
  const have = { gpu: count(host, 'gpu'), nic: count(host, 'nic') };
  if (gpus.length === 0) return fail(say('topo-file.no-gpus'));
  if (gpus.length !== have.gpu || (nics.length !== have.nic && nics.length > 0)) {
    return fail(
      say('topo-file.counts', { gpus: gpus.length, nics: nics.length, wantGpus: have.gpu, wantNics: have.nic }),
    );
  }
  const left = { gpu: [...gpus].sort(), nic: [...nics].sort() };
  const named = editHost(host, {
    device: (d) => {
      if (d.role !== 'gpu' && d.role !== 'nic') return d;
      const address = left[d.role].shift();
      return address === undefined ? d : { ...d, busId: address };
    },
  });
  return ok({ ...flavour, hosts: [named, ...flavour.hosts.slice(1)] });
}

/** By its numbers where `lspci -nn` gives them, else by its name. */
const madeBy = (d: ListedDevice, numbers: RegExp, name: RegExp): boolean =>
  d.ids === undefined ? name.test(d.name) : numbers.test(d.ids);

function count(host: Host, role: PciDevice['role']): number {
  const of = (d: PciDevice): number => (d.role === role ? 1 : 0) + d.children.reduce((sum, c) => sum + of(c), 0);
  return host.cpus.reduce((sum, c) => sum + c.devices.reduce((n, d) => n + of(d), 0), 0);
}

export interface GeneratedTopology {
  readonly host: Host;
  /** GB/s of bus bandwidth of an all_reduce of 1 GiB over two nodes: all devices straight below the CPU, and as the file says. */
  readonly before?: number;
  readonly after?: number;
}

/** The file, and what it is worth against a machine that shows no switches. */
export function generateTopology(machine: Machine, ask: Ask): GeneratedTopology {
  const host = machine.hosts[0]!;
  const busbw = (m: Machine): number | undefined => {
    const a = answerPredict({ ...m, nodes: Math.max(2, m.nodes) }, ask, {
      name: 'all_reduce',
      datatype: 'float',
      sizes: [2 ** 30],
    });
    return a.ok ? a.value.rows[0]!.busbwGBps : undefined;
  };
  const before = busbw({ ...machine, hosts: machine.hosts.map(flattened) });
  const after = busbw(machine);
  return {
    host,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  };
}

/** What a virtual machine without a topology shows: every device straight below the CPU. */
function flattened(host: Host): Host {
  const leaves = (d: PciDevice): PciDevice[] => (d.role === 'switch' ? d.children.flatMap(leaves) : [d]);
  return { ...host, cpus: host.cpus.map((c) => ({ ...c, devices: c.devices.flatMap(leaves) })) };
}
