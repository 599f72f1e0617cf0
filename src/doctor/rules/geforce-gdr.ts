import type { Where } from '../../fact/fact.ts';
import { type Finding, finding } from '../finding.ts';
import { hcasWithout, refusedBuffers, stagedWays } from '../peermem-facts.ts';
import type { Rule } from '../rule.ts';

/** GeForce boards refuse GPUDirect RDMA although the module loads. */
export const geforceGdr: Rule = (facts) => {
  const { geforce, peermem } = facts;
  if (!geforce) return undefined;
  const failed = facts.of('perftest').find((p) => p.noRegion && p.cuda);
  const loaded = peermem !== undefined && peermem !== 'absent';
  const hcas = hcasWithout(facts);
  // GDRCopy pins by the same door.
  const refused = [
    ...refusedBuffers(facts),
    ...(['gdr-pin', 'nvshmem-no-peermem', 'gdr-neither'] as const).flatMap((t) => facts.said(t).map((m) => m.at)),
  ];
  if (!failed?.noRegion && hcas.length === 0 && refused.length === 0) return unasked(facts, geforce.at);
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

/** Nothing was refused: the data went through host memory, or nobody built the module. It could not have helped. */
const unasked = (facts: Parameters<Rule>[0], board: Where): Finding | undefined => {
  const met = [...stagedWays(facts), ...facts.said('peermem-absent'), ...facts.said('peermem-not-loaded')];
  if (met.length === 0) return undefined;
  return finding('gdr-unsupported-geforce', {
    severity: 'info',
    confidence: 0.8,
    evidence: [board, ...met.slice(0, 3).map((m) => m.at)],
  });
};
