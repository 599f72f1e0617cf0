import { Facts } from '../doctor/facts.ts';
import { type EnvSetting, type LintedSetting, lintEnv } from '../doctor/lint-env.ts';
import { gpusHere } from '../doctor/lint-visible.ts';
import type { Machine } from '../machine/machine.ts';
import { type Ask, overChosenNetwork, overVerbs, releaseOf } from '../nccl/of-machine.ts';
import type { Release } from '../nccl/release.ts';
import type { Document } from '../read/documents.ts';
import { answerGraph } from './graph.ts';
import { answerPaths } from './paths.ts';

export interface EnvAnswer {
  readonly release: Release;
  readonly settings: readonly LintedSetting[];
}

/** Variables whose effect the decisions of crowfly hold: those that its NCCL reads, all that they do. */
const decided =
  /^NCCL_(?:P2P_(?:DISABLE|LEVEL|PXN_LEVEL|READ_ENABLE|(?:NET|NVL|PCI)_CHUNKSIZE|LL_THRESHOLD|MAX_PEERS)|NET_GDR_(?:LEVEL|READ|C2C)|PXN_(?:DISABLE|C2C)|NVB_DISABLE|CROSS_NIC|NET_DISABLE_INTRA|IGNORE_DISABLED_P2P|SHM_DISABLE|ALGO|PROTO|(?:MAX|MIN)_(?:NCHANNELS|NRINGS|CTAS|P2P_NCHANNELS)|NCHANNELS_PER_NET_PEER|NVLS_(?:ENABLE|NCHANNELS|CHUNKSIZE)|NVLSTREE_MAX_CHUNKSIZE|PAT_ENABLE|LL128_C2C|(?:LL_|LL128_)?BUFFSIZE|(?:LL128_)?NTHREADS|THREAD_THRESHOLDS|NETDEVS_POLICY|NET_OVERHEAD|MNNVL_(?:SCATTER_NETS_ENABLE|RAIL_PER_HOST))$/;

/** Variables of NCCL's own verbs, and of its data over sockets: of no use over a network of another kind. */
const ofVerbs = /^NCCL_IB_/;
const ofRoce = /^NCCL_IB_(?:GID_INDEX|ADDR_FAMILY|ADDR_RANGE|ROCE_VERSION_NUM)$/;
const ofSockets = /^NCCL_(?:SOCKET_(?:NTHREADS|INLINE|MIN_TASKSIZE)|NSOCKS_PERTHREAD)$/;

/** A variable of a network that NCCL has not here; undefined where no input tells which it has. */
function ofOtherNetwork(name: string, machine: Machine, ask: Ask): boolean | undefined {
  const transport = overChosenNetwork(machine, ask).fabric.transport?.value;
  if (transport === undefined) return undefined;
  // An InfiniBand port has an address of its own, a LID; those of IP choose among the GIDs of RoCE.
  if (ofRoce.test(name)) return transport !== 'roce' && transport !== 'iwarp';
  if (ofVerbs.test(name)) return !overVerbs.has(transport);
  return ofSockets.test(name) ? overVerbs.has(transport) : undefined;
}

/** Every setting of the inputs and of the command line, judged for a release and, where there is one, a machine. */
export function answerEnv(documents: readonly Document[], machine: Machine, ask: Ask): EnvAnswer {
  const release = releaseOf(machine, ask);
  const given: EnvSetting[] = [...(ask.env ?? [])].map(([name, value]) => ({ name, value }));
  const described: EnvSetting[] = documents.some((d) => d.kind === 'cluster-yaml')
    ? [...machine.software.env].map(([name, fact]) => ({
        name,
        value: fact.value,
        ...(fact.at[0] ? { at: fact.at[0] } : {}),
      }))
    : [];
  const facts = new Facts(documents);
  const settings = [...given, ...described, ...facts.settings];
  const known = machine.hosts.length > 0;
  const all = new Map(settings.map((s) => [s.name, s.value]));
  const now = known ? decisions(machine, { ...ask, env: all }) : undefined;
  const changes = (name: string): boolean | undefined => {
    if (known && ofOtherNetwork(name, machine, { ...ask, env: all })) return false;
    if (now === undefined || !decided.test(name)) return undefined;
    const rest = new Map(all);
    rest.delete(name);
    const software = { ...machine.software, env: new Map([...machine.software.env].filter(([n]) => n !== name)) };
    const without = decisions({ ...machine, software }, { ...ask, env: rest });
    return without === undefined ? undefined : without !== now;
  };
  return { release, settings: lintEnv(settings, release, changes, gpusHere(facts, machine)) };
}

/** All that NCCL would decide, as one text to compare. */
function decisions(machine: Machine, ask: Ask): string | undefined {
  const graph = answerGraph(machine, ask);
  const paths = answerPaths(machine, ask);
  if (!graph.ok || !paths.ok) return undefined;
  const { channels, model, launch, p2p } = graph.value.communicator;
  const pairs = paths.value.pairs.map((p) => [
    p.from,
    p.to,
    p.type,
    p.bandwidthGBps,
    p.p2p?.verdict,
    p.p2p?.via,
    p.gdr,
  ]);
  return JSON.stringify([channels, model, launch, p2p, graph.value.graphs, graph.value.choices, pairs]);
}
