import fc from 'fast-check';
import type { Frame, Link, Network, Transport } from '../../src/wire/frame.ts';
import {
  aethLayout,
  atomicEthLayout,
  bthLayout,
  dethLayout,
  grhLayout,
  lrhLayout,
  rethLayout,
} from '../../src/wire/ib/headers.ts';
import type { NativePacket } from '../../src/wire/ib/native.ts';
import { extendedHeaders, opcodes } from '../../src/wire/ib/opcode.ts';
import type { IbPacket } from '../../src/wire/ib/packet.ts';
import { type Ipv4, ipv4Layout } from '../../src/wire/ip/ipv4.ts';
import { type Ipv6, ipv6Layout } from '../../src/wire/ip/ipv6.ts';
import { type Tcp, type TcpOption, tcpLayout, timestamps } from '../../src/wire/ip/tcp.ts';
import type { Layout } from '../../src/wire/layout.ts';
import { etherType } from '../../src/wire/link/ethernet.ts';
import { ipoibAddressLayout } from '../../src/wire/link/ipoib.ts';
import { sll2Layout, sllLayout } from '../../src/wire/link/sll.ts';
import { arbitraryValues } from './layouts.ts';

/** Random fields of a header, without those that follow from the content. */
function fieldsOf<T extends object, K extends keyof T = never>(
  layout: Layout<T>,
  ...derived: K[]
): fc.Arbitrary<Omit<T, K>> {
  const fields = Object.entries(layout.fields).filter(([name]) => !derived.includes(name as K));
  const any = { name: '', layout, fields } as unknown as Parameters<typeof arbitraryValues>[0];
  return arbitraryValues(any) as unknown as fc.Arbitrary<Omit<T, K>>;
}

const data = (maxLength: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ maxLength });

export const arbitraryIb: fc.Arbitrary<IbPacket> = fc.constantFrom(...opcodes).chain((opcode) => {
  const has = new Set(extendedHeaders(opcode));
  const cnp = has.has('cnp');
  return fc
    .record({
      bth: fieldsOf(bthLayout, 'padCount').map((bth) => ({ ...bth, opcode, version: 0 })),
      payload: cnp ? fc.constant(new Uint8Array(0)) : data(64),
      deth: fieldsOf(dethLayout),
      reth: fieldsOf(rethLayout),
      atomicEth: fieldsOf(atomicEthLayout),
      aeth: fieldsOf(aethLayout),
      original: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      immediate: fc.nat(),
      invalidate: fc.nat(),
      cnp: fc.uint8Array({ minLength: 16, maxLength: 16 }),
    })
    .map(({ bth, payload, ...all }): IbPacket => {
      const pad = new Uint8Array(-payload.length & 3);
      return {
        bth,
        ...(has.has('deth') ? { deth: all.deth } : {}),
        ...(has.has('reth') ? { reth: all.reth } : {}),
        ...(has.has('atomicEth') ? { atomicEth: all.atomicEth } : {}),
        ...(has.has('aeth') ? { aeth: all.aeth } : {}),
        ...(has.has('atomicAckEth') ? { original: all.original } : {}),
        ...(has.has('immediate') ? { immediate: all.immediate } : {}),
        ...(has.has('ieth') ? { invalidate: all.invalidate } : {}),
        ...(cnp ? { cnp: all.cnp } : {}),
        payload,
        pad,
      };
    });
});

export const arbitraryNative: fc.Arbitrary<NativePacket> = fc
  .record({
    lrh: fieldsOf(lrhLayout, 'packetLength', 'nextHeader'),
    grh: fc.option(
      fieldsOf(grhLayout, 'payloadLength').map((grh) => ({ ...grh, version: 6, nextHeader: 0x1b })),
      { nil: undefined },
    ),
    packet: arbitraryIb,
  })
  .map(({ lrh, grh, packet }) => ({ lrh, ...(grh === undefined ? {} : { grh }), packet }));

const arbitraryIpv4 = (protocol: number): fc.Arbitrary<Ipv4> =>
  fc
    .tuple(fieldsOf(ipv4Layout, 'version', 'words', 'totalLength', 'checksum'), fc.integer({ min: 0, max: 10 }))
    .map(([fields, words]) => ({
      ...fields,
      fragmentOffset: 0,
      moreFragments: false,
      protocol,
      options: new Uint8Array(words * 4).fill(1),
    }));

const arbitraryIpv6 = (protocol: number): fc.Arbitrary<Ipv6> =>
  fc
    .tuple(
      fieldsOf(ipv6Layout, 'version', 'payloadLength', 'nextHeader'),
      fc.array(
        fc.oneof(
          fc.record({ type: fc.constantFrom(0, 43, 60), body: fc.uint8Array({ minLength: 6, maxLength: 6 }) }),
          fc.record({ type: fc.constantFrom(0, 60), body: fc.uint8Array({ minLength: 14, maxLength: 14 }) }),
        ),
        { maxLength: 3 },
      ),
    )
    .map(([fields, extensions]) => ({ ...fields, extensions, protocol }));

const option = (kind: number, length: number): TcpOption => ({ kind, data: new Uint8Array(length).fill(7) });
const arbitraryTcp: fc.Arbitrary<Tcp> = fc
  .tuple(
    fieldsOf(tcpLayout, 'words', 'checksum'),
    fc.constantFrom<readonly TcpOption[]>(
      [],
      [option(1, 0), option(1, 0), timestamps(1, 2)],
      [option(2, 2), option(3, 1), option(0, 0)],
      [option(254, 6)],
    ),
  )
  .map(([fields, options]) => ({ ...fields, options }));

const ports = fc.record({ source: fc.nat(65535), destination: fc.constant(9) });

/** A body and the protocol number that announces it. */
const arbitraryTransport: fc.Arbitrary<readonly [number, Transport]> = fc.oneof(
  arbitraryIb.map((packet) => {
    const header = { source: 0xc000, destination: 4791 };
    return [17, { kind: 'udp', header, body: { kind: 'roce', packet } }] as const;
  }),
  fc
    .tuple(ports, data(40))
    .map(([header, bytes]) => [17, { kind: 'udp', header, body: { kind: 'bytes', bytes } }] as const),
  fc.tuple(arbitraryTcp, data(40)).map(([header, payload]) => [6, { kind: 'tcp', header, payload }] as const),
  data(40).map((bytes) => [58, { kind: 'bytes', bytes }] as const),
);

const arbitraryNetwork: fc.Arbitrary<readonly [number, Network]> = arbitraryTransport.chain(([protocol, body]) =>
  fc.oneof(
    arbitraryIpv4(protocol).map((header) => [etherType.ipv4, { kind: 'ipv4', header, body }] as const),
    arbitraryIpv6(protocol).map((header) => [etherType.ipv6, { kind: 'ipv6', header, body }] as const),
  ),
);

const address = fc.uint8Array({ minLength: 6, maxLength: 6 });
const tag = fc.record({
  tpid: fc.constantFrom(0x8100, 0x88a8),
  priority: fc.nat(7),
  dropEligible: fc.boolean(),
  vlan: fc.nat(4095),
});

/** A frame with the link type of its capture. */
export const arbitraryFrame: fc.Arbitrary<readonly [number, Frame]> = arbitraryNetwork.chain(([type, network]) => {
  const frame = (link: fc.Arbitrary<Link>, linkType: number, padding = 0) =>
    fc.tuple(link, data(padding)).map(([l, trailer]) => [linkType, { link: l, network, trailer }] as const);
  const ethernet = fc
    .record({ destination: address, source: address, tags: fc.array(tag, { maxLength: 2 }) })
    .map((h): Link => ({ kind: 'ethernet', header: { ...h, type } }));
  const sll = fieldsOf(sllLayout).map((h): Link => ({ kind: 'sll', header: { ...h, protocol: type } }));
  const sll2 = fieldsOf(sll2Layout).map((h): Link => ({ kind: 'sll2', header: { ...h, protocol: type } }));
  const ipoib = fieldsOf(ipoibAddressLayout).map(
    (a): Link => ({ kind: 'ipoib', address: a, header: { type, reserved: 0 } }),
  );
  return fc.oneof(
    frame(ethernet, 1, 20),
    frame(sll, 113),
    frame(sll2, 276),
    frame(fc.constant({ kind: 'raw' }), 101),
    frame(ipoib, 242),
  );
});
