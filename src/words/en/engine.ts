/** Why a schedule cannot run, and what a trace had to leave out. */
export const engine = {
  'engine.fault.number': '{where}: {what} is {value}; it must be a finite number, at least {least}',
  'engine.fault.whole': '{where}: {what} is {value}; it must be a whole number, at least {least}',
  'engine.fault.unknown': '{where}: there is no {what} {value}',
  'engine.fault.circle': '{where}: waits for itself through {count} operations',
  'engine.trace.cut': 'only the first {kept} slices are shown, {left} more were left out',
} as const;
