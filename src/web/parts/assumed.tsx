import { t } from '../page/words.ts';

/** What an answer took for granted. */
export function Assumed({ list }: { readonly list: readonly string[] }) {
  return (
    <details>
      <summary>{t('page.assumed', { count: list.length })}</summary>
      <ul>
        {list.map((a) => (
          <li key={a}>{a}</li>
        ))}
      </ul>
    </details>
  );
}
