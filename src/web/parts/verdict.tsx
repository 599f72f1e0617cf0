import type { Verdict } from '../page/answers.ts';
import { type PageWord, t } from '../page/words.ts';

const signs: Readonly<Record<Verdict, string>> = { yes: '✓', no: '✕', unknown: '?' };

const says: Readonly<Record<'verdict' | 'open', Readonly<Record<Verdict, PageWord>>>> = {
  verdict: { yes: 'page.verdict.yes', no: 'page.verdict.no', unknown: 'page.verdict.unknown' },
  open: { yes: 'page.open.yes', no: 'page.open.no', unknown: 'page.open.unknown' },
};

/** Yes, no or not known: a sign and a word, never a colour alone. */
export function Sign({ verdict, about = 'verdict' }: { verdict: Verdict; about?: 'verdict' | 'open' }) {
  return (
    <span class={`verdict ${verdict}`}>
      <span aria-hidden="true">{signs[verdict]}</span> {t(says[about][verdict])}
    </span>
  );
}
