import type { Document } from '../read/documents.ts';
import { causes, yields } from './causes.ts';
import { Facts } from './facts.ts';
import type { Finding } from './finding.ts';
import type { FindingId } from './ids.ts';
import type { OpenQuestion } from './open-question.ts';
import { rules } from './rules.ts';
import { withoutPointless } from './unified-memory.ts';
import { openQuestions } from './unknown.ts';
import { type WayVerdict, wayVerdicts } from './verdicts.ts';

export interface Diagnosis {
  /** Loudest first; a symptom right below its cause. */
  readonly findings: readonly Finding[];
  /** Does data take the direct way, as far as the inputs speak of it? */
  readonly ways: readonly WayVerdict[];
  /** What could not be told, and which command would tell. */
  readonly open: readonly OpenQuestion[];
  /** Names of machines in the inputs, for those who must take them out. */
  readonly hosts: readonly string[];
}

const rank = { error: 0, warning: 1, info: 2 } as const;

/** What is wrong, from any mix of inputs. */
export function diagnose(documents: readonly Document[]): Diagnosis {
  const facts = new Facts(documents);
  const found = new Map<FindingId, Finding>();
  for (const rule of rules) {
    const given = rule(facts);
    for (const f of Array.isArray(given)
      ? (given as readonly (Finding | undefined)[])
      : [given as Finding | undefined]) {
      if (f && f.evidence.length + f.absent.length > 0 && !found.has(f.id)) found.set(f.id, f);
    }
  }
  for (const id of [...found.keys()]) if (yields[id]?.some((better) => found.has(better))) found.delete(id);
  const findings = ordered(withoutPointless(facts, found));
  return {
    findings,
    ways: wayVerdicts(facts, findings),
    open: openQuestions(facts, findings),
    hosts: facts.hosts,
  };
}

/** Causes by how loud and how sure they are; what follows from one stands right below it. */
function ordered(found: readonly Finding[]): Finding[] {
  const ids = new Set(found.map((f) => f.id));
  const all = found.map((f) => {
    const cause = causes[f.id]?.find((c) => ids.has(c));
    return cause === undefined ? f : { ...f, follows: cause };
  });
  all.sort((a, b) => rank[a.severity] - rank[b.severity] || b.confidence - a.confidence);
  const told: Finding[] = [];
  const tell = (f: Finding): void => {
    if (told.includes(f)) return;
    told.push(f);
    for (const below of all) if (below.follows === f.id) tell(below);
  };
  for (const f of all) if (f.follows === undefined) tell(f);
  for (const f of all) tell(f);
  return told;
}
