/** Lessons. */
export const learn = {
  'learn.topics': 'What can be shown, on this machine or on another (--system ID):',
  'learn.here': 'can be shown here',
  'learn.not-here': 'not on this machine',
  'learn.steps': 'Step by step, with counters',
  'learn.head.stage': 'stage',
  'learn.head.rate': 'at most',
  'learn.head.copies': 'copies',
  'learn.head.memory': 'host memory',
  'learn.head.core': 'core',
  'learn.head.latency': 'latency',
  'learn.head.eight': 'eight in flight',
  'learn.registered':
    'Before that, {count} registrations pinned the buffers for the NICs and took {time}; used again, a buffer is found in the cache in {again}.',
  'learn.packet': 'A full packet, in bytes: {parts}. Payload is {share} % of it.',
  'learn.part.payload': 'payload',
  'learn.part.framing': 'preamble, FCS and gap',
  'learn.run':
    'Run with {bytes} real bytes: {copied} were copied by engines and cores, {host} passed host memory, {cores} a core, {nics} the NICs; what arrived was compared.',
  'learn.today.yes': 'Today this way is open:',
  'learn.today.no': 'Today this way is not taken:',
  'learn.today.unknown': 'Whether it is taken today is not known:',
  'learn.no-machine':
    'this machine has not what {topic} takes, or no input tells how fast its links are; without a machine, "crowfly learn {topic}" shows it on a typical one',
  'learn.failed': 'the run of {topic} failed',
  'learn.today': '{today} {rule}',
  'learn.nccl.ways': 'Which way each kind of pair takes here',
  'learn.nccl.choices': 'What an all_reduce runs with, by size',
  'learn.nccl.channels': 'up to {count} {count|channel|channels}',
} as const;
