import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { captureOf } from '../../src/answer/capture.ts';
import { answerMove } from '../../src/answer/move.ts';
import type { MovePath } from '../../src/move/model.ts';
import { packetMtu, wireKind } from '../../src/move/packets.ts';
import { readCapture } from '../../src/wire/pcap.ts';
import { described } from '../support/machines.ts';

const cluster = (network: string) =>
  described(
    `node: {gpu: a100-pcie-40g, gpus: 1, link: pcie, nic: 100Gb/s, nics: 1, cpu: amd-rome, sockets: 1, pcie: gen4, gpusPerSwitch: 1, nicsPerSwitch: 1}\nnodes: 2\nnetwork: {transport: ${network}, rate: 100Gb/s}\n`,
  );
const size = 200_000;

async function written(network: string, path: MovePath): Promise<{ bytes: Uint8Array; lengths: number[] }> {
  const machine = await cluster(network);
  const how = { sizes: [size], depth: 1, threads: 1, both: false, path };
  const answer = answerMove(machine, {}, 'gpu0', 'node1/gpu0', how);
  if (!answer.ok) throw new Error(answer.error.code);
  const made = captureOf(machine, answer.value, size);
  if (!made.ok) throw new Error(made.error.code);
  const read = readCapture(made.value);
  if (!read.ok) throw new Error(read.error);
  return {
    bytes: made.value,
    lengths: read.value.packets.map((p) => p.length),
  };
}

const ways: readonly (readonly [network: string, path: MovePath, mtu: number])[] = [
  ['roce', 'gpudirect-rdma', 4096],
  ['roce, mtu: 1500', 'gpudirect-rdma', 1024],
  ['roce, mtu: 9000', 'host-staged-rdma', 4096],
  ['iwarp', 'gpudirect-rdma', 9000],
  ['iwarp, mtu: 1500', 'gpudirect-rdma', 1500],
  ['infiniband, mtu: 2048', 'gpudirect-rdma', 2048],
  ['infiniband', 'ipoib-datagram', 2044],
  ['infiniband', 'ipoib-connected', 65520],
  ['tcp', 'tcp', 1500],
  ['tcp, mtu: 9000', 'tcp', 9000],
  ['tcpx', 'gpudirect-rdma', 8244],
];
const absent = spawnSync('tshark', ['--version']).status === 0 ? '' : ' (no tshark)';

describe('the capture of a movement', () => {
  const folder = mkdtempSync(join(tmpdir(), 'crowfly-move-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(ways)('%s, %s: packets as large as the model reckons with, %i bytes', async (network, path, mtu) => {
    const machine = await cluster(network);
    const kind = wireKind(machine, path)!;
    expect(packetMtu(machine, kind)).toBe(mtu);
    const { lengths } = await written(network, path);
    // What stands around it differs by kind; a full packet is never a payload more or less.
    const most = Math.max(...lengths);
    expect(most).toBeGreaterThanOrEqual(mtu);
    expect(most - mtu).toBeLessThan(120);
  });

  it.skipIf(absent !== '')(`is read by tshark without a malformed frame${absent}`, async () => {
    for (const [i, [network, path]] of ways.entries()) {
      const file = join(folder, `${i}.pcap`);
      const { bytes, lengths } = await written(network, path);
      writeFileSync(file, bytes);
      const args = ['-r', file, '-T', 'fields', '-e', 'frame.number', '-e', '_ws.malformed'];
      const run = spawnSync('tshark', args, { encoding: 'utf8' });
      const rows = run.stdout.trimEnd().split('\n');
      expect([network, path, run.status, rows.length]).toEqual([network, path, 0, lengths.length]);
      expect(rows.filter((r) => r.split('\t')[1] !== undefined && r.split('\t')[1] !== '')).toEqual([]);
    }
  });
});
