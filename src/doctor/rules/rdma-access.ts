import type { Where } from '../../fact/fact.ts';
import { say } from '../../words/message.ts';
import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';
import { emptyResource } from './device-plugin.ts';

type Facts = Parameters<Rule>[0];

/** Places where the kernel part of RDMA answers that it is not there. */
const stopped = (facts: Facts): Where[] => [
  ...facts.of('rdma-ports').flatMap((d) => d.none.filter((n) => n.why === 'not-implemented').map((n) => n.at)),
  ...facts.said('verbs-absent').map((m) => m.at),
];

/** No RDMA driver runs: tools and NCCL find nothing although the card is there. */
export const driversNotLoaded: Rule = (facts) => {
  const said = stopped(facts);
  const card = facts
    .of('lspci')
    .flatMap((l) => l.devices)
    .find((d) => /^Infiniband/i.test(d.className));
  const driver = facts.module('mlx5_ib', 'mlx4_ib', 'ib_uverbs', 'bnxt_re', 'irdma');
  const none = facts.of('rdma-ports').flatMap((d) => d.none.map((n) => n.at));
  // The tools of a host ask sysfs: with a card there and no device, no driver has taken it.
  const unclaimed = card !== undefined && none.length > 0 && facts.ports.length === 0;
  const unloaded = card && (driver === 'absent' || unclaimed);
  if (said.length === 0 && !unloaded) return undefined;
  return finding('rdma-drivers-not-loaded', {
    confidence: said.length > 0 ? 0.95 : 0.75,
    evidence: [...said, ...none, unloaded ? card.at : undefined],
    absent: unloaded && driver === 'absent' ? [say('doctor.absent.module', { name: 'mlx5_ib' })] : [],
    commands: ['sudo systemctl start openibd', 'sudo modprobe -a mlx5_ib ib_uverbs'],
  });
};

/** The process sees no device it may open, although the host has one: a container without /dev/infiniband. */
export const notInContainer: Rule = (facts) => {
  if (stopped(facts).length > 0) return undefined;
  const refused = facts.warnings.filter((w) => w.kind === 'ib-open-device').map((w) => w.at);
  const perftest = [
    ...facts.of('perftest').flatMap((p) => p.noDevice ?? []),
    ...facts.said('no-rdma-device').map((m) => m.at),
  ];
  const folders = facts.of('listing');
  const nodes = folders.flatMap((l) => l.entries).filter((e) => e.there && e.path.startsWith('/dev/infiniband/'));
  const listed = nodes.length > 0 || folders.some((l) => l.folders.some((f) => f.path === '/dev/infiniband'));
  const noVerbs = listed && !nodes.some((e) => /uverbs/.test(e.path));
  const gone = folders.flatMap((l) => l.entries).find((e) => !e.there && /^\/dev\/infiniband/.test(e.path));
  // "No device found" is a fault only where something shows that there is one.
  const onAnother = (host: string): boolean =>
    facts.networks.some((n) => n.host !== host && n.ib?.devices.some((d) => d.layer !== undefined));
  const none = facts.networks.flatMap((n) => (n.ibNone && (facts.rdmaHardware || onAnother(n.host)) ? [n.ibNone] : []));
  // sysfs lists the host's devices, and the library finds none that it may open.
  const shown = folders.some((l) =>
    l.entries.some((e) => e.there && /^\/sys\/class\/infiniband\/[\w.-]+$/.test(e.path)),
  );
  const hidden = shown ? facts.of('rdma-ports').flatMap((d) => d.none.map((n) => n.at)) : [];
  // An address belongs to a network device: where that is of another namespace, the RDMA device has none.
  const nameless = [
    ...facts.of('gid-table').flatMap((t) => (t.empty && facts.rdmaHardware ? [t.empty] : [])),
    ...facts.of('perftest').flatMap((p) => (p.gids?.local?.none && p.ethernet ? [p.gids.local.at] : [])),
  ];
  // The library found the device and cannot drive it: nothing is hidden from the process then.
  if (facts.said('no-verbs-provider').length > 0 && refused.length === 0) return undefined;
  const plugin = emptyResource(facts);
  if (plugin && refused.length === 0) return plugin;
  const evidence = [...refused, ...perftest, ...none, ...hidden, ...nameless];
  if (evidence.length === 0 && !((noVerbs || gone) && facts.rdmaHardware)) return undefined;
  if (
    refused.length === 0 &&
    perftest.length === 0 &&
    facts.settings.some((s) => s.name === 'NCCL_IB_DISABLE' && s.value === '1')
  )
    return undefined;
  return finding('rdma-device-not-in-container', {
    confidence: refused.length + hidden.length > 0 || noVerbs || gone ? 0.9 : 0.65,
    evidence: [...evidence, noVerbs ? (nodes[0]?.at ?? folders.flatMap((l) => l.folders)[0]?.at) : undefined, gone?.at],
    absent: noVerbs ? [say('doctor.absent.node', { path: '/dev/infiniband/uverbs0' })] : [],
    commands: ['docker run --device=/dev/infiniband --cap-add=IPC_LOCK --ulimit memlock=-1 …', 'rdma system show'],
    settle: 'ls -l /dev/infiniband; rdma system show',
  });
};
