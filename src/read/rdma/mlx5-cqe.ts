import type { Where } from '../../fact/fact.ts';
import { say } from '../../words/message.ts';
import type { Format } from '../format.ts';
import { statusOfSyndrome } from './completion-status.ts';

/** Transfers that ended with an error, as libmlx5 prints them to the standard error of whatever program uses it. */
export interface Mlx5Cqe {
  readonly kind: 'mlx5-cqe';
  readonly file: string;
  readonly errors: readonly Mlx5Error[];
}

export interface Mlx5Error {
  /** As verbs number it. */
  readonly status: number;
  readonly vendor: number;
  readonly at: Where;
}

const starts = /\bmlx5: \S{1,256}: got completion with error:\s*$/;
/** Four words of the entry, as they stand in each of the four lines below. */
const words = /(?:^|[^0-9a-f])[0-9a-f]{8} ([0-9a-f]{8}) [0-9a-f]{8} ([0-9a-f]{8})\s*$/;
/** Lines of other ranks that may come between. */
const patience = 16;
const most = 256;

/** The last line of an entry: vendor's syndrome and syndrome, and at its end the kind of entry, an error of the asking or the asked side. */
function errorOf(line: string): Omit<Mlx5Error, 'at'> | undefined {
  const found = words.exec(line);
  if (!found || !/[de][0-9a-f]$/.test(found[2]!)) return undefined;
  const status = statusOfSyndrome(Number.parseInt(found[1]!.slice(6), 16));
  return status === undefined ? undefined : { status, vendor: Number.parseInt(found[1]!.slice(4, 6), 16) };
}

export const mlx5Cqe: Format = {
  id: 'mlx5-cqe',
  hints: ['got completion with error:'],
  match: (line) => line.length < 1024 && starts.test(line),
  missing: say('input.opens', { example: 'mlx5: HOST: got completion with error:' }),
  open: (context) => {
    const errors: Mlx5Error[] = [];
    let idle = 0;
    return {
      line(text, number) {
        if (text.length < 1024 && (starts.test(text) || words.test(text))) {
          idle = 0;
          const error = errorOf(text);
          if (error && errors.length < most) errors.push({ ...error, at: context.at(number) });
          return 'took';
        }
        return ++idle > patience ? 'ended' : 'passed';
      },
      close: () => (errors.length === 0 ? undefined : { kind: 'mlx5-cqe', file: context.file, errors }),
    };
  },
};
