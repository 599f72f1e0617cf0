/** A training step. */
export const train = {
  'train.title':
    '{name}: {parameters} parameters, {strategy}, {samples} per step and GPU, {peak} TFLOP/s at {percent} %',
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
  'train.parts': 'Where the step of {gpus} {gpus|GPU|GPUs} goes',
  'train.part.compute': 'forward and backward on a typical GPU, nothing beside them',
  'train.part.slowed': 'kernels slowed by the collectives that run beside them',
  'train.part.waiting': 'waiting for the slowest GPU',
  'train.part.exposed': 'communication that no kernel hides',
  'train.part.optimizer': 'the optimizer',
  'train.without': 'The largest job, if {what}',
  'train.gdr-on': 'GPUDirect RDMA works',
  'train.holds':
    'parameters, gradients and the state of the optimizer take {gb} GB on each of {gpus} {gpus|GPU|GPUs}, activations not counted; whether that fits is not checked',
  'train.holds-of':
    'parameters, gradients and the state of the optimizer take {gb} of {memory} GB on each of {gpus} {gpus|GPU|GPUs}, activations not counted',
  'train.too-big':
    'It does not fit: parameters, gradients and the state of the optimizer take {gb} GB on each of {gpus} {gpus|GPU|GPUs}, activations not counted, and a GPU here has {memory} GB.',
  'train.fits-from':
    'On {gpus} {gpus|GPU|GPUs} it does not fit: each would hold {gb} GB, activations not counted, and has {memory}. From {from} GPUs on it does: {fewer} GB each.',
  'train.would-fit': 'What would make it fit, cheapest first (room for activations comes on top):',
  'train.remedy.gradients-16': 'gradients in 16 bits (--datatype bfloat16): {gb} GB',
  'train.remedy.shard-state':
    'the state of the optimizer sharded over the {gpus} GPUs (ZeRO-1): {gb} GB, and no more traffic than now',
  'train.remedy.shard-all':
    'everything sharded over the {gpus} GPUs (--strategy fsdp): {gb} GB, for half as much traffic again',
  'train.remedy.adam-8': 'moments of the optimizer in 8 bits: {gb} GB',
  'train.remedy.shard-all-8':
    'everything sharded over the {gpus} GPUs, and moments of the optimizer in 8 bits: {gb} GB',
  'train.remedy.more-gpus':
    '{gpus} GPUs of this kind or more, with everything sharded over them (--strategy fsdp): {gb} GB each',
  'train.assume.kept': 'kernels keep up {percent} % of the peak of the tensor cores (--mfu changes it)',
  'train.assume.beside':
    'kernels beside a collective lose {percent} % of the time that it would take alone: it holds multiprocessors and memory bandwidth',
  'train.assume.spread':
    'GPUs of one kind differ by {percent} % (one standard deviation) in the time for the same kernels: the more GPUs, the slower the slowest one',
  'train.assume.optimizer':
    "the optimizer is Adam in 32 bits, as fast as the GPU's memory; loading data and checkpoints are left out",
  'train.assume.no-optimizer':
    'the optimizer is left out, since the memory bandwidth of the GPUs is not known; so are loading data and checkpoints',
  'train.assume.width': 'parameters have 16 bits, gradients are reduced in {bits} bits (--datatype changes it)',
  'train.no-rate': 'how fast the GPUs compute is not known: give --tflops',
  'train.model.unknown':
    "'{text}' is no model: give a number of parameters such as 7B, a name such as resnet-50, or a file",
  'train.model.near': "'{text}' is no model; did you mean {near}?",
  'train.model.file': '{file}: the description of the model is refused',
  'train.problem': '{file}:{line}: {reason}',
  'train.strategy': "'{text}' is no strategy: ddp or fsdp",
  'train.share': '--{option} is a share, above 0 and at most 1, not {text}',
  'train.datatype': '--datatype of gradients is half, bfloat16 or float, not {text}',
  'train.number': '--{option} is a number above zero, not {text}',
} as const;
