import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/** The numbers of "not supported", "protocol not supported" and "function not implemented". */
const unsupported = [95, 93, 38];

/** The NIC's side lacks what the GPU's side offers. */
export const dmabufRefused: Rule = (facts) => {
  if (facts.driverFlavour?.flavour === 'proprietary') return undefined;
  const warned = facts.warnings.filter(
    (w) =>
      w.level !== 'INFO' &&
      /(?:ibv|mlx5dv)_reg_dmabuf_mr/.test(w.text) &&
      /not supported|not implemented|\b(?:95|93|38)\b/i.test(w.text),
  );
  const tests = facts.of('perftest').filter((p) => p.noRegion && (p.dmabuf || asked(facts)));
  const refused = tests.filter((p) => unsupported.includes(p.noRegion?.errno ?? 0));
  const places = [...warned.map((w) => w.at), ...refused.map((p) => p.noRegion?.at)];
  if (places.length === 0) return undefined;
  return finding('dmabuf-registration-refused', {
    confidence: 0.8,
    evidence: [...places, ...refused.map((p) => p.dmabuf)],
    commands: ['uname -r; ofed_info -s', 'sudo modprobe nvidia_peermem && export NCCL_DMABUF_ENABLE=0'],
  });
};

const asked = (facts: Parameters<Rule>[0]): boolean =>
  facts.of('commands').some((c) => c.commands.some((one) => one.text.includes('--use_cuda_dmabuf')));

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
