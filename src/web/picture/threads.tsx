import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { MovePath } from '../page/answers.ts';
import { explain, good, move } from '../page/answers-of.ts';
import * as state from '../page/state.ts';
import { bandwidthAt, colorOf, running, shownPaths } from '../page/ways.ts';
import { Packets, type Track } from './packets.ts';
import type { Plan } from './place.ts';
import { lineOf, routeOf, routeOfWay } from './routes.ts';

/** The ways between the chosen devices as threads, with packets on them that move at true relative speed. */
export function Threads({ plan }: { plan: Plan }) {
  const group = useRef<SVGGElement>(null);
  const answer = good(move.value);
  const from = state.from.value;
  const paths =
    answer && from !== undefined && answer.from === from && answer.to === state.to.value ? shownPaths(answer) : [];
  const bytes = state.bytes.value;
  const go = running.value;
  const threads = useMemo(
    () =>
      paths.map((p, i) => {
        const route = routeOf(plan, p, from!, answer!.to);
        const aside = (i - (paths.length - 1) / 2) * 4;
        return { path: p, legs: route.legs.map((l) => ({ ...l, d: lineOf(l.points, aside) })) };
      }),
    [plan, answer, from, state.only.value, state.to.value],
  );
  const told = paths.length === 0 ? good(explain.value) : undefined;
  const named = told && told.from === from && told.to === state.to.value ? told.ways[0] : undefined;
  const bare = useMemo(() => (named ? routeOfWay(plan, named) : undefined), [plan, named]);
  useEffect(() => {
    if (!group.current || threads.length === 0 || !go) return;
    const fastest = Math.max(...threads.map((x) => bandwidthAt(x.path, bytes)));
    const tracks = threads.flatMap((x): Track[] => trackOf(x.path, x.legs, bytes, fastest));
    const packets = new Packets(group.current, tracks);
    packets.start();
    return () => packets.stop();
  }, [threads, bytes, go]);
  return (
    <g class="threads" aria-hidden="true">
      {threads.map((x) =>
        x.legs.map((l, i) => (
          <path
            key={`${x.path.path} ${i}`}
            class={`thread ${x.path.allowed === 'no' ? 'closed' : ''} ${l.copy ? 'copied' : ''}`}
            d={l.d}
            stroke={`var(--${colorOf(x.path.path)})`}
          />
        )),
      )}
      {bare?.legs.map((l, i) => (
        <path
          key={`${bare.path} ${i}`}
          class={`thread ${l.copy ? 'copied' : ''}`}
          d={lineOf(l.points, 0)}
          stroke={`var(--${colorOf(bare.path)})`}
        />
      ))}
      <g ref={group} class="packets" />
    </g>
  );
}

function trackOf(
  path: MovePath,
  legs: readonly { readonly d: string; readonly bytesPerSecond?: number; readonly copy: boolean }[],
  bytes: number,
  fastest: number,
): Track[] {
  const rate = bandwidthAt(path, bytes);
  if (!(rate > 0) || legs.every((l) => l.d === '')) return [];
  return [
    {
      color: colorOf(path.path),
      every: fastest / rate,
      legs: legs
        .filter((l) => l.d !== '')
        .map((l) => ({ d: l.d, takes: fastest / ((l.bytesPerSecond ?? fastest * 1e9) / 1e9), copy: l.copy })),
    },
  ];
}
