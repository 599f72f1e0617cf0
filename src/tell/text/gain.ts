import type { Machine } from '../../machine/machine.ts';
import { usualRates } from '../../physics/usual-rates.ts';
import { type Message, say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { type GainRow, type GainSide, hostMemoryBandwidth } from '../../workload/gain.ts';
import { columns, wrap } from './columns.ts';
import type { TextOptions } from './explain.ts';
import { duration, percent as share, significant } from './quantity.ts';

/** Staged and direct side by side for each work, and in words what that means, the honest nothing included. */
export function gainText(machine: Machine, rows: readonly GainRow[], options: TextOptions): string {
  const t = (m: Message): string => render(m, options.language);
  const { style } = options;
  if (rows.length === 0) return `${t(say('gain.none'))}\n`;
  const out = [style.strong(t(say('gain.title')))];
  for (const row of rows) {
    out.push('', ...wrap(t(workName(row)), options.width).map(style.strong));
    const head = [
      'gain.head.path',
      'gain.head.latency',
      'gain.head.bandwidth',
      'gain.head.cores',
      'gain.head.memory',
    ] as const;
    const line = (s: GainSide): string[] => [
      s.path,
      duration(s.latencyUs),
      significant(s.bandwidthGBps),
      significant(s.cores, 2),
      `${significant(s.hostMemoryGBps)} GB/s${s.hostMemoryShare === undefined ? '' : ` (${share(Math.round(s.hostMemoryShare * 100), options.language)})`}`,
    ];
    out.push(
      ...columns(
        [head.map((h) => style.dim(t(say(h)))), line(row.staged), line(row.direct)],
        new Set([1, 2, 3, 4]),
        '  ',
      ),
    );
    for (const m of sayings(row)) out.push(...wrap(t(m), options.width, '  '));
  }
  if (hostMemoryBandwidth(machine) === undefined) out.push('', ...wrap(t(say('gain.memory-unknown')), options.width));
  out.push('', ...wrap(t(say('gain.control')), options.width));
  for (const a of usualRates(machine).assumed) out.push(...wrap(style.dim(t(a)), options.width));
  return `${out.join('\n')}\n`;
}

export const workName = (row: GainRow): Message => say(`gain.work.${row.workload.id}`, { gpus: row.gpus });

const percent = (share: number): string => String(Math.round(share * 100));
const two = (n: number): string => String(Number(significant(n, 2)));
/** As the table above it rounds. */
const traffic = (n: number): string => significant(n);

/** What a person should take from a row. */
export function sayings(row: GainRow): Message[] {
  const { staged, direct, workload } = row;
  const list: Message[] = [];
  // Who moves more in a second starts more in it: what is freed is freed of the same work.
  const sameWork = Math.min(1, staged.bandwidthGBps / direct.bandwidthGBps);
  const relief = {
    cores: two(Math.max(0, staged.cores - direct.cores * sameWork)),
    memory: traffic(staged.hostMemoryGBps - direct.hostMemoryGBps),
  };
  switch (row.word) {
    case 'bandwidth':
      list.push(say('gain.word.bandwidth', { factor: (direct.bandwidthGBps / staged.bandwidthGBps).toFixed(1) }));
      break;
    case 'slower':
      list.push(
        say(/storage/.test(direct.path) ? 'gain.word.slower-drives' : 'gain.word.slower', {
          factor: (staged.bandwidthGBps / direct.bandwidthGBps).toFixed(1),
        }),
      );
      break;
    case 'latency':
      list.push(
        say('gain.word.latency', {
          saved: duration(staged.latencyUs - direct.latencyUs),
          period: duration(1e6 / (workload.perSecond ?? 1)),
        }),
      );
      break;
    case 'relief':
      list.push(say('gain.word.relief', relief));
      break;
    default:
      // What goes as fast as it can is neither small nor rare.
      list.push(say(workload.perSecond === undefined ? 'gain.word.nothing-full' : 'gain.word.nothing', relief));
  }
  if (staged.memoryBound) {
    list.push(
      say('gain.memory-bound', {
        traffic: traffic(staged.hostMemoryGBps),
        share: percent(staged.hostMemoryShare ?? 1),
      }),
    );
  } else if (row.word === 'bandwidth' && (staged.hostMemoryShare ?? 0) >= 0.05) {
    list.push(
      say('gain.beside', {
        share: percent((staged.hostMemoryShare ?? 0) - (direct.hostMemoryShare ?? 0)),
        cores: relief.cores,
      }),
    );
  }
  if (row.allowed === 'no') list.push(say('gain.not-today', { rule: row.rule }));
  if (row.allowed === 'unknown') list.push(say('gain.unknown-today', { rule: row.rule }));
  return list;
}
