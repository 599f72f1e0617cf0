import { describe, expect, it } from 'vitest';
import { captureOf } from '../../src/answer/capture.ts';
import { answerMove } from '../../src/answer/move.ts';
import { checkCatalogue } from '../../src/catalogue/check.ts';
import { cloudNetworks } from '../../src/catalogue/cloud-networks.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { copiesOf, type DataPathModel, hostMemoryOf, type MovePath, moveRow } from '../../src/move/model.ts';
import { dataPaths } from '../../src/move/move.ts';
import { packetMtu } from '../../src/move/packets.ts';
import { described } from '../support/machines.ts';

const a3 = (transport: string): Promise<Machine> =>
  described(
    `node: {gpu: h100-sxm5-80g, gpus: 8, link: nvswitch, nic: 200Gb/s, nics: 8, cpu: intel-spr, sockets: 2, pcie: gen5, gpusPerSwitch: 2, nicsPerSwitch: 2}\nnodes: 2\nnetwork: {transport: ${transport}, rate: 200Gb/s}\nsoftware: {gdr: true}\n`,
  );
const find = (machine: Machine, path: MovePath, from = 'node0/gpu0', to = 'node1/gpu0'): DataPathModel => {
  const found = dataPaths(machine, {}, from, to);
  if (!found.ok) throw new Error(found.error.code);
  return found.value.find((m) => m.path === path)!;
};
const row = (m: DataPathModel, bytes: number, depth = 1) => moveRow(m, bytes, { depth, threads: 1, both: false });

describe('networks of clouds', async () => {
  const [efa, tcpx, tcpxo, slingshot, roce] = (await Promise.all(
    ['efa', 'tcpx', 'tcpxo', 'slingshot', 'roce'].map(a3),
  )) as [Machine, Machine, Machine, Machine, Machine];

  it('have figures with unit and source, and nothing else', () => {
    expect(checkCatalogue(cloudNetworks, 'cloudNetworks')).toEqual([]);
  });

  it.each([
    ['efa', efa, 'move.note.efa'],
    ['tcpx', tcpx, 'move.note.tcpx'],
    ['tcpxo', tcpxo, 'move.note.tcpxo'],
    ['slingshot', slingshot, 'move.note.slingshot'],
  ] as const)('%s goes directly without a copy, and says what is not public', (_, machine, note) => {
    const m = find(machine, 'gpudirect-rdma');
    expect([copiesOf(m), hostMemoryOf(m), m.note?.code]).toEqual([0, 0, note]);
    expect(find(roce, 'gpudirect-rdma').note).toBeUndefined();
  });

  it('EFA: the wire carries what one was measured to, and a small message takes what MPI takes', () => {
    const m = find(efa, 'gpudirect-rdma');
    expect(row(m, 2 ** 28, 16).bandwidthGBps / 25).toBeCloseTo(0.974, 2);
    expect(row(m, 8).latencyUs).toBeCloseTo(15, 1);
  });

  it('Slingshot starts 0.975 million messages a second: 4 KiB at 4.0 GB/s, as osu_bw has it', () => {
    const m = find(slingshot, 'host-rdma', 'node0/host0', 'node1/host0');
    expect(row(m, 4096, 64).bandwidthGBps).toBeGreaterThan(3.99 * 0.9);
    expect(row(m, 4096, 64).bandwidthGBps).toBeLessThan(4.0 * 1.01);
  });

  it('TCPX is TCP on the wire: two pages a packet, headers by cores, payload by nobody', () => {
    const m = find(tcpx, 'gpudirect-rdma');
    expect(packetMtu(tcpx, 'tcp') - 52).toBe(8192);
    expect(m.stages.map((s) => s.name.code)).toEqual([
      'move.stage.nic-read-split',
      'move.stage.wire',
      'move.stage.nic-write-split',
      'move.stage.unpack',
    ]);
    const staged = find(tcpx, 'tcp');
    const cpu = (x: DataPathModel): number => x.stages.reduce((sum, s) => sum + s.cpuPerByte, 0);
    expect(cpu(m)).toBeGreaterThan(0);
    expect(cpu(m)).toBeLessThan(cpu(staged) / 5);
    const answer = answerMove(tcpx, {}, 'node0/gpu0', 'node1/gpu0', {
      sizes: [20_000],
      depth: 1,
      threads: 1,
      both: false,
      path: 'gpudirect-rdma',
    });
    if (!answer.ok) throw new Error(answer.error.code);
    expect(captureOf(tcpx, answer.value, 20_000).ok).toBe(true);
  });

  it('TCPX and TCPXO keep their measured order: staged TCP far behind both, TCPXO quicker than TCPX', () => {
    const rate = (machine: Machine, path: MovePath): number => row(find(machine, path), 2 ** 24, 8).bandwidthGBps;
    expect(rate(tcpx, 'gpudirect-rdma')).toBeGreaterThan(3 * rate(tcpx, 'tcp'));
    expect(row(find(tcpxo, 'gpudirect-rdma'), 8).latencyUs).toBeLessThan(
      row(find(tcpx, 'gpudirect-rdma'), 8).latencyUs,
    );
  });
});
