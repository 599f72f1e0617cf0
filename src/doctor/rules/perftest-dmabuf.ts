import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/** Its options are read in order. */
export const perftestOrder: Rule = (facts) => {
  const said = facts.said('dmabuf-order').map((m) => m.at);
  if (said.length === 0) return undefined;
  const called = facts
    .of('commands')
    .flatMap((c) => c.commands)
    .find((c) => /--use_cuda_dmabuf.*--use_cuda(?![_\w])/.test(c.text));
  const order = called?.text
    .replace(/ --use_cuda_dmabuf/, '')
    .replace(/(--use_cuda(?:=\S+| \d+)?)/, '$1 --use_cuda_dmabuf');
  return finding('perftest-option-order', { evidence: [...said, called?.at], commands: [order] });
};

/** perftest asks the peer memory module for GPU buffers unless it is told to use DMA-BUF. */
export const perftestDmabuf: Rule = (facts) => {
  const failed = facts.of('perftest').find((p) => p.noRegion && p.cuda)?.noRegion;
  // Releases that know the option print the error's number.
  const { peermem } = facts;
  if (!failed || facts.geforce || (peermem !== undefined && peermem !== 'absent')) return undefined;
  const called = facts
    .of('commands')
    .flatMap((c) => c.commands)
    .find((c) => /\b(?:ib_|raw_)\w+ .*--use_cuda\b/.test(c.text));
  if (!called || called.text.includes('--use_cuda_dmabuf')) return undefined;
  const flavour = facts.driverFlavour;
  if (flavour?.flavour === 'proprietary' || (!flavour && failed.errno === undefined)) return undefined;
  return finding('perftest-missing-dmabuf-flag', {
    confidence: flavour ? 0.9 : 0.6,
    evidence: [called.at, failed.at, flavour?.at],
    commands: [called.text.replace(/(--use_cuda(?:=\S+| \d+)?)/, '$1 --use_cuda_dmabuf')],
    ...(flavour ? {} : { settle: 'cat /proc/driver/nvidia/version' }),
  });
};
