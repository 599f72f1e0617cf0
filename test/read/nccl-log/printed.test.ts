import { describe, expect, it } from 'vitest';
import { expectLog, notesOf, read } from '../expect-read.ts';

const info = (text: string, dev = 0) => `oak:900:9${50 + dev} [${dev}] NCCL INFO ${text}`;

const modern = [
  '=== System : maxBw 24.0 totalBw 48.0 ===',
  'CPU/0-0 (1/2/3)',
  '+ PCI[24.0] - PCI/0-40000 (1000c01010000000)',
  '              + PCI[24.0] - GPU/0-41000 (0)',
  '                            + NVL[48.0] - GPU/0-81000',
  '              + PCI[24.0] - NIC/0-42000',
  '                            + NET[25.0] - NET/0-0 (0/abcd/1/25.000000)',
  '+ SYS[10.0] - CPU/0-1',
  'CPU/0-1 (1/2/3)',
  '+ PCI[24.0] - GPU/0-81000 (1)',
  '              + NVL[48.0] - GPU/0-41000',
  '==========================================',
  'GPU/0-41000 :GPU/0-41000 (0/5000.0/LOC) GPU/0-81000 (1/48.0/NVL) NET/0-0 (3/24.0/PIX) ',
  'NET/0-0 :GPU/0-41000 (3/24.0/PIX) GPU/0-81000 (4/24.0/PXN) ',
];

describe('the printed system', () => {
  it('is rebuilt from its columns', async () => {
    const log = await expectLog([...modern.map((text) => info(text)), info('Connected all rings')]);
    expect(log.systems).toHaveLength(1);
    const [system] = log.systems;
    expect(system).toMatchObject({ maxBw: 24, totalBw: 48, complete: true, indented: true, count: 1, hosts: ['oak'] });
    expect(system!.links.map(({ from, to, type, bw }) => `${from} ${type}[${bw}] ${to}`)).toEqual([
      'CPU/0-0 PCI[24] PCI/0-40000',
      'PCI/0-40000 PCI[24] GPU/0-41000',
      'GPU/0-41000 NVL[48] GPU/0-81000',
      'PCI/0-40000 PCI[24] NIC/0-42000',
      'NIC/0-42000 NET[25] NET/0-0',
      'CPU/0-0 SYS[10] CPU/0-1',
      'CPU/0-1 PCI[24] GPU/0-81000',
      'GPU/0-81000 NVL[48] GPU/0-41000',
    ]);
    expect(system!.nodes).toMatchObject([
      { id: 'CPU/0-0', cpu: { arch: 1, vendor: 2, model: 3 } },
      { id: 'PCI/0-40000', device: '1000c01010000000' },
      { id: 'GPU/0-41000', rank: 0 },
      { id: 'GPU/0-81000', rank: 1 },
      { id: 'NIC/0-42000' },
      { id: 'NET/0-0', net: { asic: 'abcd', port: 1, speed: 25 } },
      { id: 'CPU/0-1' },
    ]);
    expect(system!.paths).toContainEqual({ from: 'NET/0-0', to: 'GPU/0-81000', hops: 4, bw: 24, type: 'PXN' });
    expect(log.other.count).toBe(0);
  });

  it('is kept once when ranks print it in turns', async () => {
    const turns = modern.flatMap((text) => [info(text, 0), info(text, 1)]);
    const log = await expectLog(turns);
    expect(log.systems).toHaveLength(1);
    expect(log.systems[0]).toMatchObject({ count: 2, complete: true });
  });

  it('is read in its oldest form', async () => {
    const log = await expectLog(
      [
        '=== System : maxWidth 21 maxSpeed 21 ===',
        'CPU/0',
        '+ PCI[12] - GPU/1A000 (0)',
        '            + NVL[42] - GPU/1C000',
        '+ PCI[12] - GPU/1C000 (1)',
        '==========================================',
        'GPU/1A000 :GPU/1A000 (0/5000/0) GPU/1C000 (1/42/1) ',
      ].map((text) => info(text)),
    );
    expect(log.systems[0]).toMatchObject({ maxBw: 21, links: [{ bw: 12 }, { bw: 42 }, { bw: 12 }] });
    expect(log.systems[0]!.paths).toContainEqual({ from: 'GPU/1A000', to: 'GPU/1C000', hops: 1, bw: 42, type: '1' });
  });

  it('says when a paste has lost the leading blanks', async () => {
    const result = await read(modern.map((text) => info(text.trimStart())));
    expect(notesOf(result)).toEqual([
      '1: the printed system tree has lost its leading blanks, so which device hangs on which is not known',
    ]);
  });
});

describe('printed graphs', () => {
  it.each([
    [
      '2.5',
      'Pattern 4, crossNic 0, nChannels 2, speed 12/6, nvlink 1, type 2, sameChannels 1',
      { bwIntra: 12, typeIntra: '2' },
    ],
    [
      '2.6',
      'Pattern 4, crossNic 0, nChannels 2, speed 20.000000/12.000000, type NVL/PIX, sameChannels 1',
      { typeInter: 'PIX' },
    ],
    [
      '2.14',
      'Pattern 4, crossNic 2, nChannels 2, bw 20.000000/12.000000, type NVL/PXN, sameChannels 0',
      { crossNic: 2, sameChannels: 0 },
    ],
  ])('%s', async (_release, head, meaning) => {
    const log = await expectLog([
      info(head),
      info(' 0 : NET/0-0 GPU/0-41000 GPU/0-81000 NET/0-0'),
      info(' 1 : NET/1 GPU/1 GPU/0 NET/1'),
      info('Connected all rings'),
    ]);
    expect(log.graphs).toMatchObject([
      {
        pattern: 4,
        nChannels: 2,
        ...meaning,
        channels: [
          ['NET/0-0', 'GPU/0-41000', 'GPU/0-81000', 'NET/0-0'],
          ['NET/1', 'GPU/1', 'GPU/0', 'NET/1'],
        ],
      },
    ]);
    expect(log.other.count).toBe(0);
  });
});

describe('tuning tables', () => {
  it('2.6 to 2.17: one column a pair', async () => {
    const log = await expectLog([
      info('  Latency/AlgBw |    Tree/    LL |    Tree/ LL128 |    Ring/Simple |'),
      info(' Max NThreads |     512 |     640 |     512 |'),
      info('    Broadcast |     0.0/  0.0 |     0.0/  0.0 |    12.8/ 10.0 |'),
      info('    AllReduce |     9.5/  2.4 |    14.0/  6.5 |    31.0/ 18.5 |'),
    ]);
    expect(log.tuning[0]!.cells).toContainEqual({
      collective: 'AllReduce',
      algorithm: 'Ring',
      protocol: 'Simple',
      latencyUs: 31,
      bw: 18.5,
    });
    expect(log.tuning[0]!.cells).toHaveLength(6);
    expect(log.tuning[0]!.maxThreads).toContainEqual({ algorithm: 'Tree', protocol: 'LL128', value: 640 });
  });

  it('2.18 and later: algorithms over protocols, in blocks', async () => {
    const log = await expectLog([
      info(
        '  Algorithm   |                            Tree                  |                            Ring                  |',
      ),
      info(
        '  Protocol    |             LL |          LL128 |         Simple |             LL |          LL128 |         Simple |',
      ),
      info(
        ' Max NThreads |            512 |            640 |            512 |            512 |            640 |            512 |',
      ),
      info(
        '    AllReduce |     7.4/   3.5 |    15.5/  20.0 |    57.0/  22.0 |     8.4/   5.0 |    18.0/  21.0 |    61.0/  24.0 |',
      ),
      info('  Algorithm   |                            PAT                   |'),
      info('  Protocol    |             LL |          LL128 |         Simple |'),
      info('    AllGather |     0.0/   0.0 |     0.0/   0.0 |    22.0/  12.0 |'),
      info('Connected all rings'),
    ]);
    expect(log.tuning).toHaveLength(1);
    expect(log.tuning[0]!.cells).toContainEqual({
      collective: 'AllReduce',
      algorithm: 'Tree',
      protocol: 'LL128',
      latencyUs: 15.5,
      bw: 20,
    });
    expect(log.tuning[0]!.cells).toContainEqual({
      collective: 'AllGather',
      algorithm: 'PAT',
      protocol: 'Simple',
      latencyUs: 22,
      bw: 12,
    });
  });
});
