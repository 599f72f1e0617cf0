import { assumed, type Fact } from '../fact/fact.ts';
import { editHost } from '../machine/edit.ts';
import { foldDomain } from '../machine/fold.ts';
import { fuseHosts, gpuCount, joinCards, joinRails } from '../machine/fuse.ts';
import type { Host } from '../machine/host.ts';
import type { Machine, Transport } from '../machine/machine.ts';
import { portsOf } from '../machine/names.ts';
import type { DriverP2p } from './decide/p2p.ts';
import { portsLeft } from './ib-hca.ts';
import { atLeast, newest, type Release, releaseFor } from './release.ts';
import { parseInteger } from './settings.ts';
import type { Situation } from './situation.ts';
import { readableBy } from './variables/names.ts';

/** Networks that NCCL drives by verbs of its own, without a plugin. */
export const overVerbs: ReadonlySet<Transport> = new Set(['infiniband', 'roce', 'iwarp']);

/** How NCCL is asked about a machine: release and variables from the inputs, unless the caller says otherwise. */
export interface Ask {
  readonly nccl?: string;
  readonly env?: ReadonlyMap<string, string>;
}

type Settled = Pick<Machine, 'software'>;

export function releaseOf(machine: Settled, ask: Ask = {}): Release {
  return releaseFor(ask.nccl ?? machine.software.nccl?.value ?? newest) ?? releaseFor(newest)!;
}

/**
 * The machine over the network that the job's variables leave NCCL: sockets, where they take its verbs away. What the wires
 * allow is as before; only what NCCL does is asked of this one.
 */
export function overChosenNetwork(machine: Machine, ask: Ask = {}): Machine {
  const { transport } = machine.fabric;
  if (transport !== undefined && !overVerbs.has(transport.value)) return machine;
  const by = socketsBy(machine, ask);
  if (by === undefined) return machine;
  const made = onSockets.get(machine) ?? new Map<string, Machine>();
  onSockets.set(machine, made);
  const known = made.get(by);
  if (known) return known;
  const value = machine.fabric.sockets?.value ?? 'tcp';
  const set = machine.software.env.get(by);
  const fact = set && !ask.env?.has(by) ? { ...set, value } : assumed(value);
  const next = overSockets(machine, fact);
  made.set(by, next);
  return next;
}

/** The machine were its NICs driven by sockets: they take host memory alone, so no port does GPUDirect RDMA. */
export function overSockets(machine: Machine, transport: Fact<'tcp' | 'ipoib'> = assumed('tcp' as const)): Machine {
  const hosts = machine.hosts.map((h) => editHost(h, { port: (p) => ({ ...p, gdr: false }) }));
  return { ...machine, hosts, fabric: { ...machine.fabric, transport } };
}

/** Made once for each machine, so that decisions about it are kept. */
const onSockets = new WeakMap<Machine, Map<string, Machine>>();

/** The variable that leaves NCCL sockets alone, where one does. */
export function socketsBy(machine: Settled, ask: Ask = {}): 'NCCL_IB_DISABLE' | 'NCCL_NET' | undefined {
  const value = (name: string): string | undefined => ask.env?.get(name) ?? machine.software.env.get(name)?.value;
  if (atLeast(releaseOf(machine, ask), '2.10.3') && /^socket$/i.test(value('NCCL_NET')?.trim() ?? ''))
    return 'NCCL_NET';
  return (parseInteger(value('NCCL_IB_DISABLE')) ?? 0) !== 0 ? 'NCCL_IB_DISABLE' : undefined;
}

/**
 * The situation of one host of a machine. A large domain of equal hosts is folded; `keep` names hosts (by `hostHash`) that
 * must stay.
 */
export function situationOf(machine: Machine, host: number, ask: Ask = {}, keep?: ReadonlySet<string>): Situation {
  const release = releaseOf(machine, ask);
  const set = [...machine.software.env].map(([name, fact]) => [name, fact.value] as const);
  const env = readableBy(new Map([...set, ...(ask.env ?? [])]), release);
  // Only NCCL's own verbs read it: sockets have names of another kind, and a plugin goes by variables of its own.
  const transport = machine.fabric.transport?.value;
  if (transport !== undefined && !overVerbs.has(transport)) env.delete('NCCL_IB_HCA');
  const status = machine.software.p2pStatus?.value;
  const p2pStatus: DriverP2p = status === undefined ? 'unknown' : status ? 'ok' : 'bad';
  const pairs = machine.software.p2pPairs;
  return {
    host: foldDomain(machine.hosts[host]!, keep).host,
    nodes: machine.nodes,
    release,
    env,
    p2pStatus,
    ...(pairs ? { p2pStatusOf: new Map([...pairs].map(([pair, f]) => [pair, f.value ? 'ok' : 'bad'] as const)) } : {}),
    gdrWhenUnknown: false,
  };
}

/**
 * The situation of all ranks in one communicator: nothing folded, the rails that a plugin joins as one NIC, and the nodes of an
 * NVLink domain as the one node that NCCL counts. Whole domains are used first; the last one may have less.
 */
export function jobOf(machine: Machine, host: number, ask: Ask = {}): Situation {
  const situation = { ...situationOf(machine, host, ask), host: machine.hosts[host]! };
  const plain = machine.hosts[host]!;
  const shown = shownTo(plain, machine, situation);
  const copies = Math.min(machine.nodes, nodesPerDomain(machine, plain));
  if (copies === 1) return { ...situation, host: shown };
  const left = machine.nodes % copies;
  return {
    ...situation,
    host: fused(shown, copies),
    nodes: Math.floor(machine.nodes / copies),
    ...(left > 0 ? { rest: fused(shown, left) } : {}),
  };
}

/** Hosts that one NVLink domain joins; 1 where it joins none, or where the host stands for a whole domain already. */
export function nodesPerDomain(machine: Machine, host: Host): number {
  if (machine.nvlinkDomain === undefined || new Set(host.cpus.map((c) => c.hostHash)).size !== 1) return 1;
  return Math.max(1, Math.floor(machine.nvlinkDomain / Math.max(1, gpuCount(host))));
}

/** Made once for each host, so that what is found on one is found again by its identity. */
function made<K>(make: (host: Host, by: K) => Host): (host: Host, by: K) => Host {
  const known = new WeakMap<Host, Map<K, Host>>();
  return (host, by) => {
    const of = known.get(host) ?? new Map<K, Host>();
    known.set(host, of);
    const found = of.get(by) ?? make(host, by);
    of.set(by, found);
    return found;
  };
}

const fused = made(fuseHosts);
const railed = made<undefined>(joinRails);
const joined = made<string | undefined>((host, hca) => joinCards(host, portsLeft(portsOf(host), hca)));

/** NICs as NCCL has them: rails that EFA's plugin joins, and since 2.20.3 the ports of a card. */
function shownTo(host: Host, { fabric }: Machine, { release, env }: Situation): Host {
  const transport = fabric.transport?.value;
  if (transport === 'efa') return railed(host, undefined);
  const joins = transport === undefined || overVerbs.has(transport);
  return joins && joinsPorts(release, env) ? joined(host, env.get('NCCL_IB_HCA')) : host;
}

/** Does this NCCL join the ports of a card (NCCL_IB_MERGE_NICS, and since 2.24.3 NCCL_NET_MERGE_LEVEL)? */
export function joinsPorts(release: Release, env: ReadonlyMap<string, string>): boolean {
  if (!atLeast(release, '2.20.3') || parseInteger(env.get('NCCL_IB_MERGE_NICS')) === 0) return false;
  return !(atLeast(release, '2.24.3') && /^loc$/i.test(env.get('NCCL_NET_MERGE_LEVEL')?.trim() ?? ''));
}
