import type { Observed, ObservedWay } from '../../machine/observed.ts';
import { type Message, say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { columns } from './columns.ts';
import { placed, type TextOptions, withPlace } from './explain.ts';

/** What a log shows in use: transports between ranks, told once for all that are alike, and the NICs' own side of GDR. */
export function observedText(observed: Observed, told: boolean, options: TextOptions): string[] {
  const t = (m: Message): string => render(m, options.language);
  const out: string[] = [];
  const groups = new Map<string, { first: ObservedWay; count: number }>();
  for (const way of observed.ways) {
    const kind = way.network ? `${way.kind} ${way.network.name} ${way.gdr}` : way.text;
    const known = groups.get(kind);
    if (known) known.count++;
    else groups.set(kind, { first: way, count: 1 });
  }
  if (groups.size > 0) {
    out.push('', options.style.strong(t(say('report.observed'))));
    const rows = [...groups.values()].map(({ first, count }) => [
      `${first.from.device ?? `rank ${first.from.rank}`} → ${first.to.device ?? `rank ${first.to.rank}`}`,
      first.network ? first.text : first.text || first.kind,
      first.kind === 'NET' ? t(say(first.gdr ? 'report.gdr-used' : 'report.gdr-not-used')) : '',
      count > 1 ? t(say('report.alike', { count })) : '',
    ]);
    const places = [...groups.values()].map(
      ({ first: { at } }) => `${at.file.slice(at.file.lastIndexOf('/') + 1)}:${at.line}`,
    );
    columns(rows, new Set(), '  ').forEach((line, i) => {
      out.push(...placed(line, places[i]!, options));
    });
  }
  // Where the ways below name it as their rule, it is not said twice.
  const off = told ? [] : observed.nics.filter((n) => !n.gdr);
  if (off.length > 0) {
    const names = [...new Set(off.map((n) => n.name ?? `NIC ${n.dev}`))].join(', ');
    out.push(
      '',
      ...withPlace(`${options.style.bad('✖')} ${t(say('report.nic-gdr-off', { names }))}`, [off[0]!.at], options, ''),
    );
  }
  for (const w of observed.warnings.slice(0, 5)) {
    const times = w.count > 1 ? ` (×${w.count})` : '';
    out.push('', ...withPlace(`${options.style.warn('▲')} ${w.text}${times}`, [w.at], options, ''));
  }
  return out;
}
