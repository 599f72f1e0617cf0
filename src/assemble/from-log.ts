import type { Conflict, Fact, Where } from '../fact/fact.ts';
import { editHost } from '../machine/edit.ts';
import type { Host } from '../machine/host.ts';
import type { Transport } from '../machine/machine.ts';
import type { Observed, ObservedEnd } from '../machine/observed.ts';
import { newest, releaseFor } from '../nccl/release.ts';
import type { Communicator, HostNetwork, NcclLog } from '../read/nccl-log/types.ts';
import { say } from '../words/message.ts';
import { hostFromSystem } from './from-log-system.ts';
import { nameOfPort } from './from-staged.ts';

/** Facts of NCCL logs, by what they are about. */
export interface LogFacts {
  readonly hosts: readonly Host[];
  readonly nccl?: Fact<string>;
  readonly env: ReadonlyMap<string, Fact<string>>;
  readonly transport?: Fact<Transport>;
  /** Nodes of the largest communicator. */
  readonly nodes: number;
  readonly nics: readonly NicFact[];
  readonly observed?: Observed;
  readonly conflicts: readonly Conflict[];
}

/** What logs say of a NIC's side of GPUDirect RDMA. */
export interface NicFact {
  readonly name?: string;
  readonly dev: number;
  readonly gdr: boolean;
  /** A channel that went direct: the GPUs can, too. */
  readonly channel?: boolean;
  readonly at: Where;
}

export function factsOfLogs(logs: readonly NcclLog[]): LogFacts {
  const conflicts: Conflict[] = [];
  const nccl = versionOf(logs, conflicts);
  const release = releaseFor(nccl?.value ?? newest) ?? releaseFor(newest)!;
  const hosts: Host[] = [];
  const shapes = new Set<string>();
  for (const log of logs) {
    const names = {
      devOf: (busId: string): number | undefined => rankByBus(log, busId),
      rankOf: (busId: string, hosts: readonly string[]): number | undefined =>
        log.communicators.flatMap((c) => c.ranks).find((r) => r.busId === busId && hosts.includes(r.host))?.rank,
      nicName: (dev: number): string | undefined =>
        log.networks.flatMap((n) => n.ib?.devices ?? []).find((d) => d.index === dev)?.name,
    };
    for (const system of log.systems) {
      // Without its leading blanks the tree cannot be told from a list.
      if (!system.indented || system.nodes.length === 0) continue;
      const shape = JSON.stringify([
        system.nodes.map((n) => n.id.replace(/^(\w+)\/[0-9a-f]+-/, '$1/')),
        system.links.map((l) => l.bw),
      ]);
      if (shapes.has(shape)) continue;
      shapes.add(shape);
      hosts.push(hostFromSystem(system, release, names));
    }
  }
  const observed = observe(logs);
  const transport = transportOf(logs.flatMap((l) => l.networks));
  return {
    hosts: oneTreePerHost(hosts),
    ...(nccl ? { nccl } : {}),
    env: environmentOf(logs, conflicts),
    ...(transport ? { transport } : {}),
    nodes: Math.max(1, ...logs.flatMap((l) => l.communicators.map(nodesOf))),
    nics: nicFacts(logs),
    ...(observed ? { observed } : {}),
    conflicts,
  };
}

/** Ranks of one host may each print the tree of their own domain; the first of a host stands for it. */
function oneTreePerHost(hosts: readonly Host[]): Host[] {
  const seen = new Set<string>();
  return hosts.filter((h) => {
    const name = h.names[0] ?? '';
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}

function rankByBus(log: NcclLog, busId: string): number | undefined {
  for (const c of log.communicators) {
    const rank = c.ranks.find((r) => r.busId === busId);
    if (rank) return rank.nvmlDev ?? rank.cudaDev;
  }
  return undefined;
}

function nodesOf(c: Communicator): number {
  if (c.nNodes !== undefined) return c.nNodes;
  return new Set(c.ranks.map((r) => r.host)).size;
}

function versionOf(logs: readonly NcclLog[], conflicts: Conflict[]): Fact<string> | undefined {
  const all = logs.flatMap((l) => l.versions).filter((v) => v.flavour === 'nccl');
  const first = all[0];
  if (!first) return undefined;
  const others = all.filter((v) => v.text !== first.text);
  if (others.length > 0) {
    conflicts.push({
      about: say('assemble.conflict.nccl'),
      claims: [first, ...others].map((v) => ({ value: v.text, at: [v.at] })),
      used: 0,
    });
  }
  return { value: first.text, at: [first.at], by: 'input' };
}

function environmentOf(logs: readonly NcclLog[], conflicts: Conflict[]): Map<string, Fact<string>> {
  const env = new Map<string, Fact<string>>();
  for (const setting of logs.flatMap((l) => l.environment)) {
    if (setting.invalid) continue;
    const before = env.get(setting.name);
    if (!before) env.set(setting.name, { value: setting.value, at: [setting.at], by: 'input' });
    else if (before.value !== setting.value) {
      conflicts.push({
        about: say('assemble.conflict.env', { name: setting.name }),
        claims: [
          { value: before.value, at: before.at },
          { value: setting.value, at: [setting.at] },
        ],
        used: 0,
      });
    }
  }
  return env;
}

/** The network between nodes as the logs name it. */
function transportOf(networks: readonly HostNetwork[]): Fact<Transport> | undefined {
  for (const n of networks) {
    const using = n.using[n.using.length - 1];
    const name = (using?.name ?? (n.ib ? 'IB' : n.socket && n.ibNone ? 'Socket' : '')).toLowerCase();
    if (name === '') continue;
    if (name.startsWith('ib') || name.includes('sharp') || name.includes('ucx')) {
      const layer = n.ib?.devices[0]?.layer;
      const at = [...(using ? [using.at] : []), ...(n.ib ? [n.ib.at] : [])];
      if (layer === undefined) return undefined;
      return { value: layer === 'RoCE' ? 'roce' : 'infiniband', at, by: 'input' };
    }
    if (name === 'socket') {
      const first = n.socket?.interfaces[0];
      const ipoib = first !== undefined && /^ib/.test(first.interface);
      const at = n.socket ? [n.socket.at] : using ? [using.at] : [];
      return { value: ipoib ? 'ipoib' : 'tcp', at, by: 'input' };
    }
    if (name.includes('ofi') || name.includes('libfabric'))
      return { value: 'efa', at: using ? [using.at] : [], by: 'input' };
    if (name.includes('fastrak')) return { value: 'tcpxo', at: using ? [using.at] : [], by: 'input' };
    if (name.includes('gpudirecttcpx')) return { value: 'tcpx', at: using ? [using.at] : [], by: 'input' };
  }
  return undefined;
}

/** `GPU Direct RDMA Enabled|Disabled for HCA`, and channels that used it. */
function nicFacts(logs: readonly NcclLog[]): NicFact[] {
  const facts: NicFact[] = [];
  for (const log of logs) {
    for (const n of log.networks)
      for (const h of n.hcas) facts.push({ name: h.name, dev: h.index, gdr: h.gdr, at: h.at });
    for (const c of log.connections) {
      if (!c.network || !c.gdr) continue;
      const name = nameOfPort(log, c);
      facts.push({ ...(name === undefined ? {} : { name }), dev: c.network.dev, gdr: true, channel: true, at: c.at });
    }
    for (const d of log.gdr) {
      // A decision by distance is only taken where both sides can.
      if (d.distance !== undefined && d.hca.dev !== undefined)
        facts.push({ dev: d.hca.dev, gdr: true, channel: true, at: d.at });
    }
  }
  return facts;
}

/** Puts what logs say of NICs into a host: by name, else by number. A `no` of the NIC itself wins over what follows from it. */
export function withNicFacts(host: Host, facts: readonly NicFact[]): Host {
  if (facts.length === 0) return host;
  const gpuCan = facts.find((f) => f.gdr && f.channel);
  return editHost(host, {
    port: (port) => {
      const mine = facts.filter((f) =>
        f.name !== undefined && port.name !== undefined ? f.name === port.name : f.dev === port.dev,
      );
      const no = mine.find((f) => !f.gdr);
      const fact = no ?? mine[0];
      return fact ? { ...port, gdr: fact.gdr, gdrAt: [fact.at] } : port;
    },
    // A channel over GPUDirect RDMA shows that the GPUs of this host can do it.
    gpu: (gpu) => (gpuCan && gpu.gdr === undefined ? { ...gpu, gdr: true } : gpu),
  });
}

function observe(logs: readonly NcclLog[]): Observed | undefined {
  const connections = logs.flatMap((l) => l.connections.map((c) => ({ c, log: l })));
  const rings = logs.flatMap((l) => l.rings);
  const trees = logs.flatMap((l) => l.trees);
  const nics = nicFacts(logs).flatMap(({ channel, ...f }) => (channel || f.name === undefined ? [] : [f]));
  const warnings = logs.flatMap((l) => l.warnings.map((w) => ({ text: w.text, count: w.count, at: w.at })));
  if (logs.length === 0) return undefined;
  const ranks = Math.max(
    0,
    ...logs.flatMap((l) => l.communicators.map((c) => c.nRanks)),
    ...rings.flatMap((r) => r.ranks.map((x) => x + 1)),
    ...connections.flatMap(({ c }) => [c.from.rank + 1, c.to.rank + 1]),
  );
  return {
    ways: connections.map(({ c, log }) => ({
      from: end(log, c.communicator, c.from.rank, c.from.device),
      to: end(log, c.communicator, c.to.rank, c.to.device),
      kind: c.kind,
      text: c.text,
      ...(c.network ? { network: { name: c.network.name, dev: c.network.dev } } : {}),
      gdr: c.gdr,
      direction: c.direction,
      channels: c.channels.length,
      at: c.at,
    })),
    rings: rings.map((r) => ({ channel: r.channel, ranks: r.ranks, truncated: r.truncated, at: r.at })),
    trees: trees.map((t) => ({ channel: t.channel, rank: t.rank, up: t.up, down: t.down, at: t.at })),
    ranks,
    nics,
    warnings,
  };
}

/** Names a rank by node and device where the log announces the communicator. */
function end(log: NcclLog, communicator: number | undefined, rank: number, device: number | undefined): ObservedEnd {
  const c =
    communicator === undefined
      ? log.communicators.length === 1
        ? log.communicators[0]
        : undefined
      : log.communicators[communicator];
  const who = c?.ranks.find((r) => r.rank === rank);
  if (!c || !who) return { rank };
  const hosts = [...new Set([...c.ranks].sort((a, b) => a.rank - b.rank).map((r) => r.host))];
  const dev = device ?? who.nvmlDev ?? who.cudaDev;
  const prefix = hosts.length > 1 ? `node${hosts.indexOf(who.host)}/` : '';
  return { rank, host: who.host, device: `${prefix}gpu${dev}` };
}
