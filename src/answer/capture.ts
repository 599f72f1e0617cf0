import { fail, ok, type Result } from '../base/result.ts';
import type { Machine } from '../machine/machine.ts';
import { packetMtu, wireKind } from '../move/packets.ts';
import { largestTransfer, transferPcap } from '../wire/transfer-pcap.ts';
import { type Message, say } from '../words/message.ts';
import type { MoveAnswer } from './move.ts';

/** A pcap file with the packets of one message, on the first path of an answer that crosses a network. */
export function captureOf(machine: Machine, answer: MoveAnswer, bytes: number): Result<Uint8Array, Message> {
  for (const { model } of answer.paths) {
    const kind = wireKind(machine, model.path);
    if (kind === undefined) continue;
    if (bytes > largestTransfer) {
      return fail(
        say('wire.transfer.message-too-large', { limit: largestTransfer / 2 ** 20, size: Math.ceil(bytes / 2 ** 20) }),
      );
    }
    const mtu = packetMtu(machine, kind);
    // A pattern that can be recognised in a packet view: bytes that count up.
    const made = transferPcap(
      kind,
      Uint8Array.from({ length: bytes }, (_, i) => i & 0xff),
      { mtu },
    );
    if (made.ok) return ok(made.value);
    return fail(
      say(`wire.transfer.${made.error}`, {
        mtu,
        known: '256, 512, 1024, 2048, 4096',
        kind,
        operation: 'write',
      }),
    );
  }
  return fail(say('move.no-packets', { from: answer.from, to: answer.to }));
}
