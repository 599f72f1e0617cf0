import { concat, copyOf } from '../bytes.ts';
import { type Layout, layout, num } from '../layout.ts';
import { type Decoding, decoded, refused } from '../outcome.ts';

/** The fixed beginning of an ARP packet (RFC 826). */
export interface ArpHeader {
  readonly hardwareType: number;
  readonly protocolType: number;
  readonly hardwareSize: number;
  readonly protocolSize: number;
  /** 1 request, 2 reply. */
  readonly operation: number;
}

export interface Arp extends ArpHeader {
  readonly senderHardware: Uint8Array;
  readonly senderProtocol: Uint8Array;
  readonly targetHardware: Uint8Array;
  readonly targetProtocol: Uint8Array;
}

export const arpLayout: Layout<ArpHeader> = layout<ArpHeader>(8, {
  hardwareType: num(0, 16),
  protocolType: num(2, 16),
  hardwareSize: num(4, 8),
  protocolSize: num(5, 8),
  operation: num(6, 16),
});

export function decodeArp(b: Uint8Array, offset = 0): Decoding<Arp> {
  const header = arpLayout.decode(b, offset);
  if (!header.ok) return header;
  const { hardwareSize: h, protocolSize: p } = header.value.value;
  const at = header.value.next;
  const end = at + 2 * (h + p);
  if (end > b.length) return refused('cut');
  return decoded(
    {
      ...header.value.value,
      senderHardware: copyOf(b, at, at + h),
      senderProtocol: copyOf(b, at + h, at + h + p),
      targetHardware: copyOf(b, at + h + p, at + 2 * h + p),
      targetProtocol: copyOf(b, at + 2 * h + p, end),
    },
    end,
  );
}

/** The sizes are those of the sender's addresses, whatever the fields said. */
export function encodeArp(value: Arp): Uint8Array {
  const sized = { ...value, hardwareSize: value.senderHardware.length, protocolSize: value.senderProtocol.length };
  return concat([
    arpLayout.encode(sized),
    value.senderHardware,
    value.senderProtocol,
    value.targetHardware,
    value.targetProtocol,
  ]);
}
