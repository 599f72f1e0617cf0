import { describe, expect, it } from 'vitest';
import { diagnose } from '../../src/doctor/diagnose.ts';
import { documentsOf } from './case.ts';

const open = async (lines: readonly string[], more: Readonly<Record<string, readonly string[]>> = {}) =>
  diagnose(await documentsOf({ 'a.txt': lines, ...more })).open.map((o) => [o.about.code, o.evidence[0]?.line]);

const nccl = (text: string): string => `birch:31:77 [0] transport/net_ib.cc:1295 NCCL WARN NET/IB : ${text}`;
const peer = 'Got completion from peer 192.0.2.8<33097> with';

/** An entry of a completion queue as libmlx5 prints it. */
const entry = (vendor: string, syndrome: string, end = 'd2', before = ''): string[] =>
  [
    'mlx5: birch: got completion with error:',
    '00000000 00000000 00000000 00000000',
    '00000000 00000000 00000000 00000000',
    '00000007 00000000 00000000 00000000',
    `00000000 9d00${vendor}${syndrome} 0a000123 004512${end}`,
  ].map((line) => before + line);

describe('a transfer that ended with an error', () => {
  it('is told by its status, whichever release of NCCL prints it', async () => {
    for (const text of [
      'Got completion with error 4, opcode 1, len 21938, vendor err 81',
      `${peer} error 4, opcode 32611, len 32611, vendor err 81 (Send) localGid ::ffff:192.0.2.1`,
      `${peer} status=4 opcode=0 len=0 vendor err 83 (Send) hca mlx5_3`,
      `${peer} status=IBV_WC_LOC_PROT_ERR(4) opcode=IBV_WC_SEND(0) vendor_err=81 (Send) hca mlx5_3`,
    ])
      expect(await open([nccl(text)])).toEqual([['doctor.open.completion.memory', 1]]);
    expect(await open([nccl(`${peer} status=12 opcode=0 len=0 vendor err 129 (Recv)`)])).toEqual([
      ['doctor.open.completion.timeout', 1],
    ]);
    expect(await open([nccl(`${peer} status=9 opcode=0 len=0 vendor err 138 (Send)`)])).toEqual([
      ['doctor.open.completion.remote', 1],
    ]);
    expect(await open([nccl(`${peer} status=13 opcode=0 len=0 vendor err 135 (Send)`)])).toEqual([
      ['doctor.open.completion.not-ready', 1],
    ]);
    expect(await open([nccl(`${peer} status=99 opcode=0 len=0 vendor err 0 (Send)`)])).toEqual([
      ['doctor.open.completion', 1],
    ]);
  });

  it('is read out of the entry that libmlx5 prints, in asking and in asked queues, between other lines', async () => {
    expect(await open(entry('52', '04'))).toEqual([['doctor.open.completion.memory', 5]]);
    expect(await open(entry('88', '13', 'e3'))).toEqual([['doctor.open.completion.remote', 5]]);
    expect(await open(entry('52', '04', 'd2', '[1,3]<stderr>:'))).toEqual([['doctor.open.completion.memory', 5]]);
    const [first, ...rest] = entry('52', '04');
    expect(await open([first!, 'birch:31:77 [0] NCCL INFO Using network IB', ...rest])).toEqual([
      ['doctor.open.completion.memory', 6],
    ]);
    // A table of other words is no entry.
    expect(await open(['00000000 9d005304 0a000123 004512d2'])).toEqual([]);
  });

  it('is told by the kernel, new and old, by UCX and by perftest', async () => {
    const kernel = (text: string): string => `[  408.372201] infiniband mlx5_0: ${text}`;
    const bytes = '[  408.372209] 00000030: 00 00 00 00 a9 00 56 04 00 00 01 e9 00 54 e8 e2';
    const memory = (line: number) => [['doctor.open.completion.memory', line]];
    expect(
      await open([kernel('mlx5_handle_error_cqe:332:(pid 0): WC error: 4, Message: local protection error')]),
    ).toEqual(memory(1));
    expect(await open([kernel('dump_cqe:277:(pid 0): dump error cqe'), bytes])).toEqual(memory(2));
    expect(await open([kernel('mlx5_poll_one:530:(pid 0): syndrome 0x4, vendor syndrome 0x51')])).toEqual(memory(1));
    expect(
      await open([
        '[birch:31 :0:31] ib_mlx5_log.c:139  Local protection on mlx5_0:1/IB (synd 0x4 vend 0x51 hw_synd 0/0)',
      ]),
    ).toEqual(memory(1));
    expect(
      await open(['rc_verbs_iface.c:124  send completion with error: local protection error [qpn 0xf9 wrid 0x1']),
    ).toEqual(memory(1));
    expect(await open([' Completion with error at client', ' Failed status 4: wr_id 0 syndrom 0x51'])).toEqual(
      memory(2),
    );
  });

  it('is told where the prefix of its line was cut off', async () => {
    for (const text of [
      'NET/IBP:Got completion from peer 192.0.2.8<36315> with status=12 opcode=32698 len=32696 vendor err 129 (Send)',
      'Last error: NET/IB : Got completion from peer 192.0.2.8<36315> with error 12, opcode 1, len 0, vendor err 129',
      'NET/IB: Got completion from peer 192.0.2.8<36315> with status=IBV_WC_RETRY_EXC_ERR(12) opcode=IBV_WC_SEND(0)',
    ])
      expect(await open([text])).toEqual([['doctor.open.completion.timeout', 1]]);
  });

  it('is told once where the queue complains as well, and by its cause where others only time out', async () => {
    expect(
      await open([
        nccl('mlx5_0:1 async fatal event on QP (0x7f69): local access violation work queue error'),
        nccl(`${peer} status=5 opcode=0 len=0 vendor err 249 (Send)`),
        nccl(`${peer} status=12 opcode=0 len=0 vendor err 129 (Recv)`),
        nccl(`${peer} status=4 opcode=0 len=0 vendor err 83 (Send)`),
      ]),
    ).toEqual([['doctor.open.completion.memory', 4]]);
    expect(await open([nccl(`${peer} status=5 opcode=0 len=0 vendor err 249 (Send)`)])).toEqual([
      ['doctor.open.completion.flushed', 1],
    ]);
  });

  it('is no question where a finding is the cause', async () => {
    const acs = ['17:00.0 PCI bridge: Broadcom PEX890xx', '\t\tACSCtl:\tSrcValid+ TransBlk- ReqRedir+ CmpltRedir+'];
    expect(await open([nccl(`${peer} status=4 opcode=0 len=0 vendor err 83 (Send)`)], { 'b.txt': acs })).toEqual([]);
  });
});

describe('memory that is not registered', () => {
  it('is asked about, also where no reason is printed with it, or no GPU is in it', async () => {
    const mooncake = 'W0302 10:03:01.2 7 rdma_transport.cpp:400] RdmaTransport: Failed to register memory: addr 0x73';
    expect(await open([`${mooncake} length 2896659072`])).toEqual([['doctor.open.failed', 1]]);
    const perftest = ['                    Send BW Test', " Couldn't allocate MR", 'failed to create mr'];
    expect(await open(perftest)).toEqual([['doctor.open.failed', 2]]);
    // With memory of a GPU a finding names the cause.
    expect(await open(['initializing CUDA', 'Picking device No. 1', ...perftest])).toEqual([]);
  });
});
