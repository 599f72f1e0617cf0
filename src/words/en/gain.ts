/** What the direct way brings. */
export const gain = {
  'gain.title': 'What the direct way brings here',
  'gain.head.path': 'path',
  'gain.head.latency': 'latency',
  'gain.head.bandwidth': 'GB/s each',
  'gain.head.cores': 'cores',
  'gain.head.memory': 'host memory',
  'gain.work.gradient': 'gradient, {gpus} {gpus|GPU|GPUs} at once, 64 MiB pieces to the next node',
  'gain.work.checkpoint': 'checkpoint, 16 MiB writes by 8 workers of one GPU',
  'gain.work.dataset': 'dataset, 1 MiB reads by 16 workers',
  'gain.work.inference': 'inference, 4 KiB messages from a client, 10,000 a second',
  'gain.work.video': '4K60 video, one frame every 16.7 ms, if a capture card sat in a slot of this socket',
  'gain.word.bandwidth': 'Direct: {factor} times the rate.',
  'gain.word.latency': 'Direct: {saved} less for each, in a period of {period}.',
  'gain.word.relief': 'No faster, but it frees {cores} cores and {memory} GB/s of host memory.',
  'gain.word.nothing':
    'Nothing that anybody would notice: the messages are small or rare, and the detour costs {cores} cores and {memory} GB/s of host memory.',
  'gain.word.nothing-full':
    'Nothing that anybody would notice: the same link sets the rate of both ways, and the detour costs {cores} cores and {memory} GB/s of host memory.',
  'gain.memory-bound': 'Staged, host memory is the limit: {traffic} GB/s of it, at {share} % of what it can do.',
  'gain.beside': 'An application beside it gets back {share} % of the memory bandwidth and {cores} cores.',
  'gain.not-today': 'Today it does not go direct: {rule}.',
  'gain.unknown-today': 'Whether it goes direct today is not known: {rule}.',
  'gain.none':
    'nothing to compare: no work that crowfly knows can go both ways here, or no input tells how fast the links are (an NCCL topology XML or --system does)',
  'gain.control': 'The CPU is relieved of moving data, not of control: it still starts every transfer.',
  'gain.memory-unknown': 'The kind of CPU is not known, so a limit by host memory is not counted.',
  'gain.work.rare': 'one message of 1 MiB a second',
  'gain.word.slower':
    'Direct would be slower by a factor of {factor}: peer traffic crosses the host between GPU and NIC. A nearer NIC would change that.',
  'gain.word.slower-drives':
    'Direct would be slower by a factor of {factor}: the drives are not on the GPU’s own switch. Drives nearer to it would change that.',
} as const;
