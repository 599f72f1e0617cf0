import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/** A crash inside the library, which is no fault of a link. */
export const ncclSegfault: Rule = (facts) => {
  const told = facts.said('nccl-segfault');
  if (told.length === 0) return undefined;
  return finding('nccl-segfault', { evidence: told.map((t) => t.at), commands: ['coredumpctl info'] });
};

/** A line that follows a process that died. */
export const peermemContext: Rule = (facts) => {
  const told = facts.said('peermem-context');
  if (told.length === 0) return undefined;
  return finding('peermem-invalid-context', { confidence: 0.8, evidence: told.map((t) => t.at) });
};
