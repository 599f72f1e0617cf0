import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Facts } from '../../../src/doctor/facts.ts';
import { expectRead, read } from '../expect-read.ts';

describe('modules', () => {
  const title = 'Module                  Size  Used by';

  it('are read from lsmod and from /proc/modules', async () => {
    const a = await expectRead(
      [title, 'nvidia_peermem         16384  0', 'ib_core               557056  2 rdma_cm,mlx5_ib'],
      'modules',
    );
    const b = await expectRead(
      [
        'nvidia_peermem 16384 0 - Live 0xffffffffc1a2b000 (OE)',
        'ib_core 557056 2 rdma_cm,mlx5_ib, Live 0xffffffffc0a2b000 (OE)',
      ],
      'modules',
    );
    expect(a.modules.map((m) => [m.name, m.usedBy])).toEqual([
      ['nvidia_peermem', []],
      ['ib_core', ['rdma_cm', 'mlx5_ib']],
    ]);
    expect(b.modules.map((m) => [m.name, m.usedBy])).toEqual(a.modules.map((m) => [m.name, m.usedBy]));
    expect([a.whole, b.whole]).toEqual([true, false]);
  });

  it('are absent only where the list would show them', async () => {
    const of = async (lines: readonly string[]) => new Facts((await read(lines)).documents).peermem;
    expect(await of([title, 'ext4                 1024000  2'])).toBe('absent');
    expect(await of(['nvidia              56717312  2 nvidia_uvm'])).toBe('absent');
    // What `lsmod | grep mlx` leaves.
    expect(await of(['mlx5_ib               466944  0', 'mlx5_core            2142208  1 mlx5_ib'])).toBeUndefined();
    // What `lsmod | grep ib_core` leaves.
    expect(await of(['ib_core               557056  3 nvidia_peermem,rdma_cm,mlx5_ib'])).toEqual({
      file: 'input.txt',
      line: 1,
    });
    expect(await of(['nvidia_peermem         16384  0'])).toEqual({ file: 'input.txt', line: 1 });
  });
});

describe('the kernel log', () => {
  const line = 'NVRM: Xid (PCI:0000:9b:00): 119, pid=7, name=x, Timeout after 6s of waiting for RPC response';

  it.each([
    '[  812.331001] ',
    '[Sun Feb 23 16:24:18 2025] ',
    '6,3973,227996636,-;',
    'kern  :warn  : 2025-01-21T04:41:44,285060+00:00 ',
    'Nov  3 09:00:00 birch kernel: ',
    '2025-11-03T09:00:00.123456+00:00 birch kernel: ',
    '',
  ])('is read with the time "%s"', async (time) => {
    const { messages } = await expectRead([time + line, time + line], 'messages');
    expect(messages).toEqual([
      {
        topic: 'xid',
        words: ['0000:9b:00', '119'],
        text: (time + line).trim(),
        count: 2,
        at: { file: 'input.txt', line: 1 },
      },
    ]);
  });

  it('leaves the command line of the kernel to its reader', async () => {
    const result = await read([
      '[    0.000000] Command line: BOOT_IMAGE=/vmlinuz root=/dev/sda1 ro intel_iommu=on',
      '[    0.100000] DMAR: IOMMU enabled',
    ]);
    expect(result.formats.map((f) => f.id).sort()).toEqual(['kernel-cmdline', 'kernel-log']);
  });

  it('is not what UCX prints', async () => {
    const result = await read([
      '[1762160400.100000] [birch:1111 :0]  ib_iface.c:1042 UCX  ERROR ibv_create_cq(cqe=4096) failed: Cannot allocate memory',
    ]);
    expect(result.formats.map((f) => f.id)).toEqual(['program-output']);
  });
});

describe('limits, mounts, variables, places', () => {
  it('locked memory, wherever it is set', async () => {
    const { limits } = await expectRead(
      [
        'max locked memory       (kbytes, -l) 65536',
        'max locked memory           (kbytes, -l) unlimited',
        'Max locked memory         8388608              8388608              bytes     ',
        '* soft memlock unlimited',
        '* hard memlock 64',
        'LimitMEMLOCK=infinity',
      ],
      'memory-lock',
    );
    expect(limits.map((l) => l.bytes)).toEqual([65536 * 1024, 'unlimited', 8388608, 'unlimited', 65536, 'unlimited']);
  });

  it('df in blocks and for people', async () => {
    const { mounts } = await expectRead(
      ['shm                65536       0     65536   0% /dev/shm', 'tmpfs           252G  1,2M  252G   1% /dev/shm'],
      'mounts',
    );
    expect(mounts.map((m) => m.bytes)).toEqual([64 * 1024 ** 2, 252 * 1024 ** 3]);
  });

  it('variables of scripts, of commands and of nccl.conf', async () => {
    const { settings } = await expectRead(
      ['export NCCL_IB_HCA="mlx5_4,mlx5_5"', 'NCCL_DEBUG=INFO', 'NCCL_P2P_LEVEL=NVL NCCL_ALGO=Ring python train.py'],
      'environment',
    );
    expect(settings.map((s) => `${s.name}=${s.value}`)).toEqual([
      'NCCL_IB_HCA=mlx5_4,mlx5_5',
      'NCCL_DEBUG=INFO',
      'NCCL_P2P_LEVEL=NVL',
      'NCCL_ALGO=Ring',
    ]);
    const run = await read([
      'docker run --gpus all -e NCCL_P2P_DISABLE=1 --env=NCCL_DEBUG=WARN img',
      'mpirun -np 2 -x NCCL_IB_DISABLE=1 ./all_reduce_perf',
    ]);
    expect(new Facts(run.documents).settings.map((s) => `${s.name}=${s.value}`)).toEqual([
      'NCCL_P2P_DISABLE=1',
      'NCCL_DEBUG=WARN',
      'NCCL_IB_DISABLE=1',
    ]);
  });

  it('hostile names stay names', async () => {
    const { settings } = await expectRead(['NCCL___PROTO__=1', 'NCCL_DEBUG=__proto__'], 'environment');
    expect(settings).toHaveLength(2);
    expect(({} as Record<string, unknown>)['NCCL___PROTO__']).toBeUndefined();
  });

  it('NUMA nodes of devices', async () => {
    const { nodes } = await expectRead(
      ['/sys/class/infiniband/mlx5_4/device/numa_node:-1', '$ cat /sys/bus/pci/devices/0000:17:00.0/numa_node', '1'],
      'numa-nodes',
    );
    expect(nodes.map((n) => [n.device, n.node])).toEqual([
      ['mlx5_4', -1],
      ['0000:17:00.0', 1],
    ]);
  });

  it('what ls shows and what it does not find, in any quotes', async () => {
    const { entries, folders } = await expectRead(
      [
        '/dev/infiniband:',
        'total 0',
        'crw-rw-rw- 1 root root 231, 192 Apr  1 09:00 uverbs0',
        'ls: cannot access ‘/dev/gdrdrv’: No such file or directory',
        'lrwxrwxrwx 1 root root   16 Nov  3 01:00 default -> 6.2.0-36-generic',
      ],
      'listing',
    );
    expect(folders.map((f) => f.path)).toEqual(['/dev/infiniband']);
    expect(entries.map((e) => [e.path, e.there, e.target])).toEqual([
      ['/dev/infiniband/uverbs0', true, undefined],
      ['/dev/gdrdrv', false, undefined],
      ['/dev/infiniband/default', true, '6.2.0-36-generic'],
    ]);
  });

  it('lscpu in English and in another language', async () => {
    const english = await expectRead(
      [
        'Architecture:            x86_64',
        'Model name:              AMD EPYC 7763',
        'Socket(s):               2',
        'NUMA node(s):            2',
      ],
      'cpu-info',
    );
    const chinese = await expectRead(
      [
        '架构：                 x86_64',
        '型号名称：             AMD EPYC 7763',
        '座：                   2',
        'NUMA 节点：            2',
      ],
      'cpu-info',
    );
    for (const { fields } of [english, chinese])
      expect([
        fields.get('Model name')?.value,
        fields.get('Socket(s)')?.value,
        fields.get('NUMA node(s)')?.value,
      ]).toEqual(['AMD EPYC 7763', '2', '2']);
  });

  it('services of systemctl and of the journal', async () => {
    const { events } = await expectRead(
      [
        '○ nvidia-fabricmanager.service - NVIDIA fabric manager service',
        '     Active: inactive (dead)',
        'Unit openibd.service could not be found.',
        'Nov 03 09:00:01 birch systemd[1]: Stopped NVIDIA fabric manager service.',
        'nvidia-persistenced.service   loaded active running NVIDIA Persistence Daemon',
      ],
      'services',
    );
    expect(events.map((e) => [e.unit, e.what])).toEqual([
      ['nvidia-fabricmanager', 'inactive'],
      ['openibd', 'missing'],
      ['NVIDIA fabric manager service', 'stopped'],
      ['nvidia-persistenced', 'active'],
    ]);
  });

  it('commands, and no sentences', async () => {
    const { commands } = await expectRead(
      [
        'root@birch:~# numactl -N1 ./bandwidthTest',
        '$ uname -r',
        'ib_write_bw -d mlx5_4 --use_cuda=0',
        '(base) [jo@birch dir]$ sudo docker run --gpus all x',
      ],
      'commands',
    );
    expect(commands.map((c) => c.text)).toEqual([
      'numactl -N1 ./bandwidthTest',
      'uname -r',
      'ib_write_bw -d mlx5_4 --use_cuda=0',
      'sudo docker run --gpus all x',
    ]);
    expect((await read(['docker run is what I used, and it failed.', 'modprobe did not help'])).documents).toEqual([]);
  });
});

describe('any text', () => {
  it('is read without a fault, whatever its lines', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "CA '",
        'Port 1:',
        'State:',
        'GPU 0: ',
        '(UUID: ',
        'Link 3: ',
        'LnkSta:',
        'ACSCtl:',
        'NVMe : ',
        'Supported',
        '==> ',
        'numa_node',
        '17:00.0 ',
        '3D controller: ',
        '[1.000000] ',
        'Xid (PCI:',
        'NCCL_',
        '=',
        '__proto__',
        'Active: ',
        '.service',
        '/dev/',
        'No such file',
        'iommu',
        '%',
        '\t',
        '    ',
        '|',
        '-[0000:00]-',
      ),
      fc.string({ maxLength: 12 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(piece, { maxLength: 8 }), { maxLength: 30 }), async (lines) => {
        const result = await read(lines.map((l) => l.join('')));
        new Facts(result.documents);
        for (const f of result.formats) expect(f.count).toBeGreaterThan(0);
      }),
      { seed: 2025, numRuns: 600 },
    );
  });
});
