import { finding } from '../finding.ts';
import { hcasWithout, refusedBuffers } from '../peermem-facts.ts';
import type { Rule } from '../rule.ts';

/** GeForce boards refuse GPUDirect RDMA although the module loads. */
export const geforceGdr: Rule = (facts) => {
  const { geforce, peermem } = facts;
  if (!geforce) return undefined;
  const failed = facts.of('perftest').find((p) => p.noRegion && p.cuda);
  const loaded = peermem !== undefined && peermem !== 'absent';
  const hcas = hcasWithout(facts);
  // GDRCopy pins by the same door.
  const refused = [...refusedBuffers(facts), ...facts.said('gdr-pin').map((m) => m.at)];
  if (!failed?.noRegion && hcas.length === 0 && refused.length === 0) return undefined;
  return finding('gdr-unsupported-geforce', {
    confidence: loaded ? 0.95 : 0.8,
    evidence: [
      geforce.at,
      failed?.noRegion?.at,
      ...hcas.map((h) => h.at),
      ...refused.slice(0, 2),
      loaded ? peermem : undefined,
    ],
  });
};
