import { describe, expect, it } from 'vitest';
import { answerDoctor, headlineOf } from '../../src/answer/doctor.ts';
import { diagnose } from '../../src/doctor/diagnose.ts';
import { bytesSource } from '../../src/input/source.ts';
import { KeptLines } from '../../src/read/kept-lines.ts';
import { readSource } from '../../src/read/read-source.ts';
import { documentsOf } from './case.ts';

const open = async (lines: readonly string[]) =>
  diagnose(await documentsOf({ 'nccl.log': lines })).open.map(
    (o) => `${o.about.code} ${o.evidence[0]?.line}${o.failed ? ' failed' : ''}`,
  );
const warn = (source: string, text: string) => `birch:31:77 [0] ${source} NCCL WARN ${text}`;
const info = 'birch:31:77 [0] NCCL INFO Using network IB';
const headline = async (lines: readonly string[]) => {
  const results = await readSource(bytesSource('nccl.log', new TextEncoder().encode(`${lines.join('\n')}\n`)));
  return headlineOf(answerDoctor(results, new KeptLines())).code;
};

describe('what a log complains of and nothing explains', () => {
  it('is asked about, with what would tell', async () => {
    const unreachable = [info, warn('misc/ibvwrap.cc:187', 'Call to ibv_modify_qp failed with error No route')];
    expect(await open(unreachable)).toEqual(['doctor.open.failed 2 failed']);
    expect(await headline(unreachable)).toBe('doctor.none-failed');
    expect(await headline([info])).toBe('doctor.none');
  });

  it.each([
    "UCX  WARN  network device 'mlx5_9:1' is not available, please use one or more of: 'eth0'(tcp), 'lo'(tcp)",
    "UCX  WARN  transports 'cuda_copy','cuda_ipc' are not available, please use one or more of: cma, self, sm, tcp",
    'UCX  ERROR   ibv_create_ah(dlid=49152 sl=0 port=1 src_path_bits=0 dgid=::ffff:198.51.100.2 flow_label=0xffffffff sgid_index=3 traffic_class=106) for UD mlx5 connect on mlx5_1 failed: Connection timed out',
    'W20250516 09:00:52.240088 45697 topology.cpp:55] No RDMA devices found, check your device installation',
    '[1667471376.876185] [birch:217310:0]  select.c:513  UCX  ERROR   no active messages transport to <no debug data>: Unsupported operation',
    '[birch:217310] pml_ucx.c:419  Error: ucp_ep_create(proc=0) failed: Destination is unreachable',
    'Failed to initialize NVML: Unknown Error',
    'No devices were found',
    'DeepEP timeout for combine receiver, rank 3, src 5',
    '[E socket.cpp:957] [c10d] The client socket has timed out after 60s while trying to connect to (198.51.100.1, 29500).',
    '[12345.678901] NVRM: Xid (PCI:0000:65:00): 48, pid=1234, name=python, DBE (double bit error) ECC Error was detected',
    '[12345.678901] NVRM: Xid (PCI:0000:65:00): 154, GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)',
    '[ 1000.000001] pcieport 0000:80:01.1: AER: Uncorrected (Fatal) error received: 0000:81:00.0',
    '[    5.400001] mlx5_core 0000:0d:00.0: Port module event[error]: module 0, Cable error, Bus stuck (I2C or data shorted)',
  ])('is asked about where others say it: %s', async (line) => {
    expect(await open([line])).toEqual(['doctor.open.failed 1 failed']);
  });

  it.each([
    '[12345.678901] NVRM: Xid (PCI:0000:65:00): 43, pid=1234, name=python, Ch 00000008',
    '[12345.678902] NVRM: Xid (PCI:0000:65:00): 63, pid=1234, name=python, Row Remapper: New row marked for remapping',
    '[ 1000.000001] pcieport 0000:80:01.1: AER: Corrected error received: 0000:81:00.0',
    '[    5.300001] mlx5_core 0000:0d:00.0: Port module event: module 0, Cable plugged',
    warn(
      'init.cc:77',
      'NUMA auto balancing enabled which can lead to variability in the RCCL performance! Disable by "sudo',
    ),
  ])('is not asked about where nothing failed: %s', async (line) => {
    expect(await open([info, line])).toEqual([]);
  });

  it('is asked about by the network where an old release could not connect', async () => {
    const { open } = diagnose(
      await documentsOf({
        'nccl.log': ['birch:31:77 [0] include/socket.h:360 WARN Call to connect failed : Connection timed out'],
      }),
    );
    expect(open.map((o) => o.settle)).toEqual(['ip -br addr; ip route; sudo iptables -L -n']);
  });

  it('may be wrong values that nccl-tests counts, where no finding lets data arrive wrong', async () => {
    const table = (wrong: string, end: string): string[] => [
      '#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong',
      `     1048576        262144     float     sum      -1    297.3    3.53    3.53      ${wrong}    298.8    3.51    3.51      0`,
      `# Out of bounds values : ${end}`,
      '# Avg bus bandwidth    : 3.52',
    ];
    expect(await open(table('24', '24 FAILED'))).toEqual(['doctor.open.wrong-results 2 failed']);
    expect(await open(table('0', '0 OK'))).toEqual([]);
    expect(await open(table('N/A', '0 OK'))).toEqual([]);
    const acs = ['17:00.0 PCI bridge: Broadcom PEX890xx', '\t\tACSCtl:\tSrcValid+ TransBlk- ReqRedir+ CmpltRedir+'];
    expect(await open([...table('24', '24 FAILED'), ...acs])).toEqual([]);
  });

  it('comes before what merely follows from it on other ranks', async () => {
    expect(
      await open([
        warn('proxy.cc:1519', '[Proxy Service 1] Failed to execute operation Connect from rank 1, retcode 2'),
        warn('misc/socket.cc:49', 'socketProgress: Connection closed by remote peer ash<41109>'),
        warn('transport/p2p.cc:300', "Cuda failure 2 'out of memory'"),
      ]),
    ).toEqual(['doctor.open.failed 3 failed']);
    expect(
      await open([warn('misc/socket.cc:49', 'socketProgress: Connection closed by remote peer ash<41109>')]),
    ).toEqual(['doctor.open.failed 1 failed']);
  });

  it('is left out where a finding says why', async () => {
    expect(
      await open([
        warn('misc/shmutils.cc:72', 'Error while creating shared memory segment /dev/shm/nccl-a1 (size 9637888)'),
        warn('misc/socket.cc:49', 'socketProgress: Connection closed by remote peer ash<41109>'),
      ]),
    ).toEqual([]);
  });

  it('is nothing that NCCL tries again another way', async () => {
    expect(
      await open([
        'birch:31:77 [0] NCCL INFO Cuda failure 801 from a probe',
        'birch:31:77 [0] NCCL INFO Using network IB',
      ]),
    ).toEqual([]);
  });

  it('may be told by NVSHMEM, whose transports need more than NCCL does', async () => {
    const at = '/src/nvshmem_src/src/modules/transport/ibgda/ibgda.cpp';
    expect(
      await open([
        `${at}:1345: non-zero status: 121 Error in mlx5dv_devx_obj_modify for INIT2RTR_QP with syndrome 29e0df`,
        `${at}:3005: non-zero status: 7 ibgda_rc_init2rtr failed on RC #0.`,
      ]),
    ).toEqual(['doctor.open.failed 1 failed']);
    expect(await open([`${at}:nvshmemt_init:3620: neither nv_peer_mem, or nvidia_peermem detected.`])).toEqual([]);
  });

  it('is asked about where a transfer engine has no NIC left to use, or NVSHMEM no mapping', async () => {
    expect(await open(['E1103 09:00:02.000001 91 rdma_transport.cpp:662] RdmaTransport: No available RNIC'])).toEqual([
      'doctor.open.failed 1 failed',
    ]);
    expect(await open(['WARN: GPU cannot map UAR of device mlx5_0. Skipping...'])).toEqual([
      'doctor.open.failed 1 failed',
    ]);
    expect(await open(['RuntimeError: CUDA error: mapping of buffer object failed'])).toEqual([
      'doctor.open.failed 1 failed',
    ]);
  });

  it('is asked about where connecting was tried in vain, or a start returned an error and nothing more', async () => {
    const tried = (n: number) =>
      `birch:31:77 [0] NCCL INFO socketPollConnect: connect returned No route to host, retrying (${n}/34) after sleep for ${n}00 msec`;
    expect(await open([tried(30)])).toEqual(['doctor.open.failed 1 failed']);
    expect(await open([tried(1)])).toEqual([]);
    const returned = (where: string) => `birch:31:77 [0] NCCL INFO ${where} -> 2`;
    expect(await open(['misc/socket.cc:505', 'bootstrap.cc:275', 'group.cc:64'].map(returned))).toEqual([
      'doctor.open.failed 1 failed',
    ]);
    // What NCCL tries and does without returns an error too, and the start goes on.
    expect(await open([returned('transport/nvls.cc:210')])).toEqual([]);
  });

  it('is asked about where a queue, a card or a handle is refused by one that is no NCCL', async () => {
    for (const line of [
      'libfabric:45:170::efa:cq:efa_rdm_txe_handle_error():737<warn> err: 5, message: Invalid address My EFA addr: x',
      '/src/nvshmem_src/src/modules/transport/ibrc/ibrc.cpp:418: non-zero status: 110 ibv_modify_qp failed ',
      '[CUDA_ERROR_INVALID_VALUE] invalid argument in expression cuMemSetAccess((CUdeviceptr) buffer, size, &desc, 1 ) on birch',
      '[   26.823409] mlx5_core 0000:61:00.0: mlx5_cmd_check:795:(pid 53): ALLOC_UAR(0x802) op_mod(0x0) failed, status limits exceeded(0x8), syndrome (0x5a)',
    ])
      expect([line, await open([line])]).toEqual([line, ['doctor.open.failed 1 failed']]);
    // What a tool asks and the card does not know is no want.
    expect(
      await open([
        '[   26.823409] mlx5_core 0000:61:00.0: mlx5_cmd_check:795:(pid 53): ACCESS_REG(0x805) op_mod(0x1) failed, status bad parameter(0x3), syndrome (0x15c356)',
      ]),
    ).toEqual([]);
    const event = diagnose(
      await documentsOf({
        'a.log': [warn('transport/net_ib.cc:154', 'NET/IB : mlx5_1:1 async fatal event on QP (0x73): invalid request')],
      }),
    ).open;
    expect(event.map((o) => o.settle)).toEqual([expect.stringContaining('ibstat')]);
  });

  it('is asked about as the plugin of libfabric puts it, of any age', async () => {
    const run = async (text: string) =>
      diagnose(await documentsOf({ 'a.log': [warn('register_mr_buffers:465', `NET/OFI ${text}`)] })).open.map(
        (o) => o.settle.split(' ')[0],
      );
    const refused = 'for device 0. RC:';
    expect(await run(`Unable to register memory (type = 1) ${refused} 12, Error: Cannot allocate memory`)).toEqual([
      'ulimit',
    ]);
    expect(await run(`Unable to register memory (type = 2) ${refused} -22, Error: Invalid argument`)).toEqual(['grep']);
    expect(await run('Unable to insert remote address into address vector for device 1. RC: -12')).toEqual([
      'fi_pingpong',
    ]);
    expect(await run('Request 0x7f completed with error. RC: 21. Error: unknown error')).toEqual(['fi_pingpong']);
    expect(await run('Disabling shared memory failed: Protocol not available')).toEqual(['fi_info']);
    // The peer had been there, and is gone.
    expect(
      await open([
        'libfabric:35:166::efa:cq:efa_rdm_txe_handle_error():737<warn> err: 103, message: Unresponsive receiver (connection previously established) My EFA addr: x',
      ]),
    ).toEqual(['doctor.open.failed 1 failed']);
  });

  it('is asked about where a test of DCGM failed on the way between GPUs', async () => {
    const row = (name: string, result: string) => `| ${name.padEnd(25)} | ${result.padEnd(46)} |`;
    expect(await open([row('PCIe', 'Fail - All')])).toEqual(['doctor.open.failed 1 failed']);
    expect(await open([row('PCIe', 'Pass - All'), row('Memory Bandwidth', 'Fail - All')])).toEqual([]);
  });
});
