import type { FindingId } from '../doctor/ids.ts';
import type { Machine } from '../machine/machine.ts';
import { copiesOf, type DataPathModel, type MovePath, moveRow } from '../move/model.ts';
import { dataPaths } from '../move/move.ts';
import type { Ask } from '../nccl/of-machine.ts';
import { type Message, say } from '../words/message.ts';

type Ways = readonly [from: string, to: string, direct: MovePath, ...detours: MovePath[]];

const network: Ways = ['gpu0', 'node1/gpu0', 'gpudirect-rdma', 'host-staged-rdma'];
const sockets: Ways = ['gpu0', 'node1/gpu0', 'gpudirect-rdma', 'tcp', 'ipoib-connected', 'ipoib-datagram'];
const peers: Ways = ['gpu0', 'gpu1', 'p2p-pcie', 'host-staged'];

/** Which detour a finding stands for. Findings that stop a job, or that are no detour, have no price. */
const ways: Partial<Readonly<Record<FindingId, Ways>>> = {
  'gdr-asymmetric-between-nodes': network,
  'gdr-disabled-in-topo': network,
  'gdr-disabled-nccl-too-old-for-peermem': network,
  'gdr-disabled-peermem-loaded': network,
  'gdr-disabled-peermem-missing': network,
  'gpu-nic-cross-numa': network,
  'peermem-symbol-mismatch-ofed': network,
  'efa-device-not-exposed': sockets,
  'efa-plugin-no-provider': sockets,
  'ipoib-used-instead-of-verbs': sockets,
  'rdma-device-not-in-container': sockets,
  'rdma-drivers-not-loaded': sockets,
  'sockets-fallback-no-libibverbs': sockets,
  'acs-enabled': peers,
  'p2p-bandwidth-abnormal': peers,
  'p2p-broken-geforce': peers,
};

const large = 2 ** 30;
const small = 8192;
const load = { depth: 16, threads: 1, both: false };

/** Times the detour and the direct way on this machine; nothing where the wires of one are not known. */
export function priceOf(
  machine: Machine,
  ask: Ask,
  id: FindingId,
  devices: readonly string[] = [],
): Message | undefined {
  const found = ways[id];
  if (!found) return undefined;
  const [first, second, direct, ...detours] = found;
  // The price of a place is that of a GPU which has it.
  const placed = id === 'gpu-nic-cross-numa' ? devices.find((d) => /^gpu\d+$/.test(d)) : undefined;
  const [from, to] = placed === undefined ? [first, second] : [placed, `node1/${placed}`];
  const there = to.startsWith('node1/') ? { ...machine, nodes: Math.max(2, machine.nodes) } : machine;
  const start = there.nodes > 1 ? `node0/${from}` : from;
  const end = there.nodes > 1 && !to.includes('/') ? `node0/${to}` : to;
  const models = dataPaths(there, ask, start, end);
  if (!models.ok) return undefined;
  const of = (path: MovePath) => models.value.find((m) => m.path === path);
  const fast = of(direct);
  // On InfiniBand the socket way is IPoIB; whichever the machine has.
  const slow = detours.map(of).find((m) => m !== undefined);
  if (!fast || !slow) return undefined;
  const rate = (m: DataPathModel): number => moveRow(m, large, load).bandwidthGBps;
  const latency = (m: DataPathModel): number => moveRow(m, small, load).latencyUs;
  if (rate(fast) > 1.02 * rate(slow)) {
    return say('doctor.cost.rate', {
      from,
      to,
      slow: rate(slow).toPrecision(3),
      fast: rate(fast).toPrecision(3),
      share: Math.round(100 * (1 - rate(slow) / rate(fast))),
    });
  }
  if (latency(fast) > 0.95 * latency(slow)) return undefined;
  return say('doctor.cost.latency', {
    from,
    to,
    slow: latency(slow).toPrecision(3),
    fast: latency(fast).toPrecision(3),
    copies: copiesOf(slow),
  });
}
