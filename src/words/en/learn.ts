/** Lessons. */
export const learn = {
  'learn.topics': 'What can be shown, on this machine or on another (--system ID):',
  'learn.here': 'crowfly learn shows it here',
  'learn.not-here': 'not on this machine',
  'learn.steps': 'Step by step, with counters',
  'learn.head.stage': 'stage',
  'learn.head.rate': 'at most',
  'learn.head.copies': 'copies',
  'learn.head.memory': 'host memory',
  'learn.head.core': 'core',
  'learn.head.latency': 'latency',
  'learn.head.eight': 'eight in flight',
  'learn.run':
    'Run with {bytes} real bytes: {copied} were copied by engines and cores, {host} passed host memory, {cores} a core, {nics} the NICs; what arrived was compared.',
  'learn.today.yes': 'Today this way is open:',
  'learn.today.no': 'Today this way is not taken:',
  'learn.today.unknown': 'Whether it is taken today is not known:',
  'learn.no-machine': '{topic} cannot be shown on this machine; try --system hgx-h100, dgx-1v or gh200',
  'learn.failed': 'the run of {topic} failed',
  'learn.today': '{today} {rule}',
} as const;
