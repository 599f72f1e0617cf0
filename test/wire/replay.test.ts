import { describe, expect, it } from 'vitest';
import { decodeFrame } from '../../src/wire/frame.ts';
import { operation, service, serviceOf } from '../../src/wire/ib/opcode.ts';
import type { IbPacket } from '../../src/wire/ib/packet.ts';
import { addressText } from '../../src/wire/ip/address.ts';
import { type RcConfig, rcDefaults } from '../../src/wire/rc/config.ts';
import type { RcEffect, RetryCause } from '../../src/wire/rc/events.ts';
import { packetsOf, psnAdd, psnDistance } from '../../src/wire/rc/psn.ts';
import { rcQueuePair } from '../../src/wire/rc/queue-pair.ts';
import { type Region, regions } from '../../src/wire/rc/regions.ts';
import type { Work } from '../../src/wire/rc/work.ts';
import { captureNames, capturesAbsent, readCaptureFile } from './captures.ts';
import { roceOf } from './layers.ts';
import { all } from './network.ts';

/** A reliable connection's packet as it was seen, with its time in seconds. */
interface Seen {
  readonly time: number;
  readonly from: string;
  readonly to: string;
  readonly packet: IbPacket;
}

/** One direction of requests and what came back for them. */
interface Flow {
  readonly name: string;
  readonly events: readonly (Seen & { readonly request: boolean })[];
  readonly requests: readonly IbPacket[];
  readonly answers: readonly IbPacket[];
}

const isAnswer = (p: IbPacket): boolean =>
  p.bth.opcode >= operation.readResponseFirst && p.bth.opcode <= operation.atomicAcknowledge;

function seenIn(name: string): Seen[] {
  return readCaptureFile(name).capture.packets.flatMap((captured) => {
    const read = decodeFrame(captured.linkType, captured.bytes);
    if (!read.ok) throw new Error(`${name}: ${read.error}`);
    const roce = roceOf(read.value.value);
    const { network } = read.value.value;
    if (roce === undefined || (network.kind !== 'ipv4' && network.kind !== 'ipv6')) return [];
    if (serviceOf(roce.packet.bth.opcode) !== service.rc) return [];
    const [from, to] = [addressText(network.header.source), addressText(network.header.destination)];
    return [{ time: captured.seconds + captured.nanoseconds / 1e9, from, to, packet: roce.packet }];
  });
}

/** Requests to one queue pair of one host are a flow; its answers go back to the queue pair whose PSNs they repeat. */
function flowsIn(name: string): Flow[] {
  const seen = seenIn(name);
  const keyOf = (s: Seen): string => `${s.from} to ${s.to} queue pair ${s.packet.bth.destinationQp}`;
  const requests = group(
    seen.filter((s) => !isAnswer(s.packet)),
    keyOf,
  );
  return [...requests].map(([key, list]) => {
    const [first] = list;
    const psns = new Set(list.map((s) => s.packet.bth.psn));
    const back = seen.find((s) => isAnswer(s.packet) && s.from === first!.to && psns.has(s.packet.bth.psn));
    const events = seen.flatMap((s) => {
      if (!isAnswer(s.packet)) return keyOf(s) === key ? [{ ...s, request: true }] : [];
      return back !== undefined && keyOf(s) === keyOf(back) ? [{ ...s, request: false }] : [];
    });
    return {
      name: `${name}: ${key}`,
      events,
      requests: list.map((s) => s.packet),
      answers: events.filter((e) => !e.request).map((e) => e.packet),
    };
  });
}

function group<T>(list: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of list) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

const keyed = (address: bigint, key: number, size: number): Region => ({
  key,
  address,
  bytes: new Uint8Array(size),
  access: all,
});

/** Memory for every key that the requests name, from the lowest address on. */
function memoryFor(requests: readonly IbPacket[], own: Region): Region[] {
  const spans = new Map<number, { from: bigint; to: bigint }>();
  for (const { reth, atomicEth } of requests) {
    const named = reth ?? (atomicEth === undefined ? undefined : { ...atomicEth, length: 8 });
    if (named === undefined) continue;
    const span = spans.get(named.key) ?? { from: named.address, to: named.address };
    const end = named.address + BigInt(named.length);
    if (named.address < span.from) span.from = named.address;
    if (end > span.to) span.to = end;
    spans.set(named.key, span);
  }
  return [own, ...[...spans].map(([key, { from, to }]) => keyed(from, key, Number(to - from)))];
}

const ownKey = 0xffffffff;
const own = (): Region => keyed(0n, ownKey, 1 << 16);

interface Brief {
  readonly opcode: number;
  readonly psn: number;
  readonly ackRequest: boolean;
  readonly syndrome: number | undefined;
  readonly msn: number | undefined;
  readonly length: number;
  readonly reth: unknown;
}

const brief = ({ bth, aeth, reth, payload }: IbPacket): Brief => ({
  opcode: bth.opcode,
  psn: bth.psn,
  ackRequest: bth.ackRequest,
  syndrome: aeth?.syndrome,
  msn: aeth?.msn,
  length: payload.length,
  reth: reth && { ...reth },
});

const packetsIn = (effects: readonly RcEffect[]): IbPacket[] =>
  effects.flatMap((e) => (e.kind === 'packet' ? [e.packet] : []));

function answersTo(
  flow: Flow,
  over: Partial<RcConfig> = {},
): { answers: Brief[]; delivered: number; dropped: string[] } {
  const [first] = flow.requests;
  const queuePair = first!.bth.destinationQp;
  const peer = { queuePair: flow.answers[0]?.bth.destinationQp ?? 1, startingPsn: first!.bth.psn };
  const config = { ...rcDefaults, responderResources: 128, startingPsn: 0, queuePair, peer, ...over };
  const pair = rcQueuePair(config, regions(memoryFor(flow.requests, own())));
  const local = { key: ownKey, address: 0n, length: 1 << 16 };
  for (let id = 0; id < 256; id++) pair.step(0, { kind: 'post-receive', work: { id, local } });
  const answers: Brief[] = [];
  const dropped: string[] = [];
  let delivered = 0;
  for (const packet of flow.requests) {
    for (const e of pair.step(0, { kind: 'packet', packet })) {
      if (e.kind === 'completion') delivered++;
      if (e.kind === 'dropped') dropped.push(e.why);
    }
    while (pair.ready) answers.push(...packetsIn(pair.step(0, { kind: 'poll' })).map(brief));
  }
  return { answers, delivered, dropped };
}

/** The work requests behind the packets of a flow that lost none. */
function worksOf(requests: readonly IbPacket[]): Work[] {
  const works: Work[] = [];
  const local = { key: ownKey, address: 0n };
  let length = 0;
  let place = { remoteAddress: 0n, remoteKey: 0 };
  for (const [id, p] of requests.entries()) {
    const op = p.bth.opcode;
    if (p.reth) place = { remoteAddress: p.reth.address, remoteKey: p.reth.key };
    if (op === operation.readRequest) {
      works.push({ kind: 'read', id, local: { ...local, length: p.reth!.length }, ...place });
      continue;
    }
    if (p.atomicEth) {
      const { address: remoteAddress, key: remoteKey, swap, compare } = p.atomicEth;
      const common = { id, local: { ...local, length: 8 }, remoteAddress, remoteKey };
      if (op === operation.fetchAdd) works.push({ kind: 'fetch-add', ...common, add: swap });
      else works.push({ kind: 'compare-swap', ...common, swap, compare });
      continue;
    }
    length += p.payload.length;
    const more = [operation.sendFirst, operation.sendMiddle, operation.writeFirst, operation.writeMiddle] as number[];
    if (more.includes(op)) continue;
    const extra = {
      ...(p.immediate === undefined ? {} : { immediate: p.immediate }),
      ...(p.invalidate === undefined ? {} : { invalidate: p.invalidate }),
      solicited: p.bth.solicited,
    };
    const write = op >= operation.writeFirst && op <= operation.writeOnlyImmediate;
    if (write) works.push({ kind: 'write', id, local: { ...local, length }, ...place, ...extra });
    else works.push({ kind: 'send', id, local: { ...local, length }, ...extra });
    length = 0;
  }
  return works;
}

interface Replayed {
  readonly lost: number;
  readonly sent: Brief[];
  readonly retries: { readonly cause: RetryCause; readonly psn: number }[];
  readonly statuses: string[];
}

/**
 * Lets the requester send what the real one sent. A packet that was made but not seen got lost. When the next packet
 * seen lies behind, the requester must go back of itself: by an answer that had come by then, else by its timer.
 */
function replay(flow: Flow, works: readonly Work[], first: number, over: Partial<RcConfig> = {}): Replayed {
  const queuePair = flow.answers[0]!.bth.destinationQp;
  const peer = { queuePair: flow.requests[0]!.bth.destinationQp, startingPsn: 0 };
  const config = { ...rcDefaults, initiatorDepth: 128, startingPsn: first, queuePair, peer, ...over };
  const pair = rcQueuePair(config, regions([own()]));
  const retries: Replayed['retries'] = [];
  const statuses: string[] = [];
  const sent: Brief[] = [];
  let lost = 0;
  let now = 0;
  let next = first;
  const waiting: IbPacket[] = [];
  const note = (effects: readonly RcEffect[]): boolean => {
    let back = false;
    for (const e of effects) {
      if (e.kind === 'completion') statuses.push(e.completion.status);
      if (e.kind !== 'retry') continue;
      retries.push({ cause: e.cause, psn: e.psn });
      next = e.psn;
      back = true;
    }
    return back;
  };
  const hear = (): boolean => {
    const packet = waiting.shift();
    return packet !== undefined && note(pair.step(now, { kind: 'packet', packet }));
  };
  for (const work of works) pair.step(0, { kind: 'post', work });
  for (const event of flow.events) {
    now = event.time;
    if (!event.request) {
      waiting.push(event.packet);
      continue;
    }
    const { psn } = event.packet.bth;
    while (psnDistance(next, psn) < 0 || !pair.ready) {
      if (waiting.length > 0) hear();
      else if (!note(pair.step(now + 1e9, { kind: 'timer', timer: 'retry' })))
        throw new Error(`${flow.name}: stuck at ${psn}`);
    }
    for (;;) {
      const [packet] = packetsIn(pair.step(now, { kind: 'poll' }));
      if (packet === undefined) throw new Error(`${flow.name}: nothing to send at ${psn}`);
      const psns = packet.bth.opcode === operation.readRequest ? packetsOf(packet.reth!.length, config.mtu) : 1;
      next = psnAdd(packet.bth.psn, psns);
      if (packet.bth.psn === psn) {
        sent.push(brief(packet));
        break;
      }
      lost++;
    }
  }
  while (waiting.length > 0) hear();
  return { lost, sent, retries, statuses };
}

/** When and why the real requester went back: after a silence it was the timer, else the NAK that had come last. */
function realRetries(flow: Flow): { cause: string; nak: number | undefined }[] {
  const found: { cause: string; nak: number | undefined }[] = [];
  let before: Seen | undefined;
  let nak: number | undefined;
  for (const e of flow.events) {
    if (!e.request) {
      if ((e.packet.aeth?.syndrome ?? 0) >> 5 === 3) nak = e.packet.bth.psn;
      continue;
    }
    if (before !== undefined && psnDistance(before.packet.bth.psn, e.packet.bth.psn) <= 0) {
      const silent = e.time - before.time > 0.02;
      found.push(silent ? { cause: 'timeout', nak: undefined } : { cause: 'sequence-error', nak });
    }
    before = e;
  }
  return found;
}

const title = `real connections${capturesAbsent ? ` (${capturesAbsent})` : ''}`;

describe.skipIf(capturesAbsent !== undefined)(title, () => {
  const lossy = captureNames().filter((name) => name.includes('loss15'));
  const sound = captureNames().filter((name) => name.includes('rxe_') && !name.includes('loss15'));

  it('without loss: requester and responder send the same packets', () => {
    const counts = { flows: 0, requests: 0, answers: 0 };
    for (const flow of sound.flatMap(flowsIn)) {
      counts.flows++;
      counts.requests += flow.requests.length;
      counts.answers += flow.answers.length;
      expect(answersTo(flow).answers, flow.name).toEqual(flow.answers.map(brief));
      if (flow.answers.length === 0) continue;
      const made = replay(flow, worksOf(flow.requests), flow.requests[0]!.bth.psn);
      expect(made.sent, flow.name).toEqual(flow.requests.map(brief));
      expect({ lost: made.lost, retries: made.retries }, flow.name).toEqual({ lost: 0, retries: [] });
      expect(new Set(made.statuses), flow.name).toEqual(new Set(['success']));
    }
    expect(counts).toEqual({ flows: 30, requests: 242, answers: 192 });
  });

  const length = 3000;
  const cases = [
    {
      name: 'pcap-rxe/rxe_loss15_ib_send_bw.pcap',
      first: 1369554,
      kind: 'send',
      lost: 64,
      late: 344,
      naks: 9,
      timeouts: 3,
    },
    {
      name: 'pcap-rxe/rxe_loss15_ib_read_bw.pcap',
      first: 14910081,
      kind: 'read',
      lost: 2,
      late: 11,
      naks: 1,
      timeouts: 0,
    },
  ] as const;
  for (const { name, first, kind, lost, late, naks, timeouts } of cases) {
    it(`with 15 % loss (${kind}): the same packets again, for the same reasons`, () => {
      expect(lossy).toContain(name);
      const [flow] = flowsIn(name);
      const reth = flow!.requests[0]!.reth;
      const works = Array.from({ length: 20 }, (_, id): Work => {
        const local = { key: ownKey, address: 0n, length };
        if (kind === 'send') return { kind, id, local };
        return { kind, id, local, remoteAddress: reth!.address, remoteKey: reth!.key };
      });
      const made = replay(flow!, works, first, { nakDuringRetry: 'ignore' });
      expect(made.sent).toEqual(flow!.requests.map(brief));
      expect(made.statuses).toEqual(Array(20).fill('success'));
      expect(made.lost).toBe(lost);
      const real = realRetries(flow!);
      expect(real.filter((r) => r.cause === 'timeout')).toHaveLength(timeouts);
      expect(real).toHaveLength(naks + timeouts);
      expect(made.retries.map((r) => r.cause)).toEqual(real.map((r) => r.cause));
      for (const [i, { nak }] of real.entries()) if (nak !== undefined) expect(made.retries[i]!.psn).toBe(nak);
      const { answers, delivered, dropped } = answersTo(flow!);
      // The bridge that recorded them repeated nothing by itself: what came again came behind a gap.
      expect(dropped).toEqual(Array(late).fill('out-of-sequence'));
      expect(answers).toEqual(flow!.answers.map(brief));
      expect(delivered).toBe(kind === 'send' ? 20 : 0);
    });
  }
});
