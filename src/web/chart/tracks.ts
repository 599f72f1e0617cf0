import type { TraceDocument } from '../page/answers.ts';

/** A track of the engine's run: an operation, an engine or a link, with what happened on it. */
export interface Track {
  readonly name: string;
  readonly group: string;
  readonly slices: readonly Slice[];
  /** Share of the run in which something happened here. */
  readonly busy: number;
}

export interface Slice {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly waits: boolean;
}

export interface Run {
  /** Microseconds. */
  readonly length: number;
  readonly tracks: readonly Track[];
}

/** Reads a Trace Event document into tracks; groups are its processes. */
export function tracksOf(document: TraceDocument): Run {
  const groups = new Map<number, string>();
  const names = new Map<string, string>();
  const slices = new Map<string, Slice[]>();
  let length = 0;
  for (const e of document.traceEvents) {
    const key = `${e.pid} ${e.tid}`;
    if (e.ph === 'M') {
      const name = String(e.args?.['name'] ?? '');
      if (e.name === 'process_name') groups.set(e.pid, name);
      if (e.name === 'thread_name') names.set(key, name);
      continue;
    }
    if (e.ph !== 'X' || e.ts === undefined || e.dur === undefined) continue;
    length = Math.max(length, e.ts + e.dur);
    // Track 0 is the run as a whole.
    if (e.tid === 0) continue;
    const list = slices.get(key) ?? [];
    list.push({ name: e.name, from: e.ts, to: e.ts + e.dur, waits: e.cat === 'wait' });
    slices.set(key, list);
  }
  const tracks = [...slices].map(([key, list]): Track => {
    const busy = list.reduce((sum, s) => sum + (s.waits ? 0 : s.to - s.from), 0);
    return {
      name: names.get(key) ?? key,
      group: groups.get(Number(key.split(' ')[0])) ?? '',
      slices: list,
      busy: length > 0 ? Math.min(1, busy / length) : 0,
    };
  });
  return { length, tracks };
}

/** The slices of a track that a window shows, neighbours closer than a pixel put together. */
export function visible(slices: readonly Slice[], from: number, to: number, perPixel: number): Slice[] {
  const list: Slice[] = [];
  for (const s of slices) {
    if (s.to < from || s.from > to) continue;
    const last = list.at(-1);
    if (last && s.from - last.to < perPixel && s.to - s.from < 2 * perPixel && last.waits === s.waits) {
      list[list.length - 1] = { ...last, to: Math.max(last.to, s.to) };
    } else list.push(s);
  }
  return list;
}
