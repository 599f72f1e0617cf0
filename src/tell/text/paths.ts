import type { PathsAnswer } from '../../answer/paths.ts';
import type { Machine } from '../../machine/machine.ts';
import type { Language } from '../../words/message.ts';

/** placeholder until the table is drawn */
export function pathsText(_machine: Machine, answer: PathsAnswer, _language: Language): string {
  return answer.pairs.map((p) => `${p.from} ${p.to} ${p.type}`).join('\n');
}
