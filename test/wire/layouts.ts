import fc from 'fast-check';
import * as cm from '../../src/wire/ib/cm.ts';
import * as headers from '../../src/wire/ib/headers.ts';
import { madHeaderLayout } from '../../src/wire/ib/mad.ts';
import { ipv4Layout } from '../../src/wire/ip/ipv4.ts';
import { ipv6Layout } from '../../src/wire/ip/ipv6.ts';
import { tcpLayout } from '../../src/wire/ip/tcp.ts';
import { udpLayout } from '../../src/wire/ip/udp.ts';
import { ddpTaggedLayout, ddpUntaggedLayout } from '../../src/wire/iwarp/ddp.ts';
import { mpaDepthsLayout, mpaFlagsLayout } from '../../src/wire/iwarp/mpa.ts';
import { rdmapControlLayout, readRequestLayout, terminateLayout } from '../../src/wire/iwarp/rdmap.ts';
import type { Field, Layout } from '../../src/wire/layout.ts';
import { arpLayout } from '../../src/wire/link/arp.ts';
import { vlanLayout } from '../../src/wire/link/ethernet.ts';
import { ipoibAddressLayout, ipoibLayout } from '../../src/wire/link/ipoib.ts';
import { sll2Layout, sllLayout } from '../../src/wire/link/sll.ts';

export type Values = Record<string, number | boolean | bigint | Uint8Array>;

/** Any header as a table of fields with values of any kind. */
export interface AnyLayout {
  readonly name: string;
  readonly layout: Layout<Values>;
  readonly fields: readonly (readonly [string, Field])[];
}

const named = <T extends object>(name: string, layout: Layout<T>): AnyLayout => ({
  name,
  layout: layout as unknown as Layout<Values>,
  fields: Object.entries(layout.fields) as [string, Field][],
});

export const layouts: readonly AnyLayout[] = [
  named('VLAN tag', vlanLayout),
  named('ARP', arpLayout),
  named('SLL', sllLayout),
  named('SLL2', sll2Layout),
  named('IPoIB', ipoibLayout),
  named('IPoIB address', ipoibAddressLayout),
  named('IPv4', ipv4Layout),
  named('IPv6', ipv6Layout),
  named('UDP', udpLayout),
  named('TCP', tcpLayout),
  named('LRH', headers.lrhLayout),
  named('GRH', headers.grhLayout),
  named('BTH', headers.bthLayout),
  named('DETH', headers.dethLayout),
  named('RETH', headers.rethLayout),
  named('AETH', headers.aethLayout),
  named('AtomicETH', headers.atomicEthLayout),
  named('AtomicAckETH', headers.atomicAckEthLayout),
  named('ImmDt', headers.immDtLayout),
  named('IETH', headers.iethLayout),
  named('MAD', madHeaderLayout),
  named('CM path', cm.cmPathLayout),
  named('CM REQ', cm.cmRequestLayout),
  named('CM REP', cm.cmReplyLayout),
  named('CM RTU', cm.cmPairLayout),
  named('CM REJ', cm.cmRejectLayout),
  named('CM DREQ', cm.cmDisconnectLayout),
  named('CM MRA', cm.cmWaitLayout),
  named('CM SIDR_REQ', cm.cmServiceRequestLayout),
  named('CM SIDR_REP', cm.cmServiceReplyLayout),
  named('MPA flags', mpaFlagsLayout),
  named('MPA depths', mpaDepthsLayout),
  named('DDP tagged', ddpTaggedLayout),
  named('DDP untagged', ddpUntaggedLayout),
  named('RDMAP control', rdmapControlLayout),
  named('RDMAP read request', readRequestLayout),
  named('RDMAP terminate', terminateLayout),
];

function arbitraryField(field: Field): fc.Arbitrary<Values[string]> {
  if (field.kind === 'flag') return fc.boolean();
  if (field.kind === 'big') return fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
  if (field.kind === 'number') return fc.integer({ min: 0, max: 2 ** field.bits - 1 });
  const length = field.bits / 8;
  return fc.uint8Array({ minLength: length, maxLength: length });
}

export const arbitraryValues = ({ fields }: AnyLayout): fc.Arbitrary<Values> =>
  fc.record(Object.fromEntries(fields.map(([name, field]) => [name, arbitraryField(field)])));
