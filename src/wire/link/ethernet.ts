import { concat, copyOf, putU16, u16 } from '../bytes.ts';
import { flag, type Layout, layout, num } from '../layout.ts';
import { type Decoding, decoded, refused } from '../outcome.ts';

/** EtherTypes met here (IEEE 802 numbers). */
export const etherType = { ipv4: 0x0800, arp: 0x0806, vlan: 0x8100, serviceVlan: 0x88a8, ipv6: 0x86dd } as const;

/** An IEEE 802.1Q tag. */
export interface VlanTag {
  /** 0x8100, or 0x88a8 for the outer of two. */
  readonly tpid: number;
  readonly priority: number;
  readonly dropEligible: boolean;
  readonly vlan: number;
}

/** An Ethernet II header, without preamble and FCS, which captures do not hold. */
export interface Ethernet {
  /** 6 bytes. */
  readonly destination: Uint8Array;
  readonly source: Uint8Array;
  /** Outermost first; at most two. */
  readonly tags: readonly VlanTag[];
  /** An EtherType, or below 1536 the length of an IEEE 802.3 frame. */
  readonly type: number;
}

export const vlanLayout: Layout<VlanTag> = layout<VlanTag>(4, {
  tpid: num(0, 16),
  priority: num(2, 3),
  dropEligible: flag(2, 3),
  vlan: num(2, 12, 4),
});

export function decodeEthernet(b: Uint8Array, offset = 0): Decoding<Ethernet> {
  if (offset + 14 > b.length) return refused('cut');
  const tags: VlanTag[] = [];
  let at = offset + 12;
  while (tags.length < 2 && (u16(b, at) === etherType.vlan || u16(b, at) === etherType.serviceVlan)) {
    const tag = vlanLayout.decode(b, at);
    if (!tag.ok) return tag;
    if (at + 6 > b.length) return refused('cut');
    tags.push(tag.value.value);
    at += 4;
  }
  return decoded(
    {
      destination: copyOf(b, offset, offset + 6),
      source: copyOf(b, offset + 6, offset + 12),
      tags,
      type: u16(b, at),
    },
    at + 2,
  );
}

export function encodeEthernet(value: Ethernet): Uint8Array {
  const type = new Uint8Array(2);
  putU16(type, 0, value.type);
  return concat([value.destination, value.source, ...value.tags.map((tag) => vlanLayout.encode(tag)), type]);
}
