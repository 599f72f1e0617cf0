import { gpus } from '../../catalogue/gpus.ts';
import type { NodeParts } from '../../catalogue/node.ts';
import { findSystem, type SystemEntry, systems } from '../../catalogue/systems.ts';
import type { Fact, Where } from '../../fact/fact.ts';
import type { Host } from '../../machine/host.ts';
import type { Fabric, Machine, Software, Storage, Transport } from '../../machine/machine.ts';
import type { ClusterDescription, StorageDescription } from '../../read/cluster-yaml/types.ts';
import { say } from '../../words/message.ts';
import { buildHost } from './host.ts';
import { useGpus, useNics } from './limit.ts';

const catalogued = <T>(value: T): Fact<T> => ({ value, at: [], by: 'catalogue' });
type Note = Machine['notes'][number];

/** A machine of the catalogue: `nodes` equal ones. Nothing when the name is none. */
export function systemMachine(name: string, nodes = 1): Machine | undefined {
  const system = findSystem(name);
  if (system === undefined) return undefined;
  return buildMachine({
    node: { kind: 'system', system: system.id, at: { file: '', line: 0 } },
    nodes: { value: nodes, at: [], by: 'assumed' },
    network: {},
    software: { env: new Map() },
  });
}

/**
 * The machine a description describes. Where its node is a file, the caller has read that and gives the hosts found there.
 */
export function buildMachine(cluster: ClusterDescription, fromFile: readonly Host[] = []): Machine {
  const system = cluster.node.kind === 'system' ? systems.get(cluster.node.system) : undefined;
  const parts = cluster.node.kind === 'parts' ? cluster.node.parts : system?.parts;
  const transport = cluster.network.transport ?? (system?.network && catalogued<Transport>(system.network.transport));
  const notes: Note[] = system === undefined ? [] : systemNotes(system, cluster.node.at);
  let hosts = fromFile;
  if (parts !== undefined) {
    const built = buildHost(parts, {
      where: placesOf(cluster),
      ...(transport === undefined ? {} : { transport: transport.value }),
      ...(cluster.software.gdr === undefined ? {} : { gdr: cluster.software.gdr.value }),
      ...(cluster.network.rateGbps === undefined ? {} : { networkGbps: cluster.network.rateGbps.value }),
      ...drives(cluster.storage),
      ...(system === undefined ? {} : { system: system.id }),
    });
    hosts = [built.host];
    if (built.noOtherSocket) {
      notes.push({ message: say('machine.otherSocketMissing'), at: cluster.storage ? [cluster.storage.at] : [] });
    }
  }
  if (cluster.gpusPerNode !== undefined) hosts = hosts.map((host) => useGpus(host, cluster.gpusPerNode!.value));
  if (cluster.nicsPerNode !== undefined) hosts = hosts.map((host) => useNics(host, cluster.nicsPerNode!.value));

  const domain = cluster.nvlinkDomain?.value ?? system?.nvlinkDomain;
  return {
    hosts,
    nodes: Math.max(cluster.nodes.value, hosts.length),
    fabric: fabricOf(cluster, transport, parts, system),
    software: softwareOf(cluster, parts),
    ...(cluster.storage === undefined ? {} : { storage: storageOf(cluster.storage) }),
    ...(cluster.launch === undefined ? {} : { launch: cluster.launch }),
    ...(domain === undefined ? {} : { nvlinkDomain: domain }),
    conflicts: [],
    notes,
  };
}

/** Which line of the description says a thing; none when it comes from the catalogue. */
function placesOf(cluster: ClusterDescription): (key: string) => readonly Where[] {
  const { node, storage } = cluster;
  return (key) => {
    if (key === 'storage') return storage === undefined ? [] : [storage.at];
    if (node.kind !== 'parts') return [];
    return [node.keys.get(key) ?? node.at];
  };
}

const drives = (storage: StorageDescription | undefined) =>
  storage === undefined || storage.type !== 'nvme'
    ? {}
    : {
        drives: { count: storage.count, placement: storage.placement },
        ...(storage.perDeviceGBps === undefined ? {} : { drivePerDeviceGBps: storage.perDeviceGBps }),
      };

function systemNotes(system: SystemEntry, at: Where): Note[] {
  const where = at.file === '' ? [] : [at];
  const notes: Note[] = [{ message: say('machine.fromCatalogue', { name: system.name }), at: where }];
  for (const what of system.assumed ?? []) {
    notes.push({
      message: say('machine.typical', { name: system.name, what: say(`machine.typical.${what}`) }),
      at: where,
    });
  }
  return notes;
}

function fabricOf(
  cluster: ClusterDescription,
  transport: Fact<Transport> | undefined,
  parts: NodeParts | undefined,
  system: SystemEntry | undefined,
): Fabric {
  const { network, node } = cluster;
  const mbps = (rate: Fact<number>): Fact<number> => ({ ...rate, value: rate.value * 1000 });
  const ofNic = (): Fact<number> | undefined => {
    if (parts?.nicGbps === undefined || parts.nics === 0) return undefined;
    const at = node.kind === 'parts' ? node.keys.get('nic') : undefined;
    return at === undefined ? catalogued(parts.nicGbps) : { value: parts.nicGbps, at: [at], by: 'input' };
  };
  const rate = network.rateGbps ?? (system?.network && catalogued(system.network.rateGbps)) ?? ofNic();
  return {
    ...(transport === undefined ? {} : { transport }),
    ...(rate === undefined ? {} : { rateMbps: mbps(rate) }),
    ...(network.mtu === undefined ? {} : { mtu: network.mtu }),
    ...(network.fabric === undefined ? {} : { shape: network.fabric.value }),
    ...(network.oversubscription === undefined ? {} : { oversubscription: network.oversubscription.value }),
  };
}

/**
 * `p2p: false` means that NCCL may not use peer access: that is the variable NCCL_P2P_DISABLE. What NVML reports is
 * another fact: `p2p: true` states it, and without a word the catalogue knows what the stock driver does.
 */
function softwareOf(cluster: ClusterDescription, parts: NodeParts | undefined): Software {
  const { software } = cluster;
  const env = new Map(software.env);
  if (software.p2p?.value === false && !env.has('NCCL_P2P_DISABLE')) {
    env.set('NCCL_P2P_DISABLE', { value: '1', at: software.p2p.at, by: 'input' });
  }
  const part = parts === undefined ? undefined : gpus.get(parts.gpu);
  const overPcie = parts?.link === 'pcie' ? part?.p2pPcie?.value : part?.nvlink === undefined ? undefined : true;
  const p2pStatus =
    software.p2p?.value === true ? software.p2p : overPcie === undefined ? undefined : catalogued(overPcie);
  return {
    ...(software.nccl === undefined ? {} : { nccl: software.nccl }),
    ...(software.driver === undefined ? {} : { driver: software.driver }),
    ...(software.cuda === undefined ? {} : { cuda: software.cuda }),
    env,
    ...(software.gdr === undefined ? {} : { gdr: software.gdr }),
    ...(p2pStatus === undefined ? {} : { p2pStatus }),
    ...(software.acs === undefined ? {} : { acs: software.acs }),
    ...(software.iommu === undefined ? {} : { iommu: software.iommu }),
  };
}

const storageOf = (storage: StorageDescription): Storage => {
  const { at: _at, ...rest } = storage;
  return rest;
};
