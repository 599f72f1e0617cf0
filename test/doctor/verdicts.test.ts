import { describe, expect, it } from 'vitest';
import { diagnose } from '../../src/doctor/diagnose.ts';
import { documentsOf } from './case.ts';

const ways = async (files: Readonly<Record<string, readonly string[]>>) =>
  diagnose(await documentsOf(files)).ways.map(
    (w) => `${w.way} ${w.answer} ${w.evidence[0]?.line ?? 0}${w.because ? ` ${w.because}` : ''}`,
  );

const net = (suffix: string) => [
  `birch:31:77 [0] NCCL INFO Channel 00/0 : 1[0] -> 0[0] [receive] via NET/IB/0${suffix}`,
];
const acs = ['\t\tACSCtl:\tSrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans-'];
const peers = ['birch:31:77 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM'];

describe('does data take the direct way?', () => {
  it('yes where a log shows it, no where it shows the detour', async () => {
    expect(await ways({ 'nccl.log': net('/GDRDMA') })).toEqual(['gpudirect-rdma yes 1']);
    expect(await ways({ 'nccl.log': net('') })).toEqual(['gpudirect-rdma no 1']);
    expect(await ways({ 'nccl.log': peers })).toEqual(['p2p yes 1']);
    expect(
      await ways({ 'nccl.log': ['birch:31:77 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via SHM/direct/direct'] }),
    ).toEqual(['p2p no 1']);
  });

  it('no by a finding, which is named', async () => {
    expect(await ways({ 'nccl.log': peers, 'acs.txt': acs })).toEqual(['p2p no 1 acs-enabled']);
    const nvlink = ['\tGPU0\tGPU1\tCPU Affinity', 'GPU0\t X \tNV4\t0-15', 'GPU1\tNV4\t X \t0-15'];
    expect(await ways({ 'nccl.log': peers, 'acs.txt': acs, 'topo.txt': nvlink })).toEqual(['p2p yes 1']);
    expect(await ways({ 'gds.txt': [' DRIVER CONFIGURATION:', ' NVMe               : Unsupported'] })).toEqual([
      'gpudirect-storage no 2 gds-nvme-unsupported',
    ]);
    expect(await ways({ 'gds.txt': [' DRIVER CONFIGURATION:', ' NVMe               : Supported'] })).toEqual([
      'gpudirect-storage yes 2',
    ]);
  });

  it('by what the driver or UCX say, where nothing ran', async () => {
    const table = (cell: string) => ({ 'p2p.txt': [`GPU0\tX\t${cell}`, `GPU1\t${cell}\tX`] });
    expect(await ways(table('OK'))).toEqual(['p2p yes 1']);
    expect(await ways(table('CNS'))).toEqual(['p2p no 1 p2p-chipset-unsupported']);
    expect(await ways(table('TNS'))).toEqual(['p2p no 1']);
    expect(await ways(table('U'))).toEqual([]);
    // NCCL asks NVML, and says which pairs it may not use.
    const told = 'birch:31:77 [1] NCCL INFO P2P is disabled between connected GPUs 1 and 0. You can repress this';
    expect(await ways({ 'nccl.log': [told] })).toEqual(['p2p no 1']);
    const failed = 'birch:31:77 [0] transport/p2p.cc:238 NCCL WARN failed to open CUDA IPC handle : 217 peer access';
    expect(await ways({ 'nccl.log': [...peers, failed] })).toEqual(['p2p no 2 p2p-mapping-refused']);
    const ucx = (how: string) => ({
      'ucx.txt': [
        '| ucp_context_0 inter-node cfg#2 | tagged message by ucp_tag_send*() from cuda memory |',
        `| 8247..inf | ${how} | rc_mlx5/mlx5_4:1 |`,
      ],
    });
    expect(await ways(ucx('rendezvous zero-copy read from remote'))).toEqual(['gpudirect-rdma yes 2']);
    expect(await ways(ucx('rendezvous pipeline write to remote, frag host'))).toEqual(['gpudirect-rdma no 2']);
  });

  it('not refused to all GPUs where one of them has a NIC near', async () => {
    const matrix = (near: string) => [
      '\tGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity',
      `GPU0\t X \tNV4\t${near}\t0-15\t0`,
      'GPU1\tNV4\t X \tSYS\t16-31\t1',
      `NIC0\t${near}\tSYS\t X \t\t`,
    ];
    expect(await ways({ 'topo.txt': matrix('PIX') })).toEqual([]);
    expect(await ways({ 'topo.txt': matrix('SYS') })).toEqual(['gpudirect-rdma no 2 gpu-nic-cross-numa']);
  });

  it('not known where ACS is on, and NVLink may join the GPUs beside it', async () => {
    const files = (ids: string) => ({
      'acs.txt': acs,
      'lspci.txt': [`0000:26:00.0 3D controller [0302]: NVIDIA Corporation Device [${ids}] (rev a1)`],
    });
    expect(await ways(files('10de:2330'))).toEqual(['p2p unknown 1']);
    expect(await ways(files('10de:26b9'))).toEqual(['p2p no 1 acs-enabled']);
  });

  it('not known, with the command that tells, where only the NICs are named', async () => {
    const { ways: all } = diagnose(
      await documentsOf({
        'nccl.log': ['birch:31:77 [0] NCCL INFO NET/IB : Using [0]mlx5_4:1/IB [RO]; OOB ens1:192.0.2.11<0>'],
      }),
    );
    expect(all).toMatchObject([
      { way: 'gpudirect-rdma', answer: 'unknown', settle: expect.stringContaining('NCCL_DEBUG=INFO') },
    ]);
  });

  it('and nothing of ways that no input speaks of', async () => {
    expect(
      await ways({ 'lsmod.txt': ['Module                  Size  Used by', 'nvidia_peermem         16384  0'] }),
    ).toEqual([]);
  });
});
