import { useState } from 'preact/hooks';
import { duration, significant, size } from '../../tell/text/quantity.ts';
import type { Lesson } from '../page/answers.ts';
import { good, lesson, lessonsHere } from '../page/answers-of.ts';
import * as state from '../page/state.ts';
import { colorOf } from '../page/ways.ts';
import { t } from '../page/words.ts';
import { bare, NeedsTopology } from './hints.tsx';
import { Library } from './library.tsx';
import { Sign } from './verdict.tsx';

/** A tour of the technologies, each one screen, on the machine at hand or on a typical one. */
export function LearnPanel() {
  if (bare()) return <NeedsTopology />;
  const topics = good(lessonsHere.value)?.topics ?? [];
  const told = lesson.value;
  const answer = good(told);
  const here = topics.findIndex((x) => x.topic === state.topic.value);
  const go = (step: number): void => {
    const next = topics[(here + step + topics.length) % topics.length];
    if (next) state.topic.value = next.topic;
  };
  return (
    <div class={told.busy ? 'busy' : ''}>
      <nav class="topics" aria-label={t('page.topics')}>
        {topics.map((x) => (
          <button
            key={x.topic}
            type="button"
            aria-current={x.topic === state.topic.value ? 'true' : undefined}
            class={x.here ? '' : 'elsewhere'}
            title={x.title}
            onClick={() => {
              state.topic.value = x.topic;
            }}
          >
            {x.topic}
          </button>
        ))}
      </nav>
      {told.answer?.ok === false ? <p class="trouble">{told.answer.why}</p> : null}
      {answer === undefined ? (
        <p class="hint">{t('page.working')}</p>
      ) : 'choices' in answer ? (
        <Library answer={answer} />
      ) : (
        <Screen key={answer.topic} answer={answer} />
      )}
      <p class="steps">
        <button type="button" onClick={() => go(-1)}>
          ← {t('page.back')}
        </button>
        <span>{here >= 0 ? `${here + 1} / ${topics.length}` : ''}</span>
        <button type="button" onClick={() => go(1)}>
          {t('page.next')} →
        </button>
      </p>
    </div>
  );
}

function Screen({ answer }: { answer: Lesson }) {
  const [step, setStep] = useState(answer.steps.length);
  const shown = answer.steps.slice(0, step);
  const last = shown.at(-1);
  return (
    <article class="lesson">
      <h2>
        <span class="dot" style={{ background: `var(--${colorOf(answer.path)})` }} aria-hidden="true" /> {answer.topic}
      </h2>
      {answer.about.map((p) => (
        <p key={p}>{p}</p>
      ))}
      <p class="quiet">
        {answer.typical ? t('page.on-typical') : t('page.on-yours')} {answer.from} → {answer.to}{' '}
        {answer.typical ? null : (
          <button
            type="button"
            onClick={() => {
              state.from.value = answer.from;
              state.to.value = answer.to;
              state.only.value = answer.path;
            }}
          >
            {t('page.show-in-picture')}
          </button>
        )}
      </p>
      <p class="counters" aria-live="polite">
        <span class="counter big">{t('page.copies', { count: last?.copies ?? 0 })}</span>
        <span class="counter big">{t('page.host-bytes', { bytes: last?.hostMemoryBytesPerByte ?? 0 })}</span>
        <span class="counter big">{t('page.core-bytes', { bytes: last?.coreBytesPerByte ?? 0 })}</span>
      </p>
      <ol class="stages">
        {answer.steps.map((s, i) => (
          <li key={i} class={i < step ? '' : 'later'}>
            {s.stage}
            {s.bytesPerSecond === undefined ? '' : ` · ${significant(s.bytesPerSecond / 1e9)} GB/s`}
          </li>
        ))}
      </ol>
      <p class="steps">
        <button type="button" onClick={() => setStep(0)} disabled={step === 0}>
          {t('page.from-start')}
        </button>
        <button type="button" onClick={() => setStep(step + 1)} disabled={step >= answer.steps.length}>
          {t('page.one-step')}
        </button>
      </p>
      <p>{answer.said.run}</p>
      {answer.said.registered ? <p>{answer.said.registered}</p> : null}
      {answer.said.packet ? <p>{answer.said.packet}</p> : null}
      <table class="sizes">
        <thead>
          <tr>
            <th scope="col" class="n">
              {t('page.head.size')}
            </th>
            <th scope="col" class="n">
              {t('page.head.latency-any')}
            </th>
            <th scope="col" class="n">
              {t('page.eight')}
            </th>
          </tr>
        </thead>
        <tbody>
          {answer.rows.map((r) => (
            <tr key={r.bytes}>
              <th scope="row" class="n">
                {size(r.bytes)}
              </th>
              <td class="n">{duration(r.latencyUs)}</td>
              <td class="n">{significant(r.bandwidthGBps)} GB/s</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        <Sign verdict={answer.allowed} about="open" /> {answer.said.today}
      </p>
    </article>
  );
}
