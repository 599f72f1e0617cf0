/** Help on the command line, and what is wrong with the words on it. */
export const help = {
  'cli.word.a': 'a file, a folder or a bundle: one node, or before a change',
  'cli.word.b': 'the other node, or after it',
  'cli.option.help': 'this text',
  'cli.help.usage': 'Usage: ',
  'cli.help.inputs':
    'INPUT is any file, folder or archive that holds what your tools printed, a cluster description in YAML, or "-" for standard input. What it holds is told by its content. Without a verb: report.',
  'cli.help.machine': 'The machine',
  'cli.help.wrong': 'What is wrong, and why',
  'cli.help.speed': 'How fast, and what would be gained',
  'cli.help.more': 'Gather, learn, look',
  'cli.help.arguments': 'Arguments:',
  'cli.help.options': 'Options:',
  'cli.help.own': 'Options of this verb:',
  'cli.help.common': 'Options of every verb:',
  'cli.help.examples': 'Examples:',
  'cli.help.verb':
    'crowfly VERB --help tells what each takes. No files yet? --system hgx-h100; --system list names all of them.',
  'cli.usage.option': 'crowfly: unknown option {option}',
  'cli.usage.option-near': 'crowfly: unknown option {option}; did you mean {near}?',
  'cli.usage.value': 'crowfly: {option}: its value is missing',
  'cli.usage.other': 'crowfly: {message}',
  'cli.usage.help': '  crowfly --help lists the verbs, crowfly VERB --help their options',
} as const;
