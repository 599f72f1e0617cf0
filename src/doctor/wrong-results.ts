import { say } from '../words/message.ts';
import type { Facts } from './facts.ts';
import type { OpenQuestion } from './open-question.ts';

/** What lets data arrive wrong, or is told with it: a bus that turns P2P back, links and GPUs with errors. */
const causes = /^acs-|iommu|^p2p-|^gpu-xid|^nvlink|^nvswitch/;

/**
 * nccl-tests computes what each element has to be and counts those that are not. Old releases print the largest error instead, which
 * rounding keeps far below 1.
 */
export function wrongResults(facts: Facts, found: readonly string[]): OpenQuestion | undefined {
  if (found.some((id) => causes.test(id))) return undefined;
  for (const test of facts.of('nccl-tests')) {
    const row = test.rows.find((r) =>
      [r.outOfPlace, r.inPlace].some((h) => typeof h?.wrong === 'number' && h.wrong >= 1),
    );
    const failed = test.outOfBounds && !test.outOfBounds.ok ? test.outOfBounds.at : undefined;
    const at = row ? { file: test.file, line: row.line } : failed;
    if (!at) continue;
    const several = new Set(test.ranks.map((r) => r.host)).size > 1;
    return {
      about: say('doctor.open.wrong-results'),
      evidence: [at, ...(row && failed ? [failed] : [])],
      settle: several
        ? 'sudo dmesg | grep -i xid; NCCL_NET_GDR_LEVEL=LOC all_reduce_perf -c 1; sudo lspci -D -vvv'
        : 'sudo dmesg | grep -i xid; NCCL_P2P_DISABLE=1 all_reduce_perf -c 1; nvidia-smi topo -m; sudo lspci -D -vvv',
      failed: true,
    };
  }
  return undefined;
}
