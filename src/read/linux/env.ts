import type { Where } from '../../fact/fact.ts';
import { lineFormat } from '../kit/lines.ts';
import { own } from '../own.ts';

/** Variables of NCCL and its neighbours: `env`, a script with `export`, `-x`/`-e` of mpirun or docker, `nccl.conf`. */
export interface Environment {
  readonly kind: 'environment';
  readonly file: string;
  readonly settings: readonly {
    readonly name: string;
    readonly value: string;
    readonly at: Where;
    /** Set for one run by its command line, or named in a sentence about what somebody tried; else it stands where it stays. */
    readonly how?: 'run' | 'told';
  }[];
}

type Setting = Environment['settings'][number];

const family =
  '(?:R?NCCL|UCX|CUDA|NVIDIA(?=_VISIBLE)|CUFILE|FI|OFI|OMPI|MPI|RDMAV|IBV|MLX5|HSA|HIP|NVSHMEM|GLOO|SHARP|LD)_[A-Z0-9_]{2,60}';
const whole = new RegExp(
  `^\\s*(?:[-#>$+]\\s+)?(?:export\\s+|declare -x\\s+|set(?:env)?\\s+|-[xe]\\s+|ENV\\s+|- )?(${family})\\s*[=:]\\s*(.*?)\\s*;?\\s*$`,
);
/** Misspelt by case: as an assignment of its own, since such names stand in program texts as well. */
const lower =
  /^\s*(?:export\s+|declare -x\s+|set(?:env)?\s+|-[xe]\s+|ENV\s+)?((?:nccl|ucx|Nccl|Ucx|NCCL|UCX)_\w{2,60})=(\S*)\s*;?\s*$/;
const within = new RegExp(`(?:^|[\\s>|:])(?:-[xe]\\s+|--env[= ]|export\\s+)?(${family})=("[^"]*"|'[^']*'|\\S*)`, 'g');
/** Set with blanks around the sign, as nccl.conf allows, behind what a log puts before each line. */
const spaced = new RegExp(`[\\s>|:](${family}) = ?(\\S{1,200})\\s*$`);

/** `mpirun -x`, a launcher or a benchmark on the line. */
const ofRun = /(?:^|\s)-x\s+\S+=|\b(?:mpirun|mpiexec|srun|torchrun)\b|_perf\b/;
/** Words of a language, three and more, where a command would have options. */
const sentence = /(?:(?:^|\s)[A-Za-z][a-z']*[,.;:]?(?=\s|$)[^=]*){3}/;
const howSet = (line: string): { readonly how?: 'run' | 'told' } =>
  ofRun.test(line) ? { how: 'run' } : !/\s-{1,2}\w/.test(line) && sentence.test(line) ? { how: 'told' } : {};

const unquoted = (text: string): string => text.replace(/^(["'])(.*)\1$/, '$2');

/** Settings inside a longer line: a command with `-e NAME=value`, a script that sets some in front of a program. */
export function settingsIn(line: string, at: Where): Setting[] {
  const settings: Setting[] = [];
  const how = howSet(line);
  for (const found of line.matchAll(within)) {
    if (settings.length >= 64) break;
    settings.push({ name: own(found[1]!), value: own(unquoted(found[2]!).slice(0, 400)), at, ...how });
  }
  return settings;
}

/** A container's list in Kubernetes: `- name: X` and `value: "1"` on the next line, or both in one. */
const listed = new RegExp(`(?:^|[\\s{,>|-])["']?name["']?:\\s*["']?(${family})["']?\\s*$`);
const valued = /(?:^|[\s>|])["']?value["']?:\s*(\S.{0,400}?)[\s,]*$/;
const both = new RegExp(`["']?name["']?:\\s*["']?(${family})["']?,\\s*["']?value["']?:\\s*["']?([^"',}]{0,200})`);

/** In Python and in what it prints: `os.environ["X"] = "1"`, `{'X': '1', …}`. */
const quoted = new RegExp(
  `(?:\\benviron(?:\\.setdefault)?[[(]\\s*)?["'](${family})["']\\s*(?:\\]\\s*=|[:,])\\s*["']([^"']{0,200})["']`,
  'g',
);

function quotedIn(line: string, at: Where): Setting[] {
  const settings: Setting[] = [];
  for (const found of line.matchAll(quoted)) {
    // Of two names side by side, the second is no value of the first.
    if (settings.length >= 64) break;
    const list = found[0].includes(',') && !found[0].includes('environ');
    if (!list) settings.push({ name: own(found[1]!), value: own(found[2]!), at });
  }
  return settings;
}

/** The prompt of root, or a line that somebody has taken out of a script: the line alone does not tell. */
const hashed = /^\s*#+\s/;

type Line =
  | { readonly hashed: readonly Setting[] }
  | readonly Setting[]
  | { readonly name: string; readonly at: Where }
  | { readonly value: string; readonly at: Where };

export const environment = lineFormat<Line>({
  id: 'environment',
  example: 'NCCL_IB_HCA=mlx5_0',
  hints: [
    'NCCL_',
    'UCX_',
    'CUDA_',
    'CUFILE_',
    'FI_',
    'OMPI_',
    'LD_',
    'NVSHMEM_',
    'NVIDIA_VISIBLE',
    'nccl_',
    'ucx_',
    'Nccl_',
    'Ucx_',
    'value',
  ],
  entry: (line, at) => {
    if (line.includes('NCCL INFO') || line.includes('NCCL WARN')) return undefined;
    const found = entryOf(line, at);
    return Array.isArray(found) && hashed.test(line) ? { hashed: found as readonly Setting[] } : found;
  },
  build: (entries, { file }) => {
    const plain = entries.some((e) => !('hashed' in e));
    const settings = entries.flatMap((e, i): readonly Setting[] => {
      if (Array.isArray(e)) return e as readonly Setting[];
      // Beside lines that are set, such a line is a comment, or what they show the effect of.
      if ('hashed' in e) return plain ? [] : e.hashed;
      const next = entries[i + 1];
      // The value stands right below its name, and there it is shown.
      if (!('name' in e) || !next || !('value' in next) || next.at.line - e.at.line !== 1) return [];
      return [{ name: e.name, value: next.value, at: next.at }];
    });
    return settings.length === 0 ? undefined : { kind: 'environment', file, settings };
  },
});

function entryOf(line: string, at: Where): Line | undefined {
  const name = listed.exec(line);
  if (name) return { name: own(name[1]!), at };
  const pair = both.exec(line);
  if (pair) return [{ name: own(pair[1]!), value: own(pair[2]!.trim()), at }];
  const value = line.includes('value') ? valued.exec(line) : null;
  if (value) return { value: own(unquoted(value[1]!)), at };
  const one = whole.exec(line);
  if (one && !/\s\S+=/.test(one[2]!)) {
    return [{ name: own(one[1]!), value: own(unquoted(one[2]!).slice(0, 400)), at, ...howSet(line) }];
  }
  const small = lower.exec(line);
  if (small) return [{ name: own(small[1]!), value: own(unquoted(small[2]!).slice(0, 400)), at }];
  const far = spaced.exec(line);
  if (far) return [{ name: own(far[1]!), value: own(unquoted(far[2]!)), at }];
  const settings = settingsIn(line, at);
  if (settings.length > 0) return settings;
  const inPython = quotedIn(line, at);
  return inPython.length > 0 ? inPython : undefined;
}
