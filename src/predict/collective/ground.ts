import { fail, ok, type Result } from '../../base/result.ts';
import { p2pWays } from '../../collective/ways.ts';
import { rankCount } from '../../machine/fuse.ts';
import type { Machine } from '../../machine/machine.ts';
import { portsOf } from '../../machine/names.ts';
import { type Communicator, communicator } from '../../nccl/communicator.ts';
import { type Ask, jobOf } from '../../nccl/of-machine.ts';
import { nvlinkGBps } from '../../nccl/rates/nvlink.ts';
import type { Release } from '../../nccl/release.ts';
import type { Refusal } from '../../nccl/system/build.ts';
import type { TopoNode } from '../../nccl/system/node.ts';
import { say } from '../../words/message.ts';
import { CollectiveLoads } from './collective-loads.ts';
import { ExchangeLoads } from './exchange-loads.ts';
import type { Relief } from './laid.ts';
import { line, linkPeak } from './wire-rates.ts';

export interface CollectiveGround {
  readonly machine: Machine;
  readonly made: Communicator;
  readonly ranks: number;
  /** Nodes as NCCL counts them, and the most ranks that one has. */
  readonly nodes: number;
  readonly perNode: number;
  /** GPUs of a host, however many hosts NVLink joins to a node. */
  readonly perHost: number;
  readonly sm: number;
  /** GB/s of all NICs of a node, one way. */
  readonly netTotal: number;
  /** What collectives lay onto the wires, and what exchanges do. */
  readonly loads: CollectiveLoads;
  readonly exchange: ExchangeLoads;
  readonly relief: Relief;
  /** GB/s a GPU's NVLinks carry one way at their peak; 0 without. */
  readonly nvlink: number;
}

export function groundOf(machine: Machine, ask: Ask, host = 0): Result<CollectiveGround, Refusal> {
  const made = communicator(jobOf(machine, host, ask));
  if (!made.ok) return made;
  const c = made.value;
  const gpus = c.decision.topology.whole.system.nodes.GPU;
  const sm = c.facts.minSm;
  // Nodes meet over a NIC, or not at all.
  if (c.nodes > 1 && !hasPort(c)) {
    const code = portsOf(machine.hosts[host]!).length > 0 ? 'predict.nic-unused' : 'predict.no-nic';
    return fail({ reason: say(code, { nodes: c.nodes }), at: [] });
  }
  const sizes = [...c.perDomain, ...c.rest].map((d) => d.ranks.length);
  const lines = netTotal(machine, c);
  const nvlink = Math.min(...gpus.map((g) => nvlinkPeak(g, sm, c.release)));
  return ok({
    machine,
    made: c,
    ranks: c.ranks,
    nodes: c.nodes,
    perNode: Math.max(...sizes),
    perHost: rankCount(machine.hosts[host]!),
    sm,
    netTotal: lines,
    loads: new CollectiveLoads(machine, c, { sm, netTotal: lines }),
    exchange: new ExchangeLoads(machine, c, p2pWays(c), { sm, netTotal: lines }),
    relief: { inside: 1, outside: 1 },
    nvlink: Number.isFinite(nvlink) ? nvlink : 0,
  });
}

/** All NVLinks of a GPU. */
function nvlinkPeak(gpu: TopoNode, sm: number, release: Release): number {
  const own = [gpu, ...gpu.links.filter((l) => l.to.type === 'DEV').map((l) => l.to)];
  let links = 0;
  for (const n of own) for (const l of n.links) if (l.type === 'NVL') links += l.bw / nvlinkGBps(sm, release);
  return Math.round(links) * linkPeak(sm);
}

const hasPort = (c: Communicator): boolean =>
  [...c.perDomain, ...c.rest].every((d) => d.ground.paths.system.nodes.NET.length > 0);

function netTotal(machine: Machine, c: Communicator): number {
  const nets = new Map<string, number>();
  for (const d of c.perDomain) {
    for (const net of d.ground.paths.system.nodes.NET) nets.set(net.id, line(machine, net));
  }
  return [...nets.values()].reduce((a, b) => a + b, 0);
}
