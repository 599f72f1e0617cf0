import { describe, expect, it } from 'vitest';
import { expectLog } from '../expect-read.ts';

const info = (text: string, dev = 0, host = 'fern') => `${host}:4100:41${20 + dev} [${dev}] NCCL INFO ${text}`;

describe('versions', () => {
  it.each([
    ['INFO 08-31 09:50:46 pynccl.py:63] vLLM is using nccl==2.20.5', { text: '2.20.5', flavour: 'nccl' }],
    ['[pip3] nvidia-nccl-cu12==2.20.5', { text: '2.20.5', printed: '2.20.5', flavour: 'nccl' }],
    ['NCCL version 2.4.8+cuda10.1', { text: '2.4.8', cuda: '10.1', flavour: 'nccl' }],
    [info('NCCL version 2.27.5+cuda12.9'), { text: '2.27.5', cuda: '12.9', flavour: 'nccl' }],
    ['RCCL version 2.18.3+hip6.0 HEAD:0a1b2c3', { text: '2.18.3', hip: '6.0', flavour: 'rccl' }],
    [info('RCCL version : 2.22.3-HEAD:77aa88b'), { text: '2.22.3', printed: '2.22.3-HEAD:77aa88b', flavour: 'rccl' }],
    ['RuntimeError: NCCL Error 1: unhandled cuda error, NCCL version 2.19.3', { text: '2.19.3' }],
  ])('%s', async (line, version) => {
    expect((await expectLog([line])).versions).toMatchObject([version]);
  });

  it('takes the lines below the banner of RCCL', async () => {
    const log = await expectLog([
      info('RCCL version : 2.22.3-HEAD:77aa88b'),
      'HIP version  : 6.4.1-9',
      'ROCm version : 6.4.1.0-83',
    ]);
    expect(log.versions).toMatchObject([{ hip: '6.4.1-9', rocm: '6.4.1.0-83' }]);
  });
});

describe('network of a host', () => {
  it('lists IB devices of every wording', async () => {
    const devices = async (text: string) => (await expectLog([info(text)])).networks[0]?.ib;
    expect(await devices('NET/IB : Using [0]mlx4_0:1/IB ; OOB eno2:192.0.2.7<0>')).toMatchObject({
      devices: [{ index: 0, name: 'mlx4_0', port: 1, layer: 'IB' }],
      relaxedOrdering: false,
      oob: { interface: 'eno2', address: '192.0.2.7<0>' },
    });
    expect(
      await devices('NET/IB : Using [0]={[0] roce0:1/RoCE,[1] roce1:1/RoCE} [RO]; OOB ens3:fd00::7%ens3<0>'),
    ).toMatchObject({
      devices: [{ index: 0, name: 'roce0+roce1', members: [{ name: 'roce0' }, { name: 'roce1' }] }],
      relaxedOrdering: true,
      oob: { address: 'fd00::7%ens3<0>' },
    });
    expect(await devices('NET/IB : Using [0]mlx5_2:1:3:1/IB [RO]; OOB ens3:192.0.2.7<0>')).toMatchObject({
      devices: [{ name: 'mlx5_2', port: 1, rail: 3, plane: 1, layer: 'IB' }],
    });
  });

  it('knows what was chosen, and what was missing', async () => {
    const log = await expectLog([
      info('Bootstrap: Using ens7:198.51.100.4<0>'),
      info('Failed to open libibverbs.so[.1]'),
      info('NET/IB : No device found.'),
      info('NET/Socket : Using [0]ens7:198.51.100.4<0> [1]docker0:172.17.0.1<0>'),
      info('Using network Socket'),
      info('Using network Socket', 1),
      info('DMA-BUF is available on GPU device 0'),
      info("NET/IB : GPU Direct RDMA Disabled for HCA 3 'mlx5_3' (no module)"),
      info("NET/IB : GPU Direct RDMA Enabled for HCA 1 'mlx5_1'"),
      info('NET/IB : Made virtual device [2] name=mlx5_0+mlx5_1 speed=400000 ndevs=2'),
      info('NET/Plugin: Loaded net plugin SHARPX (v8)'),
      info('TUNER/Plugin: Using internal tuner plugin.'),
      info('Assigned NET plugin SHARPX to comm'),
    ]);
    expect(log.networks).toHaveLength(1);
    expect(log.networks[0]).toMatchObject({
      host: 'fern',
      bootstrap: { interface: 'ens7', address: '198.51.100.4<0>' },
      verbsMissing: { line: 2 },
      ibNone: { line: 3 },
      socket: {
        interfaces: [
          { index: 0, interface: 'ens7' },
          { index: 1, interface: 'docker0' },
        ],
      },
      using: [{ name: 'Socket', count: 2 }],
      dmaBuf: [{ gpu: 0 }],
      hcas: [
        { index: 1, name: 'mlx5_1', gdr: true },
        { index: 3, name: 'mlx5_3', gdr: false, reason: 'no module' },
      ],
      virtualDevices: [{ index: 2, name: 'mlx5_0+mlx5_1', speed: 400000, members: 2 }],
      plugins: [
        { kind: 'net', state: 'loaded', name: 'SHARPX' },
        { kind: 'tuner', state: 'internal' },
        { kind: 'net', state: 'assigned', name: 'SHARPX' },
      ],
    });
    expect(log.other.count).toBe(0);
  });

  it.each([
    ['NET/Plugin : No plugin found (libnccl-net.so).', 'missing'],
    ['NET/Plugin : No plugin found, using internal implementation', 'missing'],
    [
      'NET/Plugin : dlerror=libnccl-net.so: cannot open No plugin found (libnccl-net.so), using internal implementation',
      'missing',
    ],
    ['NET/Plugin: Could not find: libnccl-net.so. Using internal network plugin.', 'missing'],
    ['NET/Plugin : Plugin load (libnccl-net.so) returned 2 : libnccl-net.so: cannot open', 'failed'],
    ['NET/Plugin: Failed to find ncclNetPlugin_v8 symbol.', 'failed'],
    ['Successfully loaded external network plugin libnccl-net-x.so', 'loaded'],
    ['NCCL_NET_PLUGIN set by environment to none', 'named'],
  ])('plugin line: %s', async (text, state) => {
    expect((await expectLog([info(text)])).networks[0]?.plugins).toMatchObject([{ kind: 'net', state, text }]);
  });
});

describe('GPUDirect RDMA decisions', () => {
  const decision = async (text: string, version?: string) => {
    const log = await expectLog([...(version ? [`NCCL version ${version}+cuda12.1`] : []), info(text)]);
    return log.gdr[0];
  };

  it('reads each wording', async () => {
    expect(
      await decision('NET/IB : GPU Direct RDMA Enabled for GPU 2[2] / HCA 1 (distance 1 < 2), read 0'),
    ).toMatchObject({
      enabled: true,
      gpu: { cudaDev: 2, nvmlDev: 2 },
      hca: { dev: 1 },
      distance: 1,
      level: 2,
      read: 0,
    });
    expect(
      await decision('GPU Direct RDMA Enabled for GPU b7000 / HCA 3 (distance 3 <= 4), read 1', '2.12.12'),
    ).toMatchObject({
      gpu: { busId: 'b7000' },
      read: 1,
      compare: '<=',
    });
    expect(
      await decision('GPU Direct RDMA Disabled for GPU 7 / HCA 100000000000002 (distance 8 > 6)', '2.25.1'),
    ).toMatchObject({
      enabled: false,
      gpu: { rank: 7 },
      hca: { dev: 2 },
    });
    expect(
      await decision(
        'GPU Direct RDMA Enabled for GPU/0-a7000 (rank 5) - NET/0-3 (distance 4 <= 5, read 1, mode Default)',
        '2.29.3',
      ),
    ).toMatchObject({ gpu: { rank: 5, busId: 'a7000' }, hca: { dev: 3 }, mode: 'Default', read: 1 });
    expect(
      await decision(
        'GPU Direct RDMA Disabled for GPU/1-a7000 (rank 5) - NET/0-b ( using PXN via GPU/1-bb000, distance 9 > 5)',
        '2.29.3',
      ),
    ).toMatchObject({ enabled: false, hca: { dev: 11 }, pxn: 'GPU/1-bb000', distance: 9 });
  });

  it('takes a bare number for a bus id before 2.24 and for a rank from then on', async () => {
    const text = 'GPU Direct RDMA Enabled for GPU 1000 / HCA 0 (distance 3 <= 4), read 0';
    expect(await decision(text, '2.18.5')).toMatchObject({ gpu: { busId: '1000' } });
    expect(await decision(text, '2.24.3')).toMatchObject({ gpu: { rank: 1000 } });
  });
});

describe('environment', () => {
  it('gives name and value, without the full stop of integers', async () => {
    const log = await expectLog([
      info('NCCL_IB_TIMEOUT set by environment to 22.'),
      info('NCCL_IB_TIMEOUT set by environment to 22.', 1, 'moss'),
      info('NCCL_SOCKET_IFNAME set by environment to ^lo,docker0'),
      info('NCCL_IB_HCA set to mlx5_0:1'),
      info('NCCL_NET_GDR_LEVEL set by environment to SYS'),
      info('Invalid value fast for NCCL_BUFFSIZE, using default -2.'),
    ]);
    expect(log.environment).toMatchObject([
      { name: 'NCCL_IB_TIMEOUT', value: '22', count: 2, hosts: ['fern', 'moss'], source: 'environment' },
      { name: 'NCCL_SOCKET_IFNAME', value: '^lo,docker0' },
      { name: 'NCCL_IB_HCA', value: 'mlx5_0:1' },
      { name: 'NCCL_NET_GDR_LEVEL', value: 'SYS' },
      { name: 'NCCL_BUFFSIZE', value: 'fast', invalid: true },
    ]);
  });
});

describe('rings, trees, counts', () => {
  it('reads rings of one line', async () => {
    const log = await expectLog([
      info('Channel 00/02 :    0   3   2   1'),
      info('Channel 01/02 :    0   1   2   3'),
      info('Ring 00 : 1 -> 0 -> 3'),
    ]);
    expect(log.rings).toMatchObject([
      { channel: 0, channels: 2, ranks: [0, 3, 2, 1], truncated: false },
      { channel: 1, ranks: [0, 1, 2, 3] },
    ]);
    expect(log.other.count).toBe(0);
  });

  it.each([
    [
      '2.4',
      'Trees [0] -1->0->1/-1/-1 [1] 3->0->-1/-1/-1',
      [
        { channel: 0, rank: 0, up: -1, down: [1] },
        { channel: 1, up: 3, down: [] },
      ],
    ],
    [
      '2.5',
      'Trees [0] 1/2/-1->0->-1|-1->0->1/2/-1',
      [
        { channel: 0, rank: 0, up: -1, down: [1, 2], half: 'up' },
        { channel: 0, rank: 0, up: -1, down: [1, 2], half: 'down' },
      ],
    ],
    [
      '2.8',
      'Trees [0] 2/-1/-1->1->0 [1] -1/-1/-1->1->2',
      [
        { channel: 0, rank: 1, up: 0, down: [2] },
        { channel: 1, up: 2, down: [] },
      ],
    ],
    ['2.8 GRAPH', 'Tree 3 : 0 -> 1 -> 2/5/-1', [{ channel: 3, rank: 1, up: 0, down: [2, 5] }]],
  ])('reads trees of %s', async (_release, text, nodes) => {
    expect((await expectLog([info(text)])).trees).toMatchObject(nodes);
  });

  it.each([
    ['8 coll channels, 16 p2p channels, 2 p2p channels per peer', { coll: 8, p2p: 16, p2pPerPeer: 2 }],
    ['24 coll channels, 16 nvls channels, 32 p2p channels, 32 p2p channels per peer', { coll: 24, nvls: 16 }],
    [
      '4 coll channels, 4 collnet channels, 0 nvls channels, 8 p2p channels, 8 p2p channels per peer',
      { collnet: 4, nvls: 0 },
    ],
  ])('reads channel counts: %s', async (text, counts) => {
    expect((await expectLog([info(text)])).channelCounts).toMatchObject([counts]);
  });
});

describe('communicators', () => {
  it('follows one from start to end', async () => {
    const head = 'comm 0x5ca1ab1e rank 3 nranks 8 cudaDev 3 nvmlDev 3 busId ba000';
    const log = await expectLog([
      info(`ncclCommInitRankConfig ${head} commId 0xfeed0001 - Init START`),
      info('comm 0x5ca1ab1e rank 3 nRanks 8 nNodes 2 localRanks 4 localRank 3 MNNVL 0'),
      info(`ncclCommInitRankConfig ${head} commId 0xfeed0001 - Init COMPLETE`),
      info(
        'Init timings - ncclCommInitRankConfig: rank 3 nranks 8 total 1.75 (kernels 0.20, alloc 0.05, bootstrap 1.00)',
      ),
      info('comm 0x5ca1ab1e rank 3 nranks 8 cudaDev 3 busId ba000 - Destroy COMPLETE'),
    ]);
    expect(log.communicators).toMatchObject([
      {
        commId: '0xfeed0001',
        api: 'ncclCommInitRankConfig',
        nRanks: 8,
        nNodes: 2,
        ranks: [
          {
            rank: 3,
            busId: 'ba000',
            cudaDev: 3,
            nvmlDev: 3,
            localRank: 3,
            localRanks: 4,
            mnnvl: 0,
            initSeconds: 1.75,
            started: { line: 1 },
            complete: { line: 3 },
            ended: { how: 'Destroy', at: { line: 5 } },
          },
        ],
      },
    ]);
    expect(log.other.count).toBe(0);
  });

  it('groups the ranks of releases that print no id', async () => {
    const log = await expectLog([
      info('comm 0x10 rank 0 nranks 2 cudaDev 0 busId 17000 - Init COMPLETE'),
      info('comm 0x20 rank 1 nranks 2 cudaDev 1 busId 65000 - Init COMPLETE', 1),
      info('comm 0x30 rank 0 nranks 2 cudaDev 0 busId 17000 - Init COMPLETE'),
    ]);
    expect(log.communicators.map(({ ranks }) => ranks.map(({ rank }) => rank))).toEqual([[0, 1], [0]]);
  });

  it('keeps the colours of a split apart', async () => {
    const split = (pointer: string, rank: number, color: number, dev: number) =>
      info(
        `ncclCommSplit comm ${pointer} rank ${rank} nranks 2 cudaDev ${dev} nvmlDev ${dev} busId 1${dev}000 parent 0xa${dev} splitCount 1 color ${color} key 0- Init START`,
        dev,
      );
    const log = await expectLog([
      split('0x1', 0, 0, 0),
      split('0x2', 0, 1, 1),
      split('0x3', 1, 0, 2),
      split('0x4', 1, 1, 3),
    ]);
    expect(log.communicators.map(({ ranks }) => ranks.map(({ pointer }) => pointer))).toEqual([
      ['0x1', '0x3'],
      ['0x2', '0x4'],
    ]);
  });
});

describe('calls and choices', () => {
  it('counts calls by size', async () => {
    const call = (op: string) =>
      info(
        `AllReduce: opCount ${op} sendbuff 0x7f01 recvbuff 0x7f02 count 4096 datatype 7 op 0 root 0 comm 0x55 [nranks=8] stream 0x66`,
      );
    const log = await expectLog([
      call('0'),
      call('1a'),
      info('AllReduce: 16384 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..3}'),
    ]);
    expect(log.calls).toMatchObject([{ collective: 'AllReduce', elements: 4096, datatype: 7, count: 2 }]);
    expect(log.choices).toMatchObject([
      { collective: 'AllReduce', bytes: 16384, algorithm: 'RING', protocol: 'LL', channels: { lo: 0, hi: 3 } },
    ]);
    const older = await expectLog([info('65536 Bytes -> Algo 1 proto 2 time 33.500000')]);
    expect(older.choices).toMatchObject([{ bytes: 65536, algorithm: '1', protocol: '2', timeUs: 33.5 }]);
  });
});

describe('remarks', () => {
  it('reads NVLS, MNNVL, P2P and milestones', async () => {
    const log = await expectLog([
      info('NVLS multicast support is available on dev 0 (NVLS_NCHANNELS 16)'),
      info('NVLS multicast support is not available on dev 1', 1),
      info('MNNVL busId 0x1801000 fabric UUID 1f2e.3d4c cliqueId 0x7ffe state 3 healthMask 0x0'),
      info('MNNVL 1 cliqueId 7ffe cliqueSize 8 cliqueRank 0'),
      info('Could not enable P2P between dev 0(=17000) and dev 1(=65000)'),
      info(
        'P2P is disabled between connected GPUs 2 and 3. You can repress this message with NCCL_IGNORE_DISABLED_P2P=1.',
      ),
      info('Connected all rings, use ring PXN 0 GDR 1'),
      info('Connected all trees'),
      info('transport/net.cc:304 -> 3'),
    ]);
    expect(log.nvls).toMatchObject([
      { kind: 'available', dev: 0 },
      { kind: 'unavailable', dev: 1 },
    ]);
    expect(log.mnnvl).toMatchObject([{ fabric: '1f2e.3d4c', state: 3 }, { cliqueSize: 8 }]);
    expect(log.p2p).toMatchObject([
      { kind: 'refused', devices: [0, 1] },
      { kind: 'disabled', devices: [2, 3] },
    ]);
    expect(log.milestones).toMatchObject([{ kind: 'rings', pxn: false, gdr: true }, { kind: 'trees' }]);
    expect(log.returns).toMatchObject([{ text: 'transport/net.cc:304 -> 3' }]);
    expect(log.other.count).toBe(0);
  });
});

describe('lines of kinds that nobody takes', () => {
  it('are counted, sampled, and hide nothing', async () => {
    const strange = Array.from({ length: 300 }, (_, i) =>
      info(`New proxy send connection ${i} from local rank 0, transport 2`),
    );
    const log = await expectLog([
      ...strange,
      info('Using network IB'),
      ...strange,
      info('cudaDriverVersion 12040'),
      info('Connected all rings'),
    ]);
    expect(log.other).toMatchObject({ count: 600, samples: [{ at: { line: 1 } }] });
    expect(log.networks[0]!.using).toMatchObject([{ name: 'IB' }]);
    expect(log.hosts[0]!.driver).toMatchObject({ value: 12040 });
    expect(log.milestones).toHaveLength(1);
  });

  it('never hide a kind that was once understood', async () => {
    const damaged = Array.from({ length: 200 }, () => info('Connected all ri'));
    const log = await expectLog([info('Connected all rings'), ...damaged, info('Connected all rings')]);
    expect(log.milestones).toMatchObject([{ kind: 'rings', count: 2 }]);
  });
});
