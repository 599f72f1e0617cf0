import type { Where } from '../fact/fact.ts';
import { say } from '../words/message.ts';
import type { Facts } from './facts.ts';
import type { OpenQuestion, SaidQuestion } from './open-question.ts';

const check = '/usr/local/cuda/gds/tools/gdscheck -p';
const config = `cat /etc/cufile.json; env | grep CUFILE; ${check}`;
/** What explains that a file or a buffer was refused. */
const gds = /^gds-|^bar1/;

/** What cuFile complains of and does not explain. */
export const gdsQuestions: readonly SaidQuestion[] = [
  { topic: 'gds-cuda', settle: "nvidia-smi; ls -l /dev/nvidia*; sudo dmesg | grep -iE 'xid|nvrm'", cleared: /^fabric/ },
  { topic: 'gds-library', settle: 'ldconfig -p | grep -E "urcu|numa|udev|cufile"', cleared: gds },
  { topic: 'gds-config', settle: config, cleared: gds },
  { topic: 'gds-node', settle: 'ls -l /dev/nvidia-fs*; id; lsmod | grep nvidia_fs', cleared: gds },
  // The file system below may have no O_DIRECT, or the program did not ask for it.
  {
    topic: 'gds-direct',
    settle: 'findmnt -T $FILE -o FSTYPE,OPTIONS; dd if=$FILE of=/dev/null bs=1M count=1 iflag=direct',
    cleared: gds,
  },
  { topic: 'gds-buffer', settle: `nvidia-smi -q | grep -A3 "BAR1 Memory"; sudo dmesg | tail; ${check}`, cleared: gds },
  { topic: 'gds-file', settle: `findmnt -T $FILE; ls -d /run/udev; ${check}`, cleared: gds },
  { topic: 'gds-platform', settle: `${check}; nvidia-smi -L; uname -m; cat /proc/driver/nvidia/version`, cleared: gds },
];

/** Questions of gdscheck and of the driver's own counters. */
export function gdsOpen(facts: Facts, found: readonly string[]): OpenQuestion[] {
  if (found.some((id) => gds.test(id))) return [];
  const stats = facts.of('nvfs-stats').flatMap((s) => s.failed)[0];
  const old = facts.of('gds-check').find((c) => c.oldNvidiaFsOnly && newer(c.nvidiaFs?.version));
  const ask = (text: string, at: Where, settle: string): OpenQuestion => ({
    about: say('doctor.open.failed', { text }),
    evidence: [at],
    settle,
    failed: true,
  });
  return [
    ...(stats
      ? [
          ask(
            stats.name,
            stats.at,
            'sudo dmesg | grep nvidia-fs; nvidia-smi -q | grep -A3 "BAR1 Memory"; cat /proc/cmdline',
          ),
        ]
      : []),
    ...(old?.oldNvidiaFsOnly && old.nvidiaFs
      ? [ask(`nvidia_fs ${old.nvidiaFs.version}`, old.oldNvidiaFsOnly, 'cat /proc/driver/nvidia/version')]
      : []),
  ];
}

/** Above 2.17.4, as it says itself. */
function newer(version: string | undefined): boolean {
  const [major = 0, minor = 0, patch = 0] = (version ?? '').split('.').map(Number);
  return major > 2 || (major === 2 && (minor > 17 || (minor === 17 && patch > 4)));
}
