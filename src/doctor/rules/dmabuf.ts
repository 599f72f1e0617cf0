import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/** DMA-BUF export of GPU memory exists in the open kernel modules alone. */
export const dmabuf: Rule = (facts) => {
  const closed = facts.driverFlavour?.flavour === 'proprietary' ? facts.driverFlavour : undefined;
  const refused = facts.said('dmabuf-unsupported')[0];
  const flagged = facts
    .of('commands')
    .flatMap((c) => c.commands)
    .find((c) => c.text.includes('--use_cuda_dmabuf'));
  const failed = flagged && facts.of('perftest').find((p) => p.noRegion)?.noRegion;
  if (!closed || (!refused && !failed)) return undefined;
  return finding('dmabuf-needs-open-kernel-module', {
    evidence: [refused?.at, failed?.at, closed.at, flagged?.at],
    commands: ['sudo apt-get install nvidia-open', 'cat /proc/driver/nvidia/version'],
  });
};
