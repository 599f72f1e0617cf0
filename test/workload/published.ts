import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TrainModel } from '../../src/workload/model.ts';
import type { StepAsk } from '../../src/workload/step.ts';

/** A job published at two sizes that differ in nothing else, and how much of its rate a GPU kept. */
export interface Scaling {
  readonly record: string;
  readonly name: string;
  readonly machine: 'h100' | 'a100' | 'pascal';
  /** GPUs of both sizes. */
  readonly from: number;
  readonly to: number;
  /** µs of a step at the smaller one. */
  readonly step: number;
  readonly kept: number;
  readonly how: Pick<StepAsk, 'model' | 'strategy' | 'bucket' | 'gradientWidth'>;
}

interface MeasuredTable {
  readonly rows: readonly (readonly (string | number)[])[];
}
const rowsOf = (shared: string, record: string): MeasuredTable['rows'] =>
  (JSON.parse(readFileSync(join(shared, 'data', 'measured', `${record}.json`), 'utf8')) as MeasuredTable).rows;

const model = (name: string, layers: number, parameters: number, samples: number): TrainModel => ({
  name,
  layers,
  parameters,
  flops: 2 * parameters,
  samples,
  sample: 'token',
});

/** Layers and parameters: https://github.com/mosaicml/llm-foundry, scripts/train/yamls/pretrain and benchmarking/README.md. */
const mpt: Readonly<Record<string, readonly [number, number]>> = {
  '125m': [12, 125e6],
  '350m': [24, 356e6],
  '760m': [24, 760e6],
  '1b': [24, 1.316e9],
  '3b': [32, 2.652e9],
  '7b': [32, 6.659e9],
  '13b': [40, 12.85e9],
  '30b': [48, 29.98e9],
  '70b': [80, 64.86e9],
};

const h100 = 'mosaic-llmfoundry-h100-80gb';
const a100 = 'mosaic-llmfoundry-a100-40gb';
type Pair = readonly [record: string, name: string, microbatch: number, accumulated: number, from: number, to: number];
/** Every pair of 2,048 tokens with the same microbatches; sizes between are left out, 1b on 32 A100 is 18 % below its neighbours. */
const pairs: readonly Pair[] = [
  [h100, '70b', 8, 1, 128, 512],
  [h100, '30b', 8, 1, 128, 512],
  [h100, '13b', 16, 1, 128, 512],
  [h100, '7b', 6, 1, 128, 512],
  [h100, '3b', 8, 1, 128, 512],
  [h100, '1b', 12, 1, 128, 512],
  [h100, '13b', 2, 1, 8, 64],
  [h100, '3b', 6, 3, 32, 64],
  [h100, '1b', 20, 1, 16, 64],
  [h100, '760m', 24, 1, 16, 32],
  [a100, '13b', 16, 1, 64, 128],
  [a100, '7b', 18, 1, 32, 128],
  [a100, '3b', 6, 1, 32, 128],
  [a100, '1b', 10, 1, 64, 128],
  [a100, '760m', 12, 1, 16, 128],
  [a100, '350m', 18, 1, 16, 128],
  [a100, '125m', 26, 1, 16, 128],
];

function mosaic(shared: string, [record, name, microbatch, accumulated, from, to]: Pair): Scaling {
  const rate = (gpus: number): number =>
    rowsOf(shared, record).find(
      (r) => r[0] === name && r[1] === 2048 && r[2] === gpus && r[7] === microbatch && r[8] === accumulated,
    )![12] as number;
  const [layers, parameters] = mpt[name]!;
  const tokens = microbatch * 2048;
  return {
    record,
    name: `MPT ${name}`,
    machine: record === h100 ? 'h100' : 'a100',
    from,
    to,
    step: (tokens * 1e6) / rate(from),
    kept: rate(to) / rate(from),
    // Gradients: "amp_bf16 DEFAULT" reduces in 32 bits, "bf16 PURE" in 16.
    how: {
      model: model(name, layers, parameters, tokens),
      strategy: 'fsdp',
      bucket: 1,
      gradientWidth: record === h100 ? 4 : 2,
    },
  };
}

/** Llama 3.1 8B, two sequences of 8,192 tokens, gradients reduced in 32 bits (the H200 gathered parameters of 8 bits, which `train` is not told). */
function torchtitan(shared: string): Scaling[] {
  const record = 'torchtitan-llama3-scaling';
  const rows = rowsOf(shared, record);
  const configs = [...new Set(rows.map((r) => r[2] as string))];
  return configs.map((config) => {
    const [small, large] = rows.filter((r) => r[2] === config);
    const rate = small![3] as number;
    return {
      record,
      name: `Llama 3.1 8B, ${small![0]}, ${config}`,
      machine: 'h100',
      from: small![1] as number,
      to: large![1] as number,
      step: (16384 * 1e6) / rate,
      kept: (large![3] as number) / rate,
      how: {
        model: model('8B', 32, 8.03e9, 16384),
        strategy: 'fsdp',
        bucket: 1,
        gradientWidth: 4,
      },
    };
  });
}

/**
 * 64 images a GPU, one GPU against 512, gradients of 32 bits, fused up to 64 MiB. ResNet-101 made 103.55 images/s a GPU on 16
 * (https://github.com/horovod/horovod/blob/master/docs/benchmarks.rst), so alone between that and a ninth more: 109. The others
 * stand to it as on TensorFlow's P100 (https://www.tensorflow.org/performance/benchmarks: 142 and 154, ResNet-101 129 between
 * ResNet-50 and ResNet-152 by its operations).
 */
const alone: Readonly<Record<string, readonly [parameters: number, layers: number, images: number]>> = {
  'Inception V3': [23.8e6, 48, 142],
  'ResNet-101': [44.5e6, 101, 129],
  'VGG-16': [138.4e6, 16, 154],
};
const ofPascal = 109 / 129;

function horovod(shared: string): Scaling[] {
  const record = 'horovod-pascal-25g-scaling';
  return rowsOf(shared, record).map((row) => {
    const [name, percent] = row as [string, number];
    const [parameters, layers, images] = alone[name]!;
    return {
      record,
      name,
      machine: 'pascal',
      from: 1,
      to: 512,
      step: (64 * 1e6) / (images * ofPascal),
      kept: percent / 100,
      how: { model: model(name, layers, parameters, 64), strategy: 'ddp', bucket: 64 * 2 ** 20, gradientWidth: 4 },
    };
  });
}

export const scalings = (shared: string): Scaling[] => [
  ...pairs.map((p) => mosaic(shared, p)),
  ...torchtitan(shared),
  ...horovod(shared),
];
