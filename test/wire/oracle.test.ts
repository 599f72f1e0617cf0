import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { linkType } from '../../src/wire/capture.ts';
import { decodeFrame, encodeFrame, type Frame, type Link } from '../../src/wire/frame.ts';
import { cmPathLayout } from '../../src/wire/ib/cm.ts';
import { writePcap } from '../../src/wire/pcap.ts';
import { ipv4Header } from '../../src/wire/transfer/recorder.ts';
import { exampleEnds } from '../../src/wire/transfer-pcap.ts';
import { captureNames, capturesAbsent, readCaptureFile } from './captures.ts';
import { roceOf } from './layers.ts';

const noTshark = spawnSync('tshark', ['--version']).status === 0 ? undefined : 'no tshark';

type Value = number | bigint | boolean | undefined;

/**
 * What tshark calls a field, and where this house keeps it. The flow label and rate of a REQ's path are left out: tshark
 * 4.0 takes both from the wrong bytes of their word (for 1C 48 E0 00 it shows 001C4 and 1C).
 */
const fields: Readonly<Record<string, (frame: Frame) => Value>> = {
  'ip.id': ({ network: n }) => (n.kind === 'ipv4' ? n.header.identification : undefined),
  'ip.ttl': ({ network: n }) => (n.kind === 'ipv4' ? n.header.ttl : undefined),
  'ip.dsfield.dscp': ({ network: n }) => (n.kind === 'ipv4' ? n.header.dscp : undefined),
  'ip.dsfield.ecn': ({ network: n }) => (n.kind === 'ipv4' ? n.header.ecn : undefined),
  'ipv6.hlim': ({ network: n }) => (n.kind === 'ipv6' ? n.header.hopLimit : undefined),
  'ipv6.flow': ({ network: n }) => (n.kind === 'ipv6' ? n.header.flowLabel : undefined),
  'tcp.seq_raw': (f) => tcpOf(f)?.sequence,
  'tcp.ack_raw': (f) => tcpOf(f)?.acknowledgment,
  'tcp.window_size_value': (f) => tcpOf(f)?.window,
  'infiniband.bth.opcode': (f) => ib(f)?.bth.opcode,
  'infiniband.bth.se': (f) => ib(f)?.bth.solicited,
  'infiniband.bth.m': (f) => ib(f)?.bth.migrationRequest,
  'infiniband.bth.padcnt': (f) => ib(f)?.pad.length,
  'infiniband.bth.p_key': (f) => ib(f)?.bth.partitionKey,
  'infiniband.bth.destqp': (f) => ib(f)?.bth.destinationQp,
  'infiniband.bth.a': (f) => ib(f)?.bth.ackRequest,
  'infiniband.bth.psn': (f) => ib(f)?.bth.psn,
  'infiniband.deth.q_key': (f) => ib(f)?.deth?.queueKey,
  'infiniband.deth.srcqp': (f) => ib(f)?.deth?.sourceQp,
  'infiniband.reth.dmalen': (f) => ib(f)?.reth?.length,
  'infiniband.aeth.syndrome': (f) => ib(f)?.aeth?.syndrome,
  'infiniband.aeth.msn': (f) => ib(f)?.aeth?.msn,
  'infiniband.atomiceth.swapdt': (f) => ib(f)?.atomicEth?.swap,
  'infiniband.atomiceth.cmpdt': (f) => ib(f)?.atomicEth?.compare,
  'infiniband.mad.transactionid': (f) => roceOf(f)?.mad?.header.transactionId,
  'infiniband.mad.attributeid': (f) => roceOf(f)?.mad?.header.attributeId,
  'infiniband.cm.req.localqpn': (f) => request(f)?.localQp,
  'infiniband.cm.req.responderres': (f) => request(f)?.responderResources,
  'infiniband.cm.req.initdepth': (f) => request(f)?.initiatorDepth,
  'infiniband.cm.req.startpsn': (f) => request(f)?.startingPsn,
  'infiniband.cm.req.retrcount': (f) => request(f)?.retryCount,
  'infiniband.cm.req.pppmtu': (f) => request(f)?.pathMtu,
  'infiniband.cm.req.rnrretrcount': (f) => request(f)?.rnrRetryCount,
  'infiniband.cm.req.maxcmretr': (f) => request(f)?.maxCmRetries,
  'infiniband.cm.req.prim_hoplim': (f) => path(f)?.hopLimit,
  'infiniband.cm.req.prim_localacktout': (f) => path(f)?.localAckTimeout,
  'infiniband.cm.rep.localqpn': (f) => reply(f)?.localQp,
  'infiniband.cm.rep.startpsn': (f) => reply(f)?.startingPsn,
  'infiniband.cm.rep.respres': (f) => reply(f)?.responderResources,
  'infiniband.cm.rep.initdepth': (f) => reply(f)?.initiatorDepth,
  'infiniband.cm.rep.rnrretrcount': (f) => reply(f)?.rnrRetryCount,
};

const ib = (frame: Frame) => roceOf(frame)?.packet;
function tcpOf({ network }: Frame) {
  const body = network.kind === 'ipv4' || network.kind === 'ipv6' ? network.body : undefined;
  return body?.kind === 'tcp' ? body.header : undefined;
}
function request(frame: Frame) {
  const body = roceOf(frame)?.mad?.body;
  return body?.kind === 'request' ? body.message : undefined;
}
function reply(frame: Frame) {
  const body = roceOf(frame)?.mad?.body;
  return body?.kind === 'reply' ? body.message : undefined;
}
function path(frame: Frame) {
  const found = request(frame);
  const read = found === undefined ? undefined : cmPathLayout.decode(found.primaryPath);
  return read?.ok ? read.value.value : undefined;
}

/** Numbers as tshark prints them: decimal, hexadecimal, True or False. */
function numberOf(text: string | undefined): bigint | undefined {
  if (text === undefined || text === '') return undefined;
  if (text === 'True' || text === 'False') return text === 'True' ? 1n : 0n;
  return BigInt(text);
}

function tshark(file: Uint8Array, names: readonly string[]): string[][] {
  const folder = mkdtempSync(join(tmpdir(), 'crowfly-oracle-'));
  const name = join(folder, 'all.pcap');
  writeFileSync(name, file);
  const args = ['-r', name, '-T', 'fields', '-E', 'occurrence=f', ...names.flatMap((f) => ['-e', f])];
  const run = spawnSync('tshark', args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  rmSync(folder, { recursive: true });
  if (run.status !== 0) throw new Error(run.stderr);
  return run.stdout.split('\n').map((line) => line.split('\t'));
}

const why = capturesAbsent ?? noTshark;

describe.skipIf(why !== undefined)(`tshark and this decoder${why ? ` (${why})` : ''}`, () => {
  it('read the same fields out of every captured packet', () => {
    const packets = captureNames().flatMap((name) => readCaptureFile(name).capture.packets);
    const names = Object.keys(fields);
    const rows = tshark(writePcap(packets, { linkType: linkType.ethernet }), names);
    const seen = new Set<string>();
    for (const [i, packet] of packets.entries()) {
      const read = decodeFrame(packet.linkType, packet.bytes);
      if (!read.ok) throw new Error(read.error);
      for (const [k, name] of names.entries()) {
        const theirs = numberOf(rows[i]?.[k]);
        const own = fields[name]!(read.value.value);
        if (theirs === undefined && own === undefined) continue;
        seen.add(name);
        expect(own === undefined ? undefined : BigInt(own), `packet ${i + 1}: ${name}`).toBe(theirs);
      }
    }
    expect([...seen].sort()).toEqual(names.slice().sort());
  });
});

describe.skipIf(noTshark !== undefined)(`links that tshark reads${noTshark ? ` (${noTshark})` : ''}`, () => {
  const [a, b] = exampleEnds();
  const common = { hardwareType: 1, packetType: 0, addressLength: 6, address: new Uint8Array(8) };
  const tags = [{ tpid: 0x8100, priority: 3, dropEligible: false, vlan: 42 }];
  const links: readonly (readonly [number, Link])[] = [
    [linkType.ethernet, { kind: 'ethernet', header: { destination: b.mac, source: a.mac, tags, type: 0x0800 } }],
    [linkType.sll, { kind: 'sll', header: { ...common, protocol: 0x0800 } }],
    [linkType.sll2, { kind: 'sll2', header: { ...common, protocol: 0x0800, reserved: 0, interfaceIndex: 2 } }],
    [linkType.raw, { kind: 'raw' }],
    [linkType.ipv4, { kind: 'raw' }],
  ];
  it.each(links)('%i', (type, link) => {
    const header = { source: 7, destination: 9 };
    const body = { kind: 'udp', header, body: { kind: 'bytes', bytes: new Uint8Array(40) } } as const;
    const network = { kind: 'ipv4', header: ipv4Header(a, b, 17), body } as const;
    const bytes = encodeFrame({ link, network, trailer: new Uint8Array(0) });
    const packet = { seconds: 1, nanoseconds: 0, length: bytes.length, bytes };
    const [row] = tshark(writePcap([packet], { linkType: type }), [
      'udp.dstport',
      'ip.dst',
      '_ws.malformed',
      'vlan.id',
    ]);
    expect(row).toEqual(['9', '192.0.2.2', '', type === linkType.ethernet ? '42' : '']);
  });
});
