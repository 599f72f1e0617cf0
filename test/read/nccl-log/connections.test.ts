import { describe, expect, it } from 'vitest';
import { parseWay } from '../../../src/read/nccl-log/connections.ts';
import { expectLog } from '../expect-read.ts';

const way = (text: string) => parseWay(text, new Map());

/** One wording of each family of releases (logs sheet §6), with what it must mean. */
const wordings: readonly [release: string, text: string, meaning: object][] = [
  [
    '2.3',
    ' : 4 -> 5 via NET/IB/1/GDRDMA',
    { kind: 'NET', gdr: true, network: { name: 'IB', dev: 1 }, from: { rank: 4 } },
  ],
  ['2.4', ' : 2[2] -> 3[3] via P2P/IPC', { kind: 'P2P', method: 'IPC', from: { rank: 2, device: 2 } }],
  ['2.4', ' : 2[2] -> 3[3] via P2P/common device', { kind: 'P2P', method: 'common device' }],
  ['2.4', ' : 7 -> 8 [send] via NET/Socket/0', { kind: 'NET', direction: 'send', network: { name: 'Socket', dev: 0 } }],
  ['2.5', ' : 0[3d000] -> 1[3e000] via direct shared memory', { kind: 'SHM', from: { rank: 0, busId: '3d000' } }],
  [
    '2.5',
    ' : 0[1000] -> 1[2000] via P2P/direct pointer',
    { kind: 'P2P', method: 'direct pointer', to: { rank: 1, busId: '2000' } },
  ],
  ['2.8', ' : 0[1b000] -> 6[b2000] via P2P/indirect/2[1c000]', { kind: 'P2P', method: 'indirect', via: '2' }],
  [
    '2.8',
    ' : 9[b1000] -> 2[1d000] [receive] via NET/IB/3/GDRDMA/Shared',
    { gdr: true, shared: true, direction: 'receive' },
  ],
  [
    '2.12',
    '/0 : 3[57000] -> 8[e000] [send] via NET/IB/2(5)/GDRDMA',
    { gdr: true, network: { name: 'IB', dev: 2, proxyRank: 5 } },
  ],
  ['2.13', '/0 : 1[27000] -> 0[23000] via SHM/direct/direct', { kind: 'SHM', method: 'direct/direct', connIndex: 0 }],
  ['2.14', '/1 : 1[27000] -> 0[23000] via P2P/IPC/read', { kind: 'P2P', method: 'IPC', read: true, connIndex: 1 }],
  ['2.14', '/0 : 1[27000] -> 0[23000] via P2P/IPC/CE', { kind: 'P2P', method: 'IPC', copyEngine: true }],
  ['2.18.3', '/0 : 5[5] -> 4[4] via P2P/CUMEM/read', { method: 'CUMEM', read: true, from: { rank: 5, device: 5 } }],
  ['2.20', '/0 : 5[1] -> 4[0] via P2P/MNNVL', { method: 'MNNVL' }],
  [
    '2.26',
    '/0 : 15[7] -> 16[0] [send] via NET/IB/6/GDRDMA(PCI)',
    { gdr: true, pciMode: true, network: { name: 'IB', dev: 6 } },
  ],
  ['2.30.7', '/0 : 1[1] -> 2[2] via SHM/direct', { kind: 'SHM', method: 'direct' }],
  [
    'plugin',
    '/0 : 1[1] -> 9[1] [send] via NET/AWS Libfabric/1/GDRDMA',
    { network: { name: 'AWS Libfabric', dev: 1 }, gdr: true },
  ],
];

describe('channel lines', () => {
  it.each(wordings)('%s%s', (_release, text, meaning) => {
    expect(way(text)).toMatchObject(meaning);
  });

  it('gives bus ids or device numbers, never a mixture', () => {
    expect(way(' : 0[1000] -> 1[2000] via P2P/IPC')).toMatchObject({ from: { busId: '1000' }, to: { busId: '2000' } });
    expect(way('/0 : 10[2] -> 11[3] via P2P/IPC')).toMatchObject({ from: { device: 2 }, to: { device: 3 } });
  });

  it('counts channels of one way together and keeps the first line', async () => {
    const log = await expectLog(
      [0, 1, 2, 33].map(
        (c) => `kiwi:71:90 [0] NCCL INFO Channel ${String(c).padStart(2, '0')}/0 : 0[0] -> 1[1] via P2P/CUMEM`,
      ),
    );
    expect(log.connections).toHaveLength(1);
    expect(log.connections[0]).toMatchObject({ channels: [0, 1, 2, 33], count: 4, host: 'kiwi', at: { line: 1 } });
  });

  it('keeps the ways of two communicators apart when their threads have announced them', async () => {
    const log = await expectLog([
      'kiwi:71:90 [0] NCCL INFO ncclCommInitRank comm 0x51 rank 0 nranks 2 cudaDev 0 nvmlDev 0 busId 1b000 commId 0xaa01 - Init START',
      'kiwi:71:90 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM',
      'kiwi:71:95 [0] NCCL INFO ncclCommInitRank comm 0x52 rank 0 nranks 2 cudaDev 0 nvmlDev 0 busId 1b000 commId 0xaa02 - Init START',
      'kiwi:71:95 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[4] via P2P/CUMEM',
    ]);
    expect(log.communicators.map(({ commId }) => commId)).toEqual(['0xaa01', '0xaa02']);
    expect(log.connections.map(({ communicator, to }) => [communicator, to.device])).toEqual([
      [0, 1],
      [1, 4],
    ]);
  });

  it('reads CollNet lines, whose far end is the network', async () => {
    const log = await expectLog([
      'elm:5:6 [0] NCCL INFO CollNet 00/0 : 3 [send] via COLLNET/SHARP/1/GDRDMA',
      'elm:5:6 [0] NCCL INFO Coll 01 : 3 [receive] via COLLNET/SHARP/1',
    ]);
    expect(log.connections).toMatchObject([
      {
        kind: 'COLLNET',
        from: { rank: 3 },
        to: { rank: -1 },
        gdr: true,
        network: { name: 'SHARP', dev: 1 },
        direction: 'send',
      },
      { kind: 'COLLNET', direction: 'receive', gdr: false, channels: [1] },
    ]);
  });

  it('takes one way of RCCL, whatever communicator its line ends in', async () => {
    const log = await expectLog([
      'elm:5:6 [0] NCCL INFO Channel 00/0 : 0[c1000] -> 1[c6000] via P2P/IPC comm 0x7f01 nRanks 02',
      'elm:5:6 [0] NCCL INFO Channel 01/0 : 0[c1000] -> 1[c6000] via P2P/IPC comm 0x7f02 nRanks 02',
    ]);
    expect(log.connections).toHaveLength(1);
    expect(log.connections[0]).toMatchObject({ channels: [0, 1], text: 'P2P/IPC' });
  });
});
