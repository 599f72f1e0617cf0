import { atLeast, type Release, releaseCode } from '../release.ts';
import { variableTable } from './table.ts';

/** How a value is read: an integer with a meaning of yes and no, an integer, or text. */
export type VariableKind = 'flag' | 'number' | 'text';

export type VariableRow = readonly [
  name: string,
  since: string,
  until: string,
  standard: string,
  kind: VariableKind,
  instead: string,
];

export interface Variable {
  readonly name: string;
  readonly since: string;
  /** Last release that reads it; undefined: still read by the newest known. */
  readonly until?: string;
  /** Default, where it is one number in all releases. */
  readonly standard?: string;
  readonly kind: VariableKind;
  readonly instead?: string;
}

const known = new Map<string, Variable>(
  variableTable.map(([name, since, until, standard, kind, instead]) => [
    name,
    {
      name,
      since,
      kind,
      ...(until === '' ? {} : { until }),
      ...(standard === '' ? {} : { standard }),
      ...(instead === '' ? {} : { instead }),
    },
  ]),
);

export const variableNames: readonly string[] = [...known.keys()];

export const variableNamed = (name: string): Variable | undefined => known.get(name);

/** Does a release read it; 'early': not yet, 'late': no longer. */
export function readBy(v: Variable, release: Release): 'yes' | 'early' | 'late' {
  if (!atLeast(release, v.since)) return 'early';
  return v.until !== undefined && release.code > releaseCode(v.until)! ? 'late' : 'yes';
}

/** What NCCL makes of a text where it wants a number: base as in C, text behind it ignored, no digits are 0. */
export function numberRead(text: string): { readonly value: number; readonly clean: boolean } | undefined {
  if (text.trim() === '') return undefined;
  const m = /^\s*([+-]?(?:0[xX][0-9a-fA-F]+|\d+))(.*)$/s.exec(text);
  if (!m) return { value: 0, clean: false };
  const octal = /^[+-]?0\d+$/.test(m[1]!);
  const value = octal ? Number.parseInt(m[1]!, 8) : Number(m[1]);
  return { value, clean: m[2]!.trim() === '' };
}

/** The number that a person means who writes a 0 in front, where C reads another one: 010 is eight. */
export function decimalMeant(text: string): number | undefined {
  const digits = /^\s*([+-]?0\d+)\s*$/.exec(text)?.[1];
  if (digits === undefined) return undefined;
  const meant = Number(digits);
  return meant === Number.parseInt(digits, 8) ? undefined : meant;
}

/** A word out of a value, short enough to be read; in quotes where blanks are part of it. */
export function asWritten(word: string): string {
  const short = word.slice(0, 60);
  return /\s/.test(short) ? `"${short}"` : short;
}
