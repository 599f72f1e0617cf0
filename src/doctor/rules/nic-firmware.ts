import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/** The card itself gave up: its driver says so, or NCCL, which is told as the device's fatal event. */
export const nicFirmware: Rule = (facts) => {
  const kernel = facts.said('nic-firmware', 'kernel');
  const events = facts.warnings.filter((w) => w.kind === 'ib-async-event' && /local catastrophic error/.test(w.text));
  if (kernel.length + events.length === 0) return undefined;
  const addresses = kernel.flatMap((m) => m.words[0] ?? []);
  return finding('nic-firmware-error', {
    // A device that is taken away from under a process ends with the same event.
    confidence: kernel.length > 0 ? 0.9 : 0.6,
    devices: addresses,
    evidence: [...kernel, ...events].map((m) => m.at),
    commands: [
      `sudo devlink health show pci/${addresses[0] ?? '$ADDRESS'}`,
      'sudo mlxfwmanager --query',
      `sudo mlxfwreset -d ${addresses[0] ?? '$ADDRESS'} reset`,
    ],
    ...(kernel.length > 0 ? {} : { settle: "sudo dmesg | grep -iE 'mlx5|pcieport|AER'" }),
  });
};
