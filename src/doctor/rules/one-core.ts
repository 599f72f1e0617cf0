import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/** A launcher of Open MPI, and what it starts: a test of NCCL, or a program of PyTorch. */
const launcher = /(?:^|[\s/])(?:mpirun|mpiexec|orterun)\s/;
const program = /_perf\b|\bpython3?\b|\btorchrun\b/;
/** Options that Open MPI alone knows: other launchers bind by rules of their own. */
const openMpi = /\s(?:--?mca|--?allow-run-as-root|-x)\s/;

const bindsToCore = /\s--?bind-to[ =-](?:core|hwthread)\b/;
/** Any word on where ranks go, or on more ranks than cores: then the default is another one. */
const placed =
  /\s--?(?:bind-to|map-by|rank-by|cpu-set|cpu-list|cpus-per|rankfile|report-bindings-only|oversubscribe|npernode|N)\b|\s-rf\s|\b(?:OMPI|PRTE)_MCA_\w*bind/;
/** Several cores for every rank. */
const wide = /:pe=(?:[2-9]|\d{2,})\b|\s--?cpus-per-(?:proc|rank)[ =](?:[2-9]|\d{2,})\b/i;
const ranks = /\s--?(?:np|n|c)[ =](\d{1,6})\b/;
const oneCpu = /(?:taskset\s+(?:-a?c|--cpu-list)\s+|numactl\s.*?(?:-C|--physcpubind)[= ]?)\d+(?:\s|$)/;

/** How sure it is that all threads of a rank share one core. */
function oneCoreEach(text: string): number {
  if (!program.test(text) || wide.test(text)) return 0;
  if (oneCpu.test(text)) return 0.8;
  if (!launcher.test(text)) return 0;
  if (bindsToCore.test(text)) return 0.8;
  const count = Number(ranks.exec(text)?.[1] ?? 0);
  return openMpi.test(text) && !placed.test(text) && (count === 1 || count === 2) ? 0.6 : 0;
}

/**
 * Ranks bound to one core each: the threads with which NCCL drives the network, and those of every further GPU of the process, take
 * turns on it (https://github.com/NVIDIA/nccl/issues/644). Open MPI does so unasked where there are no more than two ranks
 * (https://docs.open-mpi.org/en/v4.1.x/man-openmpi/man1/mpirun.1.html).
 */
export const oneCore: Rule = (facts) => {
  const bound = facts
    .of('commands')
    .flatMap((c) => c.commands)
    .map((c) => ({ at: c.at, sure: oneCoreEach(c.text) }))
    .filter((c) => c.sure > 0);
  if (bound.length === 0) return undefined;
  return finding('process-on-one-core', {
    confidence: Math.max(...bound.map((b) => b.sure)),
    evidence: bound.map((b) => b.at),
    commands: ['mpirun --bind-to numa …'],
  });
};
