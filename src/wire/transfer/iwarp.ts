import { largestUlpdu } from '../efficiency.ts';
import { ddpTaggedLayout, ddpUntaggedLayout, ddpVersion } from '../iwarp/ddp.ts';
import { encodeFpdu, type Framing, fpduOf } from '../iwarp/fpdu.ts';
import { encodeMpaStartup, type MpaStartup } from '../iwarp/mpa.ts';
import { encodeRdmap, type RdmapSegment, rdmapControl, rdmapOpcode, rdmapQueue } from '../iwarp/rdmap.ts';
import type { TcpTalk } from './tcp-talk.ts';

export interface IwarpTransfer {
  readonly operation: 'send' | 'write' | 'read';
  readonly message: Uint8Array;
  readonly framing: Framing;
  /** Payload bytes of a TCP segment. */
  readonly segment: number;
}

const tag = 0x1234;
const sinkTag = 0x4321;
const address = 0x7f0000000000n;

const control = (opcode: number) => ({ version: rdmapControl(opcode) >> 6, reserved: 0, opcode });

function tagged(opcode: number, steeringTag: number, message: Uint8Array, ulpdu: number): RdmapSegment[] {
  const payload = ulpdu - ddpTaggedLayout.size;
  const count = Math.max(1, Math.ceil(message.length / payload));
  return Array.from({ length: count }, (_, i) => {
    const from = i * payload;
    const bytes = message.slice(from, from + payload);
    const place = { steeringTag, offset: address + BigInt(from) };
    const header = { last: i === count - 1, reserved: 0, version: ddpVersion, control: 0 };
    return {
      ddp: { kind: 'tagged', ...header, ...place, payload: new Uint8Array(0) },
      control: control(opcode),
      body: { kind: 'data', bytes },
    };
  });
}

function untagged(message: Uint8Array, ulpdu: number): RdmapSegment[] {
  const payload = ulpdu - ddpUntaggedLayout.size;
  const count = Math.max(1, Math.ceil(message.length / payload));
  return Array.from({ length: count }, (_, i) => {
    const from = i * payload;
    const place = { invalidate: 0, queue: rdmapQueue.send, message: 1, offset: from };
    const header = { last: i === count - 1, reserved: 0, version: ddpVersion, control: 0 };
    return {
      ddp: { kind: 'untagged', ...header, ...place, payload: new Uint8Array(0) },
      control: control(rdmapOpcode.send),
      body: { kind: 'data', bytes: message.slice(from, from + payload) },
    };
  });
}

function readRequest(size: number): RdmapSegment {
  const place = { invalidate: 0, queue: rdmapQueue.readRequest, message: 1, offset: 0 };
  const header = { last: true, reserved: 0, version: ddpVersion, control: 0 };
  const request = { sinkTag, sinkOffset: address, size, sourceTag: tag, sourceOffset: address };
  return {
    ddp: { kind: 'untagged', ...header, ...place, payload: new Uint8Array(0) },
    control: control(rdmapOpcode.readRequest),
    body: { kind: 'read-request', request },
  };
}

/** MPA's greeting and one message over an open connection. */
export function sayIwarp(transfer: IwarpTransfer, talk: TcpTalk): void {
  const { operation, message, framing, segment } = transfer;
  const startup: Omit<MpaStartup, 'kind'> = {
    ...framing,
    rejected: false,
    enhanced: false,
    reserved: 0,
    revision: 1,
    privateData: new Uint8Array(0),
  };
  talk.say(0, encodeMpaStartup({ kind: 'request', ...startup }));
  talk.say(1, encodeMpaStartup({ kind: 'reply', ...startup }));
  const positions = [0, 0];
  const say = (side: 0 | 1, what: RdmapSegment): void => {
    const bytes = encodeFpdu(fpduOf(encodeRdmap(what)), positions[side]!, framing);
    positions[side] = positions[side]! + bytes.length;
    talk.say(side, bytes);
  };
  const ulpdu = largestUlpdu(segment, framing.markers);
  if (operation === 'send') for (const part of untagged(message, ulpdu)) say(0, part);
  else if (operation === 'write') for (const part of tagged(rdmapOpcode.write, tag, message, ulpdu)) say(0, part);
  else {
    say(0, readRequest(message.length));
    for (const part of tagged(rdmapOpcode.readResponse, sinkTag, message, ulpdu)) say(1, part);
  }
}
