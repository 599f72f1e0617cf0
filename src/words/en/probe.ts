/** Gathering a host. */
export const probe = {
  'probe.no-inputs': 'probe reads this host, or a saved tree with --root; it takes no inputs',
  'probe.root': '{root} is no folder',
  'probe.empty': '{root} has neither sys nor proc in it: name the folder above them',
  'probe.wrote': '{file}: {count} {count|file|files}',
  'probe.no-gpu': 'no GPU on this host',
  'probe.gpus': 'GPUs: {count}',
  'probe.short': 'ACS and PCIe capabilities need root: run it with sudo to have them',
  'probe.denied': 'not allowed to read: {list}',
  'probe.absent': 'not installed: {list}',
  'probe.failed': 'gave an error or took too long: {list}',
  'probe.redacted':
    'names of host and user, addresses, GUIDs and serial numbers are replaced; read it before you send it',
  'probe.plain': 'nothing was taken out of it: it names this host, its addresses and serial numbers',
  'probe.next': 'next: crowfly doctor {file}',
} as const;
