import { mistakesOf } from '../../answer/topo-file.ts';
import { drawDot, drawHtml, drawMermaid, drawSvg, drawText, picture, pictureJson } from '../../tell/picture/index.ts';
import { say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { load } from '../load.ts';
import type { Options } from '../options.ts';
import { exit, NoAnswer, type Outcome } from '../outcome.ts';

const forms = ['text', 'svg', 'dot', 'mermaid', 'html', 'json'] as const;

/** The topology, drawn. */
export async function show(words: readonly string[], options: Options): Promise<Outcome> {
  const form = options.as ?? (options.json ? 'json' : 'text');
  if (!forms.some((f) => f === form)) throw new NoAnswer(say('cli.as', { form, known: forms.join(', ') }));
  const { machine, inputs } = await load(words, options);
  if (machine.hosts.length === 0) throw new NoAnswer(say('assemble.no-topology'));
  const drawn = picture(machine);
  const language = options.language;
  const text = ((): string => {
    switch (form) {
      case 'svg':
        return drawSvg(drawn, { language });
      case 'dot':
        return drawDot(drawn, language);
      case 'mermaid':
        return drawMermaid(drawn, language);
      case 'html':
        return drawHtml(drawn, language);
      case 'json':
        return JSON.stringify(pictureJson(drawn, language), null, 1);
      default:
        return drawText(drawn, { width: options.width, language });
    }
  })();
  // Beside the picture, which may be a file of another program.
  const aside = mistakesOf(inputs).map((m) => `${m.at.file}:${m.at.line}: ${render(m.message, language)}`);
  return { text, code: exit.fine, aside };
}
