import type { Where } from '../fact/fact.ts';
import type { Message } from '../words/message.ts';
import { say } from '../words/message.ts';
import type { FindingId } from './ids.ts';
import { about, type Severity } from './ids.ts';

/** What the doctor says about one cause. Sentences are codes; the words stand under `doctor.*`. */
export interface Finding {
  readonly id: FindingId;
  readonly severity: Severity;
  /** 0 … 1: how sure the cause is, given what was read. */
  readonly confidence: number;
  /** As the inputs call them: `0000:17:00.0`, `mlx5_3`, `gpu4`. */
  readonly devices: readonly string[];
  /** Strongest first. */
  readonly evidence: readonly Where[];
  /** What is not there, and would be if all were well. */
  readonly absent: readonly Message[];
  readonly fix: readonly Fix[];
  /** What to run when it is not sure. */
  readonly settle?: string;
  /** The finding that this one follows from. */
  readonly follows?: FindingId;
}

export interface Fix {
  readonly text: Message;
  readonly command?: string;
}

export interface Given {
  readonly evidence: readonly (Where | undefined)[];
  readonly confidence?: number;
  readonly severity?: Severity;
  readonly devices?: readonly string[];
  readonly absent?: readonly Message[];
  /** Commands of the finding's own advice, with the real names. */
  readonly commands?: readonly (string | undefined)[];
  /** Advice instead of the finding's own sentence, where another maker's parts need another cure. */
  readonly fix?: Message;
  /** Advice beyond the finding's own sentence. */
  readonly also?: readonly Fix[];
  readonly settle?: string;
}

export const titleOf = (id: FindingId): Message => say(`doctor.title.${id}`);
export const effectOf = (id: FindingId): Message => say(`doctor.effect.${id}`);
export const fixOf = (id: FindingId): Message => say(`doctor.fix.${id}`);
export const knownOf = (id: FindingId): Message => say(`doctor.known.${id}`);

const most = 5;

/** A finding of a rule, with what its id says anyway. */
export function finding(id: FindingId, given: Given): Finding {
  const [first, ...more] = (given.commands ?? []).filter((c) => c !== undefined);
  return {
    id,
    severity: given.severity ?? about[id].severity,
    confidence: given.confidence ?? 0.9,
    devices: [...new Set(given.devices ?? [])],
    evidence: strongest(given.evidence),
    absent: given.absent ?? [],
    fix: [
      { text: given.fix ?? fixOf(id), ...(first === undefined ? {} : { command: first }) },
      ...more.map((command) => ({ text: say('doctor.fix-then'), command })),
      ...(given.also ?? []),
    ],
    ...(given.settle === undefined ? {} : { settle: given.settle }),
  };
}

/** Each place once, five at most. Where there are more, one of each file comes before a second of any. */
function strongest(places: readonly (Where | undefined)[]): Where[] {
  const once = new Map<string, Where>();
  for (const p of places) if (p && p.line > 0) once.set(`${p.line} ${p.file}`, once.get(`${p.line} ${p.file}`) ?? p);
  const all = [...once.values()];
  if (all.length <= most) return all;
  const files = new Map<string, Where[]>();
  for (const p of all) files.set(p.file, [...(files.get(p.file) ?? []), p]);
  const taken: Where[] = [];
  for (let round = 0; taken.length < most && round < all.length; round++) {
    for (const places of files.values()) {
      const next = places[round];
      if (next && taken.length < most) taken.push(next);
    }
  }
  return taken;
}
