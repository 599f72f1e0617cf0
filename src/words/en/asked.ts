/** What the page says as the command line does: of a machine, a release or a topology that it is asked about. */
export const asked = {
  'cli.refused': 'NCCL would not start on this topology: {reason}{where}',
  'cli.nccl': '--nccl "{text}": expected a version such as 2.21.5',
  'cli.fault':
    'crowfly failed; that is a fault of its own. Please report it with the lines below and, if you can, the input.',
  'cli.system': '--system "{name}": no such system in the catalogue; it has {known}',
} as const;
