import type { Where } from '../../fact/fact.ts';
import { isOfProbe } from '../../read/nccl-topo-xml.ts';
import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';
import { elementsOf } from '../xml-walk.ts';

/** A topology that says gdr="0" of every GPU, on a machine with RDMA NICs: nothing told NCCL that GPUs can do it. */
export const gdrTopo: Rule = (facts) => {
  for (const { root, file } of facts.of('nccl-topo-xml').filter((x) => !isOfProbe(x))) {
    const at = (line: number): Where => ({ file, line });
    const all = elementsOf(root);
    const gpus = all.filter((e) => e.name === 'gpu' && e.attributes.has('gdr'));
    const nets = all.filter(
      (e) => e.name === 'net' && e.attributes.has('gdr') && !/^0x0*$/.test(e.attributes.get('guid') ?? '0x0'),
    );
    if (gpus.length === 0 || nets.length === 0) continue;
    if ([...gpus, ...nets].some((e) => e.attributes.get('gdr') !== '0')) continue;
    // Boards of these generations are made for data centres alone; in others gdr="0" may be the board's own limit.
    const made = gpus.every((e) => /^(?:60|70|80|90|100|103)$/.test(e.attributes.get('sm') ?? ''));
    return finding('gdr-disabled-in-topo', {
      severity: made ? 'error' : 'info',
      confidence: 0.8,
      evidence: [...gpus.slice(0, 3), ...nets.slice(0, 2)].map((e) => at(e.line)),
      commands: ['sudo modprobe nvidia_peermem', 'cat /proc/driver/nvidia/version'],
    });
  }
  return undefined;
};
