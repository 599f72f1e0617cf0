import { describe, expect, it } from 'vitest';
import { diagnose } from '../../src/doctor/diagnose.ts';
import { documentsOf, findingsOf, loud } from './case.ts';

type Files = Readonly<Record<string, readonly string[]>>;

const found = async (files: Files): Promise<string[]> =>
  (await findingsOf(files)).map((f) => `${f.id} ${loud(f) ? 'loud' : 'quiet'}`);
const boards = (name: string): string[] =>
  [0, 1].map((i) => `GPU ${i}: ${name} (UUID: GPU-11111111-2222-3333-4444-55555555555${i})`);
const nvgpu = [
  '| NVIDIA-SMI 540.4.0                Driver Version: 540.4.0      CUDA Version: 12.6     |',
  '|   0  Orin (nvgpu)                  N/A  | N/A              N/A |                  N/A |',
];
const staged = [
  'birch:7:9 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/RoCE [RO]; OOB eno1:192.0.2.7<0>',
  'birch:7:9 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/0',
];

describe('machines on or under a desk', () => {
  it('a GeForce board is not asked for modules that cannot help it', async () => {
    const files = { 'nccl.log': [...boards('NVIDIA GeForce RTX 5090'), ...staged] };
    expect(await found(files)).toEqual(['gdr-unsupported-geforce quiet']);
    expect(diagnose(await documentsOf(files)).open).toEqual([]);
    const tried = ['$ modprobe nvidia-peermem', 'modprobe: FATAL: Module nvidia-peermem not found in directory /lib/x'];
    expect(await found({ 'a.txt': [...boards('NVIDIA GeForce RTX 4090'), ...tried] })).toEqual([
      'gdr-unsupported-geforce quiet',
    ]);
  });

  it('P2P that the driver refuses is not switched off by a variable', async () => {
    const table = ['$ nvidia-smi topo -p2p r', ' \tGPU0\tGPU1\t', ' GPU0\tX\tCNS\t', ' GPU1\tCNS\tX\t'];
    const set = 'birch:7:9 [0] NCCL INFO NCCL_P2P_DISABLE set by environment to 1';
    expect(await found({ 'a.txt': [...boards('NVIDIA GeForce RTX 4090'), ...table, set] })).toEqual([
      'p2p-disabled-geforce quiet',
    ]);
    expect(await found({ 'a.txt': [...boards('NVIDIA GeForce RTX 3090'), set] })).toEqual(['workaround-env-left loud']);
  });

  it('eight lanes for each of two cards are what a desktop board gives', async () => {
    const card = [
      '01:00.0 VGA compatible controller: NVIDIA Corporation GA102 [GeForce RTX 3090] (rev a1)',
      '\t\tLnkCap:\tPort #0, Speed 16GT/s, Width x16, ASPM L1',
      '\t\tLnkSta:\tSpeed 2.5GT/s (downgraded), Width x8 (downgraded)',
    ];
    const [one] = await findingsOf({ 'lspci.txt': card });
    expect(one).toMatchObject({ id: 'pcie-link-width-degraded', severity: 'warning' });
    expect(one?.fix[0]?.text.code).toBe('doctor.fix-width-desktop');
  });

  it('a Jetson has neither GPUDirect to switch on', async () => {
    const files = {
      'a.txt': [
        ...nvgpu,
        'modprobe: FATAL: Module nvidia-peermem not found in directory /lib/modules/5.15.148-tegra',
        ' GDS release version: 1.11.1.6',
        ' NVMe               : Unsupported',
      ],
    };
    expect(await found(files)).toEqual(['gdr-unsupported-unified-memory quiet']);
  });

  it('DGX Spark is known by the two names of its network card', async () => {
    const ports = [
      'rocep1s0f0 port 1 ==> enp1s0f0np0 (Up)',
      'roceP2p1s0f0 port 1 ==> enP2p1s0f0np0 (Up)',
      "modprobe: ERROR: could not insert 'nvidia_peermem': Invalid argument",
    ];
    expect(await found({ 'a.txt': ports })).toEqual(['gdr-unsupported-unified-memory quiet']);
    expect(await found({ 'a.txt': ports.slice(0, 1).concat(ports.slice(2)) })).toEqual([
      'peermem-symbol-mismatch-ofed loud',
    ]);
    // A machine whose GPU is named is what that says, whatever its ports are called.
    const named = 'GPU 0: NVIDIA GH200 480GB (UUID: GPU-11111111-2222-3333-4444-555555555555)';
    expect(await found({ 'a.txt': [named, ...ports] })).toEqual(['peermem-symbol-mismatch-ofed loud']);
  });
});
