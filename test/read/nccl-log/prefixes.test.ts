import { describe, expect, it } from 'vitest';
import { expectLog } from '../expect-read.ts';

const record = 'pine7:3301:3377 [2] NCCL INFO Using network IB';

describe('what stands before a record', () => {
  it.each([
    ['nothing', ''],
    ['mpirun', '[1,3]<stdout>:'],
    ['mpirun with a blank', '[1,12]<stderr>: '],
    ['torchrun', '[rank2]: '],
    ['Ray with colours', '\u001b[36m(Worker pid=3301, ip=192.0.2.9)\u001b[0m '],
    ['Ray whose escape characters were lost', '[36m(Worker pid=3301, ip=192.0.2.9)[0m '],
    ['a timestamp in brackets', '[2025-11-03 08:15:42] '],
    ['an ISO timestamp', '2025-11-03T08:15:42.123456Z '],
    ['an ISO timestamp without a blank', '2025-11-03T08:15:42.123456Z'],
    ['a time zone that runs into the host', '2025-11-03T08:15:42.123-07:00'],
    ['a quote mark', '> '],
    ['two quote marks', '> > '],
    ['docker compose', 'worker-1  | '],
    ['kubectl --prefix', '[pod/trainer-0/main] '],
    ['slurm --label', '3: '],
  ])('%s', async (_what, prefix) => {
    const log = await expectLog([`${prefix}${record}`]);
    expect(log.hosts).toMatchObject([{ name: 'pine7', devices: [2], processes: 1 }]);
    expect(log.networks).toMatchObject([{ host: 'pine7', using: [{ name: 'IB' }] }]);
  });

  it.each(['<hostname>', '<my cluster>', '***', 'gpu-**-7'])('takes a hidden name for a name: %s', async (name) => {
    const log = await expectLog([
      record.replace('pine7', name),
      record.replace('pine7', name).replace('NCCL INFO', 'x.cc:1 NCCL WARN'),
    ]);
    expect(log.hosts.map((host) => host.name)).toEqual([name]);
    expect(log.warnings[0]!.hosts).toEqual([name]);
  });

  it('reads two outputs side by side', async () => {
    const log = await expectLog([`${record} | pine8:12:13 [0] NCCL INFO Using network Socket`]);
    expect(log.networks.map(({ host, using }) => [host, using[0]?.name])).toEqual([
      ['pine7', 'IB'],
      ['pine8', 'Socket'],
    ]);
  });

  it('reads two records that were glued together', async () => {
    const log = await expectLog([
      'pine7:3301:3377 [2] NCCL INFO Channel 00/0 : 2[2] -> 3[3] via P2P/IPC',
      'pine7:3301:3377 [2] NCCL INFO Channel 01/0 : 2[2] -> 3[3] via P2P/IPCpine7:3301:3377 [2] NCCL INFO Channel 02/0 : 2[2] -> 3[3] via P2P/IPC',
    ]);
    expect(log.connections).toMatchObject([{ text: 'P2P/IPC', channels: [0, 1, 2] }]);
    expect(log.hosts).toHaveLength(1);
  });

  it('believes nothing new of a record that another one has cut', async () => {
    const log = await expectLog([
      record,
      'pine7:3301:3377 [2] NCCL INFO Channel 01/0 : 2[2] -> 3[3] via P2P/Ipine7:3301:3377 [2] NCCL INFO Using network IB',
      'pine7:3301:3377 [2] NCCL INFO ncclCommInitRank comm 0x5 rank 1 nranks 8 cudaDev 2 nvmlDev 2 busId 97pine7:3301:3377 [2] NCCL INFO Init timings - x: rank 1 total 3.69 (alloc 000 commId 0x8b - Init COMPLETE',
    ]);
    expect(log.connections).toEqual([]);
    expect(log.communicators).toEqual([]);
    expect(log.networks[0]!.using).toMatchObject([{ count: 2 }]);
  });

  it('reads records that were quoted without their prefix', async () => {
    const log = await expectLog([
      'NCCL INFO Using network Socket',
      '[3] NCCL INFO Channel 00/0 : 1[3] -> 0[0] [send] via NET/Socket/0',
    ]);
    expect(log.networks).toMatchObject([{ host: '', using: [{ name: 'Socket' }] }]);
    expect(log.connections).toMatchObject([{ kind: 'NET', host: '' }]);
  });

  it('reads warnings with source, function and blank line', async () => {
    const log = await expectLog([
      '',
      'pine7:3301:3377 [2] transport/net_ib.cc:1717 NCCL WARN NET/IB: Got completion from peer 192.0.2.8<50000> with status=12 opcode=0 len=0 vendor err 129 (Send) localGid fe80::1 remoteGids fe80::2 hca mlx5_3',
      '',
      '[2025-11-03 08:15:42] pine7:3301:3377 [2] /opt/build/src/init.cc:88 (ncclInit) NCCL WARN Something never seen before',
    ]);
    expect(log.warnings).toMatchObject([
      {
        kind: 'ib-completion',
        code: 12,
        source: 'transport/net_ib.cc:1717',
        level: 'WARN',
        hosts: ['pine7'],
        at: { line: 2 },
      },
      { kind: 'other', source: 'init.cc:88', function: 'ncclInit', text: 'Something never seen before' },
    ]);
  });

  it('keeps one of many warnings that differ only in an address', async () => {
    const log = await expectLog(
      Array.from(
        { length: 50 },
        (_, i) =>
          `pine7:3301:3377 [2] misc/socket.cc:48 NCCL WARN socketStartConnect: Connect to 192.0.2.${i}<4${i}000> failed : Connection refused`,
      ),
    );
    expect(log.warnings).toMatchObject([{ kind: 'connect-failed', count: 50, at: { line: 1 } }]);
  });
});

const texts: readonly [kind: string, text: string, code?: number][] = [
  ['cuda-failure', "Cuda failure 719 'unspecified launch failure'", 719],
  ['ib-completion', 'NET/IB : Got completion with error 5, opcode 1, len 0, vendor err 244', 5],
  [
    'ib-completion',
    'NET/IB: Got completion from peer 192.0.2.1<1> with status=IBV_WC_RETRY_EXC_ERR(12) opcode=IBV_WC_SEND(0) vendor_err=129',
    12,
  ],
  ['ib-async-event', 'NET/IB : mlx5_1:1 Got async event : port error'],
  ['ib-modify-qp', 'Call to ibv_modify_qp failed with 110 Connection timed out, on dev mlx5_0', 110],
  ['ib-register-memory', 'Call to ibv_reg_mr failed with error Bad address'],
  ['ib-open-device', 'NET/IB : Unable to open device bnxt_re2'],
  ['no-interface', 'Bootstrap : no socket interface found'],
  ['subnet', 'Net : No interface found in the same subnet as remote address 192.0.2.3<9>'],
  ['connection-closed', 'socketProgress: Connection closed by remote peer elm3<40000>'],
  ['wrong-magic', 'socketFinalizeAccept: wrong magic 1 != 2'],
  ['truncated', 'Message truncated : received 64 bytes instead of 32'],
  ['version-mismatch', 'Mismatched NCCL version detected : rank 0 version 22703 rank 1 version 22605'],
  ['duplicate-gpu', 'Duplicate GPU detected : rank 1 and rank 0 both on CUDA device 1b000'],
  ['p2p-disabled-nvlink', 'P2P is disabled between NVLINK connected GPUs 1 and 0. This should not be the case'],
  ['mnnvl', 'MNNVL (cliqueSize 4) is available but not working on this system.'],
  ['nvls-bind', "Failed to bind NVLink SHARP (NVLS) Multicast memory of size 4096 : CUDA error 1 'x'.", 1],
  ['topology', 'Could not find real path of /sys/class/pci_bus/0000:1b'],
  ['shared-memory', 'Error: failed to extend /dev/shm/nccl-Xy to 9 bytes, error: No space left on device (28)', 28],
  ['no-algorithm', 'Error : no algorithm/protocol available'],
  ['proxy', '[Proxy Service 3] Failed to execute operation Connect from rank 3, retcode 2'],
  ['hang', 'Your program may be hanging, this may be caused by a collective mismatch around rank 2'],
  ['iommu-passthrough', 'Missing "iommu=pt" from kernel command line'],
  ['mixed-nics', 'Detected mixed local Net device counts across ranks (min 1, max 4)'],
];

describe('fault families', () => {
  it.each(texts)('%s: %s', async (kind, text, code) => {
    const log = await expectLog([`pine7:3301:3377 [2] src/x.cc:1 NCCL WARN ${text}`]);
    expect(log.warnings).toMatchObject([{ kind, text, ...(code === undefined ? {} : { code }) }]);
  });
});
