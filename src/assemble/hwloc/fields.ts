import { pcieGenerations } from '../../catalogue/pcie.ts';
import type { SysfsLink } from '../../machine/pci-tree.ts';
import type { XmlElement } from '../../read/xml.ts';

/** `<info name="CPUVendor" value="GenuineIntel"/>` below an object, by name; the first of one name counts. */
export function infosOf(element: XmlElement): ReadonlyMap<string, string> {
  const infos = new Map<string, string>();
  for (const { name, attributes } of element.children) {
    const key = name === 'info' ? attributes.get('name') : undefined;
    if (key !== undefined && !infos.has(key)) infos.set(key, attributes.get('value') ?? '');
  }
  return infos;
}

/** A set of bits as hwloc writes it, `0x00000303,0x03030000,,0x0`: words of 32 bits, the highest first, an empty one being zero. */
function wordsOf(set: string | undefined): number[] | undefined {
  if (set === undefined || set === '' || set.startsWith('0xf...f')) return undefined;
  const words = set.split(',').map((w) => (w === '' ? 0 : Number.parseInt(w.replace(/^0x/, ''), 16)));
  return words.every((w) => Number.isInteger(w) && w >= 0 && w <= 0xffff_ffff) ? words : undefined;
}

/** The only bit of a set; undefined where it has none, or several. */
export function onlyBit(set: string | undefined): number | undefined {
  const words = wordsOf(set);
  const filled = words?.flatMap((word, i) => (word === 0 ? [] : [{ word, above: words.length - 1 - i }])) ?? [];
  if (filled.length !== 1) return undefined;
  const bit = Math.log2(filled[0]!.word);
  return Number.isInteger(bit) ? filled[0]!.above * 32 + bit : undefined;
}

/** A CPU set as the kernel and NCCL write one: `00000303,03030000`. */
export function maskOf(set: string | undefined): string | undefined {
  return wordsOf(set)
    ?.map((w) => w.toString(16).padStart(8, '0'))
    .join(',');
}

/** hwloc's figure is that of the line code: a hundredth of it is more than rounding takes. */
const near = 0.005;

/**
 * The link that carries so many GB/s, by hwloc's reckoning of the link's state: of several that do (8 lanes of one generation, 16 of the
 * one before) the one of the most lanes, up to what the device has. Undefined for first and second generation, which idle links fall to.
 */
export function linkOfSpeed(gigabytes: number | undefined, lanes: number): SysfsLink | undefined {
  if (gigabytes === undefined || gigabytes <= 0) return undefined;
  for (let width = lanes; width >= 1; width /= 2) {
    for (const { rate, encoding, speedText } of pcieGenerations.values()) {
      const carried = (rate.value / 8) * encoding.value * width;
      if (Math.abs(carried / gigabytes - 1) < near) return { speed: speedText, width };
    }
  }
  return undefined;
}
