/** Where the curves lie in a drawing. */
export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** From values to pixels, in powers. */
export interface Scale {
  (value: number): number;
  readonly least: number;
  readonly most: number;
}

export function logScale(values: readonly number[], from: number, to: number): Scale {
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for (const v of values) {
    if (!(v > 0)) continue;
    least = Math.min(least, v);
    most = Math.max(most, v);
  }
  if (!(most > 0)) [least, most] = [1, 10];
  if (least === most) [least, most] = [least / 2, most * 2];
  const a = Math.log(least);
  const span = Math.log(most) - a;
  const scale = (value: number): number => from + ((Math.log(Math.max(value, least / 4)) - a) / span) * (to - from);
  return Object.assign(scale, { least, most });
}

/** 0.1, 1, 10, 100; with 2 and 5 between where there is room. */
export function valueTicks(y: Scale): number[] {
  const decades = Math.log10(y.most / y.least);
  const steps = decades > 3 ? [1] : decades > 1.2 ? [1, 3] : [1, 2, 3, 5, 7];
  const ticks: number[] = [];
  for (let p = Math.floor(Math.log10(y.least)); p <= Math.ceil(Math.log10(y.most)); p++) {
    for (const s of steps) {
      const v = Number((s * 10 ** p).toPrecision(3));
      if (v >= y.least && v <= y.most) ticks.push(v);
    }
  }
  return ticks;
}

/** Sizes that are written below the axis: no two closer than a word. */
export function sizeTicks(xs: readonly number[], x: Scale): number[] {
  const ticks: number[] = [];
  for (const v of xs) {
    if (!Number.isInteger(Math.log2(v))) continue;
    const last = ticks.at(-1);
    if (last === undefined || x(v) - x(last) > 58) ticks.push(v);
  }
  return ticks;
}

export const line = (
  points: readonly { readonly x: number; readonly y: number }[],
  x: (v: number) => number,
  y: (v: number) => number,
): string =>
  points
    .filter((p) => p.y > 0)
    .map((p) => `${Math.round(x(p.x) * 10) / 10},${Math.round(y(p.y) * 10) / 10}`)
    .join(' ');
