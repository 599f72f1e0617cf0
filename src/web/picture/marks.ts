import { findings, valueOf } from '../page/answers-of.ts';

const worse: Readonly<Record<string, number>> = { unknown: 0, look: 1, bad: 2 };

/** What the doctor found, as marks on devices; a finding's names may carry the node or not. */
export function marksOf(): ReadonlyMap<string, string> {
  const marks = new Map<string, string>();
  for (const f of valueOf(findings.value)?.findings ?? []) {
    const mark = f.severity === 'error' ? 'bad' : f.severity === 'warning' ? 'look' : undefined;
    if (mark === undefined || f.follows !== undefined) continue;
    for (const d of f.devices ?? []) {
      if ((worse[marks.get(d) ?? ''] ?? -1) < worse[mark]!) marks.set(d, mark);
    }
  }
  return marks;
}
