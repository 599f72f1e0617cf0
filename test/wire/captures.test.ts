import { describe, expect, it } from 'vitest';
import { equalBytes, hex } from '../../src/wire/bytes.ts';
import { decodeFrame, encodeFrame } from '../../src/wire/frame.ts';
import { writePcap } from '../../src/wire/pcap.ts';
import { captureNames, capturesAbsent, readCaptureFile } from './captures.ts';
import { roceOf } from './layers.ts';

describe.skipIf(capturesAbsent !== undefined)(
  `captures of real sessions${capturesAbsent ? ` (${capturesAbsent})` : ''}`,
  () => {
    const files = captureNames().map(readCaptureFile);

    it('are 45 sound files that are written again byte for byte', () => {
      expect(files).toHaveLength(45);
      for (const { name, bytes, capture } of files) {
        expect(capture.stopped, name).toBeUndefined();
        expect(equalBytes(writePcap(capture.packets, capture), bytes), name).toBe(true);
      }
    });

    it('decode into typed layers from which the same bytes are made', () => {
      const counts = {
        packets: 0,
        roce4: 0,
        roce6: 0,
        rxe: 0,
        icrc: 0,
        mad: 0,
        tcp: 0,
        wrongTcp: 0,
        wrongUdp: 0,
        wrongIp: 0,
      };
      for (const { name, capture } of files) {
        for (const [i, packet] of capture.packets.entries()) {
          const where = `${name} packet ${i + 1}`;
          const read = decodeFrame(packet.linkType, packet.bytes);
          if (!read.ok) throw new Error(`${where}: ${read.error}`);
          const frame = read.value.value;
          expect(hex(encodeFrame(frame)), where).toBe(hex(packet.bytes));
          counts.packets++;
          const roce = roceOf(frame);
          if (roce !== undefined) {
            if (frame.network.kind === 'ipv4') counts.roce4++;
            else counts.roce6++;
            if (name.startsWith('pcap-rxe/')) counts.rxe++;
            if (roce.icrc === undefined) counts.icrc++;
            if (roce.mad !== undefined) counts.mad++;
          }
          if (frame.network.kind === 'ipv4' && frame.network.header.checksum !== undefined) counts.wrongIp++;
          if (frame.network.kind !== 'ipv4' && frame.network.kind !== 'ipv6') continue;
          const { body } = frame.network;
          if (body.kind === 'tcp') counts.tcp++;
          if (body.kind === 'tcp' && body.header.checksum !== undefined) counts.wrongTcp++;
          if (body.kind === 'udp' && body.header.checksum) counts.wrongUdp++;
        }
      }
      // 1,064 RoCE packets between two soft-RoCE hosts and 26 between one and a program; no checksum is wrong.
      expect(counts).toMatchObject({ roce4: 1041, roce6: 49, rxe: 1064, icrc: 1090, mad: 49 });
      expect(counts).toMatchObject({ packets: 2602, tcp: 1431, wrongTcp: 0, wrongUdp: 0, wrongIp: 0 });
    });
  },
);
