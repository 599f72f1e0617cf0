import type { Where } from '../../fact/fact.ts';
import { hcaChosen } from '../../nccl/ib-hca.ts';
import { portOfLink } from '../../read/rdma/mlxlink-port.ts';
import type { PortTool, RdmaPort } from '../../read/rdma/ports.ts';
import { say } from '../../words/message.ts';
import type { Facts } from '../facts.ts';
import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/** The name that verbs know; mst's and PCI's names are no argument of its tools. */
const named = (p: RdmaPort): string => (/^[\w.-]*$/.test(p.device) ? p.device : '');

/** The device; of one with several ports the port as well, as NCCL_IB_HCA spells it. */
const portName = (p: RdmaPort, all: readonly ToldPort[]): string =>
  all.some((o) => o.p.device === p.device && o.p.port !== p.port) ? `${p.device}:${p.port}` : p.device;

interface ToldPort {
  readonly p: RdmaPort;
  readonly from: PortTool | 'mlxlink';
  readonly file: string;
}

/** Ports that NCCL_IB_HCA leaves to the job, by every tool that tells how they are. */
function portsTold(facts: Facts): ToldPort[] {
  const asked = hcaAsked(facts);
  const told = [
    ...facts.of('rdma-ports').map(({ from, file, host, ports }) => ({ from, file: host ?? file, ports })),
    ...facts.of('mlxlink').map(({ file, links }) => ({
      from: 'mlxlink' as const,
      file,
      ports: links.flatMap((l) => portOfLink(l) ?? []),
    })),
  ];
  // Names of mst and of PCI are not those that NCCL_IB_HCA speaks of.
  const chosen = (p: RdmaPort): boolean => asked === undefined || named(p) === '' || hcaChosen(asked, p.device, p.port);
  return told.flatMap(({ from, file, ports }) =>
    ports
      .filter(chosen)
      // There a name of IP over InfiniBand has the state of the IP side, which verbs do without.
      .filter((p) => from !== 'ibdev2netdev' || !/^ib/.test(p.netdev?.value ?? ''))
      .map((p) => ({ p, from, file })),
  );
}

/** The list of NICs that the job was given: NCCL's, or that of the library which runs in its place. */
function hcaAsked(facts: Facts): string | undefined {
  const own = facts.setting('NCCL_IB_HCA')?.value.trim();
  if (own) return own;
  const other = (facts.setting('NVSHMEM_HCA_LIST') ?? facts.setting('UCX_NET_DEVICES'))?.value.trim();
  // Those hold whole names; `all` and interfaces of the host choose no port.
  return other && /\b(?:mlx\d|bnxt_re|irdma|efa|erdma|hfi|rocep|ibp)/.test(other) ? `=${other}` : undefined;
}
/** Cards without InfiniBand: ConnectX-4 Lx, -6 Dx and -6 Lx. */
const ethernetCard = /^MT(?:4117|4125|4127)$/;
const active = (x: ToldPort): boolean => x.p.state?.value === 'active';
/** Where NCCL complains of verbs, a port that is down is the first suspect. */
const verbsComplain = (facts: Facts): boolean => facts.warnings.some((w) => w.kind.startsWith('ib-'));

/**
 * A port that is up and that a job would take, where each list of ports (of a node, or of a moment) has one: NCCL passes over those
 * that are down. None where the job's own log took other devices, or complains.
 */
export function portLeft(facts: Facts): Where | undefined {
  if (verbsComplain(facts)) return undefined;
  const taken = new Set(facts.networks.flatMap((n) => n.ib?.devices.map((d) => d.name) ?? []));
  const all = portsTold(facts).filter((x) => taken.size === 0 || named(x.p) === '' || taken.has(x.p.device));
  const lists = new Map<string, ToldPort | undefined>();
  for (const x of all) {
    // mlxlink is asked about one port at a time.
    const list = x.from === 'mlxlink' ? x.from : `${x.from} ${x.file}`;
    lists.set(list, lists.get(list) ?? (active(x) ? x : undefined));
  }
  const up = [...lists.values()];
  return up.every((x) => x !== undefined) ? up[0]?.p.state?.at[0] : undefined;
}

/**
 * Ports that are down. The rate of such a port is no speed, so nothing is said about it. Few machines have a cable in every Ethernet
 * port: one that is down beside others that work is a remark, unless something means to use it.
 */
export const portDown: Rule = (facts) => {
  const asked = hcaAsked(facts);
  const all = portsTold(facts);
  const ethernet = (p: RdmaPort): boolean =>
    p.layer?.value === 'Ethernet' ||
    (p.layer === undefined && ethernetCard.test(p.caType?.value ?? '')) ||
    (p.layer === undefined && p.netdev !== undefined && !/^ib/.test(p.netdev.value));
  const complains = verbsComplain(facts);
  /** Named by NCCL_IB_HCA, taken by NCCL in its log, or in use on another node. */
  const meant = ({ p, from, file }: ToldPort): boolean =>
    complains ||
    (asked !== undefined && !asked.startsWith('^') && named(p) !== '') ||
    facts.networks.some((n) => n.ib?.devices.some((d) => d.name === p.device)) ||
    (named(p) !== '' && all.some((o) => active(o) && o.from === from && o.file !== file && o.p.device === p.device));
  const down = all.filter((x) => x.p.state?.value === 'down');
  /** The other port of its card has the cable. A number that more than two share was taken out by whoever passed the list on. */
  const second = (x: ToldPort): boolean => {
    const card = x.p.card === undefined ? [] : all.filter((o) => o.file === x.file && o.p.card === x.p.card);
    return card.length === 2 && card.some(active);
  };
  const spare = down.filter(
    (x) => (ethernet(x.p) || second(x)) && !meant(x) && all.some((o) => active(o) && o.file === x.file),
  );
  const bad = down.filter((x) => !spare.includes(x));
  const shown = bad.length > 0 ? bad : spare;
  const [first] = shown.map((x) => x.p);
  if (!first) return undefined;
  // ibdev2netdev tells of the IP side; a port that somebody has switched off beside others that work may be left so.
  const left = (d: ToldPort): boolean =>
    /disabled/i.test(d.p.physical?.value ?? '') && !meant(d) && all.some((o) => active(o) && o.file === d.file);
  const weak = shown.every((d) => d.from === 'ibdev2netdev' || left(d));
  return finding('nic-port-down', {
    severity: bad.length === 0 ? 'info' : weak ? 'warning' : 'error',
    confidence: bad.length === 0 ? 0.5 : weak ? 0.6 : 0.9,
    devices: [...new Set(shown.map(({ p }) => portName(p, all)))].filter((name) => name !== ''),
    evidence: [...shown.map(({ p }) => p.state?.at[0]), ...shown.map(({ p }) => p.physical?.at[0])],
    commands: [first.netdev ? `ethtool ${first.netdev.value}` : `ibstat ${named(first)}`.trimEnd()],
  });
};

/** The cable works and nobody gives the port an address. */
export const noSubnetManager: Rule = (facts) => {
  const waiting = facts.ports.filter(
    (p) =>
      p.state?.value === 'init' && p.layer?.value !== 'Ethernet' && !/polling|disabled/i.test(p.physical?.value ?? ''),
  );
  if (waiting.length === 0) return undefined;
  return finding('nic-no-subnet-manager', {
    devices: waiting.map((p) => p.device),
    evidence: [...waiting.map((p) => p.state?.at[0]), ...waiting.map((p) => p.smLid?.at[0])],
    commands: ['sudo systemctl start opensm', 'sminfo'],
  });
};

/** ibstat lists a device that it cannot open any more. */
export const nicMissing: Rule = (facts) => {
  // Azure's Accelerated Networking interface is listed among the devices, and ibstat cannot read it on any machine there.
  const lost = facts.of('rdma-ports').flatMap((d) => d.lost.filter((l) => !/_an\d+$/.test(l.device)));
  if (lost.length === 0) return undefined;
  return finding('nic-missing', {
    devices: lost.map((l) => l.device),
    evidence: lost.map((l) => l.at),
    commands: [`sudo dmesg | grep -iE 'mlx5|pcieport|AER'`, "lspci -D | grep -iE 'infiniband|mellanox'"],
  });
};

/** A link that went down many times though it is up now. The counter has 8 bits and stops at 255. */
export const linkFlapping: Rule = (facts) => {
  const downed = facts
    .of('counters')
    .flatMap((c) => c.values)
    .filter((v) => /^link_downed$/.test(v.name) && v.value >= 10);
  // NCCL is told of a port that went down while it ran.
  const events = facts.warnings.filter((w) => w.kind === 'ib-async-event' && /port error/.test(w.text));
  const links = facts
    .of('mlxlink')
    .flatMap((d) => d.links)
    .flatMap((l) => {
      const counted = l.fields.get('link down counter');
      return counted && Number(counted.value) >= 10
        ? [{ device: l.device, value: Number(counted.value), at: counted.at }]
        : [];
    });
  if (downed.length + events.length + links.length === 0) return undefined;
  return finding('nic-link-flapping', {
    confidence: [...downed, ...links].some((d) => d.value >= 50) ? 0.85 : events.length > 0 ? 0.75 : 0.65,
    devices: [...downed, ...links].flatMap((d) => d.device ?? []),
    evidence: [...downed.map((d) => d.at), ...links.map((l) => l.at), ...events.map((w) => w.at)],
    commands: ['sudo perfquery -x -R'],
    also: downed.some((d) => d.value >= 255) ? [{ text: say('doctor.counter-full') }] : [],
  });
};
