import { findingAbout, findingIds } from '../../answer/finding-about.ts';
import { variableAbout, variableNames } from '../../answer/variable-about.ts';
import { nearest } from '../../base/nearest.ts';
import { wrap } from '../../tell/text/columns.ts';
import { say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { findTerm, termIn, terms } from '../../words/terms.ts';
import type { Options } from '../options.ts';
import { exit, NoAnswer, type Outcome } from '../outcome.ts';

/** Is there anything to say about it? */
export const explains = (word: string): boolean =>
  findTerm(word) !== undefined || Boolean(findingAbout(word) ?? variableAbout(word)) || termIn(word) !== undefined;

/** A term of the field, or a finding of the doctor, in the reader's language. */
export function explainWord(word: string, options: Options): Outcome {
  const term = findTerm(word) ?? (findingAbout(word) || variableAbout(word) ? undefined : termIn(word));
  if (!term) {
    const told = explainFinding(word, options) ?? explainVariable(word, options);
    if (told) return told;
    const names = /^NCCL_/i.test(word) ? variableNames : [...terms.flatMap((t) => t.names), ...findingIds];
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

function explainFinding(word: string, options: Options): Outcome | undefined {
  const found = findingAbout(word);
  if (!found) return undefined;
  const title = render(found.title, options.language);
  const parts = found.parts.map((p) => ({
    label: render(p.label, options.language),
    text: render(p.text, options.language),
  }));
  if (options.json) {
    const text = [title, ...parts.map((p) => p.text), found.docs].join('\n');
    return {
      text: `${JSON.stringify({ schema: 'crowfly/term@1', term: found.id, names: [found.id], text })}\n`,
      code: exit.fine,
    };
  }
  const body = parts.flatMap((p) => [p.label, ...wrap(p.text, options.width, '  '), '']);
  const docs = render(say('doctor.docs'), options.language);
  return {
    text: `${[...wrap(`${found.id}: ${title}`, options.width), '', ...body, `${docs}  ${found.docs}`].join('\n')}\n`,
    code: exit.fine,
  };
}

function explainVariable(word: string, options: Options): Outcome | undefined {
  const found = variableAbout(word);
  if (!found) return undefined;
  const title = render(say('env.about.title', { name: found.name }), options.language);
  const parts = found.parts.map((p) => render(p, options.language));
  if (options.json) {
    const text = [...parts, found.docs].join('\n');
    return {
      text: `${JSON.stringify({ schema: 'crowfly/term@1', term: found.name, names: [found.name], text })}\n`,
      code: exit.fine,
    };
  }
  const body = parts.flatMap((p) => wrap(p, options.width, '  '));
  const docs = render(say('doctor.docs'), options.language);
  return { text: `${[title, '', ...body, '', `${docs}  ${found.docs}`].join('\n')}\n`, code: exit.fine };
}
