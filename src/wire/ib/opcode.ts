/**
 * Operation codes of the base transport header (IBTA vol. 1, 9.2): three bits of service, five of
 * operation. Reliable datagram and XRC are not spoken here.
 */
export const service = { rc: 0x00, uc: 0x20, ud: 0x60, cnp: 0x80 } as const;

/** The operation within a service. */
export const operation = {
  sendFirst: 0x00,
  sendMiddle: 0x01,
  sendLast: 0x02,
  sendLastImmediate: 0x03,
  sendOnly: 0x04,
  sendOnlyImmediate: 0x05,
  writeFirst: 0x06,
  writeMiddle: 0x07,
  writeLast: 0x08,
  writeLastImmediate: 0x09,
  writeOnly: 0x0a,
  writeOnlyImmediate: 0x0b,
  readRequest: 0x0c,
  readResponseFirst: 0x0d,
  readResponseMiddle: 0x0e,
  readResponseLast: 0x0f,
  readResponseOnly: 0x10,
  acknowledge: 0x11,
  atomicAcknowledge: 0x12,
  compareSwap: 0x13,
  fetchAdd: 0x14,
  sendLastInvalidate: 0x16,
  sendOnlyInvalidate: 0x17,
} as const;

/** Congestion notification packet (RoCE v2, annex A17.9): service 0x80, operation 1. */
export const cnpOpcode = 0x81;

/** An extended transport header, in the order in which they travel. */
export type Extended = 'deth' | 'reth' | 'atomicEth' | 'aeth' | 'atomicAckEth' | 'immediate' | 'ieth' | 'cnp';

const rows: readonly (readonly [number, readonly Extended[]])[] = [
  [operation.sendFirst, []],
  [operation.sendMiddle, []],
  [operation.sendLast, []],
  [operation.sendLastImmediate, ['immediate']],
  [operation.sendOnly, []],
  [operation.sendOnlyImmediate, ['immediate']],
  [operation.writeFirst, ['reth']],
  [operation.writeMiddle, []],
  [operation.writeLast, []],
  [operation.writeLastImmediate, ['immediate']],
  [operation.writeOnly, ['reth']],
  [operation.writeOnlyImmediate, ['reth', 'immediate']],
  [operation.readRequest, ['reth']],
  [operation.readResponseFirst, ['aeth']],
  [operation.readResponseMiddle, []],
  [operation.readResponseLast, ['aeth']],
  [operation.readResponseOnly, ['aeth']],
  [operation.acknowledge, ['aeth']],
  [operation.atomicAcknowledge, ['aeth', 'atomicAckEth']],
  [operation.compareSwap, ['atomicEth']],
  [operation.fetchAdd, ['atomicEth']],
  [operation.sendLastInvalidate, ['ieth']],
  [operation.sendOnlyInvalidate, ['ieth']],
];

const known = new Map<number, readonly Extended[]>();
for (const [code, headers] of rows) {
  known.set(service.rc | code, headers);
  if (code <= operation.writeOnlyImmediate) known.set(service.uc | code, headers);
}
known.set(service.ud | operation.sendOnly, ['deth']);
known.set(service.ud | operation.sendOnlyImmediate, ['deth', 'immediate']);
known.set(cnpOpcode, ['cnp']);

/** The extended headers that an opcode calls for; undefined for an opcode nobody here speaks. */
export const extendedHeaders = (opcode: number): readonly Extended[] | undefined => known.get(opcode);
export const opcodes: readonly number[] = [...known.keys()];
export const serviceOf = (opcode: number): number => opcode & 0xe0;
export const operationOf = (opcode: number): number => opcode & 0x1f;
