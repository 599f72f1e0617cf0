import type { Where } from '../../fact/fact.ts';
import { say } from '../../words/message.ts';
import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

type Facts = Parameters<Rule>[0];

/** Hosts whose network is the socket one, and where they say so. */
function socketUsers(facts: Facts): { readonly host: string; readonly at: Where }[] {
  return facts.networks.flatMap((n) => {
    const chosen = n.using.find((u) => /^socket$/i.test(u.name));
    const other = n.using.some((u) => !/^socket$/i.test(u.name));
    if (other) return [];
    return chosen
      ? [{ host: n.host, at: chosen.at }]
      : n.socket && n.using.length === 0 && !n.ib
        ? [{ host: n.host, at: n.socket.at }]
        : [];
  });
}

const plugin = (facts: Facts): boolean => facts.networks.some((n) => n.ofi.length > 0);

/** The job goes over TCP. On machines without RDMA that is as it should be. */
export const socketsFallback: Rule = (facts) => {
  const used = socketUsers(facts);
  const ways = facts.connections.filter((c) => c.kind === 'NET' && /socket/i.test(c.network?.name ?? ''));
  const tcp = facts.networks.flatMap((n) => n.ofi.filter((o) => /Selected [Pp]rovider is tcp/.test(o.text)));
  if (ways.length === 0 && tcp.length === 0 && !(used.length > 0 && (facts.severalNodes || facts.rdmaHardware)))
    return undefined;
  return finding('sockets-fallback', {
    confidence: 0.8,
    evidence: [...used.map((u) => u.at), ...ways.map((w) => w.at), ...tcp.map((t) => t.at)],
    settle: 'ibv_devinfo',
  });
};

/** NCCL cannot load the verbs library: a fault where RDMA is meant, nothing on a single machine. */
export const noLibibverbs: Rule = (facts) => {
  if (plugin(facts)) return undefined;
  // The library is there and does not know the card: the kernel's device names it.
  const unknown = facts.said('no-verbs-provider');
  if (unknown.length > 0 && facts.networks.every((n) => !n.ib)) {
    const apart = unknown.some((m) => /kernel ABI/.test(m.text));
    return finding('sockets-fallback-no-libibverbs', {
      severity: facts.severalNodes || apart ? 'error' : 'warning',
      confidence: apart ? 0.9 : 0.75,
      evidence: [...unknown.slice(0, 3).map((m) => m.at), ...socketUsers(facts).map((u) => u.at)],
      ...(apart ? { fix: say('doctor.fix-provider-abi') } : {}),
      commands: [apart ? undefined : 'apt-get install -y ibverbs-providers', 'ibv_devinfo'],
    });
  }
  const missing = facts.networks.filter((n) => n.verbsMissing && !n.ib);
  if (missing.length === 0) return undefined;
  const hardware = facts.rdmaHardware;
  const nodes = missing.some((m) => facts.hosts.some((h) => h !== m.host));
  if (!hardware && !nodes) return undefined;
  // Nodes of a plain network need no library, and who chose sockets knows that they have no other.
  const chosen = facts.settings.some(
    (s) =>
      (s.name === 'NCCL_IB_DISABLE' && /^[1-9]/.test(s.value)) ||
      (s.name === 'NCCL_NET' && /^socket\b/i.test(s.value.trim())),
  );
  if (!hardware && chosen) return undefined;
  return finding('sockets-fallback-no-libibverbs', {
    ...(hardware ? {} : { severity: 'warning' as const }),
    confidence: hardware ? 0.95 : 0.6,
    evidence: [...missing.map((m) => m.verbsMissing), ...socketUsers(facts).map((u) => u.at), facts.ports[0]?.at],
    commands: ['apt-get install -y libibverbs1 rdma-core ibverbs-providers', 'ldconfig -p | grep libibverbs'],
    ...(hardware ? {} : { settle: 'ls /sys/class/infiniband' }),
  });
};

/** Sockets over an InfiniBand interface: the name says ib, the data goes through the kernel all the same. */
export const ipoib: Rule = (facts) => {
  const { ipoib: used } = facts;
  if (!used || socketUsers(facts).length === 0) return undefined;
  const disabled = facts.settings.find((s) => s.name === 'NCCL_IB_DISABLE' && s.value === '1');
  return finding('ipoib-used-instead-of-verbs', {
    confidence: 0.9,
    devices: [used.name],
    evidence: [used.at, disabled?.at, ...socketUsers(facts).map((u) => u.at)],
    commands: ['ibv_devinfo'],
    also: disabled
      ? [{ text: say('doctor.unset', { name: 'NCCL_IB_DISABLE' }), command: 'unset NCCL_IB_DISABLE' }]
      : [],
  });
};
