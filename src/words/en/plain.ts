/** Networks without a machine. */
export const plain = {
  'plain.form': '{key}: "{value}" should be a number with its unit, such as {form}',
  'plain.collective': '{name} is not run on a plain network; {known} are',
  'plain.too-many': 'an alltoall among {gpus} GPUs is too many messages to run one by one',
  'plain.title':
    '{collective} on {gpus} GPUs, {shape}, links of {rate} Gb/s and {latency}, {send} of software for a message',
  'plain.head.size': 'size',
  'plain.head.time': 'time',
  'plain.head.algbw': 'algbw GB/s',
  'plain.head.busbw': 'busbw GB/s',
} as const;
