import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/** EPYC with one NUMA node a socket. */
export const numaNps: Rule = (facts) => {
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
