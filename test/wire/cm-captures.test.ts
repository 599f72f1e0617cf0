import { describe, expect, it } from 'vitest';
import { decodeFrame, type Frame } from '../../src/wire/frame.ts';
import type { CmReply, CmRequest } from '../../src/wire/ib/cm.ts';
import { service, serviceOf } from '../../src/wire/ib/opcode.ts';
import { agreedConnection } from '../../src/wire/rc/from-cm.ts';
import { captureNames, capturesAbsent, readCaptureFile } from './captures.ts';
import { roceOf } from './layers.ts';

const title = `connection set-up of real sessions${capturesAbsent ? ` (${capturesAbsent})` : ''}`;

describe.skipIf(capturesAbsent !== undefined)(title, () => {
  it('names the queue pairs and first PSNs that the connections then use', () => {
    const counts = { requests: 0, replies: 0, rejects: 0, connections: 0, firstPackets: 0 };
    for (const name of captureNames().filter((n) => n.includes('rxe_'))) {
      const frames: Frame[] = readCaptureFile(name).capture.packets.flatMap((p) => {
        const read = decodeFrame(p.linkType, p.bytes);
        return read.ok ? [read.value.value] : [];
      });
      const requests = new Map<number, CmRequest>();
      const replies = new Map<number, CmReply>();
      const first = new Map<number, number>();
      for (const frame of frames) {
        const roce = roceOf(frame);
        const body = roce?.mad?.body;
        if (body?.kind === 'request') requests.set(body.message.localId, body.message);
        if (body?.kind === 'reply') replies.set(body.message.remoteId, body.message);
        if (body?.kind === 'reject') counts.rejects++;
        const isRequest = roce !== undefined && serviceOf(roce.packet.bth.opcode) === service.rc && !roce.packet.aeth;
        if (!isRequest || roce.packet.bth.opcode === 0x0e) continue;
        const { destinationQp, psn } = roce.packet.bth;
        // Both hosts may use one number, so a first PSN is kept under the queue pair and itself.
        first.set(destinationQp * 0x1000000 + psn, psn);
      }
      counts.requests += requests.size;
      counts.replies += replies.size;
      for (const [id, reply] of replies) {
        const request = requests.get(id);
        const agreed = request === undefined ? undefined : agreedConnection(request, reply);
        if (agreed === undefined) continue;
        counts.connections++;
        expect(agreed.active.mtu).toBe(1024);
        expect(agreed.active.peer?.queuePair).toBe(agreed.passive.queuePair);
        for (const end of [agreed.active, agreed.passive]) {
          if (first.has(end.peer!.queuePair * 0x1000000 + end.startingPsn)) counts.firstPackets++;
        }
      }
    }
    // One direction of one connection (the passive end of `ib_write_bw -R`) carried no request.
    expect(counts).toEqual({ requests: 10, replies: 9, rejects: 1, connections: 9, firstPackets: 17 });
  });
});
