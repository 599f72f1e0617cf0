import { describe, expect, it } from 'vitest';
import { hex } from '../../src/wire/bytes.ts';
import { decodeFrame } from '../../src/wire/frame.ts';
import { addressText } from '../../src/wire/ip/address.ts';
import type { Tcp } from '../../src/wire/ip/tcp.ts';
import { sequenceDistance, type TcpStream, tcpStream } from '../../src/wire/ip/tcp-stream.ts';
import { type IwarpConnection, readConnection, writeStream } from '../../src/wire/iwarp/connection.ts';
import { type CaptureFile, captureNames, capturesAbsent, readCaptureFile } from './captures.ts';

interface Segment {
  readonly where: string;
  readonly from: string;
  readonly to: string;
  readonly header: Tcp;
  readonly payload: Uint8Array;
}

interface Direction {
  readonly first: number;
  readonly stream: TcpStream;
  readonly segments: Segment[];
}

function segmentsOf({ name, capture }: CaptureFile): Segment[] {
  return capture.packets.flatMap((packet, i) => {
    const read = decodeFrame(packet.linkType, packet.bytes);
    if (!read.ok) throw new Error(`${name}: ${read.error}`);
    const { network } = read.value.value;
    if ((network.kind !== 'ipv4' && network.kind !== 'ipv6') || network.body.kind !== 'tcp') return [];
    const { header, payload } = network.body;
    const from = `${addressText(network.header.source)} ${header.source}`;
    const to = `${addressText(network.header.destination)} ${header.destination}`;
    return [{ where: `${name} packet ${i + 1}`, from, to, header, payload }];
  });
}

function directionsOf(segments: readonly Segment[]): Map<string, Direction> {
  const found = new Map<string, Direction>();
  for (const segment of segments) {
    const key = `${segment.from} ${segment.to}`;
    let direction = found.get(key);
    if (direction === undefined) {
      const first = segment.header.sequence + (segment.header.syn ? 1 : 0);
      direction = { first: first >>> 0, stream: tcpStream(first), segments: [] };
      found.set(key, direction);
    }
    direction.segments.push(segment);
    const reason = direction.stream.push(segment.header.sequence, segment.payload);
    expect(reason, segment.where).toBeUndefined();
  }
  return found;
}

const title = `iWARP sessions${capturesAbsent ? ` (${capturesAbsent})` : ''}`;

describe.skipIf(capturesAbsent !== undefined)(title, () => {
  const files = captureNames()
    .filter((name) => name.includes('siw'))
    .map(readCaptureFile);

  it('frame, segment and operation of every byte, from which each TCP payload is made again', () => {
    const counts = { connections: 0, units: 0, crcUnits: 0, wrongCrc: 0, payloads: 0, unread: 0 };
    const operations = new Map<number, number>();
    for (const file of files) {
      const directions = directionsOf(segmentsOf(file));
      for (const [key, direction] of directions) {
        const [sender] = direction.segments;
        const back = directions.get(`${sender!.to} ${sender!.from}`);
        const connection = readConnection(direction.stream.bytes(), back?.stream.bytes() ?? new Uint8Array(0));
        if (typeof connection === 'string') continue;
        counts.connections++;
        check(connection, [direction, back!], key);
      }
    }
    function check({ initiator, responder }: IwarpConnection, sides: readonly Direction[], key: string): void {
      for (const [i, side] of [initiator, responder!].entries()) {
        expect(side.stopped, key).toBeUndefined();
        const made = writeStream(side);
        for (const { fpdu, segment } of side.units) {
          counts.units++;
          if (side.framing.crc) counts.crcUnits++;
          if (fpdu.crc !== undefined) counts.wrongCrc++;
          if (segment === undefined) counts.unread++;
          else operations.set(segment.control.opcode, (operations.get(segment.control.opcode) ?? 0) + 1);
        }
        const { first, segments } = sides[i]!;
        for (const { header, payload, where } of segments) {
          if (payload.length === 0) continue;
          const at = sequenceDistance(first, header.sequence);
          expect(hex(made.subarray(at, at + payload.length)), where).toBe(hex(payload));
          counts.payloads++;
        }
      }
    }
    expect(counts).toEqual({ connections: 26, units: 483, crcUnits: 159, wrongCrc: 0, payloads: 534, unread: 0 });
    expect(Object.fromEntries(operations)).toEqual({ 0: 74, 1: 24, 2: 48, 3: 337 });
  });
});
