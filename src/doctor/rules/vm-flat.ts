import type { Where } from '../../fact/fact.ts';
import { isOfProbe } from '../../read/nccl-topo-xml.ts';
import { isGpu, isRdmaNic } from '../facts.ts';
import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

type Facts = Parameters<Rule>[0];

/** A matrix in which NVLink is perfect and every NIC is equally far: PCIe as a hypervisor shows it, not as it is. */
function flatMatrix(facts: Facts): Where | undefined {
  for (const m of facts.of('topo-matrix')) {
    const of = (kind: string) => m.devices.map((d, i) => ({ d, i })).filter(({ d }) => d.kind === kind);
    const gpus = of('gpu');
    const nics = of('nic');
    if (gpus.length < 4 || nics.length < 2) continue;
    const cells = gpus.flatMap((g) => nics.map((n) => m.cells[g.i]?.[n.i]));
    const linked = gpus.every((g) => gpus.every((o) => o.i === g.i || /^NV\d/.test(m.cells[g.i]?.[o.i] ?? '')));
    if (linked && cells.every((c) => c === 'PHB')) return gpus[0]!.d.at;
  }
  return undefined;
}

/** A virtual machine that hides which GPU and NIC share a switch. */
export const vmFlat: Rule = (facts) => {
  if (facts.of('nccl-topo-xml').some((x) => !isOfProbe(x)) || facts.setting('NCCL_TOPO_FILE')) return undefined;
  const devices = facts.of('lspci').flatMap((l) => l.devices);
  const port = devices.find((d) => /QEMU PCIe Root port|Red Hat.*Root port|QEMU PCI-PCI bridge/i.test(d.name));
  const gpus = devices.filter(isGpu);
  const nics = devices.filter(isRdmaNic);
  const matrix = flatMatrix(facts);
  const homeless = facts
    .of('numa-nodes')
    .flatMap((n) => n.nodes)
    .filter((n) => n.node === -1 && !/^(?:cpu|node)\d/.test(n.device));
  const several = port && gpus.length > 1;
  if (!matrix && !several && !port) {
    // Desktop kernels print −1 as well, where there is one node: only NICs of a machine with several GPUs count.
    if (homeless.length < 2 || facts.gpuNames.length < 2) return undefined;
  }
  if (port && gpus.length === 0 && nics.length === 0 && !matrix) return undefined;
  const strong = matrix !== undefined || several || (homeless.length > 1 && !port);
  return finding('vm-flat-topology-needs-topo-file', {
    severity: strong ? 'error' : 'info',
    confidence: matrix && (homeless.length > 0 || port) ? 0.95 : 0.75,
    evidence: [matrix, homeless[0]?.at, port?.at, ...homeless.slice(1, 3).map((h) => h.at)],
    commands: ['export NCCL_TOPO_FILE=/etc/nccl/topology.xml'],
    settle: 'lspci -nn; grep . /sys/class/infiniband/*/device/numa_node',
  });
};
