import { describe, expect, it } from 'vitest';
import { diagnose } from '../../src/doctor/diagnose.ts';
import { documentsOf, findingsOf, loud } from './case.ts';
import { twoRanks } from './cases/network.ts';

type Files = Readonly<Record<string, readonly string[]>>;

const loudIds = async (files: Files): Promise<string[]> => (await findingsOf(files)).filter(loud).map((f) => f.id);
const ids = async (files: Files): Promise<string[]> => (await findingsOf(files)).map((f) => f.id);

const nvlinks = (gpus: number, up: number, down: number, name: string): string[] =>
  Array.from({ length: gpus }, (_, g) => [
    `GPU ${g}: ${name} (UUID: GPU-11111111-2222-3333-4444-5555555555${String(g).padStart(2, '0')})`,
    ...Array.from({ length: up + down }, (_, i) => `\t Link ${i}: ${i < up ? '26.562 GB/s' : '<inactive>'}`),
  ]).flat();

const decision = (version: string, numbers: string): Files => ({
  'nccl.log': [
    `NCCL version ${version}`,
    `birch:31:77 [0] NCCL INFO GPU Direct RDMA Disabled for GPU ca000 / HCA 1 (distance ${numbers})`,
  ],
});

const title = 'Module                  Size  Used by';

describe('what looks wrong and is not', () => {
  it('a switch with a value that NCCL does not take for yes', async () => {
    for (const line of ['NCCL_P2P_DISABLE=2', 'NCCL_P2P_DISABLE=10', 'NCCL_SHM_DISABLE=2', 'NCCL_P2P_LEVEL=loc'])
      expect([line, await ids({ 'nccl.conf': [line] })]).toEqual([
        line,
        expect.not.arrayContaining(['workaround-env-left']),
      ]);
    expect(await ids({ 'nccl.conf': ['NCCL_P2P_DISABLE=1'] })).toContain('workaround-env-left');
  });

  it('a GPU without memory of its own, whose driver lets no NIC reach what CUDA allocates', async () => {
    const gpu = 'GPU 0: NVIDIA GB10 (UUID: GPU-11111111-2222-3333-4444-555555555555)';
    const tried: Files[] = [
      {
        'try.txt': [
          gpu,
          '$ sudo modprobe nvidia-peermem',
          "modprobe: ERROR: could not insert 'nvidia_peermem': Invalid argument",
        ],
      },
      {
        'try.txt': [
          gpu,
          '$ ib_write_bw -d rocep1s0f0 --use_cuda=0 192.0.2.7',
          'initializing CUDA',
          "Couldn't allocate MR",
        ],
      },
      {
        'lsmod.txt': [title, 'nvidia 56717312 2', 'nvidia_peermem 16384 0'],
        'try.txt': [gpu, "a:1:9 [0] NCCL INFO NET/IB : GPU Direct RDMA Disabled for HCA 0 'rocep1s0f0'"],
      },
      {
        'topo.xml': [
          '<system version="1"><cpu numaid="-1" affinity="000fffff" arch="arm64">',
          '<pci busid="0000:01:00.0" class="0x020000" link_speed="32.0 GT/s PCIe" link_width="4"><nic><net name="rocep1s0f0" dev="0" speed="200000" port="1" guid="0x5" gdr="0"/></nic></pci>',
          '<pci busid="000f:01:00.0" class="0x030200" link_speed="2.5 GT/s PCIe" link_width="16"><gpu dev="0" sm="121" rank="0" gdr="0"><c2c bw="43125" count="8"/></gpu></pci>',
          '</cpu></system>',
        ],
      },
    ];
    for (const files of tried) {
      expect(await ids(files)).toEqual(['gdr-unsupported-unified-memory']);
      expect(await loudIds(files)).toEqual([]);
    }
    expect(await ids({ 'smi.txt': [gpu] })).toEqual([]);
  });

  it('1: a PCIe link that an idle GPU has let fall', async () => {
    const files = {
      'lspci.txt': [
        '17:00.0 VGA compatible controller: NVIDIA Corporation AD102 [GeForce RTX 4090] (rev a1)',
        '\tCapabilities: [60] Express (v2) Legacy Endpoint, MSI 00',
        '\t\tLnkCap:\tPort #0, Speed 16GT/s, Width x16, ASPM L1',
        '\t\tLnkSta:\tSpeed 2.5GT/s (downgraded), Width x16 (ok)',
      ],
    };
    expect(await ids(files)).toEqual(['pcie-link-speed-idle']);
    expect(await loudIds(files)).toEqual([]);
  });

  it('what an image says of its defaults, where nothing failed', async () => {
    const files = {
      'run.log': [
        'NOTE: The SHMEM allocation limit is set to the default of 64MB.  This may be',
        '   insufficient for PyTorch.',
        'NOTE: Mellanox network driver detected, but NVIDIA peer memory driver not',
        '      detected.  Multi-node communication performance may be reduced.',
      ],
    };
    expect(await loudIds(files)).toEqual([]);
    expect(await ids(files)).toEqual(['shm-too-small']);
  });

  it('devices that ibv_devices lists', async () => {
    const devices = ['    device                 node GUID', '    ------              ----------------'];
    const listed = ['$ ls /sys/class/infiniband', 'mlx5_0'];
    expect(await ids({ 'a.txt': [...devices, '    mlx5_0              1070fd0300a0b0c0', ...listed] })).toEqual([]);
  });

  it('a switch that stands in a comment of a script', async () => {
    const script = ['# export NCCL_P2P_DISABLE=1', 'export NCCL_DEBUG=INFO', 'torchrun train.py'];
    expect(await ids({ 'run.sh': script })).toEqual([]);
    expect(
      await ids({ 'run.py': ['# os.environ["NCCL_P2P_DISABLE"] = "1"', 'os.environ["NCCL_DEBUG"] = "INFO"'] }),
    ).toEqual([]);
    // Alone it may as well be what root typed.
    expect(await ids({ 'run.sh': ['# export NCCL_P2P_DISABLE=1'] })).toEqual(['workaround-env-left']);
  });

  it('a domain of IMEX whose nodes are all ready, and a fabric in full health', async () => {
    const files = {
      'imex.txt': ['Node #0   - 198.51.100.1    - READY                - Version: 570.133.20', 'Domain State: UP'],
      'smi.txt': [
        '    Fabric',
        '        State                             : Completed',
        '        Status                            : Success',
        '        Health',
        '            Bandwidth                     : Full',
      ],
    };
    expect(await ids(files)).toEqual([]);
  });

  it('lanes that a port would have and no cable does', async () => {
    const link =
      '      0x000000000010000a      6    1[  ] ==( 4X       25.78125 Gbps Active/  LinkUp)==>       3    2[  ] "leaf" (Could be 12X)';
    expect(await ids({ 'iblinkinfo.txt': [link] })).toEqual([]);
  });

  it('one host without RDMA beside another job, and one that chose sockets', async () => {
    const none = (host: string) => `${host}:31:77 [0] NCCL INFO NET/IB : No device found.`;
    expect(await ids({ 'nccl.log': [none('birch'), none('ash')] })).not.toContain('rdma-device-not-in-container');
  });

  it('addresses of a cable, where all nodes have one or the job did start', async () => {
    const start = (host: string, where: string): string => `${host}:31:31 [0] NCCL INFO Bootstrap : Using ${where}<0>`;
    expect(
      await ids({ 'nccl.log': [start('birch', 'enp1s0f0:169.254.3.1'), start('ash', 'enp1s0f0:169.254.3.2')] }),
    ).not.toContain('wrong-interface');
    const went = 'birch:31:77 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/0';
    expect(
      await ids({ 'nccl.log': [start('birch', 'eth0:172.17.0.2'), start('ash', 'bond0:198.51.100.4'), went] }),
    ).not.toContain('wrong-interface');
    expect(
      await ids({ 'nccl.log': [start('birch', 'eth0:198.51.100.9'), start('ash', 'bond0:203.0.113.4')] }),
    ).not.toContain('wrong-interface');
  });

  it('gdrdrv that one command did not find and that is loaded', async () => {
    const failed = 'insmod: ERROR: could not load module gdrdrv.ko: No such file or directory';
    expect(await ids({ 'a.txt': [failed, '', title, 'gdrdrv                 24576  0'] })).not.toContain(
      'gdrdrv-not-loaded',
    );
  });

  it('2: NVLinks that an H100 NVL leaves unused by design', async () => {
    expect(await ids({ 'nvlink.txt': nvlinks(2, 12, 6, 'NVIDIA H100 NVL') })).toEqual([]);
    expect(await ids({ 'nvlink.txt': nvlinks(1, 12, 6, 'NVIDIA H100 NVL') })).toEqual([]);
  });

  it('3: a host without nvidia_peermem that nobody says has no GPUDirect RDMA', async () => {
    const lsmod = [title, 'nvidia              56717312  2 nvidia_uvm', 'mlx5_ib               466944  0'];
    expect(await ids({ 'lsmod.txt': lsmod })).toEqual([]);
    expect(
      await ids({ 'peers.txt': ["ls: cannot access '/sys/kernel/mm/memory_peers': No such file or directory"] }),
    ).toEqual([]);
    // DMA-BUF needs neither.
    const log = [
      'NCCL version 2.27.7+cuda12.8',
      'birch:31:77 [0] NCCL INFO DMA-BUF is available on GPU device 0',
      "birch:31:77 [0] NCCL INFO NET/IB : GPU Direct RDMA Enabled for HCA 0 'mlx5_4'",
      'birch:31:77 [0] NCCL INFO Channel 00/0 : 1[0] -> 0[0] [receive] via NET/IB/0/GDRDMA',
    ];
    expect(await ids({ 'lsmod.txt': lsmod, 'nccl.log': log })).toEqual([]);
  });

  it('4: an attribute that speaks for the GPU alone', async () => {
    expect(
      await ids({ 'app.log': ['CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED = 0', 'nvidia driver 550.54.15'] }),
    ).toEqual([]);
  });

  it('5: peer access that is granted does not hide ACS and an IOMMU', async () => {
    const found = await loudIds({
      'p2p.txt': ['Device=0 CAN Access Peer Device=1', 'Device=1 CAN Access Peer Device=0'],
      'grep.txt': ['\t\tACSCtl:\tSrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans-'],
      'cmdline.txt': ['BOOT_IMAGE=/vmlinuz root=/dev/sda1 ro intel_iommu=on'],
    });
    expect(found.sort()).toEqual(['acs-enabled', 'iommu-on']);
  });

  it('6: reads between GPUs that are slower than writes, as on client processors', async () => {
    const tests = ['device_to_device_memcpy_read_ce', 'device_to_device_memcpy_write_ce'].flatMap((name, i) => [
      `Running ${name}.`,
      'memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)',
      '           0         1',
      ` 0       N/A     ${i === 0 ? ' 2.50' : '12.50'}`,
      ` 1     ${i === 0 ? ' 2.50' : '12.50'}       N/A`,
    ]);
    expect(await ids({ 'nvbandwidth.txt': ['nvbandwidth Version: v0.8', ...tests] })).toEqual([]);
  });

  it('7: a bus bandwidth above the line rate, of two nodes with trees or of NVLS', async () => {
    const rows = (bw: readonly number[]): string[] => [
      '# nThread 1 nGpus 1 minBytes 1048576 maxBytes 134217728 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0',
      '#  Rank  0 Group  0 Pid      7 on      birch device  0 [0x1b] NVIDIA H200',
      '#  Rank  1 Group  0 Pid      8 on        ash device  0 [0x1b] NVIDIA H200',
      '#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong',
      ...bw.map(
        (b, i) =>
          `${String(2 ** (20 + i)).padStart(12)}  262144     float     sum      -1    180.0   ${b}   ${b}      0    180.0   ${b}   ${b}      0`,
      ),
      '# Out of bounds values : 0 OK',
      '# Avg bus bandwidth    : 99 ',
    ];
    expect(await ids({ 'tests.txt': rows([90, 180, 320, 480, 470, 490]) })).toEqual([]);
    // A dip that recovers is noise.
    expect(await ids({ 'tests.txt': rows([90, 180, 20, 300, 330, 340]) })).toEqual([]);
  });

  it('8: "distance 7 > 4" means something else in each release', async () => {
    expect(await loudIds(decision('2.18.3+cuda12.2', '7 > 4'))).toEqual(['gpu-nic-cross-numa']);
    for (const version of ['2.26.2+cuda12.8', '2.27.3+cuda12.8', '2.28.3+cuda13.0']) {
      expect(await ids(decision(version, '7 > 4'))).toEqual([]);
    }
  });

  it('9: a GB300 whose NICs look far, because they reach it by their Data Direct function', async () => {
    const files = {
      'smi.txt': ['GPU 0: NVIDIA GB300 (UUID: GPU-11111111-2222-3333-4444-555555555555)'],
      'topo.txt': ['\tGPU0\tNIC0\tCPU Affinity\tNUMA Affinity', 'GPU0\t X \tSYS\t0-71\t0', 'NIC0\tSYS\t X \t\t'],
    };
    expect(await ids(files)).toEqual([]);
  });

  it('10: GPUDirect RDMA that is off because GPU and NIC share no switch', async () => {
    expect(await ids(decision('2.18.3+cuda12.2', '6 > 4'))).toEqual([]);
  });

  it('11: ACS source validation alone', async () => {
    const files = {
      'grep.txt': ['\t\tACSCtl:\tSrcValid+ TransBlk- ReqRedir- CmpltRedir- UpstreamFwd- EgressCtrl- DirectTrans-'],
    };
    expect(await ids(files)).toEqual(['acs-srcvalid-only']);
    expect(await loudIds(files)).toEqual([]);
  });

  it('13: a graph file that nccl.conf sets in silence is told', async () => {
    const files = { 'nccl.conf': ['NCCL_DEBUG=WARN', 'NCCL_GRAPH_FILE=/etc/graph.xml'] };
    expect(await ids(files)).toEqual(['workaround-env-left']);
    expect(await loudIds(files)).toEqual([]);
  });

  it('14: a bottleneck that an injected file made', async () => {
    const xml = [
      '<system version="1"><cpu numaid="0">',
      '<pci busid="0000:10:00.0" class="0x060400" link_speed="2.5 GT/s PCIe" link_width="1">',
      '<pci busid="0000:11:00.0" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="16"/></pci></cpu></system>',
    ];
    expect(await loudIds({ 'topo.xml': xml })).toEqual(['topo-file-bottleneck']);
  });

  it('a device of Accelerated Networking that ibstat cannot read', async () => {
    expect(
      await ids({
        'ibstat.txt': ["ibpanic: [7] main: stat of IB device 'mlx5_an0' failed: No such file or directory"],
      }),
    ).toEqual([]);
  });

  it('a fabric manager that fails where there is no NVSwitch', async () => {
    const files = {
      'unit.txt': [
        '× nvidia-fabricmanager.service - NVIDIA fabric manager service',
        '     Active: failed (Result: exit-code) since Mon',
      ],
      'lspci.txt': ['17:00.0 3D controller: NVIDIA Corporation GA100 [A100 PCIe 40GB] (rev a1)'],
    };
    expect(await ids(files)).toEqual([]);
  });

  it('libibverbs missing where somebody chose sockets, and a warning where no card is seen', async () => {
    const told = (...before: readonly string[]) =>
      findingsOf({
        'nccl.log': [
          ...before,
          'birch:31:31 [0] misc/ibvwrap.cc:63 NCCL WARN Failed to open libibverbs.so[.1]',
          'ash:32:32 [0] misc/ibvwrap.cc:63 NCCL WARN Failed to open libibverbs.so[.1]',
        ],
      });
    const found = async (...before: readonly string[]) =>
      (await told(...before)).filter((f) => f.severity !== 'info').map((f) => `${f.id} ${f.severity}`);
    expect(await found()).toEqual(['sockets-fallback-no-libibverbs warning']);
    expect(await found('birch:31:31 [0] NCCL INFO NCCL_IB_DISABLE set by environment to 1.')).toEqual([]);
    expect(await found('birch:31:31 [0] NCCL INFO NCCL_NET set by environment to Socket.')).toEqual([]);
  });

  it('libibverbs missing on a single machine', async () => {
    const log = [
      'birch:31:31 [0] NCCL INFO Failed to open libibverbs.so[.1]',
      'birch:31:31 [0] NCCL INFO NET/Socket : Using [0]ens1:192.0.2.11<0>',
      'birch:31:31 [0] NCCL INFO Using network Socket',
      'birch:31:77 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM',
    ];
    expect(await ids({ 'nccl.log': log })).toEqual([]);
  });

  it('an IOMMU in passthrough', async () => {
    expect(await ids({ 'cmdline.txt': ['BOOT_IMAGE=/vmlinuz root=/dev/sda1 ro intel_iommu=on iommu=pt'] })).toEqual([]);
    expect(await ids({ 'cmdline.txt': ['BOOT_IMAGE=/vmlinuz root=/dev/sda1 ro amd_iommu=on'] })).toEqual([]);
    const dmesg = [
      '[0.100000] DMAR: IOMMU enabled',
      '[0.200000] iommu: Default domain type: Passthrough (set via kernel command line)',
    ];
    expect(await ids({ 'dmesg.txt': dmesg })).toEqual([]);
  });

  it('storage NICs far from every GPU when each GPU has a near one', async () => {
    const files = {
      'topo.txt': [
        '\tGPU0\tGPU1\tNIC0\tNIC1\tNIC2\tCPU Affinity\tNUMA Affinity',
        'GPU0\t X \tSYS\tPIX\tSYS\tSYS\t0-15\t0',
        'GPU1\tSYS\t X \tSYS\tPIX\tSYS\t16-31\t1',
        'NIC0\tPIX\tSYS\t X \tSYS\tSYS\t\t',
        'NIC1\tSYS\tPIX\tSYS\t X \tSYS\t\t',
        'NIC2\tSYS\tSYS\tSYS\tSYS\t X \t\t',
      ],
    };
    expect(await ids(files)).toEqual([]);
  });

  it('compatibility mode that is merely allowed', async () => {
    const files = {
      'gdscheck.txt': [
        ' GDS release version: 1.9.1.3',
        ' NVMe               : Supported',
        ' NFS                : Unsupported',
        ' properties.use_compat_mode : true',
      ],
    };
    expect(await ids(files)).toEqual([]);
  });

  it('a socket that says GPU Direct RDMA is disabled for it: there is nothing to enable', async () => {
    const files = {
      'nccl.log': [
        'NCCL version 2.28.9+cuda13.0',
        'birch:7:7 [0] NCCL INFO NET/Socket : Using [0]eth0:192.0.2.7<0>',
        "birch:7:7 [0] NCCL INFO NET/Socket : GPU Direct RDMA Disabled for HCA 0 'eth0'",
        'birch:7:7 [0] NCCL INFO Using network Socket',
      ],
    };
    expect(await loudIds(files)).toEqual([]);
  });

  it('an Ethernet port without a cable beside ports that work, and one that NCCL_IB_HCA leaves out', async () => {
    const status = (name: string, state: string, layer: string): string[] => [
      `Infiniband device '${name}' port 1 status:`,
      `\tstate:\t\t ${state}`,
      `\trate:\t\t ${state.endsWith('ACTIVE') ? 400 : 40} Gb/sec`,
      `\tlink_layer:\t ${layer}`,
      '',
    ];
    const files = {
      'ibstatus.txt': [
        ...status('mlx5_0', '4: ACTIVE', 'InfiniBand'),
        ...status('mlx5_2', '1: DOWN', 'Ethernet'),
        ...status('mlx5_12', '1: DOWN', 'InfiniBand'),
      ],
    };
    expect(await loudIds({ ...files, 'env.txt': ['NCCL_IB_HCA=^mlx5_12'] })).toEqual([]);
    for (const value of ['^mlx5_2,mlx5_12', '=mlx5_0', '^=mlx5_2,mlx5_12:1'])
      expect([value, await ids({ ...files, 'env.txt': [`NCCL_IB_HCA=${value}`] })]).toEqual([value, []]);
    expect(await loudIds(files)).toEqual(['nic-port-down']);
  });

  it('an interface of IP over InfiniBand that is down: verbs do without it', async () => {
    const list = (gap: string): string[] =>
      ['mlx5_0 port 1 ==> ibp12s0 (Down)', 'mlx5_1 port 1 ==> ens3 (Up)', 'mlx5_2 port 1 ==> ib1 (Down)'].map((l) =>
        l.replaceAll(' ', gap),
      );
    for (const gap of [' ', '   ']) expect(await ids({ 'netdev.txt': list(gap) })).toEqual([]);
  });

  it('links of bridges that a grep left without their names', async () => {
    const files = {
      'lnk.txt': [
        '$ lspci -vvv | grep LnkSta:',
        '\t\tLnkSta:\tSpeed 2.5GT/s (downgraded), Width x0 (downgraded)',
        '\t\tLnkSta:\tSpeed 8GT/s (downgraded), Width x4 (downgraded)',
      ],
    };
    expect(await ids(files)).toEqual([]);
  });

  it('a module that somebody loads is not one that registered', async () => {
    const files = {
      'run.txt': ['$ lsmod | grep peermem', 'nvidia_peermem         16384  0', '$ sudo modprobe nvidia-peermem'],
      'nccl.log': [
        'NCCL version 2.20.5+cuda12.4',
        "birch:31:77 [0] NCCL INFO NET/IB : GPU Direct RDMA Disabled for HCA 0 'mlx5_4'",
      ],
    };
    expect(await ids(files)).toContain('gdr-disabled-peermem-loaded');
  });

  it('ranks that are each bound to the node of their GPU', async () => {
    const files = {
      'run.txt': ['$ numactl -N 0 -m 0 ./all_reduce_perf -g 1', '$ numactl -N 1 -m 1 ./all_reduce_perf -g 1'],
      'topo.txt': ['\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity', 'GPU0\t X \tSYS\t0-31\t0', 'GPU1\tSYS\t X \t32-63\t1'],
    };
    expect(await ids(files)).toEqual([]);
  });

  it('a list of settings in which nothing is switched off', async () => {
    const yaml = ['env:', '- name: NCCL_P2P_DISABLE', '- name: OTHER', '  value: "1"'];
    expect(await ids({ 'pod.yaml': yaml })).toEqual([]);
  });

  it('a list of modules that breaks off: what it does not name may be loaded', async () => {
    const check = [
      ' GDS release version: 1.9.1.3',
      ' NVMe               : Unsupported',
      ' NVMeOF             : Unsupported',
    ];
    const whole = ['Module                  Size  Used by', 'nvidia              56717312  2 nvidia_uvm'];
    expect(await ids({ 'lsmod.txt': whole, 'check.txt': check })).toContain('gds-driver-not-loaded');
    expect(await ids({ 'lsmod.txt': [...whole, 'nvi'], 'check.txt': check })).not.toContain('gds-driver-not-loaded');
  });

  it('a rate that was cut in the middle of the number', async () => {
    const port = (name: string, rate: string): string[] => [
      `Infiniband device '${name}' port 1 status:`,
      '\tstate:\t\t 4: ACTIVE',
      `\trate:\t\t ${rate}`,
    ];
    const files = { 'ibstatus.txt': [...port('mlx5_0', '400 Gb/sec (4X NDR)'), ...port('mlx5_1', '4')] };
    expect(await ids(files)).toEqual([]);
  });

  it('a symbol of the RDMA core that was cut is still one of it', async () => {
    const files = { 'dmesg.txt': ['[   10.000001] nvidia_peermem: Unknown symbol ib_regi'] };
    expect(await loudIds(files)).toEqual(['peermem-symbol-mismatch-ofed']);
  });

  it('a port of mlxlink that is no NIC, or an Ethernet port without a cable beside one that works', async () => {
    const link = (device: string, state: string, speed: string): string[] => [
      `$ mlxlink -d ${device}`,
      'Operational Info',
      '----------------',
      `State                              : ${state} `,
      `Speed                              : ${speed} `,
      'Enabled Link Speed (Ext.)          : 0x000007f2 (100G_4X,50G_2X,25G,10G) ',
    ];
    expect(await ids({ 'a.txt': link('lid-7', 'Polling', 'N/A') })).toEqual([]);
    const spare = { 'a.txt': [...link('mlx5_0', 'Active', '100G'), ...link('mlx5_1', 'Disable', 'N/A')] };
    expect(await ids(spare)).toEqual(['nic-port-down']);
    expect(await loudIds(spare)).toEqual([]);
    // A card of Ethernet at less than it can is as often meant so.
    expect(await ids({ 'a.txt': link('mlx5_0', 'Active', '25G') })).toEqual([]);
  });

  it('15: a list of NICs that leaves out spare ones, storage, or another machine’s', async () => {
    const matrix = [
      '\tGPU0\tGPU1\tmlx5_0\tmlx5_1\tmlx5_2\tCPU Affinity\tNUMA Affinity',
      'GPU0\t X \tNV6\tPIX\tSYS\tPIX\t0-15\t0',
      'GPU1\tNV6\t X \tSYS\tPIX\tSYS\t16-31\t1',
      'mlx5_0\tPIX\tSYS\t X \tSYS\tPIX\t\t',
      'mlx5_1\tSYS\tPIX\tSYS\t X \tSYS\t\t',
      'mlx5_2\tPIX\tSYS\tPIX\tSYS\t X \t\t',
    ];
    const set = (value: string): Files => ({
      'topo.txt': matrix,
      'nccl.log': [
        `larch:31:77 [0] NCCL INFO NCCL_IB_HCA set to ${value}`,
        'larch:31:77 [0] NCCL INFO Channel 00/0 : 0[0] -> 2[0] [send] via NET/IB/0/GDRDMA',
      ],
    });
    for (const value of ['mlx5_0,mlx5_1', 'mlx5_2,mlx5_1', '^mlx5_1', 'bnxt_re0', 'mlx5'])
      expect(await ids(set(value))).not.toContain('nics-left-out');
    expect(await loudIds(set('=mlx5_0'))).toContain('nics-left-out');
  });

  it('counters of a NIC that show a cable that was once pulled', async () => {
    const counter = (name: string, value: number) =>
      `/sys/class/infiniband/mlx5_0/ports/1/hw_counters/${name}:${value}`;
    expect(
      await ids({
        'counters.txt': [
          counter('packet_seq_err', 3),
          counter('local_ack_timeout_err', 12),
          counter('out_of_sequence', 90000),
        ],
      }),
    ).toEqual([]);
  });

  it('a DMA-BUF that NCCL tries in silence, and memory that was never offered as one', async () => {
    expect(
      await ids({
        'nccl.log': [
          'birch:31:77 [0] NCCL INFO Call to ibv_reg_dmabuf_mr failed with error Operation not supported',
          'birch:31:77 [0] NCCL INFO Using network IB',
        ],
      }),
    ).toEqual([]);
    const without = ['initializing CUDA', 'Picking device No. 1', "Couldn't allocate MR with error=14"];
    expect(await ids({ 'perftest.txt': without })).toEqual(['gdr-disabled-peermem-missing']);
  });

  it('a matrix that prints SYS between the host bridges of one NUMA node', async () => {
    const matrix = (node: string) => ({
      'topo.txt': [
        '\tGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity',
        'GPU0\t X \tNV18\tPIX\t0-47\t0',
        `GPU1\tNV18\t X \tSYS\t0-47\t${node}`,
        'NIC0\tPIX\tSYS\t X \t\t',
      ],
    });
    expect(await ids(matrix('0'))).toEqual([]);
    expect(await ids(matrix('1'))).toEqual(['gpu-nic-cross-numa']);
  });

  it('a way to drives that was switched off on purpose', async () => {
    const log = (first: string) => ({
      'cufile.log': [
        ` 26-02-2026 03:08:04:646 [pid=21 tid=21] INFO   cufio-cuda:571 ${first}`,
        ' 26-02-2026 03:08:04:646 [pid=21 tid=21] INFO   cufio-drv:828 pci_p2pdma not supported errornum: 801 error:  CUDA_ERROR_NOT_SUPPORTED',
      ],
    });
    expect(await ids(log("Config doesn't support PCIP2PDMA"))).toEqual([]);
    expect(await ids(log('Loaded successfully  libudev.so'))).toEqual(['gds-p2pdma-unsupported']);
  });

  it('the second port of a card without a cable, a port left out by the library’s own list, and one switched off', async () => {
    const port = (name: string, card: string, state: string, physical: string) => [
      `CA '${name}'`,
      '        CA type: MT4123',
      `        System image GUID: ${card}`,
      '        Port 1:',
      `                State: ${state}`,
      `                Physical state: ${physical}`,
      '                Link layer: InfiniBand',
    ];
    const up = port('mlx5_0', '0x1070fd03008eb580', 'Active', 'LinkUp');
    const down = (card: string, physical: string) => port('mlx5_1', card, 'Down', physical);
    expect(await loudIds({ 'ibstat.txt': [...up, ...down('0x1070fd03008eb580', 'Polling')] })).toEqual([]);
    expect(await loudIds({ 'ibstat.txt': [...up, ...down('0x1070fd03008ea7a4', 'Polling')] })).toEqual([
      'nic-port-down',
    ]);
    // Who passes a list on may make all numbers one.
    const third = port('mlx5_2', '0x1070fd03008eb580', 'Active', 'LinkUp');
    expect(await loudIds({ 'ibstat.txt': [...up, ...third, ...down('0x1070fd03008eb580', 'Polling')] })).toEqual([
      'nic-port-down',
    ]);
    const off = await findingsOf({ 'ibstat.txt': [...up, ...down('0x1070fd03008ea7a4', 'Disabled')] });
    expect(off.map((f) => f.severity)).toEqual(['warning']);
    expect(
      await ids({
        'ibstat.txt': [...up, ...down('0x1070fd03008ea7a4', 'Polling')],
        'env.txt': ['export NVSHMEM_HCA_LIST=mlx5_0:1'],
      }),
    ).toEqual([]);
  });

  it('a virtual interface beside the one that a job on one machine starts over', async () => {
    const log = (more: readonly string[]) => ({
      'nccl.log': [
        'birch:31:31 [0] NCCL INFO Bootstrap : Using eno3:192.0.2.11<0>',
        'birch:31:77 [0] NCCL INFO NET/IB : No device found.',
        'birch:31:77 [0] NCCL INFO NET/Socket : Using [0]eno3:192.0.2.11<0> [1]lxcbr0:10.0.3.1<0>',
        'birch:31:77 [0] NCCL INFO Using network Socket',
        ...more,
      ],
    });
    expect(await ids(log([]))).toEqual([]);
    expect(await ids(log(['ash:31:31 [0] NCCL INFO Bootstrap : Using eno3:192.0.2.12<0>']))).toContain(
      'wrong-interface',
    );
  });

  it('a list of NICs that is empty', async () => {
    const log = [
      'birch:31:77 [0] NCCL INFO NET/IB : No device found.',
      'birch:31:77 [0] NCCL INFO NET/IB : Using [RO]; OOB eno1:192.0.2.11<0>',
      'birch:31:77 [0] NCCL INFO NET/Socket : Using [0]eno1:192.0.2.11<0>',
    ];
    expect(diagnose(await documentsOf({ 'nccl.log': log })).ways).toEqual([]);
  });

  it('how the memory of an EPYC is laid out, where nothing was measured', async () => {
    const cpu = [
      'Model name:              AMD EPYC 7763 64-Core Processor',
      'Socket(s):               2',
      'NUMA node(s):            2',
    ];
    expect(await ids({ 'lscpu.txt': cpu })).toEqual([]);
  });

  it('peers that were tried and whose data arrived', async () => {
    const peer = (a: number, b: number) =>
      `> Peer access from NVIDIA RTX A5000 (GPU${a}) -> NVIDIA RTX A5000 (GPU${b}) : Yes`;
    expect(await ids({ 'simple.txt': [peer(0, 1), peer(1, 0), 'Shutting down...', 'Test passed'] })).toEqual([]);
  });

  it('a registration refused without a word of GPU memory, or of as much as a whole window holds', async () => {
    const failed = (length: number) =>
      `[1762160400.1] [birch:91:0] ib_md.c:349 UCX ERROR ibv_reg_mr(address=0x7f2a00000000, length=${length}, access=0xf) failed: Bad address`;
    expect(await ids({ 'ucx.log': [failed(8192)] })).toEqual([]);
    const gpu = '0: 1 VRAM is used';
    expect(await ids({ 'ucx.log': [gpu, failed(230_700_000)] })).toEqual([]);
    expect(diagnose(await documentsOf({ 'ucx.log': [gpu, failed(230_700_000)] })).open.length).toBe(1);
  });

  it('shared memory that CUDA does not take, where nothing says that space is short', async () => {
    const segment = 'NCCL WARN Error while creating shared memory segment /dev/shm/nccl-a1 (size 9637888)';
    const cuda = "[1] misc/shmutils.cc:103 NCCL WARN Cuda failure 'invalid argument'";
    expect(await ids({ 'nccl.log': [cuda, `[1] misc/shmutils.cc:114 ${segment}`] })).not.toContain('shm-too-small');
    expect(await ids({ 'nccl.log': [`[1] misc/shmutils.cc:114 ${segment}`] })).toContain('shm-too-small');
  });

  it('an algorithm that a benchmark was told to use, and what somebody writes of having tried', async () => {
    expect(
      await loudIds({
        'run.txt': ['mpirun -np 2 -x NCCL_ALGO=Ring -x NCCL_DEBUG=INFO ./build/all_reduce_perf -b 8 -g 1'],
      }),
    ).toEqual([]);
    expect(await loudIds({ 'issue.md': ['adding the parameter NCCL_P2P_DISABLE=1 worked for us.'] })).toEqual([]);
    expect(await loudIds({ 'run.sh': ['export NCCL_ALGO=Ring'] })).toEqual(['workaround-env-left']);
  });

  it('a fabric that boards do not have', async () => {
    const smi = (status: string) => [
      'GPU 00000000:1B:00.0',
      '    Product Name                          : NVIDIA A100-SXM4-80GB',
      '    Fabric',
      '        State                             : Completed',
      `        Status                            : ${status}`,
    ];
    expect(await ids({ 'smi.txt': smi('N/A') })).toEqual([]);
    expect(await ids({ 'smi.txt': smi('Success') })).toEqual([]);
  });

  it('a name that resolves to nothing, where everything went on; a GPU that is full', async () => {
    expect(
      await ids({
        'serve.log': [
          '[W ProcessGroupGloo.cpp:721] Warning: Unable to resolve hostname to a (local) address. Using the loopback address as fallback.',
        ],
      }),
    ).toEqual([]);
    expect(
      await ids({ 'nccl.log': ["birch:31:77 [1] transport/nvls.cc:169 NCCL WARN Cuda failure 2 'out of memory'"] }),
    ).toEqual([]);
  });

  it('a table of addresses whose rows name no version', async () => {
    const rows = [
      'DEV\tPORT\tINDEX\tGID\t\t\t\t\tIPv4',
      'qedr0\t1\t0\tfe80:0000:0000:0000:020e:1eff:fed7:a021',
      'qedr0\t1\t1\t0000:0000:0000:0000:0000:ffff:c000:020b\t192.0.2.11',
    ];
    const [table] = (await documentsOf({ 'gids.txt': rows })).filter((d) => d.kind === 'gid-table');
    expect(table?.kind === 'gid-table' && table.gids.map((g) => [g.index, g.ipv4, g.netdev])).toEqual([
      [0, undefined, undefined],
      [1, '192.0.2.11', undefined],
    ]);
  });

  it('what the firmware of a NIC only warns of', async () => {
    const said = (text: string) => [`[ 912.100000] mlx5_core 0000:1a:00.0: print_health_info:425:(pid 912): ${text}`];
    expect(await ids({ 'a.txt': said('Health issue observed, High temperature, severity(4) WARNING:') })).toEqual([]);
    expect(await ids({ 'a.txt': said('Health issue observed, unrecognized error, severity(0) EMERGENCY:') })).toEqual([
      'nic-firmware-error',
    ]);
  });

  it('a timeout between addresses that routers pass on is not of a wrong GID', async () => {
    const log = (gid: string) => [
      'birch:31:77 [0] NCCL INFO NET/IB : Using [0]mlx5_1:1/RoCE [RO]; OOB bond0:192.0.2.4<0>',
      `birch:31:77 [0] transport/net_ib.cc:1615 NCCL WARN NET/IB : Got completion from peer 192.0.2.5<55921> with status=12 opcode=1 len=0 vendor err 129 (Send) localGid ${gid} remoteGids${gid}`,
    ];
    expect(await ids({ 'a.log': log('::ffff:192.0.2.4') })).toEqual([]);
    expect(await ids({ 'a.log': log('fd00:1148:9000:5000:4:200:3:ff22') })).toEqual([]);
    expect(await ids({ 'a.log': log('fe80::ff:fe00:7') })).toEqual(['roce-gid-index-wrong']);
  });

  it('a GID of RoCE v1 that reaches who is near is remarked on, as long as nothing failed', async () => {
    const table = (gid: string) => [
      'NCCL_IB_GID_INDEX=2',
      'DEV     PORT    INDEX   GID                                     IPv4            VER     DEV',
      '---     ----    -----   ---                                     ------------    ---     ---',
      `mlx5_1  1       2       ${gid}                 v1      ens6`,
      'mlx5_1  1       3       0000:0000:0000:0000:0000:ffff:c000:0204 192.0.2.4       v2      ens6',
    ];
    const how = async (gid: string) => (await findingsOf({ 'a.txt': table(gid) })).map((f) => `${f.id} ${f.severity}`);
    expect(await how('0000:0000:0000:0000:0000:ffff:c000:0204')).toEqual(['roce-gid-index-wrong info']);
    expect(await how('fe80:0000:0000:0000:1270:fdff:fe01:0203')).toEqual(['roce-gid-index-wrong error']);
  });

  it('an error of NVLink that the link mended and that ended nobody is a warning', async () => {
    const xid = (text: string) => `[  912.100000] NVRM: Xid (PCI:0000:18:00): ${text}`;
    const how = async (...texts: readonly string[]) =>
      (await findingsOf({ 'dmesg.txt': texts.map(xid) })).map((f) => `${f.id} ${f.severity}`);
    const mended = '145, RLW_RXPIPE Nonfatal XC0 i0 Link 11 (0x0409a0c2 0x00000008)';
    expect(await how(mended)).toEqual(['gpu-xid-nvlink warning']);
    expect(await how(mended, '45, pid=7, name=python3, Ch 00000003')).toEqual(['gpu-xid-nvlink error']);
    expect(await how('149, NETIR Fatal XC0 i0 Link -1 (0x000fe406 0x00000000)')).toEqual(['gpu-xid-nvlink error']);
  });

  it('a chipset that bars atomics, or some of the pairs', async () => {
    const all = ['GPU0\tX\tCNS', 'GPU1\tCNS\tX'];
    expect(await ids({ 'a.txt': all })).toEqual(['p2p-chipset-unsupported']);
    expect(await ids({ 'a.txt': ['$ nvidia-smi topo -p2p a', ...all] })).toEqual([]);
    expect(await ids({ 'a.txt': ['GPU0\tX\tOK\tCNS', 'GPU1\tOK\tX\tCNS', 'GPU2\tCNS\tCNS\tX'] })).toEqual([]);
    expect(
      await ids({ 'a.txt': all, 'b.log': ['birch:31:77 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/IPC'] }),
    ).toEqual([]);
  });

  it('the network between two nodes, or inside one where it is faster or the rest was switched off', async () => {
    const log = async (...lines: readonly string[]) => ids({ 'a.log': lines });
    expect(await log(...twoRanks(['birch', 'ash'], 2, 'NET/IB/0'))).not.toContain('containers-apart');
    expect(await log(...twoRanks(['birch', 'birch'], 1, 'NET/IB/0'))).not.toContain('containers-apart');
    expect(await log('NCCL_SHM_DISABLE=1', ...twoRanks(['birch', 'birch'], 1, 'NET/Socket/0'))).not.toContain(
      'containers-apart',
    );
    expect(await log(...twoRanks(['birch', 'ash'], 1, 'P2P/CUMEM').map((l) => l.replace('[send] ', '')))).toEqual([]);
  });

  it('a segment of shared memory that is not there or may not be made is no matter of room', async () => {
    const warn = (text: string) => `birch:31:77 [0] include/shm.h:27 NCCL WARN ${text}`;
    const open = async (...texts: readonly string[]) =>
      diagnose(await documentsOf({ 'a.log': texts.map(warn) })).open.map((o) => o.settle.split(';')[0]);
    const made = 'Error while creating shared memory segment nccl-shm-recv-b7948f403864987a-0-3-0 (size 4460544)';
    expect(await ids({ 'a.log': [warn(made)] })).toEqual(['shm-too-small']);
    const barred = ['Call to shm_open failed : Permission denied', made];
    expect(await ids({ 'a.log': barred.map(warn) })).toEqual([]);
    expect(await open(...barred)).toEqual(['ls -ld /dev/shm']);
    const lost = made.replace('creating', 'attaching to');
    expect(await ids({ 'a.log': [warn(lost)] })).toEqual([]);
    expect(await open(lost)).toEqual(['ls -l /dev/shm | head']);
  });

  it('a transfer of perftest that ended with an error is asked about', async () => {
    const failed = (status: number) => [
      ' Completion with error at client',
      ` Failed status ${status}: wr_id 0 syndrom 0x51`,
    ];
    const open = async (status: number) =>
      diagnose(await documentsOf({ 'bw.txt': failed(status) })).open.map((o) => [o.about.code, o.settle]);
    expect(await open(4)).toEqual([['doctor.open.completion.memory', expect.stringContaining('lspci')]]);
    expect(await open(12)).toEqual([['doctor.open.completion.timeout', expect.stringContaining('ibstat')]]);
  });

  it('NICs beside Grace, which are SYS from a GPU with a memory of its own', async () => {
    const grace = (numa: string) => [
      '\tGPU0\tNIC0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID',
      `GPU0\t X \tSYS\t0-71\t0\t\t${numa}`,
      'NIC0\tSYS\t X \t\t\t\t',
    ];
    expect(await ids({ 'topo.txt': grace('1') })).toEqual([]);
    expect(await ids({ 'topo.txt': grace('N/A') })).toEqual(['gpu-nic-cross-numa']);
  });

  it('what SGLang sets for every job, and links that DCGM shows down on all GPUs alike', async () => {
    const set = (name: string) => `birch:31:77 [0] NCCL INFO ${name} set by environment to 0.`;
    expect(await loudIds({ 'nccl.log': [set('NCCL_CUMEM_ENABLE'), set('NCCL_NVLS_ENABLE')] })).toEqual([]);
    expect(await loudIds({ 'nccl.log': [set('NCCL_NVLS_ENABLE')] })).toEqual(['workaround-env-left']);
    const dcgm = ['|  NvLink Link Status  |', '    gpuId 0:', '        D D D D', '    gpuId 1:', '        D D D D'];
    expect(await ids({ 'dcgmi.txt': dcgm })).toEqual([]);
  });

  it('GPUs of AMD are not told to load a module of NVIDIA', async () => {
    const found = await findingsOf({
      'rccl.log': [
        'RCCL version : 2.22.3-HEAD:0123456',
        "birch:31:77 [0] NCCL INFO NET/IB : GPU Direct RDMA Disabled for HCA 0 'bnxt_re0'",
      ],
    });
    expect(found.flatMap((f) => f.fix.map((x) => x.command)).join(' ')).not.toMatch(/nvidia/);
    expect(found[0]?.fix[0]?.text.code).toBe('doctor.fix-peermem-amd');
  });

  it('a card without RDMA, of which the device plugin says that a file is missing', async () => {
    const plugin = (words: string) => `2024/04/03 18:59:23 ${words}`;
    const lacks = (bdf: string) =>
      plugin(
        `error creating new device: "missing RDMA device spec for device ${bdf}, RDMA device \\"issm\\" not found"`,
      );
    const cards = [
      plugin('DiscoverHostDevices(): device found: 0000:3b:00.0\t02\tIntel Corporation\tEthernet Controller X550'),
      plugin(
        'DiscoverHostDevices(): device found: 0000:d8:00.0\t02\tMellanox Technolo...\tMT2892 Family [ConnectX-6 Dx]',
      ),
    ];
    const shared = { 'plugin.log': [...cards, lacks('0000:3b:00.0'), plugin('exposing "1000" devices')] };
    expect(await ids(shared)).toEqual([]);
    expect(diagnose(await documentsOf(shared)).open).toEqual([]);
    // Without the list of cards nobody knows what kind of card it is.
    expect(diagnose(await documentsOf({ 'plugin.log': [lacks('0000:3b:00.0')] })).open.map((o) => o.failed)).toEqual([
      true,
    ]);
  });
});
