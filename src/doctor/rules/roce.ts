import type { Where } from '../../fact/fact.ts';
import type { Gid } from '../../read/rdma/ports.ts';
import { isLinkLocal, isRoutable } from '../../read/rdma/ports.ts';
import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';
import { gidIndexDiffers, mtuMismatch, nicSet } from './nodes-differ.ts';

/** What the kernel answers when no way leads from one RoCE address to the other, or the address has no interface here. */
const unreachable = /timed out|\b110\b|[Nn]o such device|\b19\b|unreachable|\b101\b/;

/** Since 2.18 NCCL prints the addresses that were used: one that routers pass on was no wrong choice. */
const routed = (text: string): boolean => {
  const used = /localGid ([\da-f:.]+)/.exec(text)?.[1];
  return used !== undefined && isRoutable(used.replace(/^::ffff:/, ''));
};

/** NCCL uses a GID that the peers cannot reach: an index set by hand, or the default of releases before 2.21. */
export const gidIndex: Rule = (facts) => {
  const gids: readonly Gid[] = [...facts.of('gid-table').flatMap((t) => t.gids), ...facts.ports.flatMap((p) => p.gids)];
  const setting = facts.setting('NCCL_IB_GID_INDEX');
  const index = setting && Number.parseInt(setting.value, 10);
  // What differs between the nodes explains a timeout better than the address does.
  if ([gidIndexDiffers, mtuMismatch, nicSet].some((rule) => rule(facts) !== undefined)) return undefined;
  const right = gids.find((g) => g.version === 'v2' && isRoutable(g.gid));
  const timeouts = facts.warnings.filter(
    (w) =>
      (w.kind === 'ib-completion' && w.code === 12 && !routed(w.text)) ||
      (w.kind === 'ib-modify-qp' && unreachable.test(w.text)),
  );
  const advice = {
    commands: [right ? `export NCCL_IB_GID_INDEX=${right.index}` : 'show_gids'],
    devices: right ? [right.device] : [],
  };
  const told = usedGid(facts);
  if (told && !(index !== undefined && gids.length > 0))
    return finding('roce-gid-index-wrong', { confidence: 0.75, evidence: told, ...advice, settle: 'show_gids' });
  if (index !== undefined && index >= 0 && gids.length > 0) {
    const used = gids.filter((g) => g.index === index);
    const wrong = used.every((g) => isLinkLocal(g.gid) || g.version === 'v1');
    if (wrong && (right || timeouts.length > 0)) {
      // RoCE v1 does reach who is on the same link, and is only bound to it: nothing failed yet.
      const works = timeouts.length === 0 && used.length > 0 && used.every((g) => isRoutable(g.gid));
      return finding('roce-gid-index-wrong', {
        confidence: timeouts.length > 0 ? 0.95 : works ? 0.6 : 0.8,
        ...(works ? { severity: 'info' as const } : {}),
        evidence: [setting!.at, used[0]?.at, ...timeouts.slice(0, 1).map((w) => w.at), right?.at],
        ...advice,
      });
    }
    return undefined;
  }
  // InfiniBand looks no address up, so these answers are RoCE's own.
  const noWay = timeouts.filter((w) => w.kind === 'ib-modify-qp' && !/timed out|\b110\b/.test(w.text));
  const roce = noWay.length > 0 || facts.networks.some((n) => n.ib?.devices.some((d) => d.layer === 'RoCE'));
  const local = gids.find((g) => g.index === 0 && isLinkLocal(g.gid));
  const automatic = facts.olderThan('2.21.5') === false;
  if (
    timeouts.length === 0 ||
    ((setting || automatic) && noWay.length === 0) ||
    !(roce || gids.some((g) => g.version === 'v2'))
  )
    return undefined;
  if (facts.ports.some((p) => p.state?.value === 'down')) return undefined;
  return finding('roce-gid-index-wrong', {
    confidence: local && right ? 0.85 : 0.5,
    evidence: [...timeouts.slice(0, 2).map((w) => w.at), right?.at, local?.at],
    ...advice,
    ...(right ? {} : { settle: noWay.length > 0 ? 'show_gids; ip -br addr; ip route' : 'show_gids' }),
  });
};

/** A program that names the address it took, a link-local one, and then reaches nobody. InfiniBand has a LID there. */
function usedGid(facts: Parameters<Rule>[0]): readonly Where[] | undefined {
  const retries = facts.said('ucx-retry').filter((m) => m.words[0] === 'RoCE');
  const peer = facts.said('ucx-peer-gid')[0];
  if (peer && retries.length > 0) return [peer.at, ...retries.map((m) => m.at)];
  // UCX names the address that it looked up in vain.
  const looked = facts
    .said('ucx-address')
    .filter((m) => Number(m.words[0]) >= 0xc000 && m.words[1]?.startsWith('fe80:'));
  if (looked.length > 0) return looked.map((m) => m.at);
  // perftest prints both addresses before it tries them.
  for (const { ethernet, failed, gids } of facts.of('perftest'))
    if (ethernet && failed?.status === 12 && gids?.local?.linkLocal && gids.remote?.linkLocal)
      return [gids.local.at, failed.at];
  const failed = facts.said('qp-unreachable');
  const local = facts.said('gid-used').find((m) => m.words[0] === '0' && m.words[2]?.startsWith('fe:80:'));
  return failed.length > 0 && local ? [local.at, ...failed.map((m) => m.at)] : undefined;
}

/** RoCE with packets of 1024 bytes, because the network device has the MTU of the internet. */
export const roceMtu: Rule = (facts) => {
  const small = facts.ports.filter(
    (p) =>
      p.layer?.value === 'Ethernet' && !p.iwarp && (p.activeMtu?.value ?? 4096) <= 1024 && p.state?.value !== 'down',
  );
  if (small.length === 0) return smallWithoutDevice(facts);
  return finding('roce-mtu-small', {
    devices: small.map((p) => p.device),
    evidence: small.map((p) => p.activeMtu?.at[0]),
    commands: [`sudo ip link set dev ${small[0]!.netdev?.value ?? '$NETDEV'} mtu 4200`],
  });
};

/** What a grep left of ibv_devinfo names no device: it counts where the same lines, or NCCL, say that this is RoCE. */
const smallWithoutDevice: Rule = (facts) => {
  const documents = facts.of('devinfo-lines').map((d) => d.lines);
  const roce = facts.networks.some((n) => n.ib?.devices.every((d) => d.layer === 'RoCE'));
  const small = documents.flatMap((lines) => {
    const layers = lines.filter((l) => l.name === 'link_layer');
    const ethernet = layers.length === 0 ? roce : layers.every((l) => l.value === 'Ethernet');
    return ethernet ? lines.filter((l) => l.name === 'active_mtu' && Number(l.value) <= 1024) : [];
  });
  if (small.length === 0) return undefined;
  return finding('roce-mtu-small', {
    confidence: 0.7,
    evidence: small.map((l) => l.at),
    commands: ['sudo ip link set dev $NETDEV mtu 4200'],
    settle: 'ibv_devinfo',
  });
};

/** What the host's own tools say: no priority is paused, and packets were dropped for want of a buffer. */
function flowControl(facts: Parameters<Rule>[0]): {
  readonly unguarded: readonly Where[];
  readonly drops: readonly Where[];
} {
  const blocks = facts.of('ethtool').flatMap((e) => e.blocks);
  const paused = blocks.some(
    (e) => e.what === 'pause' && [...e.fields].some(([name, f]) => /^[rt]x$/.test(name) && f.value === 'on'),
  );
  return {
    unguarded: paused ? [] : facts.of('qos').flatMap((q) => (q.pfc && !q.pfc.enabled.includes(true) ? [q.pfc.at] : [])),
    drops: blocks.flatMap((e) =>
      e.what !== 'statistics'
        ? []
        : [...e.fields].flatMap(([name, f]) =>
            /^(?:rx_discards_phy|rx_out_of_buffer|rx_prio\d_discards)$/.test(name) && Number(f.value) > 0 ? [f.at] : [],
          ),
    ),
  };
}

/** Packets that the NIC itself counts as lost, from boot on: a few come with any cable that was ever pulled. */
const manyLost: Readonly<Record<string, number>> = { packet_seq_err: 1000, local_ack_timeout_err: 1000 };

export const packetsLost: Rule = (facts) => {
  const values = facts.of('counters').flatMap((c) => c.values);
  const lost = values.filter((v) => v.value >= (manyLost[v.name] ?? Number.POSITIVE_INFINITY));
  if (lost.length === 0) return undefined;
  const devices = lost.flatMap((v) => v.device ?? []);
  return finding('rdma-packets-lost', {
    confidence: 0.65,
    devices,
    evidence: lost.sort((a, b) => b.value - a.value).map((v) => v.at),
    commands: [
      `grep . /sys/class/infiniband/${devices[0] ?? '*'}/ports/1/hw_counters/*`,
      'mlnx_qos -i $NETDEV',
      "ethtool -S $NETDEV | grep -iE 'discard|pause|cnp'",
    ],
  });
};

/** Bandwidth that falls to next to nothing from a size on and stays there: packets are dropped and sent again. */
export const roceLossy: Rule = (facts) => {
  if (facts.networks.some((n) => n.ib?.devices.every((d) => d.layer === 'IB'))) return undefined;
  for (const test of facts.of('nccl-tests')) {
    if (new Set(test.ranks.map((r) => r.host)).size < 2) continue;
    const rows = test.rows.flatMap((r) => {
      const half = r.outOfPlace ?? r.inPlace;
      return half ? [{ bytes: r.bytes, busbw: half.busbw, line: r.line }] : [];
    });
    let peak = 0;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!;
      const rest = rows.slice(i);
      if (peak >= 1 && row.bytes >= 1 << 20 && rest.length >= 2 && rest.every((r) => r.busbw < 0.25 * peak)) {
        const { unguarded, drops } = flowControl(facts);
        return finding('roce-not-lossless', {
          confidence: unguarded.length + drops.length > 0 ? 0.85 : 0.7,
          evidence: [
            ...[row, rows[i - 1]!].map((r) => ({ file: test.file, line: r.line })),
            ...unguarded.slice(0, 1),
            ...drops.slice(0, 2),
          ],
          commands: ['mlnx_qos -i $NETDEV', "ethtool -S $NETDEV | grep -iE 'discard|out_of_buffer|pause|cnp'"],
          settle: "ethtool -S $NETDEV | grep -iE 'discard|out_of_buffer|pause|cnp'",
        });
      }
      peak = Math.max(peak, row.busbw);
    }
  }
  return undefined;
};
