import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isLeaf, type Placed } from '../../tell/picture/layout.ts';
import { good, open, report } from '../page/answers-of.ts';
import * as state from '../page/state.ts';
import { t } from '../page/words.ts';
import { nodesOf } from './boxes.ts';
import { Details } from './details.tsx';
import { detailOf, Labels } from './labels.tsx';
import { boxesOf, marksOf, named } from './marks.ts';
import { busAt, memoryOf, memoryRect, type Plan, planOf, times } from './place.ts';
import { rateOf, thickness } from './rates.ts';
import { Threads } from './threads.tsx';

/** The machine as nested boxes, with the ways between the two chosen devices running through it. */
export function Machine() {
  const shown = good(report.value)?.machine;
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [over, setOver] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (!frame.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)));
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  const nodes = useMemo(() => (shown ? nodesOf(shown) : []), [shown]);
  const plan = useMemo(() => (width > 0 ? planOf(nodes, width) : undefined), [nodes, width]);
  // What is drawn until files are read is of other inputs, and that nothing was found in them is not known yet.
  const reading = open.value.busy && state.files.value.length > 0;
  const drawn = plan && nodes.some((n) => n.cpus.length > 0) ? plan : undefined;
  return (
    <div class="machine">
      <div class={reading ? 'sheet reading' : 'sheet'} ref={frame} aria-busy={reading}>
        {reading ? <p class="reads">{t('page.reading', { count: state.files.value.length })}</p> : null}
        {drawn ? (
          <Sheet plan={drawn} title={shown?.title ?? ''} over={setOver} />
        ) : (
          <p class="empty">{open.value.busy || report.value.busy || width === 0 ? '' : t('page.no-topology')}</p>
        )}
      </div>
      <Details plan={drawn} id={over ?? state.to.value ?? state.from.value} />
    </div>
  );
}

function Sheet({ plan, title, over }: { plan: Plan; title: string; over: (id: string | undefined) => void }) {
  const svg = useRef<SVGSVGElement>(null);
  const index = named(plan);
  const marks = marksOf(index);
  const pointed = new Set(state.pointed.value.flatMap((n) => boxesOf(index, n)));
  const walk = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      state.from.value = undefined;
      state.to.value = undefined;
      return;
    }
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const places = [...(svg.current?.querySelectorAll<SVGGElement>('[data-device]') ?? [])];
    const here = places.indexOf(document.activeElement as SVGGElement & HTMLElement);
    if (step === undefined || here < 0) return;
    event.preventDefault();
    places[(here + step + places.length) % places.length]!.focus();
  };
  // One stop for Tab; arrows go from device to device.
  const stop = state.from.value ?? [...plan.spots.keys()].find((k) => /gpu\d/.test(k));
  const parts = { marks, pointed, over, stop };
  return (
    <svg
      ref={svg}
      class="picture"
      width={plan.w}
      height={plan.h}
      viewBox={`0 0 ${plan.w} ${plan.h}`}
      role="group"
      aria-label={title}
      onKeyDown={walk}
      onPointerLeave={() => over(undefined)}
    >
      {plan.nodes.map((n) => (
        <g key={n.node.id}>
          {n.node.title === '' && plan.nodes.length === 1 ? null : (
            <rect class="host" x={n.rect.x} y={n.rect.y} width={n.rect.w} height={n.rect.h} rx="8" />
          )}
          {n.boxes.map((b) => (
            <Box key={b.box.id} placed={b} {...parts} />
          ))}
          {n.band ? <rect class="band" x={n.band.x} y={n.band.y} width={n.band.w} height={n.band.h} rx="5" /> : null}
        </g>
      ))}
      {plan.network ? (
        <rect
          class="network"
          x={plan.network.x}
          y={plan.network.y}
          width={plan.network.w}
          height={plan.network.h}
          rx="5"
        />
      ) : null}
      <Threads plan={plan} />
      <Labels plan={plan} marks={marks} />
    </svg>
  );
}

interface BoxProps {
  readonly placed: Placed;
  readonly marks: ReadonlyMap<string, string>;
  readonly pointed: ReadonlySet<string>;
  readonly over: (id: string | undefined) => void;
  readonly stop: string | undefined;
}

function Box({ placed, ...parts }: BoxProps) {
  const { box, x, y, w, h } = placed;
  if (isLeaf(box)) return <Leaf placed={placed} {...parts} />;
  const mark = box.mark ?? parts.marks.get(box.id);
  return (
    <g onPointerEnter={() => parts.over(box.id)}>
      <rect class={`${box.kind} ${mark ?? ''}`} x={x} y={y} width={w} height={h} rx="5" />
      <line class="bus" x1={x + 10} x2={x + w - 10} y1={y + busAt} y2={y + busAt} />
      {placed.children.map((c) => (
        <g key={c.box.id}>
          <line
            class="pcie"
            x1={c.x + c.w / 2}
            x2={c.x + c.w / 2}
            y1={Math.max(y + busAt, c.y - 9)}
            y2={c.y}
            stroke-width={thickness(rateOf(c.box))}
          />
          <Box placed={c} {...parts} />
        </g>
      ))}
      {box.kind === 'cpu' ? <Memory placed={placed} {...parts} /> : null}
    </g>
  );
}

function Memory({ placed, over, stop }: BoxProps) {
  const id = memoryOf(placed.box.id);
  const m = memoryRect(placed);
  return (
    <Device
      id={id}
      label={`${[t('page.memory'), letterOf(id)].filter((p) => p !== undefined).join(' ')}, ${id}, ${t('page.host-memory')}`}
      over={over}
      stop={stop}
    >
      <rect class="memory" x={m.x} y={m.y} width={m.w} height={m.h} rx="4" />
      <Chosen id={id} x={m.x} y={m.y} />
    </Device>
  );
}

function Leaf({ placed, marks, pointed, over, stop }: BoxProps) {
  const { box, x, y, w, h } = placed;
  const mark = box.mark ?? marks.get(box.id);
  const detail = detailOf(box);
  const label = [
    [box.label + times(box), detail, letterOf(box.id)].filter((p) => p !== undefined).join(' '),
    box.id,
    box.name,
    box.link,
    detail,
    mark === undefined ? undefined : t(`page.mark.${mark as 'bad'}`),
  ];
  return (
    <Device id={box.id} label={label.filter((p) => p !== undefined).join(', ')} over={over} stop={stop}>
      <rect
        class={`${box.kind} ${mark ?? ''} ${pointed.has(box.id) ? 'pointed' : ''}`}
        x={x}
        y={y}
        width={w}
        height={h}
        rx="5"
      />
      {box.nvlinks > 0 ? (
        <rect
          class="stripe"
          x={x + 5}
          y={y + h - 5}
          width={w - 10}
          height={Math.min(4, 1 + box.nvlinks / 6)}
          rx="1.5"
        />
      ) : null}
      <Chosen id={box.id} x={x} y={y} />
    </Device>
  );
}

interface DeviceProps {
  readonly id: string;
  readonly label: string;
  readonly over: (id: string | undefined) => void;
  readonly stop: string | undefined;
  readonly children: preact.ComponentChildren;
}

/** Something that can be an end of a way. */
function Device({ id, label, over, stop, children }: DeviceProps) {
  const chosen = state.from.value === id || state.to.value === id;
  return (
    <g
      class={`device ${chosen ? 'chosen' : ''}`}
      data-device={id}
      role="button"
      tabIndex={id === stop ? 0 : -1}
      aria-pressed={chosen}
      aria-label={label}
      onClick={() => state.choose(id)}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        state.choose(id);
      }}
      onFocus={() => over(id)}
      onPointerEnter={() => over(id)}
    >
      {children}
    </g>
  );
}

const letterOf = (id: string): string | undefined =>
  state.from.value === id ? 'A' : state.to.value === id ? 'B' : undefined;

/** The flag of an end. */
function Chosen({ id, x, y }: { id: string; x: number; y: number }) {
  const letter = letterOf(id);
  if (letter === undefined) return null;
  return (
    <g class="flag" aria-hidden="true">
      <circle cx={x} cy={y} r="9" />
      <text x={x} y={y + 4} text-anchor="middle">
        {letter}
      </text>
    </g>
  );
}
