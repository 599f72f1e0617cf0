import { useEffect, useRef, useState } from 'preact/hooks';
import { size } from '../../tell/text/quantity.ts';
import { type Frame, line, logScale, sizeTicks, valueTicks } from './scale.ts';

/** One curve over sizes. */
export interface Curve {
  readonly name: string;
  /** A colour of the palette. */
  readonly color: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
  /** How sure: the lowest and highest at each point. */
  readonly band?: readonly { readonly x: number; readonly low: number; readonly high: number }[];
  readonly dashed?: boolean;
  readonly dots?: boolean;
}

/** A stretch of sizes that has a name: an algorithm and its protocol. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

interface Props {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly curves: readonly Curve[];
  readonly stretches?: readonly Stretch[];
  /** A size that the rest of the page looks at. */
  readonly mark?: number;
  readonly onPick?: (x: number) => void;
}

const height = 260;

/** Curves over message sizes, both axes in powers: what happens at 4 KiB is as plain as at 4 GiB. */
export function Chart({ id, title, unit, curves, stretches = [], mark, onPick }: Props) {
  const holder = useRef<HTMLDivElement>(null);
  // As narrow as it gets, until the room is measured (see the timeline).
  const [width, setWidth] = useState(240);
  const [over, setOver] = useState<number | undefined>(undefined);
  useEffect(() => {
    if (!holder.current) return;
    const observer = new ResizeObserver(([e]) =>
      setWidth(Math.max(240, Math.min(1400, Math.floor(e!.contentRect.width)))),
    );
    observer.observe(holder.current);
    return () => observer.disconnect();
  }, []);
  const points = curves.flatMap((c) => c.points).filter((p) => p.y > 0);
  if (points.length === 0) return <div class="chart" ref={holder} />;
  const foot = stretches.length > 0 ? 44 : 26;
  const frame: Frame = { left: 44, right: width - 10, top: 12, bottom: height - foot };
  const x = logScale(
    points.map((p) => p.x),
    frame.left,
    frame.right,
  );
  const y = logScale(
    points.map((p) => p.y),
    frame.bottom,
    frame.top,
  );
  const xs = [...new Set(points.map((p) => p.x))].sort((a, b) => a - b);
  const nearest = (px: number): number =>
    xs.reduce((best, v) => (Math.abs(x(v) - px) < Math.abs(x(best) - px) ? v : best), xs[0]!);
  const at = (event: PointerEvent): number => {
    const box = (event.currentTarget as SVGSVGElement).getBoundingClientRect();
    return nearest(((event.clientX - box.left) * width) / box.width);
  };
  // The second of one colour is told apart by its stroke.
  const again = (c: Curve): boolean => !c.dashed && curves.find((d) => d.color === c.color && !d.dashed) !== c;
  const shown = over ?? mark;
  return (
    <div class="chart" ref={holder}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the list of sizes does the same by keyboard */}
      <svg
        id={id}
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={title}
        onPointerMove={(e) => setOver(at(e))}
        onPointerLeave={() => setOver(undefined)}
        onClick={(e) => onPick?.(at(e as unknown as PointerEvent))}
      >
        {valueTicks(y).map((v) => (
          <g key={v}>
            <line class="grid" x1={frame.left} x2={frame.right} y1={y(v)} y2={y(v)} />
            <text class="tick" x={frame.left - 6} y={y(v) + 4} text-anchor="end">
              {v}
            </text>
          </g>
        ))}
        <text class="tick" x={2} y={10}>
          {unit}
        </text>
        {sizeTicks(xs, x).map((v) => (
          <text
            key={v}
            class="tick"
            x={x(v)}
            y={frame.bottom + 16}
            text-anchor={x(v) > frame.right - 24 ? 'end' : 'middle'}
          >
            {size(v)}
          </text>
        ))}
        {stretches.map((s, i) => (
          <g key={s.from}>
            <rect
              class={i % 2 === 0 ? 'stretch' : 'stretch odd'}
              x={x(s.from)}
              y={frame.bottom + 22}
              width={Math.max(2, x(s.to) - x(s.from))}
              height={16}
            />
            <text class="stretchtext" x={x(s.from) + 3} y={frame.bottom + 34}>
              {fits(s.name, x(s.to) - x(s.from))}
            </text>
          </g>
        ))}
        {curves.map((c) =>
          c.band ? (
            <polygon key={`${c.name} band`} class="sure" points={around(c.band, x, y)} fill={`var(--${c.color})`} />
          ) : null,
        )}
        {curves.map((c) => (
          <g key={c.name}>
            <polyline
              class={`curve ${c.dashed ? 'dashed' : ''} ${again(c) ? 'again' : ''}`}
              points={line(c.points, x, y)}
              stroke={`var(--${c.color})`}
            />
            {c.dots
              ? c.points
                  .filter((p) => p.y > 0)
                  .map((p) => <circle key={p.x} cx={x(p.x)} cy={y(p.y)} r="3" fill={`var(--${c.color})`} />)
              : null}
          </g>
        ))}
        {shown === undefined ? null : (
          <line class="cursor" x1={x(shown)} x2={x(shown)} y1={frame.top} y2={frame.bottom} />
        )}
      </svg>
      <Legend curves={curves} again={again} at={shown} unit={unit} />
    </div>
  );
}

const fits = (name: string, room: number): string => (name.length * 6 < room ? name : '');

const around = (band: NonNullable<Curve['band']>, x: (v: number) => number, y: (v: number) => number): string =>
  `${line(
    band.map((b) => ({ x: b.x, y: b.high })),
    x,
    y,
  )} ${line(
    [...band].reverse().map((b) => ({ x: b.x, y: b.low })),
    x,
    y,
  )}`;

interface LegendProps {
  readonly curves: readonly Curve[];
  readonly again: (c: Curve) => boolean;
  readonly at: number | undefined;
  readonly unit: string;
}

function Legend({ curves, again, at, unit }: LegendProps) {
  return (
    <ul class="legend">
      {curves.map((c) => {
        const p = at === undefined ? undefined : c.points.find((q) => q.x === at);
        return (
          <li key={c.name}>
            <svg
              class={`swatch ${c.dashed ? 'dashed' : ''} ${again(c) ? 'again' : ''}`}
              width="18"
              height="10"
              aria-hidden="true"
            >
              <line x1="1" x2="17" y1="5" y2="5" stroke={`var(--${c.color})`} />
              {c.dots ? <circle cx="9" cy="5" r="3" fill={`var(--${c.color})`} /> : null}
            </svg>
            {c.name}
            {p ? <b>{` ${Number(p.y.toPrecision(3))} ${unit} @ ${size(p.x)}`}</b> : null}
          </li>
        );
      })}
    </ul>
  );
}
