import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * CPU seconds of whole processes, Node's start included: a report of a typical node (matrix, log, XML, table), and `paths` of a
 * 576-GPU NVLink domain; each against `node -e 0`. Runs take turns; medians are printed.
 *
 *   npm run build && node --import tsx bench/report.ts [--runs 11]
 */
const at = process.argv.indexOf('--runs');
const runs = at < 0 ? 11 : Number(process.argv[at + 1]);
const meter =
  'data:text/javascript,process.on("exit",()=>{const u=process.cpuUsage();process.stderr.write("CPU "+(u.user+u.system)/1e6)})';

function cpuSeconds(args: readonly string[]): number {
  const run = spawnSync(process.execPath, ['--import', meter, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });
  const found = /CPU ([\d.]+)$/.exec(run.stderr);
  if (!found || (run.status !== 0 && run.status !== 1)) throw new Error(`${args.join(' ')}: ${run.stderr}`);
  return Number(found[1]);
}

/** 144 hosts of 4 GPUs and 4 NICs in one NVLink domain, as NCCL dumps it. */
function domain(): string {
  let rank = 0;
  const hosts: string[] = [];
  for (let h = 1; h <= 144; h++) {
    for (let c = 0; c < 2; c++) {
      const devices = [0, 1].map((k) => {
        const dev = c * 2 + k;
        const bus = (0x8 + 0x10 * c + k).toString(16).padStart(4, '0');
        const nic = (0x28 + 0x10 * c + k).toString(16).padStart(4, '0');
        return `<pci busid="${bus}:01:00.0" class="0x030200" vendor="0x10de" device="0x2941" subsystem_vendor="0x10de" subsystem_device="0x2046" link_speed="32.0 GT/s PCIe" link_width="16">
<gpu dev="${dev}" sm="100" rank="${rank++}" gdr="1">
<nvlink target="fffffff:ff:ff.0" count="18" tclass="0x068000"/>
<c2c bw="44712" count="5"/>
</gpu>
</pci>
<pci busid="${nic}:03:00.0" class="0x020700" vendor="0x15b3" device="0x1021" subsystem_vendor="0x15b3" subsystem_device="0x0041" link_speed="32.0 GT/s PCIe" link_width="16">
<nic>
<net name="mlx5_${dev}" dev="${dev}" speed="400000" port="1" guid="0x${(h * 16 + dev).toString(16)}" maxconn="131072" gdr="1"/>
</nic>
</pci>`;
      });
      hosts.push(
        `<cpu host_hash="0x${h.toString(16)}" numaid="${c}" affinity="ff" arch="arm64">\n${devices.join('\n')}\n</cpu>`,
      );
    }
  }
  return `<system version="1">\n${hosts.join('\n')}\n</system>\n`;
}

/** `lspci -vvv` of a large host: 17,000 lines, every bridge with its ACS bits. */
function lspci(): string {
  const hex = (n: number, digits: number): string => n.toString(16).padStart(digits, '0');
  const lines: string[] = [];
  for (let i = 1; lines.length < 17_000; i++) {
    const domain = hex(Math.floor(i / 255), 4);
    const bus = hex((i % 255) + 1, 2);
    lines.push(
      `${domain}:00:${hex(i % 32, 2)}.${i % 8} PCI bridge: Advanced Micro Devices, Inc. [AMD] Starship/Matisse GPP Bridge (prog-if 00 [Normal decode])`,
      `\tBus: primary=00, secondary=${bus}, subordinate=${bus}, sec-latency=0`,
      '\tCapabilities: [58] Express (v2) Root Port (Slot+), MSI 00',
      '\t\tDevCap:\tMaxPayload 512 bytes, PhantFunc 0',
      '\t\tLnkCap:\tPort #0, Speed 16GT/s, Width x16, ASPM L1, Exit Latency L1 <64us',
      '\t\tLnkSta:\tSpeed 16GT/s, Width x16',
      '\t\tACSCtl:\tSrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans-',
      '',
      `${domain}:${bus}:00.0 3D controller: NVIDIA Corporation GH100 [H100 PCIe] (rev a1)`,
      '\tCapabilities: [60] Express (v2) Endpoint, MSI 00',
      '\t\tLnkSta:\tSpeed 16GT/s (downgraded), Width x16 (ok)',
      '\tKernel driver in use: nvidia',
      '',
    );
  }
  return `${lines.join('\n')}\n`;
}

const dir = mkdtempSync(join(tmpdir(), 'crowfly-bench-'));
try {
  const file = join(dir, 'gb200-576.xml');
  writeFileSync(file, domain());
  const cards = join(dir, 'lspci.txt');
  writeFileSync(cards, lspci());
  const jobs: Record<string, readonly string[]> = {
    'node -e 0': ['-e', '0'],
    'report of a node': ['bin/crowfly.js', 'examples/h100-two-nodes'],
    'explain gpu0 node1/gpu0': ['bin/crowfly.js', 'explain', 'gpu0', 'node1/gpu0', 'examples/h100-two-nodes'],
    'paths of 576 GPUs': ['bin/crowfly.js', 'paths', file, '--json'],
    'report of 576 GPUs': ['bin/crowfly.js', file],
    'doctor of a node': ['bin/crowfly.js', 'doctor', 'examples/h100-two-nodes'],
    'doctor of lspci -vvv': ['bin/crowfly.js', 'doctor', cards],
  };
  const times = new Map(Object.keys(jobs).map((name) => [name, [] as number[]]));
  for (let i = 0; i <= runs; i++) {
    for (const [name, args] of Object.entries(jobs)) {
      const t = cpuSeconds(args);
      if (i > 0) times.get(name)!.push(t);
    }
  }
  const median = (xs: readonly number[]): number => [...xs].sort((a, b) => a - b)[xs.length >> 1]!;
  const base = median(times.get('node -e 0')!);
  for (const [name, xs] of times) {
    const m = median(xs);
    console.log(`${name.padEnd(26)} ${m.toFixed(3)} s CPU   ${(m / base).toFixed(1)} × node -e 0`);
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}
