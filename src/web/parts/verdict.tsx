import type { Verdict } from '../page/answers.ts';
import { t } from '../page/words.ts';

const signs: Readonly<Record<Verdict, string>> = { yes: '✓', no: '✕', unknown: '?' };

/** Yes, no or not known: a sign and a word, never a colour alone. */
export function Sign({ verdict, about = 'verdict' }: { verdict: Verdict; about?: 'verdict' | 'open' }) {
  return (
    <span class={`verdict ${verdict}`}>
      <span aria-hidden="true">{signs[verdict]}</span> {t(`page.${about}.${verdict}`)}
    </span>
  );
}
