import { describe, expect, it } from 'vitest';
import { expectRead, read } from '../expect-read.ts';
import { hostSamples } from '../host-samples.ts';

describe('GPUDirect Storage', () => {
  it('nvidia-fs: its version, and what failed more often than not', async () => {
    const { version, peerDirect, failed } = await expectRead(
      [...hostSamples['nvidia-fs-stats']!, 'Error\t\t\t\t: cpu-gpu-pages=0 sg-ext=0 dma-map=7 dma-ref=0'],
      'nvfs-stats',
    );
    expect([version, peerDirect]).toEqual(['2.20.5', true]);
    expect(failed.map((f) => [f.name, f.at.line])).toEqual([
      ['Mmap err=6', 5],
      ['Bar1-map err=6', 6],
      ['Error dma-map=7', 7],
    ]);
    const well = await expectRead(['NVFS statistics(ver: 4.0)', 'Mmap\t\t: n=8 ok=5 err=3 munmap=5'], 'nvfs-stats');
    expect(well.failed).toEqual([]);
  });

  it('gdscheck: drivers, properties, platform; a status line is no driver', async () => {
    const { drivers, properties, nvidiaFs, iommu } = await expectRead(
      [
        ' GDS release version: 1.14.0.30',
        ' nvidia_fs version:  2.25 libcufile version: 2.12',
        ' =====================',
        ' DRIVER CONFIGURATION:',
        ' =====================',
        ' NVMe P2PDMA        : Unsupported',
        ' NVMe               : Supported',
        ' IBM Spectrum Scale : Unsupported',
        ' CUFILE CONFIGURATION:',
        ' properties.use_compat_mode : true',
        ' GPU index 0 NVIDIA H200 bar:1 bar size (MiB):262144 supports GDS, IOMMU State: Disabled',
        ' IOMMU: disabled',
        ' Nvidia Driver Info Status: Supported(Nvidia Open Driver Installed)',
      ],
      'gds-check',
    );
    expect(drivers.map((d) => [d.name, d.supported])).toEqual([
      ['NVMe P2PDMA', false],
      ['NVMe', true],
      ['IBM Spectrum Scale', false],
    ]);
    expect([properties.get('use_compat_mode')?.value, nvidiaFs?.version, iommu?.value]).toEqual([
      'true',
      '2.25',
      'disabled',
    ]);
  });

  it('cufile.json, which is not strict JSON', async () => {
    const { settings } = await expectRead(
      [
        '{',
        '    // NOTE : export CUFILE_ENV_PATH_JSON=<filepath>',
        '    "properties": {',
        '        "allow_compat_mode": false, // no',
        '        "max_direct_io_size_kb" : 16384,',
        '    },',
        '}',
      ],
      'cufile-config',
    );
    expect([settings.get('allow_compat_mode')?.value, settings.get('max_direct_io_size_kb')?.value]).toEqual([
      'false',
      '16384',
    ]);
  });

  it('cufile.log by topic', async () => {
    const { messages, lines } = await expectRead(
      [
        ' 03-11-2025 09:00:00:24 [pid=7 tid=7] INFO   cufio:1 opened',
        ' 03-11-2025 09:00:01:316 [pid=7 tid=9] ERROR  0:1072 Inc-bar-usage failed: size 5 remaining bytes 2',
      ],
      'messages',
    );
    expect([messages.map((m) => m.topic), lines]).toEqual([['bar-exhausted'], 2]);
  });
});

describe('benchmarks', () => {
  it('p2pBandwidthLatencyTest behind a fence', async () => {
    const { devices, access, matrices } = await expectRead(
      [
        '```[P2P (Peer-to-Peer) GPU Bandwidth Latency Test]',
        'Device: 0, NVIDIA L40S, pciBusID: 1b, pciDeviceID: 0, pciDomainID:0',
        'Device=0 CANNOT Access Peer Device=1',
        'P2P=Disabled Latency Matrix (us)',
        '   GPU     0      1 ',
        '     0   1.50  12.25 ',
        '     1  12.50   1.50 ',
      ],
      'p2p-bandwidth',
    );
    expect([devices[0]!.name, access[0]!.can]).toEqual(['NVIDIA L40S', false]);
    expect(matrices[0]).toMatchObject({
      what: 'latency',
      enabled: false,
      columns: [0, 1],
      rows: [
        { index: 0, values: [1.5, 12.25] },
        { index: 1, values: [12.5, 1.5] },
      ],
    });
  });

  it('bandwidthTest in MB/s and GB/s', async () => {
    const of = async (unit: string, value: string) =>
      (
        await expectRead(
          [
            ' Device to Host Bandwidth, 1 Device(s)',
            ' PINNED Memory Transfers',
            `   Transfer Size (Bytes)\tBandwidth(${unit})`,
            `   32000000\t\t\t${value}`,
          ],
          'bandwidth-test',
        )
      ).transfers[0]!;
    expect(await of('MB/s', '25500.0')).toMatchObject({ direction: 'to-host', pinned: true, mbps: 25500 });
    expect((await of('GB/s', '25.5')).mbps).toBe(25500);
  });

  it('nvbandwidth', async () => {
    const { version, tests } = await expectRead(
      [
        'nvbandwidth Version: v0.8',
        'Running device_to_device_memcpy_read_ce.',
        'memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)',
        '           0         1',
        ' 0       N/A     12.50',
        ' 1     12.25       N/A',
        'SUM device_to_device_memcpy_read_ce 24.75',
      ],
      'nvbandwidth',
    );
    expect(version).toBe('0.8');
    expect(tests[0]).toMatchObject({
      name: 'device_to_device_memcpy_read_ce',
      rows: [{ values: [0, 12.5] }, { values: [12.25, 0] }],
      sum: 24.75,
    });
  });

  it('perftest: rows, device, and a region that could not be made', async () => {
    const good = await expectRead(
      [
        '                    RDMA_Read BW Test',
        ' Dual-port       : OFF\t\tDevice         : mlx5_4',
        ' Link type       : Ethernet',
        ' #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]',
        ' 65536      5000             24000.25             23900.50 \t\t     0.371000',
      ],
      'perftest',
    );
    expect(good).toMatchObject({
      test: 'RDMA_Read BW',
      device: 'mlx5_4',
      ethernet: true,
      rows: [{ bytes: 65536, average: 23900.5, unit: 'MB/sec' }],
    });
    const bad = await expectRead(
      ['initializing CUDA', '[pid = 7, dev = 0] device name = [NVIDIA L40S]', "Couldn't allocate MR with error=14"],
      'perftest',
    );
    expect(bad).toMatchObject({ gpu: { name: 'NVIDIA L40S' }, noRegion: { errno: 14 } });
  });

  it('perftest of latency: the longest and the mean', async () => {
    const lines = [
      '                    RDMA_Write Latency Test',
      ' #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec] ',
      ' 2       1000          1.25           7.50         1.75              \t2.00        \t0.25   \t\t3.00    \t\t5.00   ',
    ];
    expect((await expectRead(lines, 'perftest')).rows).toMatchObject([{ bytes: 2, peak: 7.5, average: 2 }]);
  });

  it('perftest in JSON, with and without quotes, on one line and cut short', async () => {
    const old = hostSamples['perftest-json']!;
    const quoted = old.map((l) =>
      l
        .replace(/^(\w+):/, '"$1":')
        .replace(/: ([A-Za-z]\w*)/, ': "$1"')
        .replace(/,$/, ','),
    );
    const one = [
      JSON.stringify({
        test_info: { test: 'RDMA_Write_BW_Test', Device: 'mlx5_4', Link_type: 'IB' },
        results: { MsgSize: 65536, n_iterations: 5000, BW_peak: 195.25, BW_average: 195 },
      }),
    ];
    for (const lines of [
      old,
      quoted,
      one,
      old.map((l) => `    ${l}`),
      old.map((l) => `node7: ${l}`),
      old.slice(0, -2),
    ]) {
      const { test, device, ethernet, rows } = await expectRead(lines, 'perftest');
      expect([test, device, ethernet]).toEqual(['RDMA_Write BW', 'mlx5_4', false]);
      expect(rows).toMatchObject([{ bytes: 65536, iterations: 5000, peak: 195.25, average: 195, unit: '' }]);
    }
    expect((await expectRead(old.slice(0, 8), 'perftest')).rows).toEqual([]);
  });

  it('perftest in JSON: latency, and several sizes', async () => {
    const results = (bytes: number): string[] => [
      'results: {',
      `MsgSize: ${bytes},`,
      'n_iterations: 5000,',
      't_min: 2.25,',
      't_max: 7.50,',
      't_typical: 2.50,',
      't_avg: 2.75,',
      'percentile_99.9: 4.00,',
      '},',
    ];
    const lines = ['{', 'test_info: {', 'test: RDMA_Write_Latency_Test,', 'Link_type: Ethernet,', '},'];
    const read = await expectRead([...lines, ...results(128), ...results(256), '}'], 'perftest');
    expect(read).toMatchObject({ test: 'RDMA_Write Latency', ethernet: true });
    expect(read.rows.map((r) => [r.bytes, r.peak, r.average, r.unit])).toEqual([
      [128, 7.5, 2.75, 'usec'],
      [256, 7.5, 2.75, 'usec'],
    ]);
  });

  it('a whole bug report: every part by its own reader', async () => {
    const result = await read([
      'GPU 0: NVIDIA L40S (UUID: GPU-11111111-2222-3333-4444-555555555555)',
      '____________________________________________',
      '*** /proc/driver/nvidia/version',
      'NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue Mar  5 22:23:56 UTC 2024',
      '*** lsmod',
      'Module                  Size  Used by',
      'nvidia              56717312  2 nvidia_uvm',
      '*** dmesg',
      '[    0.000000] Command line: BOOT_IMAGE=/vmlinuz root=/dev/sda1 ro',
      '[    7.000001] NVRM: Xid (PCI:0000:9b:00): 119, pid=7, name=x, Timeout after 6s',
      '*** lspci',
      '17:00.0 3D controller: NVIDIA Corporation AD102GL [L40S] (rev a1)',
      '\tLnkSta:\tSpeed 16GT/s, Width x16',
    ]);
    expect(result.formats.map((f) => f.id)).toEqual([
      'nvidia-smi-nvlink',
      'nvidia-version',
      'lsmod',
      'kernel-cmdline',
      'kernel-log',
      'lspci',
    ]);
  });
});

describe('an error that the text of an issue quotes before the output has it', () => {
  it('stands where the tool says it', async () => {
    const perftest = await expectRead(
      [
        'With use_cuda the tests fail with error "Couldn\'t allocate MR":',
        'initializing CUDA',
        "Couldn't allocate MR with error=14",
      ],
      'perftest',
    );
    expect([perftest.noRegion?.at.line, perftest.noRegion?.errno]).toEqual([3, 14]);
    const { messages } = await expectRead(
      [
        'dmesg says NVRM: Xid (PCI:0000:9b:00): 79 and nothing else',
        '[   12.345678] NVRM: Xid (PCI:0000:9b:00): 79, GPU has fallen off the bus.',
      ],
      'messages',
    );
    expect(messages.map((m) => [m.topic, m.at.line, m.count])).toEqual([['xid', 2, 2]]);
  });
});
