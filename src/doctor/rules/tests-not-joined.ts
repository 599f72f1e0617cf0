import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/** Processes that a launcher started together and that never met: each is rank 0 of its own test. */
export const testsNotJoined: Rule = (facts) => {
  for (const test of facts.of('nccl-tests')) {
    const first = new Map<string, (typeof test.ranks)[number]>();
    // One process prints its list once; with several groups in one run, each group counts from 0.
    for (const r of test.ranks)
      if (r.rank === 0 && r.pid !== undefined) first.set(`${r.host} ${r.pid} ${r.group ?? 0}`, r);
    const own = [...first.values()];
    const groups = new Set(own.map((r) => r.group ?? 0));
    if (own.length < 2 || groups.size > 1) continue;
    return finding('tests-not-joined', {
      confidence: 0.9,
      devices: [...new Set(own.map((r) => r.host))],
      evidence: own.map((r) => r.at),
      commands: ['make MPI=1 MPI_HOME=/path/to/mpi', 'ldd ./build/all_reduce_perf | grep -i mpi'],
    });
  }
  return undefined;
};
