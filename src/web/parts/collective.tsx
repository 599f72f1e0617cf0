import { duration, significant, size } from '../../tell/text/quantity.ts';
import { Chart, type Curve, type Stretch } from '../chart/chart.tsx';
import type { Comparison, Prediction, PredictRow } from '../page/answers.ts';
import { catalogue, comparison, good, prediction, predictionBefore, predictionBeside } from '../page/answers-of.ts';
import * as state from '../page/state.ts';
import { t } from '../page/words.ts';
import { Assumed } from './assumed.tsx';
import { bare, NeedsTopology } from './hints.tsx';

/** What nccl-tests should print here, and what it printed where a table lies on the page. */
export function CollectivePanel() {
  if (bare()) return <NeedsTopology />;
  const told = prediction.value;
  const answer = good(told);
  const measured = good(comparison.value) ?? undefined;
  const here = measured !== undefined && measured.collective === state.collective.value ? measured : undefined;
  return (
    <div class={told.busy ? 'busy' : ''}>
      <Choices />
      {told.answer?.ok === false ? <p class="trouble">{told.answer.why}</p> : null}
      {comparison.value.answer?.ok === false ? <p class="trouble">{comparison.value.answer.why}</p> : null}
      {answer ? (
        <>
          {measured && !here ? (
            <p class="hint">
              {t('page.table-of', { collective: measured.collective })}{' '}
              <button
                type="button"
                onClick={() => {
                  state.collective.value = measured.collective;
                }}
              >
                {t('page.show-it')}
              </button>
            </p>
          ) : null}
          {comparison.value.busy ? <p class="hint">{t('page.comparing')}</p> : null}
          {here ? <Judged answer={here} /> : null}
          <Curves answer={answer} measured={here} />
          <p class="limit">{here ? t('page.should-hold', { why: here.bottleneck.why }) : answer.bottleneck.why}</p>
          <Assumed list={answer.assumptions} />
          <Table answer={answer} measured={here} />
        </>
      ) : null}
    </div>
  );
}

function Choices() {
  const all = catalogue.value;
  return (
    <p class="choices">
      <label>
        {t('page.collective')}{' '}
        <select
          id="collective"
          value={state.collective.value}
          onChange={(e) => {
            state.collective.value = e.currentTarget.value;
          }}
        >
          {(all?.collectives ?? [state.collective.value]).map((c) => (
            <option key={c} value={c}>
              {c}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t('page.beside')}{' '}
        <select
          id="beside"
          value={state.beside.value ?? ''}
          onChange={(e) => {
            state.beside.value = e.currentTarget.value || undefined;
          }}
        >
          <option value="">–</option>
          {(all?.systems ?? []).map((s) => (
            <option key={s.id} value={s.id}>
              {s.id}
            </option>
          ))}
        </select>
      </label>
    </p>
  );
}

function Judged({ answer }: { answer: Comparison }) {
  const named = answer.explanations.slice(0, 3);
  return (
    <section class="judged">
      <p>
        <b class={`rowverdict ${answer.verdict}`}>{answer.says}</b>
      </p>
      {named.length > 0 ? (
        <>
          <p class="quiet">{t('page.explanations')}</p>
          <ol>
            {named.map((e) => (
              <li key={e.id}>
                {e.what} <small>({t('page.off-by', { percent: Math.round((Math.exp(e.distance) - 1) * 100) })})</small>
              </li>
            ))}
          </ol>
        </>
      ) : null}
      {answer.notes.map((n) => (
        <p key={n} class="quiet">
          {n}
        </p>
      ))}
    </section>
  );
}

function Curves({ answer, measured }: { answer: Prediction; measured: Comparison | undefined }) {
  const past = state.changed.value ? good(predictionBefore.value) : undefined;
  const beside = good(predictionBeside.value);
  const of = (p: Prediction): Curve['points'] => p.rows.map((r) => ({ x: r.bytes, y: r.busbwGBps }));
  const curves: Curve[] = [
    ...(past
      ? [
          {
            name: t('page.curve-before', { name: t('page.predicted') }),
            color: 'curve',
            dashed: true,
            points: of(past),
          },
        ]
      : []),
    {
      name: t('page.predicted'),
      color: 'curve',
      points: of(answer),
      band: answer.rows.map((r) => ({
        x: r.bytes,
        low: (r.busbwGBps * r.timeUs) / r.timeHighUs,
        high: (r.busbwGBps * r.timeUs) / r.timeLowUs,
      })),
    },
    ...(measured
      ? [
          {
            name: t('page.measured'),
            color: 'measured',
            dots: true,
            points: measured.rows.map((r) => ({ x: r.bytes, y: r.measuredBusbwGBps })),
          },
        ]
      : []),
    ...(beside && state.beside.value !== undefined
      ? [{ name: state.beside.value, color: 'beside', points: of(beside) }]
      : []),
  ];
  return (
    <Chart
      id="collective-chart"
      title={t('page.chart.collective', { collective: answer.collective })}
      unit="GB/s"
      curves={curves}
      stretches={stretchesOf(answer.rows)}
    />
  );
}

/** Sizes that one algorithm and protocol serve, side by side. */
function stretchesOf(rows: readonly PredictRow[]): Stretch[] {
  const list: { from: number; to: number; name: string }[] = [];
  for (const r of rows) {
    const name = `${r.algorithm} ${r.protocol}`;
    const last = list.at(-1);
    if (last) last.to = r.bytes;
    if (last?.name !== name) list.push({ from: r.bytes, to: r.bytes, name });
  }
  return list;
}

function Table({ answer, measured }: { answer: Prediction; measured: Comparison | undefined }) {
  const rows = measured?.rows ?? answer.rows;
  return (
    <div class="scroll">
      <table class="sizes">
        <thead>
          <tr>
            <th scope="col" class="n">
              {t('page.head.size')}
            </th>
            <th scope="col" class="n">
              {t('page.head.time')}
            </th>
            <th scope="col" class="n">
              {t('page.head.busbw')}
            </th>
            <th scope="col">{t('page.head.algorithm')}</th>
            {measured ? (
              <>
                <th scope="col" class="n">
                  {t('page.measured')}
                </th>
                <th scope="col">{t('page.head.verdict')}</th>
              </>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {rows.map((r) => {
            const m = measured?.rows.find((x) => x.bytes === r.bytes);
            return (
              <tr key={r.bytes}>
                <th scope="row" class="n">
                  {size(r.bytes)}
                </th>
                <td class="n">{duration(r.timeUs)}</td>
                <td class="n" data-busbw={r.busbwGBps}>
                  {significant(r.busbwGBps)}
                </td>
                <td>
                  {r.algorithm} {r.protocol} ×{r.channels}
                </td>
                {measured ? (
                  <>
                    <td class="n">{m ? significant(m.measuredBusbwGBps) : ''}</td>
                    <td>{m ? <span class={`rowverdict ${m.verdict}`}>{t(`page.row.${m.verdict}`)}</span> : ''}</td>
                  </>
                ) : null}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
