import { type Layout, layout, num, raw } from '../layout.ts';

/** The header of a Linux "cooked" capture (LINKTYPE_LINUX_SLL): 16 bytes in place of the link's own. */
export interface Sll {
  /** 0 to us, 1 broadcast, 2 multicast, 3 between others, 4 from us. */
  readonly packetType: number;
  readonly hardwareType: number;
  readonly addressLength: number;
  /** 8 bytes, of which `addressLength` count. */
  readonly address: Uint8Array;
  /** An EtherType. */
  readonly protocol: number;
}

export const sllLayout: Layout<Sll> = layout<Sll>(16, {
  packetType: num(0, 16),
  hardwareType: num(2, 16),
  addressLength: num(4, 16),
  address: raw(6, 8),
  protocol: num(14, 16),
});

/** LINKTYPE_LINUX_SLL2: 20 bytes, with the interface a packet came by. */
export interface Sll2 {
  readonly protocol: number;
  readonly reserved: number;
  readonly interfaceIndex: number;
  readonly hardwareType: number;
  readonly packetType: number;
  readonly addressLength: number;
  readonly address: Uint8Array;
}

export const sll2Layout: Layout<Sll2> = layout<Sll2>(20, {
  protocol: num(0, 16),
  reserved: num(2, 16),
  interfaceIndex: num(4, 32),
  hardwareType: num(8, 16),
  packetType: num(10, 8),
  addressLength: num(11, 8),
  address: raw(12, 8),
});
