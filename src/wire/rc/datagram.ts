import { operation, service } from '../ib/opcode.ts';
import { type IbPacket, padFor } from '../ib/packet.ts';

/** An unreliable datagram (IBTA vol. 1, 9.8): one packet to any queue pair whose key the sender knows. */
export interface Datagram {
  readonly sourceQp: number;
  readonly destinationQp: number;
  readonly queueKey: number;
  readonly partitionKey: number;
  readonly psn: number;
  readonly immediate?: number;
  readonly solicited?: boolean;
  readonly payload: Uint8Array;
}

/** At most one MTU of payload; a longer one is the sender's error and no packet. */
export function datagramPacket(d: Datagram, mtu: number): IbPacket | 'local-length-error' {
  if (d.payload.length > mtu) return 'local-length-error';
  const code = d.immediate === undefined ? operation.sendOnly : operation.sendOnlyImmediate;
  return {
    bth: {
      opcode: service.ud | code,
      solicited: d.solicited ?? false,
      migrationRequest: false,
      version: 0,
      partitionKey: d.partitionKey,
      fecn: false,
      becn: false,
      reserved6: 0,
      destinationQp: d.destinationQp,
      ackRequest: false,
      reserved7: 0,
      psn: d.psn,
    },
    deth: { queueKey: d.queueKey, reserved: 0, sourceQp: d.sourceQp },
    ...(d.immediate === undefined ? {} : { immediate: d.immediate }),
    payload: d.payload,
    pad: padFor(d.payload),
  };
}

/** Why a datagram is passed over without a word; undefined when it is taken. */
export function datagramRefusal(
  packet: IbPacket,
  own: { readonly queuePair: number; readonly queueKey: number; readonly partitionKey: number },
): 'wrong-queue-pair' | 'wrong-partition' | 'wrong-service' | 'wrong-key' | undefined {
  if (packet.deth === undefined) return 'wrong-service';
  if (packet.bth.destinationQp !== own.queuePair) return 'wrong-queue-pair';
  if ((packet.bth.partitionKey ^ own.partitionKey) & 0x7fff) return 'wrong-partition';
  return packet.deth.queueKey === own.queueKey ? undefined : 'wrong-key';
}
