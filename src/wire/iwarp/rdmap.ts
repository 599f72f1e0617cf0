import { concat, copyOf } from '../bytes.ts';
import { big, flag, type Layout, layout, num } from '../layout.ts';
import { type Decoding, decoded, refused } from '../outcome.ts';
import { type DdpSegment, decodeDdp, encodeDdp } from './ddp.ts';

/** Operations of RDMAP (RFC 5040 section 4.1; immediate data: RFC 7306). */
export const rdmapOpcode = {
  write: 0,
  readRequest: 1,
  readResponse: 2,
  send: 3,
  sendInvalidate: 4,
  sendSolicited: 5,
  sendSolicitedInvalidate: 6,
  terminate: 7,
  immediate: 8,
  immediateSolicited: 9,
} as const;

/** Queues of untagged segments (RFC 5040 section 4.1). */
export const rdmapQueue = { send: 0, readRequest: 1, terminate: 2 } as const;

/** RDMAP's control byte, which DDP carries. */
export interface RdmapControl {
  readonly version: number;
  readonly reserved: number;
  readonly opcode: number;
}

export const rdmapControlLayout: Layout<RdmapControl> = layout<RdmapControl>(1, {
  version: num(0, 2),
  reserved: num(0, 2, 2),
  opcode: num(0, 4, 4),
});

export const rdmapControl = (opcode: number): number => (1 << 6) | opcode;

/** RDMA Read Request header (RFC 5040 section 4.4). */
export interface ReadRequest {
  readonly sinkTag: number;
  readonly sinkOffset: bigint;
  readonly size: number;
  readonly sourceTag: number;
  readonly sourceOffset: bigint;
}

export const readRequestLayout: Layout<ReadRequest> = layout<ReadRequest>(28, {
  sinkTag: num(0, 32),
  sinkOffset: big(4),
  size: num(12, 32),
  sourceTag: num(16, 32),
  sourceOffset: big(20),
});

/** Terminate header (RFC 5040 section 4.8); `rest` holds the headers it quotes. */
export interface Terminate {
  /** 0 RDMAP, 1 DDP, 2 the layer below. */
  readonly layer: number;
  readonly errorType: number;
  readonly errorCode: number;
  readonly quotesLength: boolean;
  readonly quotesDdp: boolean;
  readonly quotesRdmap: boolean;
  readonly reserved: number;
}

export const terminateLayout: Layout<Terminate> = layout<Terminate>(4, {
  layer: num(0, 4),
  errorType: num(0, 4, 4),
  errorCode: num(1, 8),
  quotesLength: flag(2, 0),
  quotesDdp: flag(2, 1),
  quotesRdmap: flag(2, 2),
  reserved: num(2, 13, 3),
});

/** What lies behind the DDP header: a Read Request's or Terminate's fields, or data. */
export type RdmapBody =
  | { readonly kind: 'data'; readonly bytes: Uint8Array }
  | { readonly kind: 'read-request'; readonly request: ReadRequest }
  | { readonly kind: 'terminate'; readonly terminate: Terminate; readonly rest: Uint8Array };

/** A segment of an RDMAP message: DDP header with RDMAP's control in it, and the body. */
export interface RdmapSegment {
  /** Its payload is empty; `body` holds it. */
  readonly ddp: DdpSegment;
  readonly control: RdmapControl;
  readonly body: RdmapBody;
}

function decodeBody(opcode: number, ddp: DdpSegment): RdmapBody {
  const { payload } = ddp;
  if (ddp.kind === 'untagged' && opcode === rdmapOpcode.readRequest && payload.length === readRequestLayout.size) {
    const read = readRequestLayout.decode(payload);
    if (read.ok) return { kind: 'read-request', request: read.value.value };
  }
  if (ddp.kind === 'untagged' && opcode === rdmapOpcode.terminate) {
    const read = terminateLayout.decode(payload);
    if (read.ok) {
      const rest = copyOf(payload, read.value.next, payload.length);
      return { kind: 'terminate', terminate: read.value.value, rest };
    }
  }
  return { kind: 'data', bytes: payload };
}

export function decodeRdmap(b: Uint8Array, offset = 0, end = b.length): Decoding<RdmapSegment> {
  const read = decodeDdp(b, offset, end);
  if (!read.ok) return read;
  const ddp = read.value.value;
  const control = rdmapControlLayout.decode(Uint8Array.of(ddp.control));
  if (!control.ok) return control;
  if (control.value.value.opcode > rdmapOpcode.immediateSolicited) return refused('unknown-opcode');
  const body = decodeBody(control.value.value.opcode, ddp);
  return decoded({ ddp: { ...ddp, payload: new Uint8Array(0) }, control: control.value.value, body }, end);
}

export function encodeRdmap(value: RdmapSegment): Uint8Array {
  const { body } = value;
  const payload =
    body.kind === 'data'
      ? body.bytes
      : body.kind === 'read-request'
        ? readRequestLayout.encode(body.request)
        : concat([terminateLayout.encode(body.terminate), body.rest]);
  const control = rdmapControlLayout.encode(value.control)[0] ?? 0;
  return encodeDdp({ ...value.ddp, control, payload });
}
