import type { Language } from '../../words/message.ts';

/** Three significant digits, never in powers of ten: 0.0123, 4.50, 1750. */
export function significant(value: number, digits = 3): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const whole = Math.floor(Math.log10(Math.abs(value))) + 1;
  if (whole > digits) return String(Number(value.toPrecision(digits)));
  return value.toFixed(Math.min(12, digits - whole));
}

/** A share as each language sets it: `70 %`, `70%`. */
export const percent = (figure: string | number, language: Language): string =>
  `${figure}${language === 'en' ? ' ' : ''}%`;

/** Microseconds in the unit that keeps the figure short. */
export function duration(us: number, digits = 3): string {
  if (us >= 1e6) return `${significant(us / 1e6, digits)} s`;
  if (us >= 1e3) return `${significant(us / 1e3, digits)} ms`;
  return `${significant(us, digits)} µs`;
}

/** Bytes in the largest unit that leaves a whole number. */
export function size(bytes: number): string {
  for (const [unit, n] of [
    ['GiB', 2 ** 30],
    ['MiB', 2 ** 20],
    ['KiB', 2 ** 10],
  ] as const) {
    if (bytes >= n && bytes % n === 0) return `${bytes / n} ${unit}`;
  }
  return `${bytes} B`;
}
