import { nearest } from '../base/nearest.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { readSection } from '../read/cluster-yaml/parse.ts';
import type { ClusterProblem } from '../read/cluster-yaml/types.ts';
import { type Message, say } from '../words/message.ts';

/** A network to train, as far as its traffic depends on it. */
export interface TrainModel {
  readonly name: string;
  readonly parameters: number;
  readonly layers: number;
  /** Floating point operations forward, for one sample (an image, a token); backward takes twice as many. */
  readonly flops: number;
  /** Samples of one GPU in one step. */
  readonly samples: number;
  readonly sample: 'token' | 'image';
}

/** Per step and GPU where nothing else is asked for: a sequence of 8,192 tokens, 64 images. */
const usualTokens = 8192;
const usualImages = 64;

interface Known {
  readonly parameters: number;
  readonly layers: number;
  readonly flops: number;
}

/** Counts of the papers: https://arxiv.org/abs/1512.03385, https://arxiv.org/abs/1409.1556, https://arxiv.org/abs/1512.00567. */
const images: Readonly<Record<string, Known>> = {
  'resnet-50': { parameters: 25.6e6, layers: 50, flops: 8.2e9 },
  'resnet-101': { parameters: 44.5e6, layers: 101, flops: 15.7e9 },
  'vgg-16': { parameters: 138.4e6, layers: 16, flops: 31e9 },
  'inception-v3': { parameters: 23.8e6, layers: 48, flops: 11.4e9 },
};

const counts: Readonly<Record<string, number>> = { K: 1e3, M: 1e6, B: 1e9, T: 1e12 };

/** `7B`, `350M`, `resnet-50`: a transformer by its parameters, or a network of the papers by its name. */
export function modelNamed(text: string): Result<TrainModel, Message> {
  const known = Object.hasOwn(images, text.toLowerCase()) ? images[text.toLowerCase()] : undefined;
  if (known) return ok({ name: text.toLowerCase(), ...known, samples: usualImages, sample: 'image' });
  const m = /^(\d+(?:\.\d+)?)\s*([KMBT])$/i.exec(text.trim());
  if (m) {
    const parameters = Number(m[1]) * counts[m[2]!.toUpperCase()]!;
    if (parameters >= 1e3 && parameters <= 1e14) return ok(transformer(text.trim(), parameters));
  }
  const near = nearest(text.toLowerCase(), Object.keys(images));
  return fail(near ? say('train.model.near', { text, near }) : say('train.model.unknown', { text }));
}

/** Two operations a parameter and token (https://arxiv.org/abs/2001.08361); depth as published models have it. */
function transformer(name: string, parameters: number): TrainModel {
  const layers = Math.max(4, Math.round(32 * (parameters / 7e9) ** 0.4));
  return { name, parameters, layers, flops: 2 * parameters, samples: usualTokens, sample: 'token' };
}

/** A small description: `{name, parameters, layers, flops, samples}`, the last three optional. */
export async function readModel(text: string, file: string): Promise<Result<TrainModel, readonly ClusterProblem[]>> {
  const read = await readSection(text, file);
  if (!read.ok) return read;
  const { top, problems, at } = read.value;
  const parameters = top.number('parameters', 1e3, 1e14, false);
  const name = top.text('name')?.value ?? file;
  const layers = top.number('layers', 1, 100_000);
  const flops = top.number('flops', 1, 1e18, false);
  const samples = top.number('samples', 1, 1e9);
  top.finish();
  if (parameters === undefined && problems.length === 0) {
    problems.push({ message: say('cluster.missing', { key: 'parameters' }), at });
  }
  if (parameters === undefined || problems.length > 0) return fail(problems);
  const usual = transformer(name, parameters.value);
  return ok({
    ...usual,
    ...(layers === undefined ? {} : { layers: layers.value }),
    ...(flops === undefined ? {} : { flops: flops.value }),
    ...(samples === undefined ? {} : { samples: samples.value }),
  });
}
