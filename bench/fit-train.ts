// Fits the two figures of src/catalogue/training.ts on the published scaling of the scoring data, each record with one vote, and
// says how well a record is told by the others: the tables of quality/train.md. node --import tsx bench/fit-train.ts
import type { StepFigures } from '../src/answer/step-on.ts';
import { training } from '../src/catalogue/training.ts';
import { shared, whyNot } from '../test/support/shared.ts';
import { type Scaling, scalings } from '../test/workload/published.ts';
import { keptOf } from '../test/workload/scaled.ts';

interface Tried {
  readonly figures: StepFigures;
  /** By record: how far the loss is off, as |ln(predicted/published)|. */
  readonly off: ReadonlyMap<string, number>;
}

if (shared === undefined) throw new Error(whyNot);
const all: { readonly s: Scaling; readonly kept: (figures?: StepFigures) => number }[] = [];
for (const s of scalings(shared)) all.push({ s, kept: await keptOf(s) });
const records = [...new Set(all.map((x) => x.s.record))];
const mean = (xs: readonly number[]): number => xs.reduce((a, b) => a + b, 0) / xs.length;
const median = (xs: readonly number[]): number => {
  const sorted = [...xs].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
};
const loss = (kept: number): number => Math.max(1e-3, 1 / kept - 1);

/** Jobs that lost less than one per cent say nothing about how much. */
const offBy = (record: string, figures?: StepFigures): number =>
  median(
    all
      .filter((x) => x.s.record === record && x.s.kept < 0.99)
      .map((x) => Math.abs(Math.log(loss(x.kept(figures)) / loss(x.s.kept)))),
  );
const points = (record: string, figures?: StepFigures): number =>
  mean(all.filter((x) => x.s.record === record).map((x) => 100 * Math.abs(x.kept(figures) - x.s.kept)));

const tried: Tried[] = [];
for (let taken = 0; taken <= 0.951; taken += 0.05) {
  for (let spread = 0; spread <= 0.0401; spread += 0.0025) {
    const figures = { taken, spread };
    tried.push({ figures, off: new Map(records.map((r) => [r, offBy(r, figures)])) });
  }
}
const offOver = (t: Tried, over: readonly string[]): number => mean(over.map((r) => t.off.get(r)!));
const best = (over: readonly string[]): Tried => tried.reduce((a, b) => (offOver(b, over) < offOver(a, over) ? b : a));
const factor = (off: number): string => `${Math.exp(off).toFixed(2)} ×`;
const told = (t: Tried, over: readonly string[]): string =>
  `taken ${t.figures.taken.toFixed(2)}, spread ${(100 * t.figures.spread).toFixed(2)} %: loss within ${factor(offOver(t, over))}, ${mean(over.map((r) => points(r, t.figures))).toFixed(2)} points`;

console.log(`neither: ${told(tried[0]!, records)}`);
console.log(`best: ${told(best(records), records)}`);
for (const record of records) {
  const others = best(records.filter((r) => r !== record));
  console.log(`${record}, fitted on the others: ${told(others, [record])}`);
  console.log(`  on itself: ${told(best([record]), [record])}`);
  console.log(`  with the catalogue's: loss within ${factor(offBy(record))}, ${points(record).toFixed(2)} points`);
}
const [taken, spread] = [training.takenByCollectives.value, training.spreadOfRanks.value];
console.log(
  `catalogue, ${taken} and ${spread}: loss within ${factor(mean(records.map((r) => offBy(r))))}, ${mean(records.map((r) => points(r))).toFixed(2)} points`,
);
for (const { s, kept } of all) {
  const [neither, now] = [kept({ taken: 0, spread: 0 }), kept()].map((x) => (100 * x).toFixed(1));
  console.log(`| ${s.name} | ${s.from}→${s.to} | ${(100 * s.kept).toFixed(1)} | ${neither} | ${now} | ${s.record}`);
}
