import { type Layout, layout, num, raw } from '../layout.ts';

/** The encapsulation header of IP over InfiniBand (RFC 4391 section 6): an EtherType and 16 reserved bits. */
export interface Ipoib {
  readonly type: number;
  readonly reserved: number;
}

export const ipoibLayout: Layout<Ipoib> = layout<Ipoib>(4, { type: num(0, 16), reserved: num(2, 16) });

/**
 * What LINKTYPE_IPOIB puts before that header in place of a GRH: 20 unused bytes, then the link address of RFC 4391
 * section 9.1.1, which is a queue pair number and a GID.
 */
export interface IpoibAddress {
  readonly unused: Uint8Array;
  readonly flags: number;
  readonly queuePair: number;
  /** 16 bytes. */
  readonly gid: Uint8Array;
}

export const ipoibAddressLayout: Layout<IpoibAddress> = layout<IpoibAddress>(40, {
  unused: raw(0, 20),
  flags: num(20, 8),
  queuePair: num(21, 24),
  gid: raw(24, 16),
});

/** RFC 4391 section 7: the link MTU less the header. 2,044 is the default; 4,092 on a 4,096-byte fabric. */
export const ipoibDatagramMtu = (ibMtu: number): number => ibMtu - ipoibLayout.size;
/** RFC 4755 section 5: connected mode is bound by the message of a queue pair; Linux allows 65,520 with its header. */
export const ipoibConnectedMtu = 65_520;
