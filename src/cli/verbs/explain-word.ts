import { nearest } from '../../base/nearest.ts';
import { wrap } from '../../tell/text/columns.ts';
import { say } from '../../words/message.ts';
import { findTerm, terms } from '../../words/terms.ts';
import type { Options } from '../options.ts';
import { exit, NoAnswer, type Outcome } from '../outcome.ts';

/** A term of the field in the reader's language. */
export function explainWord(word: string, options: Options): Outcome {
  const term = findTerm(word);
  if (!term) {
    const names = terms.flatMap((t) => t.names);
    const near = nearest(word, names);
    throw new NoAnswer(
      near
        ? say('cli.explain.unknown-near', { word, near })
        : say('cli.explain.unknown', { word, known: terms.map((t) => t.names[0]!).join(', ') }),
    );
  }
  const body = term[options.language];
  if (options.json) {
    return {
      text: `${JSON.stringify({ schema: 'crowfly/term@1', term: term.names[0], names: term.names, text: body })}\n`,
      code: exit.fine,
    };
  }
  const paragraphs = body.split('\n').flatMap((p) => wrap(p, options.width, '  '));
  return { text: `${[term.names.join(', '), '', ...paragraphs].join('\n')}\n`, code: exit.fine };
}
