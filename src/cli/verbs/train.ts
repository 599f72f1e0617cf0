import { readFile } from 'node:fs/promises';
import { parseSizes } from '../../answer/move.ts';
import { answerTrain } from '../../answer/train.ts';
import { assumptionText } from '../../assemble/assume.ts';
import { datatypes } from '../../predict/collective/predict.ts';
import { maxDescription } from '../../read/cluster-yaml/parse.ts';
import { trainJson } from '../../tell/json/train.ts';
import { stylerFor } from '../../tell/text/columns.ts';
import { trainText } from '../../tell/text/train.ts';
import { say } from '../../words/message.ts';
import { modelNamed, readModel, type TrainModel } from '../../workload/model.ts';
import type { Strategy } from '../../workload/step.ts';
import { askOf, load } from '../load.ts';
import type { Options } from '../options.ts';
import { exit, NoAnswer, type Outcome } from '../outcome.ts';

/** Kernels of well-tuned transformers keep up about half of the peak (https://github.com/mosaicml/llm-foundry). */
const usualShare = 0.5;

/** `train [INPUT…]`: a step of data-parallel training, from one node to all. */
export async function train(inputs: readonly string[], options: Options): Promise<Outcome> {
  const model = await modelOf(options.model ?? '7B');
  const samples = options.samples === undefined ? model.samples : number('samples', options.samples);
  const { machine } = await load(inputs, options);
  if (machine.hosts.length === 0) throw new NoAnswer(say('assemble.no-topology'));
  const bucket = parseSizes(options.bucket ?? '25M');
  if (!bucket.ok) throw new NoAnswer(bucket.error);
  const answer = answerTrain(machine, askOf(options), {
    model: { ...model, samples },
    strategy: strategyOf(options.strategy ?? 'ddp'),
    bucket: bucket.value[0]!,
    gradientWidth: gradientWidth(options.datatype ?? 'bfloat16'),
    ...(options.tflops === undefined ? {} : { peak: number('tflops', options.tflops) * 1e12 }),
    kept: options.mfu === undefined ? usualShare : share('mfu', options.mfu),
  });
  if (!answer.ok) throw new NoAnswer(answer.error.reason);
  const assumed = options.assume.map(assumptionText);
  const text = options.json
    ? trainJson(answer.value, assumed, options.language)
    : trainText(answer.value, {
        language: options.language,
        width: options.width,
        style: stylerFor(options.color),
      });
  return { text, code: exit.fine };
}

/** A name, a number of parameters, or a file that describes it. */
async function modelOf(text: string): Promise<TrainModel> {
  if (!/\.ya?ml$/i.test(text)) {
    const named = modelNamed(text);
    if (!named.ok) throw new NoAnswer(named.error);
    return named.value;
  }
  let body: string;
  try {
    body = (await readFile(text, 'utf8')).slice(0, maxDescription + 1);
  } catch {
    throw new NoAnswer(say('train.model.file', { file: text }));
  }
  const read = await readModel(body, text);
  if (read.ok) return read.value;
  const problems = read.error.map((p) => say('train.problem', { file: p.at.file, line: p.at.line, reason: p.message }));
  throw new NoAnswer(say('train.model.file', { file: text }), problems);
}

function strategyOf(text: string): Strategy {
  if (text === 'ddp' || text === 'fsdp') return text;
  throw new NoAnswer(say('train.strategy', { text }));
}

/** Bytes of a gradient, by nccl-tests' names of types. */
function gradientWidth(text: string): number {
  if (text === 'half' || text === 'bfloat16' || text === 'float') return datatypes[text];
  throw new NoAnswer(say('train.datatype', { text }));
}

function share(option: string, text: string): number {
  const n = number(option, text);
  if (n <= 1) return n;
  throw new NoAnswer(say('train.share', { option, text }));
}

function number(option: string, text: string): number {
  const n = Number(text);
  if (Number.isFinite(n) && n > 0) return n;
  throw new NoAnswer(say('train.number', { option, text }));
}
