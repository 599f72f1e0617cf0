import type { Where } from '../../fact/fact.ts';
import { smiField } from '../../read/gpu/smi-query.ts';
import type { LooseLink, PciLink } from '../../read/pci/types.ts';
import { slotLanes } from '../../read/rdma/mlxlink-port.ts';
import { say } from '../../words/message.ts';
import { isGpu, isRdmaNic } from '../facts.ts';
import { type Finding, finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

const lanes = (text: string | undefined): number => Number.parseInt(text ?? '', 10);

const tooNarrow = ({
  linkCap,
  linkSta,
}: {
  readonly linkCap?: PciLink | undefined;
  readonly linkSta: PciLink;
}): boolean =>
  (linkSta.width ?? 0) > 0 &&
  (linkSta.downgraded.width || (linkCap?.width !== undefined && linkSta.width! < linkCap.width));

/**
 * Links of which a grep left no more than the link, where the command says whose it is. Of all others nobody knows whether they are of a
 * card: ports of bridges have lanes that no slot uses.
 */
const asked = (facts: Parameters<Rule>[0]): LooseLink[] => {
  const known = facts.of('lspci').flatMap((l) => l.devices);
  return facts
    .of('lspci')
    .flatMap((l) => l.looseLinks)
    .filter((l) => {
      const device = known.find((d) => d.address === l.address);
      return l.address !== undefined && (device === undefined || isGpu(device) || isRdmaNic(device));
    });
};

/** A card on fewer lanes than it has. Speed falls when a GPU idles, width does not. */
export const pcieWidth: Rule = (facts) => {
  const evidence: Where[] = [];
  const devices: string[] = [];
  const narrow = (device: string | undefined, ...at: readonly (Where | undefined)[]): void => {
    if (device !== undefined) devices.push(device);
    for (const a of at) if (a) evidence.push(a);
  };
  for (const d of facts.of('lspci').flatMap((l) => l.devices)) {
    const card = isGpu(d) || isRdmaNic(d) || /^Non-Volatile/.test(d.className) || d.port === 'Upstream Port';
    const { linkCap, linkSta } = d;
    if (card && linkSta && tooNarrow({ linkCap, linkSta })) narrow(d.address, linkSta.at);
  }
  for (const l of asked(facts)) if (tooNarrow(l)) narrow(l.address, l.linkSta.at);
  for (const p of facts.ports) if (p.narrow) narrow(p.busId ?? p.device, p.narrow.at[0]);
  for (const link of facts.of('mlxlink').flatMap((d) => d.links)) {
    const lanes = slotLanes(link);
    if (lanes && lanes.now > 0 && lanes.now < lanes.most) narrow(link.device, lanes.at);
  }
  for (const gpu of facts.of('smi-query').flatMap((q) => q.gpus)) {
    const now = smiField(gpu, 'link width/current');
    const most = smiField(gpu, 'link width/max');
    if (now && most && lanes(now.value) > 0 && lanes(now.value) < lanes(most.value)) narrow(gpu.busId, now.at);
  }
  for (const m of facts.said('pcie-limited')) {
    const [device, now, most] = m.words;
    if (Number(now) < Number(most)) narrow(device, m.at);
  }
  if (evidence.length > 0) {
    const one = devices.find((d) => /^[0-9a-f:.]{7,12}$/i.test(d));
    return finding('pcie-link-width-degraded', {
      confidence: 0.9,
      // Boards for desktops deal the lanes of the CPU out among their slots.
      ...(facts.geforce ? { severity: 'warning' as const, fix: say('doctor.fix-width-desktop') } : {}),
      devices,
      evidence,
      commands: one === undefined ? [] : [`sudo lspci -vvv -s ${one} | grep -E 'LnkCap|LnkSta'`],
    });
  }
  return slowCopies(facts);
};

/** Every copy between GPUs at the rate of four lanes, with P2P and without: a guess at the slot, no more. */
const slowCopies = (facts: Parameters<Rule>[0]): Finding | undefined => {
  for (const test of facts.of('p2p-bandwidth')) {
    if (!test.devices.some((d) => /RTX [3-6]0\d0|RTX A[456]000|\b[ABHL]\d0{1,2}S?\b/.test(d.name))) continue;
    const cells = (enabled: boolean) =>
      test.matrices
        .filter((m) => m.what === 'bandwidth' && m.direction === 'uni' && m.enabled === enabled)
        .flatMap((m) =>
          m.rows.flatMap((r) =>
            r.values.flatMap((v, i) => (m.columns[i] !== r.index && v > 0 ? [{ v, at: r.at }] : [])),
          ),
        );
    const on = cells(true);
    const off = cells(false);
    if (on.length === 0 || off.length === 0) continue;
    const best = Math.max(...on.map((c) => c.v), ...off.map((c) => c.v));
    const least = Math.min(...on.map((c) => c.v));
    if (best > 8 || best < 2 || least < 0.8 * Math.max(...off.map((c) => c.v))) continue;
    return finding('pcie-link-width-degraded', {
      severity: 'info',
      confidence: 0.5,
      evidence: on.map((c) => c.at),
      settle: "sudo lspci -vvv | grep -E '^[0-9a-f]|LnkCap:|LnkSta:'",
    });
  }
  return undefined;
};

/** A link below its speed at full width: a GPU at rest lets it fall, and only a reading under load counts. */
export const pcieIdle: Rule = (facts) => {
  const gpus = facts
    .of('lspci')
    .flatMap((l) => l.devices)
    .filter(isGpu);
  const slow = [...gpus, ...asked(facts).map((l) => ({ ...l, address: l.address! }))].filter(({ linkCap, linkSta }) => {
    if (!linkSta || linkSta.downgraded.width) return false;
    const wide = linkCap?.width === undefined || linkSta.width === undefined || linkSta.width >= linkCap.width;
    return wide && (linkSta.downgraded.speed || (linkSta.speed ?? 99) < (linkCap?.speed ?? 0));
  });
  if (slow.length === 0) return undefined;
  const rest = facts
    .of('smi-query')
    .flatMap((q) => q.gpus.flatMap((g) => smiField(g, 'performance state') ?? []))
    .find((s) => /^P(?:[5-9]|1\d)$/.test(s.value));
  return finding('pcie-link-speed-idle', {
    confidence: rest ? 0.95 : 0.7,
    devices: slow.map((d) => d.address),
    evidence: [...slow.map((d) => d.linkSta?.at), rest?.at],
  });
};
