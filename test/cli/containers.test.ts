import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'fflate';
import { afterAll, describe, expect, it } from 'vitest';
import { tarOf } from '../input/tar-of.ts';
import { crowfly } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'containers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

interface Found {
  readonly id: string;
  readonly evidence: readonly { readonly file: string; readonly line: number; readonly text: string }[];
}

const doctor = (file: string): readonly Found[] =>
  (JSON.parse(crowfly(['doctor', file, '--json']).out) as { findings: Found[] }).findings;

/** Places of a finding: the file after the archive's own name, the line, and what stands there. */
const places = (found: readonly Found[], id: string): string[] =>
  found.find((f) => f.id === id)?.evidence.map((e) => `${e.file.split('/').slice(-1)[0]}:${e.line} ${e.text.trim()}`) ??
  [];

const rule = '____________________________________________';
const section = (title: string, ...lines: readonly string[]): string[] => ['', rule, '', title, '', ...lines];

/** The report of NVIDIA's script: one text, a rule before each part, the command or the file above what it gave. */
const bugReport: readonly string[] = [
  '',
  rule,
  '',
  'Start of NVIDIA bug report log file.',
  '',
  'nvidia-bug-report.sh Version: 31415926',
  '',
  'Date: Mon Jun  2 08:00:00 UTC 2025',
  'uname: Linux elm 6.8.0-60-generic #63-Ubuntu SMP PREEMPT_DYNAMIC x86_64 GNU/Linux',
  'command line flags: ',
  ...section(
    '*** /proc/cmdline',
    '*** ls: -r--r--r-- 1 root root 0 2025-06-02 08:00:00 /proc/cmdline',
    'BOOT_IMAGE=/vmlinuz-6.8.0-60 root=/dev/md0 ro intel_iommu=on',
  ),
  ...section(
    '*** /proc/driver/nvidia/version',
    'NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.144.03  Mon Dec 30 17:44:08 UTC 2024',
    'GCC version:  gcc version 12.3.0',
  ),
  ...section('*** /etc/issue', 'Ubuntu 22.04.5 LTS \\n \\l'),
  ...section(
    '/usr/bin/lspci -nntv',
    '-[0000:00]-+-00.0  Intel Corporation Device [8086:09a2]',
    '           \\-1c.0-[01]--',
  ),
  ...section(
    '/usr/bin/lspci -vvv',
    '26:00.0 PCI bridge: Broadcom / LSI PEX890xx PCIe Gen 5 Switch (rev b0) (prog-if 00 [Normal decode])',
    '\tBus: primary=26, secondary=27, subordinate=29, sec-latency=0',
    '\tCapabilities: [a00 v1] Access Control Services',
    '\t\tACSCap:\tSrcValid+ TransBlk+ ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl+ DirectTrans+',
    '\t\tACSCtl:\tSrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans-',
    '',
    '27:00.0 3D controller: NVIDIA Corporation AD102GL [L40S] (rev a1)',
    '\t\tLnkCap:\tPort #0, Speed 16GT/s, Width x16, ASPM L0s L1',
    '\t\tLnkSta:\tSpeed 16GT/s, Width x8 (downgraded)',
  ),
  ...section(
    '/usr/bin/nvidia-smi --query',
    '==============NVSMI LOG==============',
    '',
    'Timestamp                                 : Mon Jun  2 08:00:02 2025',
    'Driver Version                            : 550.144.03',
    'Attached GPUs                             : 1',
    'GPU 00000000:27:00.0',
    '    Product Name                          : NVIDIA L40S',
    '    Fabric',
    '        State                             : N/A',
  ),
  ...section(
    '/usr/bin/nvidia-smi topo -m',
    '\t\u001b[4mGPU0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\u001b[0m',
    'GPU0\t X \t0-31\t0\t\tN/A',
  ),
  ...section('Skipping journalctl: it was not asked for'),
  ...section(
    '/usr/bin/dmesg',
    '[    1.500000] DMAR: IOMMU enabled',
    '[ 4242.424242] NVRM: Xid (PCI:0000:27:00): 119, pid=99, name=python3, Timeout after 45s of waiting for RPC response from GPU0 GSP!',
  ),
  ...section('End of NVIDIA bug report log file.', ''),
];

const line = (pattern: RegExp): number => bugReport.findIndex((l) => pattern.test(l)) + 1;

describe('nvidia-bug-report.log.gz', () => {
  const file = join(folder, 'nvidia-bug-report.log.gz');
  writeFileSync(file, gzipSync(utf8(bugReport.join('\n'))));
  const found = doctor(file);

  it('is read section by section, and its lines are those of the unpacked text', () => {
    const name = 'nvidia-bug-report.log.gz';
    for (const [id, pattern] of [
      ['iommu-on', /intel_iommu=on/],
      ['iommu-on', /DMAR: IOMMU/],
      ['acs-enabled', /ACSCtl/],
      ['pcie-link-width-degraded', /LnkSta/],
      ['gpu-xid-119-gsp-timeout', /Xid/],
    ] as const) {
      const at = line(pattern);
      expect([id, places(found, id)]).toEqual([
        id,
        expect.arrayContaining([`${name}:${at} ${bugReport[at - 1]!.trim()}`]),
      ]);
    }
    expect(found.map((f) => f.id).sort()).toEqual([
      'acs-enabled',
      'gpu-xid-119-gsp-timeout',
      'iommu-on',
      'pcie-link-width-degraded',
    ]);
  });

  it('is read as far as it goes when the script was stopped', () => {
    const cut = join(folder, 'cut.log.gz');
    const bytes = gzipSync(utf8(bugReport.join('\n')));
    writeFileSync(cut, bytes.subarray(0, Math.floor(bytes.length * 0.7)));
    expect(doctor(cut).map((f) => f.id)).toContain('iommu-on');
  });
});

/** A report of sos: a folder with the host's name and the date, files under the names of its plugins. */
const sosreport = (root: string): ReturnType<typeof tarOf> =>
  tarOf([
    { name: `${root}/`, type: '5' },
    { name: `${root}/version.txt`, text: 'sosreport: 4.8.2\n' },
    { name: `${root}/sos_logs/sos.log`, text: '2025-06-02 08:00:00,000 INFO: [plugin:kernel] collecting\n' },
    {
      name: `${root}/proc/cmdline`,
      text: 'BOOT_IMAGE=(hd0,gpt2)/vmlinuz-5.14.0 root=/dev/mapper/r ro intel_iommu=on\n',
    },
    {
      name: `${root}/proc/modules`,
      text: 'nvidia_uvm 4632576 0 - Live 0x0000000000000000 (OE)\nnvidia 56778752 3 nvidia_uvm, Live 0x0000000000000000 (OE)\n',
    },
    { name: `${root}/lspci`, type: '2', link: 'sos_commands/pci/lspci_-nnvv' },
    {
      name: `${root}/sos_commands/pci/lspci_-nnvv`,
      text: '18:00.0 Infiniband controller [0207]: Mellanox Technologies MT2910 Family [ConnectX-7] [15b3:1021]\n\t\tLnkCap:\tPort #0, Speed 32GT/s, Width x16\n\t\tLnkSta:\tSpeed 32GT/s, Width x8 (downgraded)\n',
    },
    {
      name: `${root}/sos_commands/infiniband/ibstat`,
      text: "CA 'mlx5_0'\n\tCA type: MT4129\n\tPort 1:\n\t\tState: Down\n\t\tPhysical state: Polling\n\t\tRate: 10\n\t\tLink layer: InfiniBand\n",
    },
    {
      name: `${root}/sos_commands/kernel/dmesg`,
      text: '[   10.000001] nvidia_peermem: Unknown symbol ib_register_peer_memory_client (err -2)\n',
    },
    { name: `${root}/sos_commands/process/lsof`, text: 'COMMAND PID USER FD TYPE DEVICE SIZE/OFF NODE NAME\n' },
    { name: `${root}/etc/nccl.conf`, text: 'NCCL_P2P_DISABLE=1\n' },
    {
      name: `${root}/var/log/messages`,
      text: 'Jun  2 08:00:00 elm kernel: NVRM: Xid (PCI:0000:9b:00): 119, pid=9, name=x, Timeout after 6s of waiting for RPC response from GPU1 GSP!\n',
    },
  ]);

describe('a report of sos', () => {
  const root = 'sosreport-elm-2025-06-02-abcdefg';

  it('is read file by file, /proc and the link beside the rest', () => {
    const file = join(folder, `${root}.tar.gz`);
    writeFileSync(file, gzipSync(sosreport(root)));
    const found = doctor(file);
    expect(found.map((f) => f.id).sort()).toEqual([
      'gpu-xid-119-gsp-timeout',
      'iommu-on',
      'nic-port-down',
      'pcie-link-width-degraded',
      'peermem-symbol-mismatch-ofed',
      'workaround-env-left',
    ]);
    const where = Object.fromEntries(
      found.map((f) => [f.id, f.evidence[0]!.file.split('!')[1]!.replace(`${root}/`, '')]),
    );
    expect(where).toEqual({
      'gpu-xid-119-gsp-timeout': 'var/log/messages',
      'iommu-on': 'proc/cmdline',
      'nic-port-down': 'sos_commands/infiniband/ibstat',
      'pcie-link-width-degraded': 'sos_commands/pci/lspci_-nnvv',
      'peermem-symbol-mismatch-ofed': 'sos_commands/kernel/dmesg',
      'workaround-env-left': 'etc/nccl.conf',
    });
  });

  it('says how to unpack what xz, zstd and bzip2 packed, and reads what comes out of that', () => {
    for (const [tool, end] of [
      ['xz', 'tar.xz'],
      ['zstd', 'tar.zst'],
      ['bzip2', 'tar.bz2'],
    ] as const) {
      const packed = spawnSync(tool, ['-c'], { input: sosreport(root) });
      // A machine without the tool has nothing to pack with.
      if (packed.error || packed.status !== 0) continue;
      const file = join(folder, `${root}.${end}`);
      writeFileSync(file, packed.stdout);
      const refused = crowfly(['doctor', file]);
      expect([refused.status, refused.err.includes(`${tool} -d`)]).toEqual([2, true]);
      const open = spawnSync(tool, ['-dc', file]);
      writeFileSync(join(folder, 'open.tar'), open.stdout);
      expect(doctor(join(folder, 'open.tar')).map((f) => f.id)).toContain('nic-port-down');
    }
  });
});
