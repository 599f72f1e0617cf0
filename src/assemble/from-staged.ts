import { editHost } from '../machine/edit.ts';
import type { Host, NicPort } from '../machine/host.ts';
import type { Machine } from '../machine/machine.ts';
import { decide, type NetPair, netPairs } from '../nccl/decide/pairs.ts';
import { situationOf } from '../nccl/of-machine.ts';
import type { Connection, NcclLog } from '../read/nccl-log/types.ts';

/**
 * What a log shows by going through host memory: NCCL says why on lines that it only prints when asked for more, but its channels
 * end without `/GDRDMA` in any log. Where GPU and NIC are near enough that it would have gone direct had both been able, one of
 * them is not; of GPUs that can it is the NIC's side. Ports of which another line tells stay as they are.
 */
export function withStagedWays(machine: Machine, logs: readonly NcclLog[]): Machine {
  const staged = logs.flatMap((log) =>
    log.connections.filter((c) => c.kind === 'NET' && c.network?.name === 'IB' && !c.gdr).map((c) => ({ log, c })),
  );
  if (staged.length === 0 || machine.fabric.transport?.value === 'efa') return machine;
  const hosts = machine.hosts.map((host, i) => withStagedPorts(machine, host, i, staged));
  return hosts.every((h, i) => h === machine.hosts[i]) ? machine : { ...machine, hosts };
}

interface Seen {
  readonly log: NcclLog;
  readonly c: Connection;
}

function withStagedPorts(machine: Machine, host: Host, index: number, staged: readonly Seen[]): Host {
  const able = editHost(host, {
    gpu: (g) => ({ ...g, gdr: g.gdr ?? true }),
    port: (p) => ({ ...p, gdr: p.gdr ?? true }),
  });
  const hosts = machine.hosts.map((h, i) => (i === index ? able : h));
  const decision = decide(situationOf({ ...machine, hosts, nodes: Math.max(2, machine.nodes) }, index));
  if (!decision.ok) return host;
  const pairs = [...netPairs(decision.value)];
  const cannot = new Map<number, Seen>();
  for (const seen of staged) {
    const pair = pairs.find((p) => fits(p, seen));
    if (!pair) continue;
    const { mode } = seen.c.direction === 'receive' ? pair.recv : pair.send;
    const { dev } = pair.to.net!;
    if (mode !== 'Disabled' && !cannot.has(dev)) cannot.set(dev, seen);
  }
  if (cannot.size === 0) return host;
  return editHost(host, {
    port: (p) => {
      const seen = p.gdr === undefined ? cannot.get(p.dev) : undefined;
      return seen ? { ...p, gdr: false, gdrInferred: true, gdrAt: [seen.c.at] } : p;
    },
  });
}

/** The GPU that printed the line, and the NIC that it names. */
function fits(pair: NetPair, { log, c }: Seen): boolean {
  const own = c.direction === 'receive' ? c.to : c.from;
  const communicator = log.communicators[c.communicator ?? (log.communicators.length === 1 ? 0 : -1)];
  const rank = communicator?.ranks.find((r) => r.rank === own.rank);
  const dev = own.device ?? rank?.nvmlDev ?? rank?.cudaDev;
  return dev === pair.from.gpu!.dev && isPort(log, c, pair.to.net!.port);
}

/** Is this the port that a line names? Its number counts in the list of that host, which variables may have cut short. */
export function isPort(log: NcclLog, c: Connection, port: NicPort): boolean {
  const name = nameOfPort(log, c);
  return name !== undefined && port.name !== undefined ? name === port.name : c.network?.dev === port.dev;
}

/** What the log calls the NIC of a line. */
export const nameOfPort = (log: NcclLog, c: Connection): string | undefined =>
  log.networks.find((n) => n.host === c.host && n.ib)?.ib?.devices.find((d) => d.index === c.network?.dev)?.name;
