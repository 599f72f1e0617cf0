import type { Language } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import type { GainRow } from '../../workload/gain.ts';
import { sayings, workName } from '../text/gain.ts';

/** `crowfly/gain@1`. */
export function gainJson(rows: readonly GainRow[], assumptions: readonly string[], language: Language): string {
  return `${JSON.stringify(
    {
      schema: 'crowfly/gain@1',
      assumptions,
      workloads: rows.map((r) => ({
        id: r.workload.id,
        name: render(workName(r), language),
        bytes: r.workload.bytes,
        gpus: r.gpus,
        staged: r.staged,
        direct: r.direct,
        allowed: r.allowed,
        rule: { code: r.rule.code, text: render(r.rule, language) },
        gain: r.word,
        says: sayings(r).map((m) => render(m, language)),
      })),
    },
    null,
    1,
  )}\n`;
}
