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
  'numactl|taskset|docker|podman|nerdctl|srun|mpirun|mpiexec|torchrun|ib_(?:write|read|send)_(?:bw|lat)|raw_ethernet_bw|bandwidthTest|nvbandwidth|\\S*_perf|gdsio|uname|singularity|apptainer|enroot|setpci|modprobe|insmod|kubectl';
const prompt = new RegExp(
  `^\\s*(?:> )?(?:\\S{0,60}[$#%] ?|\\+ )?((?:sudo )?(?:\\./)?(?:\\S{1,80}/)?(?:${programs})(?: .*)?)$`,
);

export const commands = lineFormat<Commands['commands'][number]>({
  id: 'commands',
  example: '$ numactl -N0 -m0 ib_write_bw -d mlx5_0 --use_cuda=0',
  limit: 500,
  entry: (line, at) => {
    const found = prompt.exec(line);
    // Without a prompt it must look like a call: an option somewhere, no sentence.
    if (
      !found ||
      (!/^\s*(?:> )?\S{0,60}[$#%+] ?\S/.test(line) && !/ -{1,2}\w/.test(found[1]!)) ||
      /[.!?:]\s*$/.test(line)
    )
      return undefined;
    return { text: own(found[1]!.slice(0, 2000)), at };
  },
  build: (commands, { file }) => ({ kind: 'commands', file, commands }),
});
