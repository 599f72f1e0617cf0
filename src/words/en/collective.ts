/** Why a collective has no program, or its program is wrong. */
export const collective = {
  'collective.fault.task':
    'count {count}, {channels} channels, {elementBytes} bytes an element, chunks of {chunkBytes} bytes: these must be whole numbers, the last three at least 1',
  'collective.fault.root': 'there is no root {root} among {ranks} ranks',
  'collective.fault.way': '{collective} does not go by {algorithm}/{protocol} here',
  'collective.fault.large': 'the program has more than {most} steps, too many to carry out on data',
  'collective.fault.stuck':
    '{count} of {all} workers wait for ever, the first of them rank {rank} on channel {channel} at step {step}',
  'collective.fault.left': 'a message from rank {from} to rank {to} is never received',
  'collective.fault.size': 'a message from rank {from} to rank {to} has {got} elements where {want} are expected',
  'collective.fault.wrong': 'rank {rank}, element {element}: {got} instead of {want}',
} as const;
