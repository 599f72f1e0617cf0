import { nearest } from '../base/nearest.ts';
import type { MessageCode } from '../words/en/index.ts';
import type { OptionRow, Options } from './options.ts';
import type { Outcome } from './outcome.ts';

export type RunVerb = (words: readonly string[], options: Options) => Promise<Outcome>;

export interface Verb {
  readonly usage: string;
  readonly about: MessageCode;
  /** Options of its own; those marked may be given again. */
  readonly options?: readonly OptionRow[];
  /** Common options that change nothing here: taken, but not shown. */
  readonly without?: readonly string[];
  /** Calls that show what it is for. */
  readonly examples?: readonly string[];
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
  A: 'cli.word.a',
  B: 'cli.word.b',
};

export const verbs: readonly Verb[] = [
  {
    usage: 'report [inputs...]',
    about: 'cli.about.report',
    examples: ['topo.txt nccl.log', '--system hgx-h100 --nodes 4', 'nccl.log --assume gdr=on'],
    load: async () => (await import('./verbs/report.ts')).report,
  },
  {
    usage: 'show [inputs...]',
    about: 'cli.about.show',
    examples: ['show topo.xml', 'show topo.xml --as svg -o machine.svg'],
    options: [['--as <form>', 'cli.option.as']],
    load: async () => (await import('./verbs/show.ts')).show,
  },
  {
    usage: 'paths [inputs...]',
    about: 'cli.about.paths',
    examples: ['paths topo.xml --nccl 2.18.3', 'paths topo.xml --json'],
    load: async () => (await import('./verbs/paths.ts')).paths,
  },
  {
    usage: 'graph [inputs...]',
    about: 'cli.about.graph',
    examples: ['graph topo.xml nccl.log', 'graph topo.xml --nodes 2 --as graph-xml -o graph.xml'],
    options: [['--as <form>', 'cli.option.graph-as']],
    load: async () => (await import('./verbs/graph.ts')).graph,
  },
  {
    usage: 'predict [collective] [inputs...]',
    about: 'cli.about.predict',
    examples: [
      'predict all_reduce topo.xml nccl.log',
      'predict alltoall --system hgx-h100 --nodes 4 --min 1M --max 1G',
    ],
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
    examples: ['compare all_reduce.txt', 'compare all_reduce.txt topo.xml nccl.log'],
    options: [['--as <collective>', 'cli.option.compare-as']],
    load: async () => (await import('./verbs/compare.ts')).compare,
  },
  {
    usage: 'train [inputs...]',
    about: 'cli.about.train',
    examples: ['train topo.xml --nodes 4 --model 7B --strategy fsdp'],
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
    examples: ['env nccl.log', 'env --env NCCL_IB_DISBALE=1 --nccl 2.21.5'],
    load: async () => (await import('./verbs/env.ts')).env,
  },
  {
    usage: 'probe',
    about: 'cli.about.probe',
    examples: ['probe', 'probe --bundle node1.tar.gz'],
    without: ['--system', '--nodes', '--nccl', '--env', '--assume', '--fail-on'],
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
    examples: ['topo-file topo.xml', 'topo-file --system azure-ndv5 lspci.txt -o topo.xml'],
    load: async () => (await import('./verbs/topo-file.ts')).topoFile,
  },
  {
    usage: 'diff [A] [B]',
    about: 'cli.about.diff',
    examples: ['diff node1.tar.gz node2.tar.gz', 'diff before/ after/'],
    load: async () => (await import('./verbs/diff.ts')).diff,
  },
  {
    usage: 'chain [inputs...]',
    about: 'cli.about.chain',
    examples: ['chain nccl.log lsmod.txt', 'chain gdscheck.txt --way gpudirect-storage'],
    options: [['--way <id>', 'cli.option.way']],
    load: async () => (await import('./verbs/chain.ts')).chain,
  },
  {
    usage: 'explain [words...]',
    about: 'cli.about.explain',
    examples: ['explain gpu0 node1/gpu0 topo.xml nccl.log', 'explain PIX', 'explain gdr-disabled-peermem-missing'],
    load: async () => (await import('./verbs/explain.ts')).explain,
  },
  {
    usage: 'doctor [inputs...]',
    about: 'cli.about.doctor',
    examples: ['doctor nccl.log lspci.txt dmesg.txt', 'doctor bug-report.tar.gz --report md -o issue.md'],
    options: [['--report <form>', 'cli.option.report']],
    load: async () => (await import('./verbs/doctor.ts')).doctor,
  },
  {
    usage: 'move [from] [to] [inputs...]',
    about: 'cli.about.move',
    examples: [
      'move gpu0 node1/gpu0 topo.xml --sizes 8,4K,1M',
      'move client gpu0 topo.xml',
      'move gpu0 node1/gpu0 topo.xml --beside "gpu1 node1/gpu1"',
    ],
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
    examples: ['gain topo.xml nccl.log'],
    load: async () => (await import('./verbs/gain.ts')).gain,
  },
  {
    usage: 'learn [topic] [inputs...]',
    about: 'cli.about.learn',
    examples: ['learn', 'learn gpudirect-rdma', 'learn gpudirect-rdma topo.xml'],
    load: async () => (await import('./verbs/learn.ts')).learn,
  },
  {
    usage: 'serve [inputs...]',
    about: 'cli.about.serve',
    examples: ['serve', 'serve topo.xml nccl.log'],
    without: ['--json', '--width', '--color', '--fail-on', '--verbose', '--output'],
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
