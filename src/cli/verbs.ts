import { nearest } from '../base/nearest.ts';
import type { MessageCode } from '../words/en/index.ts';
import type { Options } from './options.ts';
import type { Outcome } from './outcome.ts';

export type RunVerb = (words: readonly string[], options: Options) => Promise<Outcome>;

export interface Verb {
  readonly usage: string;
  readonly about: MessageCode;
  /** Options of its own; those marked may be given again. */
  readonly options?: readonly (readonly [flag: string, about: MessageCode, more?: 'again'])[];
  /** Loaded when asked for, so that one verb does not pay for another's code. */
  readonly load: () => Promise<RunVerb>;
}

/** What stands behind a verb; each verb itself says what it lacks. */
export const wordAbout: Readonly<Record<string, MessageCode>> = {
  inputs: 'cli.word.inputs',
  collective: 'cli.word.collective',
  table: 'cli.word.table',
  from: 'cli.word.from',
  to: 'cli.word.to',
  topic: 'cli.word.topic',
  words: 'cli.word.words',
};

export const verbs: readonly Verb[] = [
  {
    usage: 'report [inputs...]',
    about: 'cli.about.report',
    load: async () => (await import('./verbs/report.ts')).report,
  },
  {
    usage: 'show [inputs...]',
    about: 'cli.about.show',
    options: [['--as <form>', 'cli.option.as']],
    load: async () => (await import('./verbs/show.ts')).show,
  },
  {
    usage: 'paths [inputs...]',
    about: 'cli.about.paths',
    load: async () => (await import('./verbs/paths.ts')).paths,
  },
  {
    usage: 'graph [inputs...]',
    about: 'cli.about.graph',
    options: [['--as <form>', 'cli.option.graph-as']],
    load: async () => (await import('./verbs/graph.ts')).graph,
  },
  {
    usage: 'predict [collective] [inputs...]',
    about: 'cli.about.predict',
    options: [
      ['--min <size>', 'cli.option.min'],
      ['--max <size>', 'cli.option.max'],
      ['--factor <n>', 'cli.option.factor'],
      ['--datatype <type>', 'cli.option.datatype'],
    ],
    load: async () => (await import('./verbs/predict.ts')).predict,
  },
  {
    usage: 'compare [table] [inputs...]',
    about: 'cli.about.compare',
    options: [['--as <collective>', 'cli.option.compare-as']],
    load: async () => (await import('./verbs/compare.ts')).compare,
  },
  {
    usage: 'train [inputs...]',
    about: 'cli.about.train',
    options: [
      ['--model <name>', 'cli.option.model'],
      ['--strategy <name>', 'cli.option.strategy'],
      ['--bucket <size>', 'cli.option.bucket'],
      ['--samples <n>', 'cli.option.samples'],
      ['--datatype <name>', 'cli.option.gradients'],
      ['--tflops <n>', 'cli.option.tflops'],
      ['--mfu <share>', 'cli.option.mfu'],
    ],
    load: async () => (await import('./verbs/train.ts')).train,
  },
  {
    usage: 'env [inputs...]',
    about: 'cli.about.env',
    load: async () => (await import('./verbs/env.ts')).env,
  },
  {
    usage: 'probe',
    about: 'cli.about.probe',
    options: [
      ['--root <folder>', 'cli.option.root'],
      ['--bundle <file>', 'cli.option.bundle'],
      ['--plain', 'cli.option.plain'],
    ],
    load: async () => (await import('./verbs/probe.ts')).probe,
  },
  {
    usage: 'topo-file [inputs...]',
    about: 'cli.about.topo-file',
    load: async () => (await import('./verbs/topo-file.ts')).topoFile,
  },
  {
    usage: 'diff [words...]',
    about: 'cli.about.diff',
    load: async () => (await import('./verbs/diff.ts')).diff,
  },
  {
    usage: 'chain [inputs...]',
    about: 'cli.about.chain',
    options: [['--way <id>', 'cli.option.way']],
    load: async () => (await import('./verbs/chain.ts')).chain,
  },
  {
    usage: 'explain [words...]',
    about: 'cli.about.explain',
    load: async () => (await import('./verbs/explain.ts')).explain,
  },
  {
    usage: 'doctor [inputs...]',
    about: 'cli.about.doctor',
    options: [['--report <form>', 'cli.option.report']],
    load: async () => (await import('./verbs/doctor.ts')).doctor,
  },
  {
    usage: 'move [from] [to] [inputs...]',
    about: 'cli.about.move',
    options: [
      ['--path <id>', 'cli.option.path'],
      ['--sizes <list>', 'cli.option.sizes'],
      ['--depth <n>', 'cli.option.depth'],
      ['--threads <n>', 'cli.option.threads'],
      ['--both', 'cli.option.both'],
      ['--beside <ends>', 'cli.option.beside', 'again'],
      ['--pcap <file>', 'cli.option.pcap'],
      ['--trace <file>', 'cli.option.trace'],
    ],
    load: async () => (await import('./verbs/move.ts')).move,
  },
  {
    usage: 'gain [inputs...]',
    about: 'cli.about.gain',
    load: async () => (await import('./verbs/gain.ts')).gain,
  },
  {
    usage: 'learn [topic] [inputs...]',
    about: 'cli.about.learn',
    load: async () => (await import('./verbs/learn.ts')).learn,
  },
  {
    usage: 'serve [inputs...]',
    about: 'cli.about.serve',
    options: [
      ['--port <n>', 'cli.option.port'],
      ['--no-open', 'cli.option.no-open'],
    ],
    load: async () => (await import('./verbs/serve.ts')).serve,
  },
];

const names: readonly string[] = verbs.map((v) => v.usage.split(' ')[0]!);

export const isVerb = (word: string): boolean => names.includes(word);

/** Words for what a verb does. */
const otherWords: Readonly<Record<string, string>> = {
  analyse: 'report',
  analyze: 'report',
  bench: 'predict',
  check: 'doctor',
  diagnose: 'doctor',
  draw: 'show',
  estimate: 'predict',
  simulate: 'move',
  topo: 'show',
  topology: 'show',
  why: 'explain',
};

/** The verb that a word means, or is a misspelling of. */
export const nearestVerb = (word: string): string | undefined =>
  Object.hasOwn(otherWords, word) ? otherWords[word] : nearest(word, names);
