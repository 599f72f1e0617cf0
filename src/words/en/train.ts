/** A training step. */
export const train = {
  'train.title': '{name}: {parameters} parameters, {strategy}, {samples} a step and GPU, {peak} TFLOP/s at {percent} %',
  'train.tokens': '{count} {count|token|tokens}',
  'train.images': '{count} {count|image|images}',
  'train.nodes': 'nodes',
  'train.gpus': 'GPUs',
  'train.step': 'step',
  'train.compute': 'compute',
  'train.communication': 'collectives',
  'train.exposed': 'not hidden',
  'train.efficiency': 'efficiency',
  'train.rate.token': 'tokens/s',
  'train.rate.image': 'images/s',
  'train.without': 'The largest job, when {what}',
  'train.assume.kept': 'kernels keep up {percent} % of the peak of the tensor cores (--mfu changes it)',
  'train.assume.overlap':
    'collectives take no time from kernels that run beside them; loading data and the optimizer are left out',
  'train.assume.width': 'parameters and gradients have 16 bits',
  'train.no-rate': 'how fast the GPUs compute is not known: give --tflops',
  'train.model.unknown':
    "'{text}' is no model: give a number of parameters such as 7B, a name such as resnet-50, or a file",
  'train.model.near': "'{text}' is no model; did you mean {near}?",
  'train.model.file': '{file}: the description of the model is refused',
  'train.problem': '{file}:{line}: {reason}',
  'train.strategy': "'{text}' is no strategy: ddp or fsdp",
  'train.share': '--{option} is a share, above 0 and at most 1, not {text}',
  'train.number': '--{option} is a number above zero, not {text}',
} as const;
