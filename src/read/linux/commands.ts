import type { Where } from '../../fact/fact.ts';
import { lineFormat } from '../kit/lines.ts';
import { own } from '../own.ts';

/** Command lines in a paste: what was started, and how. */
export interface Commands {
  readonly kind: 'commands';
  readonly file: string;
  readonly commands: readonly { readonly text: string; readonly at: Where }[];
}

const programs =
  'numactl|taskset|docker|podman|nerdctl|srun|mpirun|mpiexec|torchrun|ib_(?:write|read|send)_(?:bw|lat)|raw_ethernet_bw|bandwidthTest|nvbandwidth|\\S*_perf|gdsio|uname|singularity|apptainer|enroot|setpci|modprobe|insmod|kubectl|systemctl|fi_info';
const call = `(?:sudo (?:-\\w+ )?)?(?:\\w+=\\S* )*(?:\\./)?(?:\\S{1,80}/)?(?:${programs})(?: .*)?`;
/** `user@host:~$ `, `[root@host dir]# `, `(env) ➜  dir git:(1a2b) ✗ `. */
const prompted = new RegExp(`^\\s*(?:> )?.{0,80}?(?:[$#%✗❯] ?|\\+ )(${call})$`);
const bare = new RegExp(`^\\s*(?:> )?(${call})$`);

export const commands = lineFormat<Commands['commands'][number]>({
  id: 'commands',
  example: '$ numactl -N0 -m0 ib_write_bw -d mlx5_0 --use_cuda=0',
  // biome-ignore format: one list
  hints: ['numactl', 'taskset', 'docker', 'podman', 'nerdctl', 'srun', 'mpi', 'torchrun', 'ib_', 'raw_ethernet', 'bandwidthTest', 'nvbandwidth', '_perf', 'gdsio', 'uname', 'singularity', 'apptainer', 'enroot', 'setpci', 'modprobe', 'insmod', 'kubectl', 'systemctl', 'fi_info'],
  limit: 500,
  entry: (line, at) => {
    const shown = prompted.exec(line);
    const found = shown ?? bare.exec(line);
    // Without a prompt it must look like a call: an option somewhere, no sentence.
    if (!found || (!shown && !/ -{1,2}\w/.test(found[1]!)) || /[.!?:]\s*$/.test(line)) return undefined;
    return { text: own(found[1]!.slice(0, 2000)), at };
  },
  build: (commands, { file }) => ({ kind: 'commands', file, commands }),
});
