import { portOfLink, slowLink } from '../../read/rdma/mlxlink-port.ts';
import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/** Gb/s that InfiniBand cards are sold for, by the type that ibstat prints (Mellanox device ids). */
const ratings: Readonly<Record<string, number>> = {
  MT4115: 100,
  MT4119: 100,
  MT4121: 100,
  MT4123: 200,
  MT4129: 400,
  MT4131: 800,
};

/** A link that came up below what the card can: a cable or a port of an older generation, or lanes lost. */
export const linkDegraded: Rule = (facts) => {
  const active = facts.ports.filter((p) => p.state?.value === 'active' && p.rate && p.layer?.value !== 'Ethernet');
  const fastest = new Map<string, number>();
  for (const p of active) {
    const type = p.caType?.value;
    if (type !== undefined) fastest.set(type, Math.max(fastest.get(type) ?? 0, p.rate!.value));
  }
  const slow = active.filter((p) => {
    const type = p.caType?.value ?? '';
    const rated = Object.hasOwn(ratings, type) ? ratings[type]! : 0;
    const rate = p.rate!.value;
    if (p.lanes === 1) return true;
    const best = fastest.get(type) ?? 0;
    // Cards of 400 Gb/s are sold for NDR200 as well: there only a port slower than its sisters speaks.
    return rate < best || (type === 'MT4129' ? rate < 200 : rate < rated);
  });
  if (slow.length === 0) return slowByFirmware(facts) ?? slowByFabric(facts);
  // Several sisters at the same lower rate may be other cards of the type, made for storage.
  const built = slow.every((p) => p.lanes !== 1 && p.caType?.value === 'MT4129' && p.rate!.value >= 200);
  return finding('nic-link-degraded', {
    severity: built && slow.length > 1 ? 'info' : 'error',
    confidence: 0.75,
    devices: slow.map((p) => p.device),
    evidence: slow.map((p) => p.rate?.at[0]),
    commands: [`sudo mlxlink -d ${slow[0]!.device} -m`],
    settle: `sudo mlxlink -d ${slow[0]!.device}`,
  });
};

/** What the firmware says of the link and of the cable in it. */
const slowByFirmware: Rule = (facts) => {
  const slow = facts
    .of('mlxlink')
    .flatMap((d) => d.links)
    .flatMap((link) => {
      const found = slowLink(link);
      const port = portOfLink(link);
      const narrow = port?.state?.value === 'active' && port.layer?.value === 'InfiniBand' && port.lanes === 1;
      if (!found && !narrow) return [];
      return [{ device: link.device, places: [found?.speed ?? link.fields.get('width')?.at, found?.cable] }];
    });
  if (slow.length === 0) return undefined;
  return finding('nic-link-degraded', {
    confidence: 0.75,
    devices: slow.flatMap((s) => s.device ?? []),
    evidence: slow.flatMap((s) => s.places),
    commands: slow[0]!.device === undefined ? [] : [`sudo mlxlink -d ${slow[0]!.device} -m`],
  });
};

/** iblinkinfo compares what both ends of a cable could with what they agreed on. Hardly any cable has 12 lanes, whatever ports say. */
const slowByFabric: Rule = (facts) => {
  const slow = facts
    .of('fabric-links')
    .flatMap((d) => d.links)
    .filter((l) => !l.down && /Could be (?!12X)/.test(l.could ?? ''));
  if (slow.length === 0) return undefined;
  return finding('nic-link-degraded', {
    confidence: 0.75,
    devices: slow.map((l) => l.peer),
    evidence: slow.map((l) => l.at),
    commands: ['sudo iblinkinfo -l | grep "Could be"'],
  });
};
