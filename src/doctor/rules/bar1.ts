import { smiField } from '../../read/gpu/smi-query.ts';
import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/** The window through which others reach GPU memory is too small for the transfers in flight. */
export const bar1: Rule = (facts) => {
  const exhausted = facts.said('bar-exhausted');
  const small = facts.of('smi-query').flatMap((q) =>
    q.gpus.flatMap((g) => {
      const total = smiField(g, 'bar1 memory usage/total');
      const size = /^(\d+) MiB/.exec(total?.value ?? '');
      return total && size && Number(size[1]) <= 256 ? [{ at: total.at, gpu: g.busId }] : [];
    }),
  );
  // CUDA refuses a mapping for other reasons too: something has to say that a peer's memory was meant.
  const unmapped = [
    ...facts.said('peer-map-failed'),
    ...facts.warnings.filter((w) => /mapping of buffer object failed/.test(w.text)),
  ];
  const peers = facts.of('p2p-bandwidth').flatMap((t) => t.access.filter((a) => a.can).slice(0, 1));
  const meant = [...small.map((s) => s.at), ...peers.map((p) => p.at), facts.geforce?.at].filter(
    (at) => at !== undefined,
  );
  if (exhausted.length === 0 && (unmapped.length === 0 || meant.length === 0)) return undefined;
  const sure = exhausted.length > 0 || small.length > 0;
  return finding('bar1-too-small', {
    ...(sure ? {} : { confidence: peers.length > 0 ? 0.75 : 0.6, settle: 'nvidia-smi -q | grep -A3 "BAR1 Memory"' }),
    devices: small.flatMap((s) => s.gpu ?? []),
    evidence: [
      ...exhausted.slice(0, 2).map((e) => e.at),
      ...unmapped.slice(0, 2).map((e) => e.at),
      ...(exhausted.length > 0 ? small.map((s) => s.at) : meant),
    ],
    commands: ['nvidia-smi -q | grep -A3 "BAR1 Memory"'],
  });
};
