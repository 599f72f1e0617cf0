import { nearest } from '../base/nearest.ts';
import type { Where } from '../fact/fact.ts';
import { NET, pathTypes, typesOf } from '../nccl/path-type.ts';
import type { Release } from '../nccl/release.ts';
import { has64Bits, parseLevel } from '../nccl/settings.ts';
import { unlistedIn } from '../nccl/tuning/restrict.ts';
import { defaultOf } from '../nccl/variables/defaults.ts';
import { isNeverRead, namesOfToday, readByOthers } from '../nccl/variables/names.ts';
import { tieOf } from '../nccl/variables/ties.ts';
import { valuesOf, valuesText, within } from '../nccl/variables/values.ts';
import {
  asWritten,
  decimalMeant,
  numberRead,
  readBy,
  type Variable,
  variableNamed,
  variableNames,
} from '../nccl/variables/variable.ts';
import { fileVariables, formMissed, thresholdsRead, wordsMissed } from '../nccl/variables/words.ts';
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
  const all = new Map(settings.map((s) => [s.name, s.value]));
  return settings
    .filter((s) => /^(?:NCCL|UCX)_/i.test(s.name) || isVisible(s.name))
    .map((s): LintedSetting => {
      // Each process of a job has a list of its own: several are no contradiction.
      if (isVisible(s.name)) return { ...s, ...judgeVisible(s, settings, gpus) };
      const winner = first.get(s.name);
      if (!winner) first.set(s.name, s);
      const own = /^UCX_/i.test(s.name) ? judgeUcx(s.name, s.value) : judge(s, release, changes, all);
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

function judge(
  s: EnvSetting,
  release: Release,
  changes: (name: string) => boolean | undefined,
  all: ReadonlyMap<string, string>,
): Judged {
  const variable = variableNamed(s.name);
  if (!variable) return judgeName(s.name, release);
  const when = judgeTime(variable, release);
  if (when) return when;
  const value = s.value.trim();
  if (value === '') return { verdict: 'standard', why: say('env.empty') };
  const misread = misreadOf(variable, value, release);
  if (misread) return { verdict: 'value', why: misread };
  const number = variable.kind === 'text' ? undefined : numberRead(value);
  if (number?.clean && number.value === defaultOf(variable, release)) {
    return { verdict: 'standard', why: say('env.standard') };
  }
  if (isWorkaround(s.name, value)) return { verdict: 'left', why: say('env.left') };
  const tie = tieOf(s.name, all, release);
  if (tie) return { verdict: 'no-effect', why: say(`env.${tie.kind}`, { other: tie.other }) };
  if (fileVariables.has(s.name)) return { verdict: 'open', why: say('env.file', { variable: `$${s.name}` }) };
  if (changes(s.name) === false) return { verdict: 'no-effect', why: say('env.no-effect') };
  return { verdict: 'fine', why: say('env.fine') };
}

/** A name that no release reads: one of old, one that others read, or a slip. */
function judgeName(name: string, release: Release): Judged {
  const upper = name.toUpperCase();
  if (variableNamed(upper)) return { verdict: 'typo', why: say('env.case', { upper }) };
  if (isNeverRead(name)) {
    const names = namesOfToday(name, release).join(', ');
    return { verdict: 'unknown', why: names === '' ? say('env.never') : say('env.never.instead', { names }) };
  }
  const who = readByOthers(name);
  if (who) return { verdict: byOthers[who], why: say(`env.others.${who}`) };
  const near = longerName(upper) ?? nearest(upper, variableNames);
  return near ? { verdict: 'typo', why: say('env.typo', { near }) } : { verdict: 'unknown', why: say('env.unknown') };
}

/** The one variable whose name goes on where this one ends: `NCCL_IB_GID_INDEX` for `NCCL_IB_GID`. */
function longerName(name: string): string | undefined {
  const longer = name.split('_').length > 2 ? variableNames.filter((n) => n.startsWith(`${name}_`)) : [];
  return longer.length === 1 ? longer[0] : undefined;
}

const byOthers = { pytorch: 'fine', plugin: 'open', build: 'no-effect' } as const;

function judgeTime(variable: Variable, release: Release): Judged | undefined {
  const { since, until, instead } = variable;
  const when = readBy(variable, release);
  if (when === 'early') return { verdict: 'early', why: say('env.early', { version: release.name, since }) };
  if (when !== 'late') return undefined;
  const names = namesOfToday(variable.name, release).join(', ');
  return {
    verdict: 'late',
    why: instead ? say('env.late.instead', { until: until!, instead: names }) : say('env.late', { until: until! }),
  };
}

/** What is wrong with a value as NCCL reads it: a word that is none, a number that is none or too large, a list of names. */
function misreadOf(variable: Variable, value: string, release: Release): Message | undefined {
  const { name } = variable;
  // Of a level NCCL knows only exact names and digits; anything else is as if not set.
  if (levels.has(name)) {
    if (parseLevel(value, release) !== undefined) return undefined;
    const names = typesOf(release).filter((t) => pathTypes.indexOf(t) < NET);
    return say('env.level', { names: names.join(', ') });
  }
  const words = wordsMissed(name, value, release);
  if (words) {
    if (words.missed === undefined) return undefined;
    const names = words.names.join(', ');
    return say(`env.words.${words.other ?? 'other'}`, { word: asWritten(words.missed), names });
  }
  if (variable.kind !== 'text') return misreadNumber(variable, value, release);
  if (name === 'NCCL_THREAD_THRESHOLDS') {
    const count = thresholdsRead(value);
    return count < 6 ? say('env.six', { count }) : undefined;
  }
  if (name === 'NCCL_SOCKET_IFNAME' && value.length === 1) return say('env.short');
  const form = formMissed(name, value);
  return form === undefined ? unlistedIn(name, value, release) : say('env.form', { form });
}

function misreadNumber(variable: Variable, value: string, release: Release): Message | undefined {
  const { value: read, clean } = numberRead(value)!;
  if (!has64Bits(read)) return say('env.long');
  if (!clean) return say('env.number', { read });
  const meant = decimalMeant(value);
  if (meant !== undefined) return say('env.octal', { read, meant });
  const values = valuesOf(variable, release);
  if (values === undefined || within(values, read)) return undefined;
  const taken = values.beyond?.(read, values);
  const told = { read, values: valuesText(values) };
  if (taken === undefined) return say('env.range', told);
  return taken === 'unset' ? say('env.range.unset', told) : say('env.range.taken', { ...told, taken });
}
