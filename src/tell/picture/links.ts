import { gpus } from '../../catalogue/gpus.ts';
import { nicByDeviceId, nics } from '../../catalogue/nics.ts';
import { gigatransfers, pcieGenerations } from '../../catalogue/pcie.ts';
import type { PciDevice, PcieLink } from '../../machine/host.ts';
import { type Message, say } from '../../words/message.ts';
import type { Mark } from './model.ts';

/** Speed and width of a PCIe link in numbers; 0 where not known. */
export interface LinkNumbers {
  readonly gts: number;
  readonly lanes: number;
}

export const linkMax = (link: PcieLink): LinkNumbers => ({
  gts: gigatransfers(link.speed) ?? 0,
  lanes: link.width ?? 0,
});
const linkNow = (link: PcieLink): LinkNumbers => ({
  gts: gigatransfers(link.currentSpeed) ?? 0,
  lanes: link.currentWidth ?? 0,
});

/** `PCIe 5.0 ×16`, with a question mark for the half that is not known; nothing when neither is. */
export function linkText(numbers: LinkNumbers): string | undefined {
  if (numbers.gts === 0 && numbers.lanes === 0) return undefined;
  const known = [...pcieGenerations.values()].find((g) => g.rate.value === numbers.gts);
  const old: Record<number, string> = { 2.5: '1.0', 5: '2.0' };
  const speed =
    numbers.gts === 0
      ? 'PCIe ?'
      : known !== undefined
        ? `PCIe ${known.id.slice(3)}.0`
        : old[numbers.gts] !== undefined
          ? `PCIe ${old[numbers.gts]}`
          : `PCIe ${numbers.gts} GT/s`;
  return `${speed} ×${numbers.lanes === 0 ? '?' : numbers.lanes}`;
}

/** A device of the tree with what its marks are decided by. */
export interface LinkSubject {
  readonly device: PciDevice;
  /** Its name in the picture. */
  readonly name: string;
}

export interface LinkFinding {
  readonly mark: Mark;
  readonly names: readonly string[];
  readonly message: (names: string) => Message;
}

/** Compares the links of a node's devices: with what they run at now, with their like, and with what the part can do. */
export function judgeLinks(subjects: readonly LinkSubject[]): LinkFinding[] {
  const findings: LinkFinding[] = [];
  const known = subjects.filter((s) => linkText(linkMax(s.device.link)) !== undefined);
  if (known.length === 0) return findings;
  const unknown = subjects.filter((s) => linkText(linkMax(s.device.link)) === undefined && s.device.role !== 'port');
  if (unknown.length > 0) {
    findings.push({
      mark: 'unknown',
      names: unknown.map((s) => s.name),
      message: (names) => say('show.link.unknown', { names }),
    });
  }
  const reported = new Set<LinkSubject>();
  for (const subject of known) {
    const found = againstNow(subject);
    if (found === undefined) continue;
    findings.push(found);
    if (found.mark === 'bad') reported.add(subject);
  }
  for (const found of againstSiblings(known, reported)) findings.push(found);
  for (const found of againstPart(known, reported)) findings.push(found);
  return findings;
}

/** Fewer lanes than the link has is a fault of slot, riser or cable. A lower speed is normal while nothing moves. */
function againstNow({ device, name }: LinkSubject): LinkFinding | undefined {
  const max = linkMax(device.link);
  const now = linkNow(device.link);
  if (now.lanes > 0 && max.lanes > 0 && now.lanes < max.lanes) {
    return {
      mark: 'bad',
      names: [name],
      message: (names) => say('show.link.narrow', { names, now: now.lanes, max: max.lanes }),
    };
  }
  if (now.gts > 0 && max.gts > 0 && now.gts < max.gts) {
    return {
      mark: 'look',
      names: [name],
      message: (names) => say('show.link.idle', { names, now: now.gts, max: max.gts }),
    };
  }
  return undefined;
}

const rate = (n: LinkNumbers): number => n.gts * n.lanes;

function againstSiblings(subjects: readonly LinkSubject[], reported: Set<LinkSubject>): LinkFinding[] {
  const groups = new Map<string, LinkSubject[]>();
  for (const subject of subjects) {
    const { role, vendor, device, gpus: on } = subject.device;
    // Only like with like: the same chip in the same role. Switches differ by where they stand, so they are left out.
    if (role !== 'gpu' && role !== 'nic' && role !== 'nvme') continue;
    const key = `${role}|${vendor ?? ''}|${device ?? ''}|${on?.[0]?.part ?? ''}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [subject]);
    else group.push(subject);
  }
  const findings: LinkFinding[] = [];
  for (const group of groups.values()) {
    const full = group.map((s) => linkMax(s.device.link)).filter((n) => n.gts > 0 && n.lanes > 0);
    const best = full.reduce((a, b) => (rate(b) > rate(a) ? b : a), { gts: 0, lanes: 0 });
    const slower = group.filter((s) => {
      const own = linkMax(s.device.link);
      return own.gts > 0 && own.lanes > 0 && rate(own) < rate(best) && !reported.has(s);
    });
    for (const [text, names] of byText(slower)) {
      findings.push({
        mark: 'bad',
        names,
        message: (list) => say('show.link.slower', { names: list, now: text, max: linkText(best)! }),
      });
    }
    for (const s of slower) reported.add(s);
  }
  return findings;
}

function againstPart(subjects: readonly LinkSubject[], reported: ReadonlySet<LinkSubject>): LinkFinding[] {
  const lower = new Map<string, LinkSubject[]>();
  for (const subject of subjects) {
    if (reported.has(subject)) continue;
    const can = partLink(subject.device);
    const own = linkMax(subject.device.link);
    if (can === undefined || own.gts === 0 || own.lanes === 0 || rate(own) >= rate(can)) continue;
    const text = linkText(can)!;
    const list = lower.get(text);
    if (list === undefined) lower.set(text, [subject]);
    else list.push(subject);
  }
  const findings: LinkFinding[] = [];
  for (const [max, list] of lower) {
    for (const [text, names] of byText(list)) {
      findings.push({
        mark: 'look',
        names,
        message: (joined) => say('show.link.belowPart', { names: joined, now: text, max }),
      });
    }
  }
  return findings;
}

function byText(subjects: readonly LinkSubject[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const s of subjects) {
    const text = linkText(linkMax(s.device.link))!;
    const names = groups.get(text);
    if (names === undefined) groups.set(text, [s.name]);
    else names.push(s.name);
  }
  return groups;
}

/** What the part's own PCIe interface can do, where the catalogue knows the part. */
function partLink(device: PciDevice): LinkNumbers | undefined {
  const gpu = device.gpus?.[0]?.part;
  const nic = device.ports?.[0]?.part;
  const part =
    gpu !== undefined
      ? gpus.get(gpu)?.pcie
      : nicLink(
          nic !== undefined
            ? nics.get(nic)
            : device.vendor !== undefined && device.device !== undefined
              ? nicByDeviceId(device.vendor, device.device)
              : undefined,
        );
  if (part === undefined) return undefined;
  const gen = [...pcieGenerations.values()].find((g) => g.id === `gen${part.gen.value}`);
  return gen === undefined ? undefined : { gts: gen.rate.value, lanes: part.lanes.value };
}

type Generation = { readonly gen: { readonly value: number }; readonly lanes: { readonly value: number } };
const nicLink = (nic: ReturnType<typeof nics.get>): Generation | undefined =>
  nic?.pcieGen === undefined || nic.pcieLanes === undefined ? undefined : { gen: nic.pcieGen, lanes: nic.pcieLanes };
