import { say } from '../../words/message.ts';
import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/** Ports that are down. The rate of such a port is no speed, so nothing is said about it. */
export const portDown: Rule = (facts) => {
  const down = facts
    .of('rdma-ports')
    .flatMap((d) => d.ports.filter((p) => p.state?.value === 'down').map((p) => ({ p, from: d.from })));
  if (down.length === 0) return undefined;
  const weak = down.every((d) => d.from === 'ibdev2netdev');
  const first = down[0]!.p;
  return finding('nic-port-down', {
    severity: weak ? 'warning' : 'error',
    confidence: weak ? 0.6 : 0.9,
    devices: down.map(({ p }) => p.device),
    evidence: [...down.map(({ p }) => p.state?.at[0]), ...down.map(({ p }) => p.physical?.at[0])],
    commands: [first.netdev ? `ethtool ${first.netdev.value}` : `ibstat ${first.device}`],
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
  if (downed.length + events.length === 0) return undefined;
  return finding('nic-link-flapping', {
    confidence: downed.some((d) => d.value >= 50) ? 0.85 : events.length > 0 ? 0.75 : 0.65,
    devices: downed.flatMap((d) => d.device ?? []),
    evidence: [...downed.map((d) => d.at), ...events.map((w) => w.at)],
    commands: ['sudo perfquery -x -R'],
    also: downed.some((d) => d.value >= 255) ? [{ text: say('doctor.counter-full') }] : [],
  });
};
