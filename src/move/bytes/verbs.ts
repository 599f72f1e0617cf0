import { fail, ok, type Result } from '../../base/result.ts';
import type { DeviceFault, Region } from '../../device/memory.ts';
import type { NicDma } from '../../device/movers.ts';
import { addressOf, converse, NicQueuePair } from '../../device/nic.ts';

const [senderNumber, receiverNumber] = [0x11, 0x12];

/** Registers a region for sending and posts it to a queue pair that is connected with one of the far end. */
export function postSend(from: NicDma, to: NicDma, region: Region, length: number): Result<NicQueuePair, DeviceFault> {
  const mr = from.registrar.register(region, { write: false, read: true });
  if (!mr.ok) return mr;
  const sender = new NicQueuePair(from, senderNumber);
  sender.connect(new NicQueuePair(to, receiverNumber));
  const posted = sender.post({
    kind: 'send',
    id: 1,
    local: { key: mr.value.key, address: addressOf(mr.value), length },
  });
  return posted.ok ? ok(sender) : posted;
}

/** Posts room for the message at the far end and lets the packets come. */
export function receiveInto(
  sender: NicQueuePair,
  nic: NicDma,
  region: Region,
  length: number,
): Result<undefined, DeviceFault | 'lost'> {
  const mr = nic.registrar.register(region, { write: true, read: false });
  if (!mr.ok) return mr;
  const receiver = new NicQueuePair(nic, receiverNumber);
  receiver.connect(sender);
  const room = receiver.postReceive({
    id: 1,
    local: { key: mr.value.key, address: addressOf(mr.value), length },
  });
  if (!room.ok) return room;
  converse(sender, receiver);
  const ended = nic.completions.poll();
  sender.nic.completions.poll();
  return ended?.status === 'success' && ended.bytes === length ? ok(undefined) : fail('lost');
}
