import { useComputed } from '@preact/signals';
import { duration, significant, size } from '../../tell/text/quantity.ts';
import { Chart, type Curve } from '../chart/chart.tsx';
import type { Explain, Move, MovePath } from '../page/answers.ts';
import { explain, good, move, moveBefore } from '../page/answers-of.ts';
import * as state from '../page/state.ts';
import { bandwidthAt, colorOf, todays } from '../page/ways.ts';
import { t } from '../page/words.ts';
import { Assumed } from './assumed.tsx';
import { Command } from './command.tsx';
import { Flips } from './flips.tsx';
import { ChooseTwo } from './hints.tsx';
import { Places } from './places.tsx';
import { Sign } from './verdict.tsx';

/** The way between two devices: what is taken, why, what else there is, and what would change it. */
export function WayPanel() {
  const told = move.value;
  if (state.from.value === undefined || state.to.value === undefined) return <ChooseTwo />;
  if (told.answer?.ok === false) {
    return (
      <div>
        <h2>
          {state.from.value} → {state.to.value}
        </h2>
        <Why />
        <p class="trouble">{told.answer.why}</p>
        <Flips />
      </div>
    );
  }
  const answer = good(told);
  if (!answer) return told.busy ? <p class="hint">{t('page.working')}</p> : <ChooseTwo />;
  return (
    <div class={told.busy ? 'busy' : ''}>
      <Head answer={answer} />
      <Why />
      <Ways answer={answer} />
      <Curves answer={answer} />
      {answer.assumptions.length > 0 ? <Assumed list={answer.assumptions} /> : null}
      <Flips />
    </div>
  );
}

/** Counters of today's way: what the sketch of the page calls `copies 2 · CPU 0.31 s/GB · host memory 2.0 B/B`. */
function Head({ answer }: { answer: Move }) {
  const now = todays(answer);
  const past = good(moveBefore.value);
  const was = state.changed.value && past ? todays(past) : undefined;
  const bytes = state.bytes.value;
  if (!now) return null;
  const counters = (p: MovePath): string[] => [
    p.path,
    t('page.copies', { count: p.copies }),
    t('page.cpu', { seconds: small(cpuAt(p, bytes)) }),
    t('page.host-bytes', { bytes: p.hostMemoryBytesPerByte }),
    t('page.at', { value: `${significant(bandwidthAt(p, bytes))} GB/s`, size: size(bytes) }),
    t('page.at', { value: duration(latencyOf(p)), size: size(p.rows[0]?.bytes ?? 0) }),
  ];
  const after = counters(now);
  const before = was ? counters(was) : undefined;
  return (
    <header class="wayhead">
      <h2>
        {answer.from} → {answer.to}
      </h2>
      <p class="counters" aria-live="polite">
        {after.map((text, i) => (
          <span key={i} class={before && before[i] !== text ? 'counter new' : 'counter'}>
            {i === 0 ? <b style={{ color: `var(--${colorOf(now.path)})` }}>{text}</b> : text}
          </span>
        ))}
      </p>
      {before ? (
        <p class="counters before">
          <span class="counter">{t('page.before')}</span>
          {before.map((text, i) => (
            <span key={i} class={before[i] === after[i] ? 'counter' : 'counter old'}>
              {text}
            </span>
          ))}
        </p>
      ) : null}
    </header>
  );
}

const cpuAt = (p: MovePath, bytes: number): number =>
  (p.rows.find((r) => r.bytes === bytes) ?? p.rows.at(-1))?.cpuSecondsPerGB ?? 0;
/** Below a millisecond of a core for a gigabyte, nobody counts. */
const small = (seconds: number): string => (seconds < 0.001 ? '<0.001' : significant(seconds));
const latencyOf = (p: MovePath): number => p.rows[0]?.latencyUs ?? 0;

/** The deciding rule, the lines that it rests on, and what to run where nothing tells. */
function Why() {
  const told = explain.value;
  const answer = good(told);
  if (told.answer?.ok === false) return <p class="trouble">{told.answer.why}</p>;
  if (!answer || !same(answer))
    return <section class="why">{told.busy ? <p class="quiet">{t('page.working')}</p> : null}</section>;
  return (
    <section class="why">
      <p>
        <Sign verdict={answer.direct} /> {answer.rule.text} <Places at={answer.evidence} />
      </p>
      {answer.settle ? (
        <>
          <p class="quiet">{t('page.settle')}</p>
          <Command text={answer.settle.command} />
        </>
      ) : null}
      {answer.ways[0] ? <Stages answer={answer} /> : null}
    </section>
  );
}

const same = (a: Explain): boolean => a.from === state.from.value && a.to === state.to.value;

function Stages({ answer }: { answer: Explain }) {
  const way = answer.ways[0]!;
  return (
    <details>
      <summary>{t('page.stages', { count: way.stages.length })}</summary>
      <ol class="stages">
        {way.stages.map((s, i) => (
          <li key={i} class={i === way.weakest ? 'weakest' : ''}>
            <b>
              {s.from} → {s.to}
            </b>{' '}
            {s.by} · {s.medium}
            {s.bytesPerSecond === undefined ? '' : ` · ${significant(s.bytesPerSecond / 1e9)} GB/s`}
            {s.copy === undefined ? '' : ` · ${t('page.copy-number', { number: s.copy })}`}
            {i === way.weakest ? ` · ${t('page.weakest')}` : ''} <Places at={s.evidence} />
          </li>
        ))}
      </ol>
    </details>
  );
}

function Ways({ answer }: { answer: Move }) {
  const bytes = state.bytes.value;
  const past = good(moveBefore.value);
  const now = todays(answer);
  return (
    <section>
      <h3>{t('page.every-way', { size: size(bytes) })}</h3>
      <div class="scroll">
        <table class="ways">
          <thead>
            <tr>
              <th scope="col">{t('page.head.way')}</th>
              <th scope="col">{t('page.head.open')}</th>
              <th scope="col" class="n">
                GB/s
              </th>
              <th scope="col" class="n">
                {t('page.head.latency')}
              </th>
              <th scope="col" class="n">
                {t('page.head.copies')}
              </th>
              <th scope="col" class="n">
                {t('page.head.cpu')}
              </th>
              <th scope="col" class="n">
                {t('page.head.memory')}
              </th>
            </tr>
          </thead>
          <tbody>
            {answer.paths.map((p) => {
              const rate = bandwidthAt(p, bytes);
              const was = past?.paths.find((x) => x.path === p.path);
              const old = was && state.changed.value ? bandwidthAt(was, bytes) : rate;
              const moved = Math.abs(old - rate) > rate * 0.005 || (was !== undefined && was.allowed !== p.allowed);
              return (
                <tr key={p.path} class={`${p === now ? 'now' : ''} ${moved && state.changed.value ? 'moved' : ''}`}>
                  <th scope="row">
                    <button
                      type="button"
                      class="waybutton"
                      aria-pressed={state.only.value === p.path}
                      title={p.reason}
                      onClick={() => {
                        state.only.value = state.only.value === p.path ? undefined : p.path;
                      }}
                    >
                      <span class="dot" style={{ background: `var(--${colorOf(p.path)})` }} aria-hidden="true" />
                      {p.path}
                    </button>
                  </th>
                  <td title={p.reason}>
                    <Sign verdict={p.allowed} about="open" />
                  </td>
                  <td class="n">
                    {significant(rate)}
                    {moved && state.changed.value && significant(old) !== significant(rate) ? (
                      <small> {t('page.was', { value: significant(old) })}</small>
                    ) : null}
                  </td>
                  <td class="n">{duration(latencyOf(p))}</td>
                  <td class="n">{p.copies}</td>
                  <td class="n">{small(cpuAt(p, bytes))}</td>
                  <td class="n">{p.hostMemoryBytesPerByte}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {now?.note ? <p class="quiet">{now.note}</p> : null}
    </section>
  );
}

function Curves({ answer }: { answer: Move }) {
  const curves = useComputed((): readonly Curve[] => {
    const past = state.changed.value ? good(moveBefore.value) : undefined;
    const shown = answer.paths.filter((p) => state.only.value === undefined || p.path === state.only.value);
    const curve = (p: MovePath, before: boolean): Curve => ({
      name: before ? t('page.curve-before', { name: p.path }) : p.path,
      color: colorOf(p.path),
      dashed: before,
      points: p.rows.map((r) => ({ x: r.bytes, y: r.bandwidthGBps })),
    });
    const was = past ? todays(past) : undefined;
    return [...(was ? [curve(was, true)] : []), ...shown.map((p) => curve(p, false))];
  });
  return (
    <Chart
      id="way-chart"
      title={t('page.chart.way')}
      unit="GB/s"
      curves={curves.value}
      mark={state.bytes.value}
      onPick={(x) => {
        state.bytes.value = x;
      }}
    />
  );
}
