import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { duration } from '../../tell/text/quantity.ts';
import { type Run, tracksOf, visible } from '../chart/tracks.ts';
import { good, move, trace, tracedPath } from '../page/answers-of.ts';
import { download } from '../page/export.ts';
import * as state from '../page/state.ts';
import { t } from '../page/words.ts';
import { fitted } from '../picture/fitted.ts';
import { ChooseTwo } from './hints.tsx';

/** The engine's run of one transfer: who was busy when, and who waited for whom. */
export function TimelinePanel() {
  const told = trace.value;
  const document = good(told);
  const run = useMemo(() => (document ? tracksOf(document) : undefined), [document]);
  const paths = good(move.value)?.paths ?? [];
  if (state.from.value === undefined || state.to.value === undefined) return <ChooseTwo />;
  return (
    <div class={told.busy ? 'busy' : ''}>
      <p class="choices">
        <label>
          {t('page.head.way')}{' '}
          <select
            id="traced"
            value={tracedPath.value ?? ''}
            onChange={(e) => {
              tracedPath.value = e.currentTarget.value || undefined;
            }}
          >
            <option value="">{t('page.todays')}</option>
            {paths.map((p) => (
              <option key={p.path} value={p.path}>
                {p.path}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          disabled={!document}
          onClick={() => download('crowfly-trace.json', JSON.stringify(document), 'application/json')}
        >
          {t('page.perfetto')}
        </button>
      </p>
      {told.answer?.ok === false ? <p class="trouble">{told.answer.why}</p> : null}
      {run ? <Lanes run={run} /> : <p class="hint">{told.busy ? t('page.working') : ''}</p>}
    </div>
  );
}

const row = 22;

function Lanes({ run }: { run: Run }) {
  const holder = useRef<HTMLDivElement>(null);
  // The least there is room for, until the room is measured: a frame drawn before must not be wider than the screen.
  const [width, setWidth] = useState(280);
  const [window, setWindow] = useState({ from: 0, to: run.length });
  useEffect(() => setWindow({ from: 0, to: run.length }), [run]);
  useEffect(() => {
    if (!holder.current) return;
    const observer = new ResizeObserver(([e]) => setWidth(Math.max(280, Math.floor(e!.contentRect.width))));
    observer.observe(holder.current);
    return () => observer.disconnect();
  }, []);
  // Names tell lanes apart by their ends: where there is room they have it.
  const left = width >= 520 ? 260 : 190;
  const span = Math.max(1e-6, window.to - window.from);
  const x = (us: number): number => left + ((us - window.from) / span) * (width - left - 8);
  /** Zooms about a moment, or moves; never beyond the run. */
  const look = (factor: number, about = 0.5, by = 0): void => {
    const next = Math.min(run.length, Math.max(run.length / 1e5, span * factor));
    const pivot = window.from + span * about;
    const from = Math.min(Math.max(0, pivot - next * about + by * span), Math.max(0, run.length - next));
    setWindow({ from, to: from + next });
  };
  const height = run.tracks.length * row + 24;
  let group = '';
  return (
    <div ref={holder}>
      <p class="choices" role="toolbar" aria-label={t('page.zoom')}>
        <button type="button" onClick={() => look(0.5)} aria-label={t('page.zoom-in')}>
          +
        </button>
        <button type="button" onClick={() => look(2)} aria-label={t('page.zoom-out')}>
          −
        </button>
        <button type="button" onClick={() => look(1, 0.5, -0.25)} aria-label={t('page.earlier')}>
          ←
        </button>
        <button type="button" onClick={() => look(1, 0.5, 0.25)} aria-label={t('page.later')}>
          →
        </button>
        <button type="button" onClick={() => setWindow({ from: 0, to: run.length })}>
          {t('page.whole')}
        </button>
        <span class="quiet">{t('page.run-takes', { time: duration(run.length) })}</span>
      </p>
      <svg
        class="timeline"
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={t('page.timeline')}
        onWheel={(e) => {
          e.preventDefault();
          const box = e.currentTarget.getBoundingClientRect();
          look(e.deltaY > 0 ? 1.25 : 0.8, Math.max(0, Math.min(1, (e.clientX - box.left - left) / (width - left - 8))));
        }}
      >
        {[0, 0.25, 0.5, 0.75, 1].map((f) => (
          <text key={f} class="tick" x={Math.min(x(window.from + f * span), width - 40)} y={12}>
            {duration(window.from + f * span)}
          </text>
        ))}
        {run.tracks.map((track, i) => {
          const first = track.group !== group;
          group = track.group;
          const y = 20 + i * row;
          return (
            <g key={`${track.group} ${track.name} ${i}`}>
              {first ? <line class="grid" x1={0} x2={width} y1={y} y2={y} /> : null}
              <title>{`${track.group}: ${track.name}`}</title>
              <text class="lane" x={4} y={y + 15}>
                {fitted(track.name, left - 34, 6.2)}
              </text>
              <text class="busyshare" x={left - 6} y={y + 15} text-anchor="end">
                {t('page.percent', { count: Math.round(track.busy * 100) })}
              </text>
              {visible(track.slices, window.from, window.to, span / width).map((s) => {
                const a = Math.max(left, x(s.from));
                const b = Math.min(width - 8, x(s.to));
                return (
                  <rect
                    key={`${s.from} ${s.name}`}
                    class={s.waits ? 'slice waits' : 'slice'}
                    x={a}
                    y={y + 4}
                    width={Math.max(1, b - a)}
                    height={row - 7}
                  >
                    <title>{`${s.name}: ${duration(s.from)} – ${duration(s.to)}`}</title>
                  </rect>
                );
              })}
            </g>
          );
        })}
      </svg>
    </div>
  );
}
