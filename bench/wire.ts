import { crc16, crc32, crc32c } from '../src/wire/crc.ts';
import { decodeFrame, encodeFrame } from '../src/wire/frame.ts';
import { rcDefaults } from '../src/wire/rc/config.ts';
import { rcQueuePair } from '../src/wire/rc/queue-pair.ts';
import { regions } from '../src/wire/rc/regions.ts';
import { transferPackets } from '../src/wire/transfer-pcap.ts';

/**
 * How fast are the checksums, the codecs and the reliable transport? One core, no network. Median of several runs, in CPU time.
 *
 *   node --import tsx bench/wire.ts
 */
const runs = 7;

function median(work: () => void): number {
  work();
  const times = Array.from({ length: runs }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  });
  return times.sort((a, b) => a - b)[runs >> 1]!;
}

const print = (what: string, amount: number, unit: string): void =>
  console.log(`${what.padEnd(44)} ${amount.toFixed(amount < 10 ? 2 : 0).padStart(9)} ${unit}`);

const block = new Uint8Array(16 * 1024 * 1024).map((_, i) => (i * 31) & 0xff);
for (const [name, crc] of Object.entries({ crc32, crc32c, crc16 })) {
  print(name, block.length / 1e6 / median(() => void crc(block)), 'MB/s');
}

const made = transferPackets('roce-v2', block.subarray(0, 4 * 1024 * 1024));
if (!made.ok) throw new Error(made.error);
const { packets } = made.value;
const frames = packets.map((p) => {
  const read = decodeFrame(p.linkType, p.bytes);
  if (!read.ok) throw new Error(read.error);
  return read.value.value;
});
const decoding = median(() => {
  for (const p of packets) decodeFrame(p.linkType, p.bytes);
});
const encoding = median(() => {
  for (const f of frames) encodeFrame(f);
});
print('RoCE v2 frames of 1,024 B decoded, checked', packets.length / decoding / 1000, 'thousand/s');
print('RoCE v2 frames of 1,024 B encoded', packets.length / encoding / 1000, 'thousand/s');

/** A WRITE of 64 MiB between two queue pairs, every byte copied as a NIC would. */
function writeOnce(): number {
  const bytes = 64 * 1024 * 1024;
  const access = ['local-read', 'remote-write'] as const;
  const region = () => regions([{ key: 1, address: 0n, bytes: new Uint8Array(bytes), access }]);
  const peer = { queuePair: 1, startingPsn: 0 };
  const config = { ...rcDefaults, mtu: 4096, queuePair: 1, startingPsn: 0, peer };
  const [a, b] = [rcQueuePair(config, region()), rcQueuePair(config, region())];
  const local = { key: 1, address: 0n, length: bytes };
  a.step(0, { kind: 'post', work: { kind: 'write', id: 1, local, remoteAddress: 0n, remoteKey: 1 } });
  let sent = 0;
  while (a.ready || b.ready) {
    const [from, to] = a.ready ? [a, b] : [b, a];
    for (const effect of from.step(0, { kind: 'poll' })) {
      if (effect.kind !== 'packet') continue;
      sent++;
      to.step(0, { kind: 'packet', packet: effect.packet });
    }
  }
  return sent;
}
const count = writeOnce();
print('RC packets of 4,096 B made and taken', count / median(() => void writeOnce()) / 1000, 'thousand/s');
