import { execFile } from 'node:child_process';

/** Programs that only read, the file their output goes to, and what they tell. Each is left out where it is not installed. */
const tools: readonly (readonly [file: string, command: string, ...args: string[]])[] = [
  ['topo-m.txt', 'nvidia-smi', 'topo', '-m'],
  ['nvidia-smi-q.txt', 'nvidia-smi', '-q'],
  ['nvidia-smi-nvlink.txt', 'nvidia-smi', 'nvlink', '-s'],
  ['ibstat.txt', 'ibstat'],
  ['ibv_devinfo.txt', 'ibv_devinfo', '-v'],
  ['rdma-link.txt', 'rdma', 'link'],
  ['gdscheck.txt', '/usr/local/cuda/gds/tools/gdscheck', '-p'],
  ['df-shm.txt', 'df', '-h', '/dev/shm'],
  ['lscpu.txt', 'lscpu'],
  ['dmesg.txt', 'dmesg'],
  ['fabric-manager.txt', 'systemctl', 'status', 'nvidia-fabricmanager', '--no-pager'],
];

export interface ToolRun {
  readonly file: string;
  readonly command: string;
  readonly output?: string;
  readonly failed?: 'absent' | 'rights' | 'slow' | 'failed';
}

/** Milliseconds one program may take; all run side by side. */
const patience = 2000;

/** Runs what is there. Nothing is passed to a shell, and nothing is asked of the person. */
export function runTools(): Promise<readonly ToolRun[]> {
  return Promise.all(tools.map(([file, command, ...args]) => runTool(file, command, args)));
}

function runTool(file: string, command: string, args: readonly string[]): Promise<ToolRun> {
  const shown = [command, ...args].join(' ');
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/bin:/opt/mellanox/iproute2/sbin', LC_ALL: 'C' };
  return new Promise((resolve) => {
    execFile(
      command,
      args,
      { timeout: patience, killSignal: 'SIGKILL', maxBuffer: 16 << 20, env, windowsHide: true },
      (error, stdout) => {
        const code = (error as { code?: unknown } | null)?.code;
        const failed =
          code === 'ENOENT'
            ? 'absent'
            : code === 'EACCES'
              ? 'rights'
              : error?.killed
                ? 'slow'
                : error
                  ? 'failed'
                  : undefined;
        const output = stdout.trim() === '' ? undefined : stdout;
        resolve({ file, command: shown, ...(output === undefined ? {} : { output }), ...(failed ? { failed } : {}) });
      },
    );
  });
}
