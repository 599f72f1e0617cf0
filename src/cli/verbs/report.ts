import { say } from '../../words/message.ts';
import type { Options } from '../options.ts';
import { NoAnswer, type Outcome } from '../outcome.ts';

export async function report(_words: readonly string[], _options: Options): Promise<Outcome> {
  throw new NoAnswer(say('cli.no-input'));
}
