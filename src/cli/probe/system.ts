import type { CpuFacts } from '../../assemble/from-pci-tree.ts';
import type { CpuArch, CpuVendor } from '../../machine/host.ts';
import type { Tree } from './files.ts';

const vendors: Readonly<Record<string, CpuVendor>> = {
  GenuineIntel: 'Intel',
  AuthenticAMD: 'AMD',
  CentaurHauls: 'Zhaoxin',
  '  Shanghai  ': 'Zhaoxin',
};

/** Kind of CPU, and which CPUs belong to which NUMA node. */
export function readCpu(files: Tree): CpuFacts {
  const info = files.text('proc/cpuinfo', 1 << 16) ?? '';
  const field = (name: string): string | undefined => new RegExp(`^${name}\\s*: (.*)$`, 'm').exec(info)?.[1];
  const vendor = vendors[field('vendor_id') ?? ''];
  const arch: CpuArch | undefined = field('vendor_id')
    ? 'x86_64'
    : field('CPU implementer')
      ? 'arm64'
      : /POWER/.test(field('cpu') ?? '')
        ? 'ppc64'
        : undefined;
  const affinity = new Map<number, string>();
  for (const name of files.list('sys/devices/system/node')) {
    const m = /^node(\d+)$/.exec(name);
    const list = m ? files.line(`sys/devices/system/node/${name}/cpumap`) : undefined;
    if (m && list !== undefined) affinity.set(Number(m[1]), list);
  }
  const number = (text: string | undefined): number | undefined =>
    text !== undefined && /^\d+$/.test(text.trim()) ? Number(text) : undefined;
  const family = number(field('cpu family'));
  const model = number(field('model'));
  return {
    ...(arch === undefined ? {} : { arch }),
    ...(vendor === undefined ? {} : { vendor }),
    ...(family === undefined ? {} : { family }),
    ...(model === undefined ? {} : { model }),
    affinity,
  };
}

/** Files of /proc and /sys under the names of what people paste, in the words of the tools that print them. */
export function readSystem(files: Tree): Map<string, string> {
  const out = new Map<string, string>();
  const keep = (name: string, text: string | undefined): void => {
    if (text !== undefined && text.trim() !== '') out.set(name, text.endsWith('\n') ? text : `${text}\n`);
  };
  const cmdline = files.text('proc/cmdline', 1 << 16)?.trim() ?? '';
  // As the kernel log says it, so that it is known for what it is whatever stands in it.
  if (cmdline !== '') keep('cmdline.txt', `Command line: ${cmdline}`);
  keep('nvidia-version.txt', files.text('proc/driver/nvidia/version', 1 << 16));
  keep('lsmod.txt', modules(files.text('proc/modules')));
  keep('memory-peers.txt', peers(files));
  keep('nccl.conf', files.text('etc/nccl.conf', 1 << 16));
  const lock = /^Max locked memory\s+(\S+)/m.exec(files.text('proc/self/limits', 1 << 16) ?? '')?.[1];
  if (lock !== undefined) {
    const kbytes = lock === 'unlimited' ? lock : String(Math.floor(Number(lock) / 1024));
    keep('ulimit.txt', `max locked memory       (kbytes, -l) ${kbytes}`);
  }
  return out;
}

function modules(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const rows = text
    .split('\n')
    .filter((l) => l !== '')
    .map((l) => {
      const [name = '', bytes = '0', used = '0', by = '-'] = l.split(' ');
      return `${name.padEnd(22)} ${bytes.padStart(8)}  ${used}${by === '-' ? '' : ` ${by.replace(/,$/, '')}`}`;
    });
  return ['Module                  Size  Used by', ...rows].join('\n');
}

/** What registered with ib_core to serve GPU memory. */
function peers(files: Tree): string {
  const base = 'sys/kernel/mm/memory_peers';
  return files
    .list(base)
    .map((name) => `/${base}/${name}/version:${files.line(`${base}/${name}/version`) ?? ''}`)
    .join('\n');
}
