import type { Connection, NcclLog } from '../../read/nccl-log/types.ts';
import type { Facts } from '../facts.ts';
import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/**
 * NCCL counts hosts by the kernel's boot id, which containers of a host share: ranks that it counts to one host and joins over the
 * network see neither each other's GPUs nor the same /dev/shm. The network may win by its bandwidth inside one container too; it
 * does not between names of two, nor does a socket.
 */
export const containersApart: Rule = (facts) => {
  if (on(facts, 'NCCL_SHM_DISABLE') || facts.setting('NCCL_HOSTID')) return undefined;
  const ways = facts.logs.flatMap((log) => log.connections.filter((c) => apart(log, c)));
  const others = facts.said('shm-of-others');
  if (ways.length + others.length === 0) return undefined;
  return finding('containers-apart', {
    confidence: ways.length > 0 ? 0.8 : 0.65,
    evidence: [...ways, ...others].map((w) => w.at),
    commands: [
      'docker run --gpus all --ipc=host --pid=host …',
      'ls -Li /dev/shm/. ; readlink /proc/self/ns/ipc; nvidia-smi -L',
    ],
  });
};

const on = (facts: Facts, name: string): boolean => facts.setting(name)?.value.trim() === '1';

function apart(log: NcclLog, c: Connection): boolean {
  const comm = c.communicator === undefined ? undefined : log.communicators[c.communicator];
  if (c.kind !== 'NET' || comm?.nNodes !== 1 || comm.ranks.some((r) => (r.mnnvl ?? 0) > 0)) return false;
  const host = (rank: number): string | undefined => comm.ranks.find((r) => r.rank === rank)?.host;
  const [from, to] = [host(c.from.rank), host(c.to.rank)];
  return (from !== undefined && to !== undefined && from !== to) || /^socket$/i.test(c.network?.name ?? '');
}
