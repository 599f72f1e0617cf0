/** Two nodes, or before and after. */
export const diff = {
  'diff.what': 'say which two: crowfly diff A B, each a file, a folder or a bundle',
  'diff.same': 'nothing differs that changes a verdict',
  'diff.apart': 'the two have nothing in common to compare: they show different things',
  'diff.answer.yes': 'direct',
  'diff.answer.no': 'not direct',
  'diff.answer.unknown': 'not known',
  'diff.found': 'found',
  'diff.not-seen': 'not seen',
  'diff.pair': '{text}',
  'diff.value': '{text}',
  'diff.between': 'the way {pair}',
  'diff.more': 'and {count} more pairs',
  'diff.setting': '{name} is set differently',
} as const;
