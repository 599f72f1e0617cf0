import type { Conflict, Fact, Where } from '../fact/fact.ts';
import { editHost } from '../machine/edit.ts';
import type { Host } from '../machine/host.ts';
import type { Fabric, Machine, Software } from '../machine/machine.ts';
import { gpusOf } from '../machine/names.ts';
import { socketsBy } from '../nccl/of-machine.ts';
import type { Document } from '../read/documents.ts';
import type { NcclTests } from '../read/nccl-tests/types.ts';
import type { GdsCheck } from '../read/storage/gdscheck.ts';
import { type Message, say } from '../words/message.ts';
import { buildMachine } from './build/machine.ts';
import { compareWithMatrix } from './compare-matrix.ts';
import { withCpus } from './from-cpu.ts';
import { factsOfLogs, type LogFacts, withNicFacts } from './from-log.ts';
import { hostFromMatrix, withNvlinks } from './from-matrix.ts';
import { hostFromXml } from './from-nccl-xml.ts';
import { withStagedWays } from './from-staged.ts';
import { portsLeftOut, transportTold, withToolFacts } from './from-tools.ts';
import { hostFromHwloc } from './hwloc/from-hwloc.ts';
import { identify } from './identify.ts';
import { withInjected } from './injected.ts';
import { joinTree } from './join-tree.ts';
import { p2pPairs, pairsInUse } from './p2p-status.ts';
import { hostsFromLspci, type LspciHost } from './pci-of-lspci.ts';
import { devicesSeen } from './seen.ts';

export interface Note {
  readonly message: Message;
  readonly at: readonly Where[];
}

/**
 * One machine from all documents of all inputs. A topology file tells most (bus ids, link speeds), then the tree in an
 * NCCL log, then a matrix; what tells less is compared with what tells more, and contradictions are kept as conflicts.
 * `base` is a machine of the catalogue that the files are about; its hosts stand where no file shows any.
 */
export function assemble(documents: readonly Document[], base?: Machine): Machine {
  const conflicts: Conflict[] = [];
  const notes: Note[] = [];
  const hosts: Host[] = [];
  for (const document of documents) {
    if (document.kind !== 'nccl-topo-xml') continue;
    const read = hostFromXml(document);
    notes.push(...read.notes);
    if (read.refused) notes.push({ message: read.refused.reason, at: read.refused.at });
    const injected = withInjected(read.host);
    if (injected.filled)
      notes.push({ message: say('assemble.injected'), at: [{ file: document.file, line: document.line }] });
    hosts.push(injected.host);
  }
  const cluster = documents.find((d) => d.kind === 'cluster-yaml');
  const described = cluster ? buildMachine(cluster.cluster, hosts) : base;
  if (described) {
    conflicts.push(...described.conflicts);
    notes.push(...described.notes);
    if (hosts.length === 0 || cluster) hosts.splice(0, hosts.length, ...described.hosts);
  }
  const logs = documents.filter((d) => d.kind === 'nccl-log');
  const log = factsOfLogs(logs);
  conflicts.push(...log.conflicts);
  if (hosts.length === 0) hosts.push(...log.hosts);
  const matrices = documents.filter((d) => d.kind === 'topo-matrix');
  const trees = hosts.length > 0 ? [] : treesOf(documents);
  // Fewer matrices than trees: nobody knows which tree one is of.
  if (matrices.length === 0 || matrices.length === trees.length) {
    trees.forEach((tree, i) => {
      const joined = matrices[i] ? joinTree(tree.host, matrices[i]) : { host: tree.host, conflicts: [] };
      conflicts.push(...joined.conflicts, ...(joined.host ? gpusBeyond(tree) : []));
      if (joined.host) hosts.push(joined.host);
      if (joined.host && !matrices[i] && tree.numaOpen)
        notes.push({ message: say('assemble.tree.numa'), at: (joined.host.cpus[0]?.devices[0]?.at ?? []).slice(0, 1) });
    });
    // Hosts and matrices go by their order.
    if (hosts.length < trees.length) hosts.length = 0;
  }
  const ofTree = new Set(hosts.length > 0 && trees.length > 0 ? hosts : []);
  matrices.forEach((matrix, i) => {
    const read = hostFromMatrix(matrix);
    conflicts.push(...read.conflicts);
    if (hosts[i] && ofTree.has(hosts[i])) return;
    const known = hosts[i] && withNvlinks(hosts[i], matrix);
    if (known) {
      hosts[i] = known;
      conflicts.push(...compareWithMatrix(known, matrix));
    } else hosts.push(read.host);
  });
  const tests = documents.filter((d) => d.kind === 'nccl-tests');
  const products = productsOf(tests);
  // Outputs of tools do not say which host they are of.
  const told = (h: Host): Host => (hosts.length === 1 ? withCpus(withToolFacts(h, documents), documents) : h);
  const complete = hosts.map((h) => identify(withNicFacts(told(withProducts(h, products)), log.nics)));
  if (hosts.length === 1) notes.push(...portsLeftOut(hosts[0]!, documents));
  if (complete.length === 0) notes.push(...devicesSeen(documents), { message: say('assemble.no-topology'), at: [] });
  const nccl = described?.software.nccl ?? log.nccl ?? testedVersion(tests);
  const pairs = new Map([
    ...(log.nodes === 1 ? pairsInUse(logs) : []),
    ...p2pPairs(documents.filter((d) => d.kind === 'p2p-status')),
  ]);
  const software: Software = {
    ...p2pdmaChecked(documents.filter((d) => d.kind === 'gds-check')),
    ...(described?.software ?? {}),
    ...(nccl ? { nccl } : {}),
    ...(pairs.size > 0 ? { p2pPairs: pairs } : {}),
    env: new Map([...(described?.software.env ?? []), ...log.env]),
  };
  const sockets = socketsOfChoice(log, software);
  const transport = described?.fabric.transport ?? (sockets ? undefined : log.transport) ?? transportTold(documents);
  const machine: Machine = {
    ...(described ?? {}),
    hosts: complete,
    nodes: Math.max(described?.nodes ?? 1, complete.length, log.nodes, nodesTested(tests)),
    fabric: { ...(described?.fabric ?? {}), ...(transport ? { transport } : {}), ...(sockets ? { sockets } : {}) },
    software,
    ...(log.observed ? { observed: log.observed } : {}),
    conflicts,
    notes,
  };
  return withStagedWays(machine, logs);
}

/** PCIe trees of hosts: hwloc's tell NUMA nodes, links and names of devices as well. */
function treesOf(documents: readonly Document[]): readonly LspciHost[] {
  const full = documents.flatMap((d) => (d.kind === 'hwloc-xml' ? (hostFromHwloc(d) ?? []) : []));
  if (full.length > 0) return full.map((host) => ({ host, beyond: [], numaOpen: false }));
  return hostsFromLspci(documents.filter((d) => d.kind === 'lspci'));
}

/** GPUs that a list names and the tree lacks: numbers may be those of other GPUs. */
function gpusBeyond({ host, beyond }: LspciHost): Conflict[] {
  if (beyond.length === 0) return [];
  const here = gpusOf(host);
  const claims = [
    { value: String(here.length), at: here.flatMap((g) => g.at).slice(0, 1) },
    { value: String(here.length + beyond.length), at: beyond.slice(0, 3).map((b) => b.at) },
  ];
  return [{ about: say('assemble.conflict.gpus'), claims, used: 0 }];
}

/** Sockets that the log shows in use because a variable in the same log left nothing else: without it the network is open again. */
function socketsOfChoice({ transport, env }: LogFacts, software: Software): Fabric['sockets'] {
  if (transport?.value !== 'tcp' && transport?.value !== 'ipoib') return undefined;
  const by = socketsBy({ software });
  return by !== undefined && env.has(by) ? { ...transport, value: transport.value } : undefined;
}

/** `gdscheck -p` says whether cuFile finds kernel and driver set up for peer-to-peer DMA with NVMe drives. */
function p2pdmaChecked(checks: readonly GdsCheck[]): Pick<Software, 'p2pdma'> {
  const row = checks.flatMap((c) => c.drivers).find((d) => /^NVMe P2PDMA$/i.test(d.name));
  return row ? { p2pdma: { value: row.supported, at: [row.at], by: 'input' } } : {};
}

/** Product name by device number, where all ranks that tables list agree on it. */
function productsOf(tests: readonly NcclTests[]): Map<number, { product: string; at: Where }> {
  const found = new Map<number, { product: string; at: Where }>();
  for (const r of tests.flatMap((t) => t.ranks)) {
    if (!found.has(r.device)) found.set(r.device, { product: r.product, at: r.at });
  }
  return found;
}

function withProducts(host: Host, products: ReadonlyMap<number, { product: string; at: Where }>): Host {
  if (products.size === 0) return host;
  const distinct = new Set([...products.values()].map((p) => p.product));
  const same = distinct.size === 1 ? [...products.values()][0] : undefined;
  return editHost(host, {
    gpu: (g) => {
      const mine = products.get(g.dev) ?? same;
      return g.product === undefined && mine ? { ...g, product: mine.product } : g;
    },
  });
}

function testedVersion(tests: readonly NcclTests[]): Fact<string> | undefined {
  const first = tests.find((t) => t.ncclVersion !== undefined);
  return first ? { value: first.ncclVersion!, at: [{ file: first.file, line: first.line }], by: 'input' } : undefined;
}

const nodesTested = (tests: readonly NcclTests[]): number =>
  Math.max(1, ...tests.map((t) => new Set(t.ranks.map((r) => r.host)).size));
