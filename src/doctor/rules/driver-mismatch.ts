import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/** The libraries of the driver are of another release than the module in the kernel: after an update, or in a container. */
export const driverMismatch: Rule = (facts) => {
  const kernel = facts.said('driver-mismatch', 'kernel');
  const programs = [
    ...facts.said('driver-mismatch').filter((m) => !kernel.includes(m)),
    ...facts.warnings.filter((w) => w.kind === 'nvml' && /Driver\/library version mismatch/.test(w.text)),
  ];
  if (kernel.length + programs.length === 0) return undefined;
  // The kernel's log goes back to the time before the update was completed.
  const now = programs.length > 0;
  return finding('driver-library-mismatch', {
    severity: now ? 'error' : 'warning',
    confidence: now ? 0.95 : 0.6,
    evidence: [...programs, ...kernel].map((m) => m.at),
    commands: ['cat /proc/driver/nvidia/version; modinfo -F version nvidia', 'sudo reboot'],
    ...(now ? {} : { settle: 'nvidia-smi' }),
  });
};
