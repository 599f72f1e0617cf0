import { concat, copyOf, noBytes } from '../bytes.ts';
import type { WireReason } from '../outcome.ts';
import { decodeFpdu, encodeFpdu, type Fpdu, type Framing } from './fpdu.ts';
import { decodeMpaStartup, encodeMpaStartup, type MpaStartup } from './mpa.ts';
import { decodeRdmap, encodeRdmap, type RdmapSegment } from './rdmap.ts';

/** One unit of a stream: its framing and the segment in it. */
export interface IwarpUnit {
  /** Its `ulpdu` is empty where `segment` holds it. */
  readonly fpdu: Fpdu;
  readonly segment?: RdmapSegment;
}

/** What one side sent over a connection. */
export interface IwarpStream {
  readonly startup: MpaStartup;
  readonly framing: Framing;
  readonly units: readonly IwarpUnit[];
  /** Bytes of a unit that was under way when the stream ended. */
  readonly rest: Uint8Array;
  /** Why `rest` is not a unit, when it is not empty. */
  readonly stopped?: WireReason;
}

export interface IwarpConnection {
  readonly initiator: IwarpStream;
  /** Absent while no reply has come. */
  readonly responder?: IwarpStream;
}

function readUnits(b: Uint8Array, from: number, framing: Framing): Omit<IwarpStream, 'startup' | 'framing'> {
  const units: IwarpUnit[] = [];
  let at = from;
  while (at < b.length) {
    const read = decodeFpdu(b, at, at - from, framing);
    if (!read.ok) return { units, rest: copyOf(b, at, b.length), stopped: read.error };
    const fpdu = read.value.value;
    const segment = decodeRdmap(fpdu.ulpdu);
    units.push(segment.ok ? { fpdu: { ...fpdu, ulpdu: noBytes }, segment: segment.value.value } : { fpdu });
    at = read.value.next;
  }
  return { units, rest: noBytes };
}

/**
 * Both directions of a connection, each as the whole byte stream that TCP delivered. A side receives markers when it
 * asked for them; CRCs are used both ways when either side asked (RFC 5044 section 7.1.2).
 */
export function readConnection(initiator: Uint8Array, responder: Uint8Array): IwarpConnection | WireReason {
  const request = decodeMpaStartup(initiator);
  if (!request.ok) return request.error;
  const reply = decodeMpaStartup(responder);
  const asked = request.value.value;
  if (asked.kind !== 'request') return 'bad-key';
  if (!reply.ok || reply.value.value.kind !== 'reply') {
    const framing = { markers: false, crc: asked.crc };
    const rest = copyOf(initiator, request.value.next, initiator.length);
    return { initiator: { startup: asked, framing, units: [], rest } };
  }
  const granted = reply.value.value;
  const crc = asked.crc || granted.crc;
  const toResponder = { markers: granted.markers, crc };
  const toInitiator = { markers: asked.markers, crc };
  return {
    initiator: { startup: asked, framing: toResponder, ...readUnits(initiator, request.value.next, toResponder) },
    responder: { startup: granted, framing: toInitiator, ...readUnits(responder, reply.value.next, toInitiator) },
  };
}

/** The byte stream of one side, made from its fields. */
export function writeStream(stream: IwarpStream): Uint8Array {
  const parts = [encodeMpaStartup(stream.startup)];
  let position = 0;
  for (const { fpdu, segment } of stream.units) {
    const whole = segment === undefined ? fpdu : { ...fpdu, ulpdu: encodeRdmap(segment) };
    const bytes = encodeFpdu(whole, position, stream.framing);
    parts.push(bytes);
    position += bytes.length;
  }
  parts.push(stream.rest);
  return concat(parts);
}
