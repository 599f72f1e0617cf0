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
  if (exhausted.length === 0) return undefined;
  return finding('bar1-too-small', {
    devices: small.flatMap((s) => s.gpu ?? []),
    evidence: [...exhausted.slice(0, 2).map((e) => e.at), ...small.map((s) => s.at)],
    commands: ['nvidia-smi -q | grep -A3 "BAR1 Memory"'],
  });
};
