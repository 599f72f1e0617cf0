import { good, open, report } from '../page/answers-of.ts';
import { kept } from '../page/keep.ts';
import { t } from '../page/words.ts';
import { Places, short } from './places.tsx';

/** What was read of each file and why not, where sources disagree, and how the machine was put together. */
export function InputsPanel() {
  const answer = good(report.value);
  if (!answer) return <p class="hint">{open.value.busy ? t('page.working') : ''}</p>;
  return (
    <div>
      {answer.inputs.length === 0 ? <p class="hint">{t('page.no-files')}</p> : null}
      {kept.value === undefined ? null : <p class="hint">{t(kept.value ? 'page.kept' : 'page.not-kept')}</p>}
      <ul class="plain files">
        {answer.inputs.map((i) => (
          <li key={i.file}>
            <b title={i.file}>{short(i.file)}</b> <span class="quiet">{t('page.lines', { count: i.lines })}</span>
            {i.formats.length > 0 ? (
              <ul>
                {i.formats.map((f) => (
                  <li key={`${f.id} ${f.lines[0]}`}>
                    {f.id}{' '}
                    <span class="quiet">{t('page.in-lines', { from: f.lines[0] ?? 0, to: f.lines[1] ?? 0 })}</span>
                  </li>
                ))}
              </ul>
            ) : null}
            {i.declined ? (
              <details>
                <summary>{t('page.declined', { count: i.declined.length })}</summary>
                <ul>
                  {i.declined.map((d) => (
                    <li key={d.format}>
                      <code>{d.format}</code> {d.reason}
                    </li>
                  ))}
                </ul>
              </details>
            ) : null}
            {i.notes.map((n) => (
              <p key={`${n.line} ${n.text}`} class="quiet">
                {n.text} <Places at={[{ file: i.file, line: n.line }]} />
              </p>
            ))}
          </li>
        ))}
      </ul>
      {answer.conflicts.length > 0 ? (
        <section>
          <h3>{t('page.conflicts')}</h3>
          <ul class="plain">
            {answer.conflicts.map((c) => (
              <li key={c.about.text}>
                {c.about.text}: {t('page.used', { value: c.claims[c.used]?.value ?? '–' })}
                <ul>
                  {c.claims.map((claim, i) => (
                    <li key={i}>
                      {claim.value} <Places at={claim.at} />
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {answer.notes.length > 0 ? (
        <section>
          <h3>{t('page.notes')}</h3>
          <ul class="plain">
            {answer.notes.map((n) => (
              <li key={n.text}>
                {n.text} <Places at={n.evidence} />
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {/* Of a machine that no input shows nothing can be said, not even that it has no GPU. */}
      {answer.machine.hosts.length === 0 ? null : (
        <section>
          <h3>{t('page.machine')}</h3>
          <p>{answer.machine.title}</p>
          {[...answer.machine.legend, ...answer.machine.hosts.flatMap((h) => h.links)].map((l) => (
            <p key={l} class="quiet">
              {l}
            </p>
          ))}
          {answer.machine.notes.map((n) => (
            <p key={n.text}>
              <b>{t(`page.mark.${n.mark as 'bad'}`)}</b> {n.text}
            </p>
          ))}
        </section>
      )}
    </div>
  );
}
