import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/** Something was measured: with a list of CPUs alone nobody asks why it is slow. */
const measured = (facts: Parameters<Rule>[0]): boolean =>
  facts.of('nccl-tests').some((t) => t.rows.length > 0) ||
  facts.of('perftest').some((p) => p.rows.length > 0) ||
  facts.of('p2p-bandwidth').length + facts.of('bandwidth-test').length + facts.of('nvbandwidth').length > 0;

/** EPYC with one NUMA node a socket. */
export const numaNps: Rule = (facts) => {
  if (!measured(facts)) return undefined;
  for (const { fields } of facts.of('cpu-info')) {
    const model = fields.get('Model name');
    const sockets = Number(fields.get('Socket(s)')?.value);
    const nodes = fields.get('NUMA node(s)');
    if (!model || !/EPYC/.test(model.value) || !nodes || !(sockets >= 1) || Number(nodes.value) !== sockets) continue;
    if (fields.has('Hypervisor vendor')) continue;
    return finding('numa-nps-setting', {
      confidence: 0.6,
      evidence: [nodes.at, model.at],
      commands: ['lscpu | grep NUMA'],
    });
  }
  return undefined;
};
