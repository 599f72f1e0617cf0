import type { Format } from './format.ts';

/**
 * Finds in one pass over a line which formats may open on it. Most lines of a log are nobody's, and asking forty formats one
 * after the other would cost more than reading: an automaton over all their hints (Aho and Corasick, 1975) asks once.
 */
export function hintIndex(formats: readonly Format[]): (line: string) => readonly Format[] {
  const always = formats.filter((f) => f.hints === undefined);
  const hinted = formats.filter((f) => f.hints !== undefined);
  if (hinted.length === 0) return () => formats;
  // Short inputs are over before the automaton would have paid for itself.
  let asked = 0;
  let made: ReturnType<typeof automaton> | undefined;
  const found = new Uint8Array(hinted.length);
  return (line) => {
    if (asked < patience) {
      asked++;
      return formats;
    }
    made ??= automaton(hinted.map((f) => f.hints!));
    const { next, hits } = made;
    let state = 0;
    let any = false;
    const end = Math.min(line.length, longest);
    for (let i = 0; i < end; i++) {
      const code = line.charCodeAt(i);
      state = code < alphabet ? next[state * alphabet + code]! : 0;
      const hit = hits[state];
      if (hit) {
        any = true;
        for (const f of hit) found[f] = 1;
      }
    }
    if (!any) return always;
    const open = formats.filter((f) => f.hints === undefined || found[hinted.indexOf(f)] === 1);
    found.fill(0);
    return open;
  };
}

/** Lines for which every format is asked itself, before the automaton is made. */
export const patience = 400;

/** Hints are plain ASCII. */
const alphabet = 128;
/** As far as the formats with hints look. */
const longest = 8192;

function automaton(hints: readonly (readonly string[])[]) {
  const size = 1 + hints.flat().reduce((sum, h) => sum + h.length, 0);
  const next = new Int32Array(size * alphabet).fill(-1);
  const hits: (number[] | undefined)[] = [undefined];
  let states = 1;
  hints.forEach((words, owner) => {
    for (const word of words) {
      let state = 0;
      for (let i = 0; i < word.length; i++) {
        const at = state * alphabet + word.charCodeAt(i);
        if (next[at] === -1) next[at] = states++;
        state = next[at]!;
      }
      hits[state] = [...(hits[state] ?? []), owner];
    }
  });
  // Breadth first: what no word continues goes where the longest known ending would.
  const fail = new Int32Array(size);
  const queue: number[] = [];
  for (let c = 0; c < alphabet; c++) {
    if (next[c] === -1) next[c] = 0;
    else queue.push(next[c]!);
  }
  for (let head = 0; head < queue.length; head++) {
    const state = queue[head]!;
    const back = fail[state]!;
    if (hits[back]) hits[state] = [...new Set([...(hits[state] ?? []), ...hits[back]])];
    for (let c = 0; c < alphabet; c++) {
      const at = state * alphabet + c;
      const step = next[back * alphabet + c]!;
      if (next[at] === -1) next[at] = step;
      else {
        fail[next[at]!] = step;
        queue.push(next[at]!);
      }
    }
  }
  return { next, hits };
}
