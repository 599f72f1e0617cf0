import type { Facts } from './facts.ts';
import type { Finding } from './finding.ts';

/** A rule looks at the facts and says what it finds. What it needs and does not get, it must not guess. */
export type Rule = (facts: Facts) => readonly (Finding | undefined)[] | Finding | undefined;
