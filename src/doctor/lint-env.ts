import { nearest } from '../base/nearest.ts';
import type { Where } from '../fact/fact.ts';
import { NET, pathTypes, typesOf } from '../nccl/path-type.ts';
import type { Release } from '../nccl/release.ts';
import { has64Bits, parseLevel } from '../nccl/settings.ts';
import { unlistedIn } from '../nccl/tuning/restrict.ts';
import { fileVariables, valuesOf, valuesText, within, wordsMissed } from '../nccl/variable-values.ts';
import { numberRead, readBy, variableNamed, variableNames } from '../nccl/variables.ts';
import { type Message, say } from '../words/message.ts';
import { judgeUcx } from './lint-ucx.ts';
import { type GpusHere, isVisible, judgeVisible } from './lint-visible.ts';
import { isWorkaround } from './rules/environment.ts';

export interface EnvSetting {
  readonly name: string;
  readonly value: string;
  /** Absent: given on the command line. */
  readonly at?: Where;
}

export type EnvVerdict =
  | 'typo'
  | 'unknown'
  | 'early'
  | 'late'
  | 'value'
  | 'twice'
  | 'left'
  | 'no-gpu'
  | 'standard'
  | 'no-effect'
  | 'open'
  | 'fine';

export interface LintedSetting extends EnvSetting {
  readonly verdict: EnvVerdict;
  readonly why: Message;
}

/** What a person must do something about: an error does not do what was meant, a warning may not. */
export function severityOf(verdict: EnvVerdict): 'error' | 'warning' | undefined {
  switch (verdict) {
    case 'typo':
    case 'value':
      return 'error';
    case 'unknown':
    case 'early':
    case 'late':
    case 'left':
    case 'no-gpu':
      return 'warning';
    default:
      return undefined;
  }
}

/**
 * One judgement for every setting of NCCL, of UCX as far as that is known, and of the lists of visible GPUs: is there such a variable in this release, is its value read as meant, does another
 * one win, was it left over. `changes`: does the variable change anything on the machine at hand; undefined where it cannot be told.
 */
export function lintEnv(
  settings: readonly EnvSetting[],
  release: Release,
  changes: (name: string) => boolean | undefined,
  gpus: GpusHere = { uuids: new Map(), mixed: false },
): LintedSetting[] {
  const first = new Map<string, EnvSetting>();
  return settings
    .filter((s) => /^(?:NCCL|UCX)_/i.test(s.name) || isVisible(s.name))
    .map((s): LintedSetting => {
      // Each process of a job has a list of its own: several are no contradiction.
      if (isVisible(s.name)) return { ...s, ...judgeVisible(s, settings, gpus) };
      const winner = first.get(s.name);
      if (!winner) first.set(s.name, s);
      const own = s.name.startsWith('UCX_') ? judgeUcx(s.name, s.value) : judge(s, release, changes);
      const judged = winner && winner.value !== s.value ? twice(winner) : own;
      return { ...s, ...judged };
    });
}

const levels: ReadonlySet<string> = new Set(['NCCL_P2P_LEVEL', 'NCCL_NET_GDR_LEVEL']);

export interface Judged {
  readonly verdict: EnvVerdict;
  readonly why: Message;
}

const twice = (winner: EnvSetting): Judged => ({
  verdict: 'twice',
  why: say('env.twice', { value: winner.value.slice(0, 60) }),
});

function judge(s: EnvSetting, release: Release, changes: (name: string) => boolean | undefined): Judged {
  const variable = variableNamed(s.name);
  const version = release.name;
  if (!variable) {
    const upper = s.name.toUpperCase();
    if (upper !== s.name) return { verdict: 'typo', why: say('env.case', { upper }) };
    const near = nearest(s.name, variableNames);
    return near ? { verdict: 'typo', why: say('env.typo', { near }) } : { verdict: 'unknown', why: say('env.unknown') };
  }
  const when = readBy(variable, release);
  if (when === 'early') return { verdict: 'early', why: say('env.early', { version, since: variable.since }) };
  if (when === 'late') {
    const { instead, until } = variable;
    return {
      verdict: 'late',
      why: instead ? say('env.late.instead', { until: until!, instead }) : say('env.late', { until: until! }),
    };
  }
  const value = s.value.trim();
  if (value === '') return { verdict: 'standard', why: say('env.empty') };
  if (variable.kind !== 'text') {
    const n = numberRead(value)!;
    if (!has64Bits(n.value)) return { verdict: 'value', why: say('env.long') };
    if (!n.clean) return { verdict: 'value', why: say('env.number', { read: n.value }) };
    const values = valuesOf(s.name);
    if (values && !within(values, n.value)) {
      return { verdict: 'value', why: say('env.range', { read: n.value, values: valuesText(values) }) };
    }
    if (variable.standard !== undefined && n.value === Number(variable.standard)) {
      return { verdict: 'standard', why: say('env.standard') };
    }
  }
  // Of a level NCCL knows only exact names and digits; anything else is as if not set.
  if (levels.has(s.name) && parseLevel(value, release) === undefined) {
    const names = typesOf(release).filter((t) => pathTypes.indexOf(t) < NET);
    return { verdict: 'value', why: say('env.level', { names: names.join(', ') }) };
  }
  const values = variable.kind === 'text' ? valuesOf(s.name) : undefined;
  const read = values && numberRead(value);
  if (values && read && !read.clean) return { verdict: 'value', why: say('env.number', { read: read.value }) };
  if (values && read && !within(values, read.value)) {
    return { verdict: 'value', why: say('env.range', { read: read.value, values: valuesText(values) }) };
  }
  const names = wordsMissed(s.name, value);
  if (names) return { verdict: 'value', why: say('env.words', { names: names.join(', ') }) };
  const unlisted = unlistedIn(s.name, value, release);
  if (unlisted) return { verdict: 'value', why: unlisted };
  if (isWorkaround(s.name, value)) return { verdict: 'left', why: say('env.left') };
  if (fileVariables.has(s.name)) return { verdict: 'open', why: say('env.file', { variable: `$${s.name}` }) };
  if (changes(s.name) === false) return { verdict: 'no-effect', why: say('env.no-effect') };
  return { verdict: 'fine', why: say('env.fine') };
}
