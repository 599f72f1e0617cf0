import type { Result } from '../base/result.ts';
import { cost } from '../flip/edits.ts';
import { type Flip, flipsOf } from '../flip/flips.ts';
import type { Machine } from '../machine/machine.ts';
import { type Ask, releaseOf } from '../nccl/of-machine.ts';
import type { Release } from '../nccl/release.ts';
import { type Course, courseOf, type NoCourse } from '../way/course.ts';

export interface ExplainAnswer {
  readonly release: Release;
  readonly course: Course;
  /** What would change the verdict, cheapest first. */
  readonly flips: readonly Flip[];
}

export function answerExplain(machine: Machine, ask: Ask, from: string, to: string): Result<ExplainAnswer, NoCourse> {
  const course = courseOf(machine, ask, from, to);
  if (!course.ok) return course;
  return {
    ok: true,
    value: { release: releaseOf(machine, ask), course: course.value, flips: flipsOf(machine, ask, course.value) },
  };
}

/** The flips worth showing first: one of each kind of effort and variable, cheapest first. */
export function foremost(flips: readonly Flip[], most: number): Flip[] {
  const seen = new Set<string>();
  const list: Flip[] = [];
  for (const flip of [...flips].sort((a, b) => total(a) - total(b))) {
    const key = flip.edits.map((e) => e.id.split(/[ =]/)[0] + e.effort).join('+');
    if (seen.has(key)) continue;
    seen.add(key);
    list.push(flip);
    if (list.length >= most) break;
  }
  return list;
}

const total = (flip: Flip): number => flip.edits.reduce((sum, e) => sum + cost(e), 0);
