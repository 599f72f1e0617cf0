/**
 * The syndrome of an AETH (IBTA vol. 1, 9.7.5): bits 6 and 5 say what it is, bits 4 to 0 hold a credit
 * count, a timer code or a reason.
 */
export type Syndrome =
  | { readonly kind: 'ack' /** 31 says that the responder does not count credits. */; readonly credits: number }
  | { readonly kind: 'receiver-not-ready'; readonly timer: number }
  | { readonly kind: 'nak'; readonly nak: Nak }
  | { readonly kind: 'reserved'; readonly code: number };

export type Nak =
  | 'sequence-error'
  | 'invalid-request'
  | 'remote-access-error'
  | 'remote-operational-error'
  | 'invalid-rd-request';

const naks: readonly Nak[] = [
  'sequence-error',
  'invalid-request',
  'remote-access-error',
  'remote-operational-error',
  'invalid-rd-request',
];

export const noCredits = 31;

export function readSyndrome(code: number): Syndrome {
  const low = code & 0x1f;
  if (code >> 5 === 0) return { kind: 'ack', credits: low };
  if (code >> 5 === 1) return { kind: 'receiver-not-ready', timer: low };
  const nak = naks[low];
  return code >> 5 === 3 && nak !== undefined ? { kind: 'nak', nak } : { kind: 'reserved', code };
}

export function writeSyndrome(value: Syndrome): number {
  if (value.kind === 'ack') return value.credits;
  if (value.kind === 'receiver-not-ready') return 0x20 | value.timer;
  return value.kind === 'nak' ? 0x60 | naks.indexOf(value.nak) : value.code;
}

/** Milliseconds of an RNR timer code (9.7.5); code 0 is the longest. */
const rnrMilliseconds = [
  655.36, 0.01, 0.02, 0.03, 0.04, 0.06, 0.08, 0.12, 0.16, 0.24, 0.32, 0.48, 0.64, 0.96, 1.28, 1.92, 2.56, 3.84, 5.12,
  7.68, 10.24, 15.36, 20.48, 30.72, 40.96, 61.44, 81.92, 122.88, 163.84, 245.76, 327.68, 491.52,
];

export const rnrSeconds = (code: number): number => (rnrMilliseconds[code & 0x1f] ?? 0) / 1000;
/** Local ACK timeout (9.7.6): 4.096 µs · 2^code; code 0 waits for ever. */
export const ackTimeoutSeconds = (code: number): number =>
  code === 0 ? Number.POSITIVE_INFINITY : 4.096e-6 * 2 ** code;
