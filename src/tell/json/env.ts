import type { EnvAnswer } from '../../answer/env.ts';
import { severityOf } from '../../doctor/lint-env.ts';
import type { Language } from '../../words/message.ts';
import { render } from '../../words/render.ts';

/** `crowfly/env@1`. */
export const envJson = (answer: EnvAnswer, language: Language): string =>
  `${JSON.stringify({
    schema: 'crowfly/env@1',
    ncclVersion: answer.release.name,
    settings: answer.settings.map((s) => ({
      name: s.name,
      value: s.value,
      ...(s.at ? { file: s.at.file, line: s.at.line } : {}),
      verdict: s.verdict,
      ...(severityOf(s.verdict) === undefined ? {} : { severity: severityOf(s.verdict) }),
      why: render(s.why, language),
    })),
  })}\n`;
