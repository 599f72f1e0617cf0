import type { RdmaPorts } from '../../read/rdma/ports.ts';
import { isRoutable } from '../../read/rdma/ports.ts';
import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/** Outputs of one tool, one a node: of several files or hosts, or lists in one paste that name the same device twice. */
function perNode(facts: Parameters<Rule>[0]): RdmaPorts[][] {
  const tools = new Map<string, RdmaPorts[]>();
  for (const d of facts.of('rdma-ports')) tools.set(d.from, [...(tools.get(d.from) ?? []), d]);
  return [...tools.values()].filter((ds) => {
    const [first, ...others] = ds;
    const again = others.some((o) => o.ports.some((p) => first!.ports.some((q) => q.device === p.device)));
    return new Set(ds.map((d) => `${d.host ?? ''} ${d.file}`)).size > 1 || again;
  });
}

/** Two nodes call their working NICs by other names, so one NCCL_IB_HCA cannot fit both. */
export const nicSet: Rule = (facts) => {
  for (const nodes of perNode(facts)) {
    const [first, ...others] = nodes;
    const up = (d: RdmaPorts) => d.ports.filter((p) => p.state === undefined || p.state.value === 'active');
    const known = new Set(up(first!).map((p) => p.device));
    for (const other of others) {
      const strange = up(other).filter((p) => !known.has(p.device));
      const lacking = up(first!).filter((p) => !up(other).some((o) => o.device === p.device));
      if (strange.length === 0 && lacking.length === 0) continue;
      return finding('nic-set-differs-between-nodes', {
        confidence: 0.85,
        devices: [...strange, ...lacking].map((p) => p.device),
        evidence: [...strange.map((p) => p.at), ...lacking.map((p) => p.at)],
        commands: [
          'ibdev2netdev',
          `echo 'NCCL_IB_HCA==${up(other)
            .map((p) => p.device)
            .join(',')}' | sudo tee -a /etc/nccl.conf`,
        ],
      });
    }
  }
  return undefined;
};

/** Two nodes agreed on different MTUs. */
export const mtuMismatch: Rule = (facts) => {
  for (const nodes of perNode(facts)) {
    const sized = nodes.flatMap((d) =>
      d.ports.filter((p) => p.activeMtu && p.state?.value !== 'down').map((p) => ({ document: d, p })),
    );
    const first = sized[0];
    const same = (p: (typeof sized)[number]['p']) =>
      sized.filter((s) => s.document !== first?.document && s.p.device === p.device);
    const pair = sized
      .filter((s) => s.document === first?.document)
      .map((s) => ({ s, other: same(s.p)[0] ?? sized.find((o) => o.document !== s.document) }))
      .find(({ s, other }) => other && other.p.activeMtu!.value !== s.p.activeMtu!.value);
    if (!pair?.other) continue;
    const larger = Math.max(pair.s.p.activeMtu!.value, pair.other.p.activeMtu!.value);
    const small = pair.s.p.activeMtu!.value < larger ? pair.s.p : pair.other.p;
    return finding('mtu-mismatch', {
      devices: [pair.s.p.device, pair.other.p.device],
      evidence: [pair.other.p.activeMtu!.at[0], pair.s.p.activeMtu!.at[0]],
      commands: [`sudo ip link set dev ${small.netdev?.value ?? '$NETDEV'} mtu ${larger >= 4096 ? 4200 : 9000}`],
    });
  }
  return undefined;
};

/** perftest prints what each side took: one a routable address, the other one that no route leaves. */
const sidesDiffer: Rule = (facts) => {
  for (const { gids, failed } of facts.of('perftest')) {
    const { local, remote } = gids ?? {};
    if (!failed || !local || !remote || local.linkLocal === remote.linkLocal) continue;
    return finding('roce-gid-index-differs-between-nodes', {
      confidence: 0.85,
      evidence: [local.at, remote.at, failed.at],
      commands: ['show_gids'],
      settle: 'show_gids',
    });
  }
  return undefined;
};

/** The row with the routable RoCE v2 address has another index on each node. */
export const gidIndexDiffers: Rule = (facts) => {
  const sides = sidesDiffer(facts);
  if (sides) return sides;
  const tables = [
    ...facts.of('gid-table').map((t) => ({ file: t.file, gids: t.gids })),
    ...facts.of('rdma-ports').map((d) => ({ file: d.file, gids: d.ports.flatMap((p) => p.gids) })),
  ].filter((t) => t.gids.length > 0);
  const best = (t: (typeof tables)[number], device?: string) =>
    t.gids.find((g) => g.version === 'v2' && isRoutable(g.gid) && (device === undefined || g.device === device));
  const [first, ...others] = tables;
  if (!first) return undefined;
  for (const other of others) {
    const shares = other.gids.some((g) => first.gids.some((f) => f.device === g.device));
    // Two tables in one paste are two nodes when they name the same device.
    if (other.file === first.file && !shares) continue;
    for (const device of new Set(first.gids.map((g) => g.device))) {
      const here = best(first, device);
      const there = other.gids.some((g) => g.device === device) ? best(other, device) : best(other);
      // One of the two may lack a routable RoCE v2 row altogether.
      if ((!here && !there) || here?.index === there?.index) continue;
      return finding('roce-gid-index-differs-between-nodes', {
        devices: [here?.device ?? device, there?.device ?? other.gids[0]!.device],
        evidence: [there?.at ?? other.gids.at(-1)?.at, here?.at ?? first.gids.at(-1)?.at],
        commands: [here, there].map((g) => (g ? `NCCL_IB_GID_INDEX=${g.index}` : 'show_gids')),
      });
    }
  }
  return undefined;
};
