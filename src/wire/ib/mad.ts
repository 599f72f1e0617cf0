import { concat, copyOf } from '../bytes.ts';
import { big, type Layout, layout, num } from '../layout.ts';
import { type Decoding, decoded, refused } from '../outcome.ts';
import { type CmBody, cmMessage, decodeCm, encodeCm } from './cm.ts';

/** The common header of a management datagram (IBTA vol. 1, 13.4). */
export interface MadHeader {
  readonly baseVersion: number;
  readonly managementClass: number;
  readonly classVersion: number;
  readonly method: number;
  readonly status: number;
  readonly classSpecific: number;
  readonly transactionId: bigint;
  readonly attributeId: number;
  readonly reserved: number;
  readonly attributeModifier: number;
}

export const madHeaderLayout: Layout<MadHeader> = layout<MadHeader>(24, {
  baseVersion: num(0, 8),
  managementClass: num(1, 8),
  classVersion: num(2, 8),
  method: num(3, 8),
  status: num(4, 16),
  classSpecific: num(6, 16),
  transactionId: big(8),
  attributeId: num(16, 16),
  reserved: num(18, 16),
  attributeModifier: num(20, 32),
});

/** A management datagram of 256 bytes; those of communication management have their fields (12.6), others their bytes. */
export interface Mad {
  readonly header: MadHeader;
  readonly body: CmBody | { readonly kind: 'bytes'; readonly bytes: Uint8Array };
}

export const communicationManagement = 0x07;
const madSize = 256;

export function decodeMad(b: Uint8Array, offset = 0): Decoding<Mad> {
  const read = madHeaderLayout.decode(b, offset);
  if (!read.ok) return read;
  const end = offset + madSize;
  if (end > b.length) return refused('cut');
  const header = read.value.value;
  const at = read.value.next;
  if (header.managementClass === communicationManagement && cmMessage(header.attributeId) !== undefined) {
    const body = decodeCm(header.attributeId, b, at);
    return body.ok ? decoded({ header, body: body.value.value }, end) : body;
  }
  return decoded({ header, body: { kind: 'bytes', bytes: copyOf(b, at, end) } }, end);
}

export function encodeMad(mad: Mad): Uint8Array {
  const body = mad.body.kind === 'bytes' ? mad.body.bytes : encodeCm(mad.body);
  return concat([madHeaderLayout.encode(mad.header), body]);
}
