import { useEffect, useRef } from 'preact/hooks';
import { good, quote } from '../page/answers-of.ts';
import * as state from '../page/state.ts';
import { t } from '../page/words.ts';

/** The line of an input that something rests on, with its neighbours. Everything in it is text. */
export function Quote() {
  const place = state.opened.value;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (place && !dialog.current?.open) dialog.current?.showModal();
    if (!place && dialog.current?.open) dialog.current.close();
  }, [place]);
  const answer = good(quote.value);
  return (
    <dialog
      ref={dialog}
      class="quote"
      aria-label={t('page.evidence')}
      onClose={() => {
        state.opened.value = undefined;
      }}
    >
      {place ? (
        <>
          <h2>
            {place.file}:{place.line}
          </h2>
          <pre>
            {answer && answer.lines.length > 0
              ? answer.lines.map((text, i) => (
                  <span key={i} class={answer.first + i === place.line ? 'line here' : 'line'}>
                    <span class="number">{answer.first + i}</span>
                    {text}
                    {'\n'}
                  </span>
                ))
              : t('page.line-not-kept')}
          </pre>
          <form method="dialog">
            <button type="submit">{t('page.close')}</button>
          </form>
        </>
      ) : null}
    </dialog>
  );
}
