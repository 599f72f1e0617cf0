import type { Machine } from '../machine/machine.ts';
import { findDevice, type NamedDevice } from '../machine/names.ts';
import type { Ask } from '../nccl/of-machine.ts';
import { type Course, courseOf } from '../way/course.ts';
import { cost, type Edit, editsOf, type Focus } from './edits.ts';

/** An edit (or two together) that changes the verdict, and the course that follows. */
export interface Flip {
  readonly edits: readonly Edit[];
  readonly after: Course;
}

/** The verdict an edit has to change: the data path taken and whether it is direct. */
export const verdictOf = (course: Course): string => `${course.direct} ${course.ways.map((w) => w.path).join('|')}`;

/** Edits to which a question is open: the ends, and the NICs that its way goes through. */
export function focusOf(machine: Machine, course: Course): Focus {
  const devices = [course.from, course.to, ...(course.nics ?? [])]
    .map((name) => findDevice(machine, name))
    .filter((d): d is NamedDevice => d !== undefined);
  const distinct = devices.filter((d, i) => devices.findIndex((o) => o.id === d.id) === i);
  return {
    host: distinct[0]?.host ?? 0,
    gpus: distinct.filter((d) => d.kind === 'gpu'),
    nics: distinct.filter((d) => d.kind === 'nic'),
  };
}

/**
 * What would make the way direct (or, where it is direct, what would end that): every single edit that changes the verdict
 * so, cheapest first; pairs of edits only where no single one does.
 */
export function flipsOf(machine: Machine, ask: Ask, course: Course): Flip[] {
  const wanted = course.direct === 'yes' ? 'no' : 'yes';
  const edits = editsOf(machine, ask, focusOf(machine, course));
  const before = verdictOf(course);
  const single = edits.flatMap((e): Flip[] => {
    const after = tried(machine, ask, course, [e]);
    return after && after.direct === wanted && verdictOf(after) !== before ? [{ edits: [e], after }] : [];
  });
  if (single.length > 0 || wanted === 'no') return single;
  return pairs(machine, ask, course, edits);
}

/** The cheapest of `flipsOf`, found without looking further. */
export function cheapestFlip(machine: Machine, ask: Ask, course: Course): Flip | undefined {
  const wanted = course.direct === 'yes' ? 'no' : 'yes';
  const edits = editsOf(machine, ask, focusOf(machine, course));
  const before = verdictOf(course);
  for (const e of edits) {
    const after = tried(machine, ask, course, [e]);
    if (after && after.direct === wanted && verdictOf(after) !== before) return { edits: [e], after };
  }
  return wanted === 'no' ? undefined : pairs(machine, ask, course, edits, 1)[0];
}

function tried(machine: Machine, ask: Ask, course: Course, edits: readonly Edit[]): Course | undefined {
  let state = { machine, ask };
  for (const e of edits) state = e.apply(state.machine, state.ask);
  const after = courseOf(state.machine, state.ask, course.from, course.to);
  return after.ok ? after.value : undefined;
}

/** Pairs whose halves change something of their own, cheapest sum first; the first few suffice. */
function pairs(machine: Machine, ask: Ask, course: Course, edits: readonly Edit[], most = 3): Flip[] {
  const hard = edits.filter(
    (e) => e.effort === 'module' || e.effort === 'firmware' || e.effort === 'slot' || e.effort === 'part',
  );
  const candidates: { pair: [Edit, Edit]; cost: number }[] = [];
  for (const a of edits) {
    for (const b of hard) {
      if (a === b || cost(a) > cost(b)) continue;
      candidates.push({ pair: [a, b], cost: cost(a) + cost(b) });
    }
  }
  candidates.sort((x, y) => x.cost - y.cost);
  const found: Flip[] = [];
  for (const { pair } of candidates) {
    const after = tried(machine, ask, course, pair);
    if (after?.direct === 'yes') found.push({ edits: pair, after });
    if (found.length >= most) break;
  }
  return found;
}
