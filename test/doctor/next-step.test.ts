import { describe, expect, it } from 'vitest';
import { diagnose } from '../../src/doctor/diagnose.ts';
import { documentsOf } from './case.ts';

const line = (text: string, source = 'misc/other.cc:51') => `birch:31:77 [0] ${source} NCCL WARN ${text}`;
const asked = async (text: string, source?: string) => {
  const { open, findings } = diagnose(await documentsOf({ 'nccl.log': [line(text, source)] }));
  return [...findings.map((f) => f.id), ...open.map((o) => o.settle.split(/[ ;]/)[0])];
};

describe('what would tell why NCCL stopped', () => {
  it('is asked where the message points to, old or new', async () => {
    const told: readonly (readonly [text: string, first: string])[] = [
      ['nvmlInit_v2() failed: Unknown Error', 'nvidia-smi'],
      ['Call to ibv_query_gid failed with error Invalid argument errno 22', 'ibv_devinfo'],
      ['Call to ibv_create_qp failed', 'ibv_devinfo'],
      ['UDS: Socket creation error : Too many open files (24)', 'ulimit'],
      ['UDS: Sending data over socket /tmp/nccl-socket-3-5e1 failed : Connection refused (111)', 'ls'],
      ['no device found matching eth7, verify NCCL_OOB_NET_IFNAME', 'ip'],
      ['Net : error encountered when getting address info : Name or service not known', 'getent'],
      ['Invalid NCCL_COMM_ID, please use format: <ipv4>:<port>', 'env'],
      ['Bootstrap Root : rank 3 of 8 ranks has already checked in', 'env'],
      ['AllReduce : sendbuff allocated on device 1 mismatchs with NCCL device 0', 'NCCL_DEBUG=INFO'],
      ['NET/IB : Attempted to connect incompatible devices: [0]mlx5_0:1/IB and [1]mlx5_1:1/RoCE.', 'ibv_devinfo'],
      ['Detected mixed local Net device counts across ranks (min 4, max 8).', 'ibv_devices'],
      ['Error: network IBext not found.', 'env'],
      ['No transport found for rank 0[1b000] -> rank 1[3d000]', 'env'],
      ['XML Mismatch : pci / system', 'ls'],
      ['Could not find any local path from gpu 3 to net.', 'nvidia-smi'],
      ['gdr_pin_buffer(addr 7f0000, size 65536) failed: 22', 'ls'],
      ["Cuda failure 2 'out of memory'", 'nvidia-smi'],
      ["Cuda failure 'an illegal memory access was encountered'", 'CUDA_LAUNCH_BLOCKING=1'],
      ["Cuda failure 'CUDA driver version is insufficient for CUDA runtime version'", 'nvidia-smi'],
      ['Failed to find CUDA library libcuda.so (NCCL_CUDA_PATH="") : ', 'ldconfig'],
    ];
    for (const [text, first] of told) expect([text, await asked(text)]).toEqual([text, [first]]);
  });

  it('is a finding where the message says it all', async () => {
    expect(await asked("Cuda failure 802 'system not yet initialized'")).toEqual(['fabric-manager-not-running']);
    expect(await asked('nvmlDeviceGetHandleByIndex(3) failed: GPU is lost')).toEqual(['gpu-xid-79-off-the-bus']);
    expect(await asked('nvmlInit_v2() failed: Driver/library version mismatch')).toEqual(['driver-library-mismatch']);
    expect(await asked('NET/MLX5: Call to mlx5dv_reg_dmabuf_mr failed with error Operation not supported')).toEqual([
      'dmabuf-registration-refused',
    ]);
  });

  it('is not asked of a wish that NCCL meets by something near', async () => {
    for (const text of [
      'NCCL_WORK_FIFO_BYTES=1000 is being ignored because it is not a power of 2.',
      'NET/Socket : NCCL_SOCKET_NTHREADS is greater than the maximum allowed, setting to 16',
      "NCCL_NET_MERGE_POLICY: unknown value 'some', defaulting to ALL",
      'NET/IB : mlx5_0:1 Got non-fatal async event: client reregistration(17)',
    ])
      expect([text, await asked(text)]).toEqual([text, []]);
  });

  it('is asked of a topology file that newer releases pass over in silence', async () => {
    const text = 'birch:31:77 [0] NCCL INFO Could not open XML topology file /etc/topo.xml : No such file or directory';
    const { open } = diagnose(await documentsOf({ 'nccl.log': [text] }));
    expect(open.map((o) => o.settle)).toEqual([expect.stringContaining('NCCL_TOPO_FILE')]);
  });

  it('is asked of NVLinks that the driver could not look for', async () => {
    const text = "[   41.204417] NVRM: knvlinkDiscoverPostRxDetLinks_GH100: Getting peer0's postRxDetLinkMask failed!";
    const { open } = diagnose(await documentsOf({ 'dmesg.txt': [text] }));
    expect(open.map((o) => o.settle)).toEqual([expect.stringContaining('nvlink -s')]);
  });

  it('is asked of a driver that nvidia-smi does not reach, and of a GPU that it cannot start', async () => {
    const told = async (text: string) => {
      const { open, findings } = diagnose(await documentsOf({ 'a.txt': [text] }));
      return [...findings.map((f) => f.id), ...open.map((o) => o.settle.split(/[ ;]/)[0])];
    };
    expect(
      await told(
        "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure it is running.",
      ),
    ).toEqual(['cat']);
    expect(await told('[  100.123456] NVRM: GPU 0000:1b:00.0: RmInitAdapter failed! (0x62:0xffff:2351)')).toEqual([
      'sudo',
    ]);
    const handle = 'Unable to determine the device handle for GPU0000:1B:00.0';
    expect(await told(`${handle}: Unknown Error`)).toEqual(['sudo']);
    expect(await told(`${handle}: GPU is lost.  Reboot the system to recover this GPU`)).toEqual([
      'gpu-xid-79-off-the-bus',
    ]);
  });
});
