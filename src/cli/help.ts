import { systems } from '../catalogue/systems.ts';
import { columns as inColumns, padEnd, wide, wrap } from '../tell/text/columns.ts';
import type { Language, MessageCode } from '../words/message.ts';
import { render } from '../words/render.ts';
import { commonOptions, type OptionRow } from './options.ts';
import { type Verb, verbs, wordAbout } from './verbs.ts';

/** The verbs by what a person wants to know. */
export const groups: readonly (readonly [title: MessageCode, names: readonly string[]])[] = [
  ['cli.help.machine', ['report', 'show', 'paths', 'graph']],
  ['cli.help.wrong', ['doctor', 'explain', 'chain', 'env', 'diff', 'topo-file']],
  ['cli.help.speed', ['move', 'gain', 'predict', 'compare', 'train']],
  ['cli.help.more', ['probe', 'learn', 'serve']],
];

const examples = [
  'crowfly topo.txt nccl.log',
  'nvidia-smi topo -m | crowfly -',
  'crowfly doctor bug-report.tar.gz',
  'crowfly explain gpu0 node1/gpu0 nccl.log topo.xml',
  'crowfly predict all_reduce --system hgx-h100 --nodes 4',
];

/** Lines longer than this are hard to read, however wide the terminal is. */
const widest = 100;

const nameOf = (verb: Verb): string => verb.usage.split(' ')[0]!;

/** `crowfly --help`: what it is, its verbs in groups, and how to begin. */
export function programHelp(language: Language, columns: number): string {
  const width = Math.min(columns, widest);
  const t = (code: MessageCode): string => render({ code, args: {} }, language);
  const rows: Row[] = [];
  const column = Math.max(...verbs.map((v) => wide(nameOf(v)))) + 4;
  for (const [title, names] of groups) {
    rows.push('', t(title));
    for (const name of names) {
      const verb = verbs.find((v) => nameOf(v) === name);
      if (verb) rows.push([name, t(verb.about)]);
    }
  }
  return text([
    `${t('cli.help.usage')}crowfly [VERB] [INPUT…] [OPTIONS]`,
    '',
    ...wrap(t('cli.about'), width),
    '',
    ...wrap(t('cli.help.inputs'), width),
    ...aligned(rows, column, width),
    '',
    t('cli.help.examples'),
    ...examples.map((e) => `  ${e}`),
    '',
    ...wrap(t('cli.help.verb'), width),
  ]);
}

/** `crowfly VERB --help`: what it answers, what it takes, its own options before those of every verb. */
export function verbHelp(verb: Verb, language: Language, columns: number): string {
  const width = Math.min(columns, widest);
  const t = (code: MessageCode): string => render({ code, args: {} }, language);
  const places = verb.usage.split(' ').slice(1);
  const words = places.map((place): Row => {
    const word = placeName(place);
    return [word, wordAbout[word] === undefined ? '' : t(wordAbout[word])];
  });
  const rowOf = ([flag, about]: OptionRow): Row => [flag, t(about)];
  const own = (verb.options ?? []).map(rowOf);
  const common = commonOptions.filter(([flag]) => !(verb.without ?? []).includes(longName(flag))).map(rowOf);
  common.push(['-h, --help', t('cli.option.help')]);
  const rows = [...words, ...own, ...common];
  // Narrow terminals get the words below each other rather than a column of two letters.
  const column = Math.min(Math.max(...rows.map((r) => wide(r[0]!))) + 4, Math.max(20, Math.floor(width / 2)));
  const block = (title: MessageCode, list: readonly Row[]): string[] =>
    list.length === 0 ? [] : ['', t(title), ...aligned(list, column, width)];
  return text([
    `${t('cli.help.usage')}crowfly ${[nameOf(verb), ...places].join(' ')} [OPTIONS]`,
    '',
    ...wrap(t(verb.about), width),
    ...block('cli.help.arguments', words),
    ...block(own.length > 0 ? 'cli.help.own' : 'cli.help.options', own.length > 0 ? own : common),
    ...(own.length > 0 ? block('cli.help.common', common) : []),
    ...(verb.examples ? ['', t('cli.help.examples'), ...verb.examples.map((e) => `  crowfly ${e}`)] : []),
  ]);
}

/** `--system list`: the catalogue's machines, as they are asked for and as their makers call them. */
export const systemList = (): string =>
  text(inColumns([...systems.values()].map(({ id, name, aliases }) => [id, name, aliases.join(', ')])));

/** `[inputs...]` -> `inputs` */
export const placeName = (place: string): string => place.replaceAll(/[^A-Za-z]/g, '');

/** `-o, --output <file>` -> `--output` */
const longName = (flag: string): string => /--[a-z-]+/.exec(flag)?.[0] ?? flag;

/** A line of its own, or a name and what it is. */
type Row = string | readonly [name: string, about: string];

function aligned(rows: readonly Row[], column: number, width: number): string[] {
  return rows.flatMap((row) => {
    if (typeof row === 'string') return [row];
    const [name, about] = row;
    const lines = wrap(about, width - column);
    const head = `  ${name}`;
    if (wide(head) + 2 > column) return [head, ...lines.map((l) => `${' '.repeat(column)}${l}`)];
    return (lines.length > 0 ? lines : ['']).map(
      (l, i) => `${i === 0 ? padEnd(head, column) : ' '.repeat(column)}${l}`,
    );
  });
}

const text = (lines: readonly string[]): string => `${lines.map((l) => l.trimEnd()).join('\n')}\n`;
