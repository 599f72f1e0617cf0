import type { Where } from '../../fact/fact.ts';
import { lineFormat } from '../kit/lines.ts';

/** The limit on locked memory of a process: `ulimit -a`, `/proc/PID/limits`, limits.conf, a systemd unit. */
export interface MemoryLock {
  readonly kind: 'memory-lock';
  readonly file: string;
  readonly limits: readonly { readonly bytes: number | 'unlimited'; readonly at: Where }[];
}

export const memoryLock = lineFormat<MemoryLock['limits'][number]>({
  id: 'memory-lock',
  example: 'max locked memory       (kbytes, -l) 65536',
  hints: ['locked memory', 'locked-in-memory', 'memlock', 'Memlock limit', 'MEMLOCK'],
  limit: 40,
  entry: (line, at) => {
    const limit = (text: string, unit: number) => ({
      bytes: /^(?:unlimited|infinity|-1)$/i.test(text) ? ('unlimited' as const) : Number(text) * unit,
      at,
    });
    const bash =
      /(?:max )?locked[- ](?:in-)?memory[^()]{0,20}\((?:(k?)bytes|(\d{0,4})-byte)?[^)]{0,12}\)\s+(unlimited|\d{1,15})\s*$/i.exec(
        line,
      );
    if (bash) return limit(bash[3]!, bash[1] === 'k' ? 1024 : 1);
    const proc = /Max locked memory\s+(unlimited|\d{1,15})\s+(?:unlimited|\d{1,15})\s+bytes/.exec(line);
    if (proc) return limit(proc[1]!, 1);
    const conf = /^\s*(?:\*|@?[\w-]+)\s+(?:soft|hard|-)\s+memlock\s+(unlimited|infinity|-1|\d{1,15})\s*$/.exec(line);
    if (conf) return limit(conf[1]!, 1024);
    const unit = /^\s*(?:Default)?LimitMEMLOCK(?:Soft)?=(infinity|\d{1,20})\s*$/.exec(line);
    if (unit) return limit(unit[1]!, 1);
    // Open MPI's own transport, where it could lock no memory.
    const btl = /^.{0,80}\bMemlock limit:\s+(unlimited|\d{1,15})\s*$/.exec(line);
    if (btl) return limit(btl[1]!, 1);
    const dash = /^-l:? .{0,40}(?:locked).{0,40}?\s(unlimited|\d{1,15})\s*$/.exec(line);
    return dash ? limit(dash[1]!, 1024) : undefined;
  },
  build: (limits, { file }) => ({ kind: 'memory-lock', file, limits }),
});
