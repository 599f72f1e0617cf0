import { type ChainedWay, type ChainLink, chainedWays, chainOf, linkName } from '../../doctor/chain.ts';
import type { Where } from '../../fact/fact.ts';
import { columns, type Styler, stylerFor, wide, wrap } from '../../tell/text/columns.ts';
import { withPlace } from '../../tell/text/explain.ts';
import { type Message, say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { nothingIn, read } from '../load.ts';
import type { Options } from '../options.ts';
import { exit, NoAnswer, type Outcome } from '../outcome.ts';

/** `chain [INPUT…]`: what a direct way needs, link by link. */
export async function chain(words: readonly string[], options: Options): Promise<Outcome> {
  const way = wayOf(options.way ?? 'gpudirect-rdma');
  const inputs = await read(words);
  if (inputs.length === 0) throw new NoAnswer(say('chain.no-input'));
  const documents = inputs.flatMap((i) => i.documents);
  if (documents.length === 0) throw nothingIn(inputs, options);
  const links = chainOf(documents, way);
  const broken = links.some((l) => l.answer === 'no');
  const code = broken && options.failOn !== 'never' ? exit.findings : exit.fine;
  return { text: options.json ? json(way, links, options) : text(way, links, options), code };
}

function wayOf(text: string): ChainedWay {
  const found = chainedWays.find((w) => w === text);
  if (found) return found;
  throw new NoAnswer(say('chain.way', { text, names: chainedWays.join(', ') }));
}

function text(way: ChainedWay, links: readonly ChainLink[], options: Options): string {
  const t = (m: Message): string => render(m, options.language);
  const style = stylerFor(options.color);
  const heads = columns(
    links.map((l) => [t(linkName(l.link)), paint(l, t(say(`chain.${l.answer}`)), style), '|']),
    new Set(),
    '  ',
  );
  const lines = links.flatMap((l, i) => {
    const head = heads[i]!.slice(0, -1);
    const { sentence, at } = about(l, t);
    const rest = at ? withPlace(sentence, [at], { ...options, style }, deep) : wrap(sentence, options.width, deep);
    // What fits stands beside its link, all else below it.
    const brief = [sentence, at ? `${at.file}:${at.line}` : ''].filter((s) => s !== '').join('  ');
    if (wide(head + brief) <= options.width) return [head + brief];
    return [head.trimEnd(), ...rest.filter((line) => line.trim() !== '')];
  });
  return `${[style.strong(t(say(`chain.title.${way}`))), '', ...lines].join('\n')}\n`;
}

const deep = '      ';

const paint = (l: ChainLink, word: string, style: Styler): string =>
  l.answer === 'no' ? style.warn(word) : l.answer === 'unknown' ? style.dim(word) : word;

/** Why a link holds or not, or what would settle it, and the line that says so. */
function about(l: ChainLink, t: (m: Message) => string): { sentence: string; at?: Where } {
  const at = l.evidence[0];
  if (l.because) return { sentence: t(l.because), ...(at ? { at } : {}) };
  if (l.remark) {
    // The remark is about a line of its own, where there is one.
    const beside = l.evidence[1];
    const place = beside ? `  ${beside.file}:${beside.line}` : '';
    return { sentence: `${t(l.remark)}${place}`, ...(at ? { at } : {}) };
  }
  if (at) return { sentence: '', at };
  return { sentence: l.settle === undefined ? '' : t(say('chain.run', { command: l.settle })) };
}

function json(way: ChainedWay, links: readonly ChainLink[], options: Options): string {
  const t = (m: Message): string => render(m, options.language);
  return `${JSON.stringify({
    schema: 'crowfly/chain@1',
    way,
    links: links.map((l) => ({
      link: l.link,
      name: t(linkName(l.link)),
      answer: l.answer,
      evidence: l.evidence.map((e) => ({ file: e.file, line: e.line })),
      ...(l.because ? { because: t(l.because) } : {}),
      ...(l.remark ? { remark: t(l.remark) } : {}),
      ...(l.settle === undefined ? {} : { settle: { command: l.settle } }),
    })),
  })}\n`;
}
