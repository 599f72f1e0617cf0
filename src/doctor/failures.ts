import type { Where } from '../fact/fact.ts';
import type { Warning, WarningKind } from '../read/nccl-log/types.ts';
import type { Facts } from './facts.ts';
import type { Finding } from './finding.ts';
import { again, next, settleOf } from './next-step.ts';

/** Something that a log complains of and that no finding explains. */
export interface Failure {
  readonly kind: WarningKind;
  readonly text: string;
  readonly at: Where;
  /** What would tell its cause. */
  readonly settle: string;
}

const order = Object.keys(next) as readonly WarningKind[];
/** These follow when something else failed, here or on another rank. */
const echoes = new Set<WarningKind>(['other', 'proxy', 'hang', 'connection-closed', 'connect-failed']);
/** Failures told of one input. */
const most = 3;

/** Warnings of a log that no finding has among its evidence: one of each kind, causes before their echoes. */
export function unexplained(facts: Facts, findings: readonly Finding[]): Failure[] {
  const shown = new Set(findings.flatMap((f) => f.evidence.map((e) => `${e.file} ${e.line}`)));
  const explained = (w: Warning): boolean => shown.has(`${w.at.file} ${w.at.line}`);
  // A finding shows five lines at most: what it says of one warning it says of all of the kind.
  const done = new Set(facts.warnings.filter(explained).map((w) => w.kind));
  const loudest = new Map<WarningKind, Warning>();
  for (const w of facts.warnings) {
    // A warning that NCCL keeps to itself is tried again another way; a transfer that failed is not.
    if (w.level === 'INFO' && w.kind !== 'ib-completion' && !gaveUp(w) && !unread.test(w.text)) continue;
    if (next[w.kind] !== undefined && !done.has(w.kind) && !loudest.has(w.kind)) loudest.set(w.kind, w);
  }
  const told = order.flatMap((kind) => {
    const w = loudest.get(kind);
    return w ? [{ kind, text: w.text.slice(0, 160), at: w.at, settle: settleOf(kind, w.text) }] : [];
  });
  const own = told.filter((f) => !echoes.has(f.kind));
  if (own.length > 0) return own.slice(0, most);
  // What a finding explains brings its echoes along.
  return done.size > 0 ? [] : [...told, ...silent(facts, findings)].slice(0, 1);
}

/** A file that somebody named and that NCCL does without. */
const unread = /Could not open XML/;

/** Tries that NCCL counts: many in vain are no hiccup of the start. */
function gaveUp(w: Warning): boolean {
  const tries = /retrying \((\d{1,4})\/(\d{1,4})\)/.exec(w.text);
  return tries !== null && Number(tries[1]) * 2 > Number(tries[2]);
}

/** The start of a communicator returned an error, and the line that says why is not here. */
function silent(facts: Facts, findings: readonly Finding[]): Failure[] {
  if (findings.some((f) => f.severity === 'error')) return [];
  const returns = facts.logs.flatMap((l) => l.returns);
  const start = returns.find((r) => /^(?:init|group|bootstrap)\.cc:\d{1,6} -> [1-6]$/.test(r.text));
  if (!start) return [];
  const socket = returns.find((r) => /\bsocket\.(?:cc|h):\d{1,6} -> [1-6]$/.test(r.text));
  const told = socket ?? start;
  const kind = socket ? 'connect-failed' : 'other';
  return [{ kind, text: told.text, at: told.at, settle: socket ? next['connect-failed']! : again }];
}
