import type { Where } from '../../fact/fact.ts';
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
  if (facts.of('nccl-topo-xml').length > 0 || facts.setting('NCCL_TOPO_FILE')) return undefined;
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

const cpusOf = (list: string): Set<number> => {
  const cpus = new Set<number>();
  for (const part of list.split(',').slice(0, 256)) {
    const range = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part.trim());
    if (range) for (let c = Number(range[1]); c <= Number(range[2] ?? range[1]) && cpus.size < 8192; c++) cpus.add(c);
  }
  return cpus;
};

/** A program bound to the memory or the cores of the other socket. */
export const numaPinned: Rule = (facts) => {
  const matrix = facts.of('topo-matrix')[0];
  const gpu = matrix?.devices.find((d) => d.kind === 'gpu' && d.cpuAffinity !== undefined);
  if (!matrix || gpu?.cpuAffinity === undefined) return undefined;
  // Without a column of NUMA nodes, nodes are counted in the order of their CPUs.
  const lists = [...new Set(matrix.devices.flatMap((d) => d.cpuAffinity ?? []))].sort(
    (a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10),
  );
  const node =
    gpu.numaAffinity !== undefined && /^\d+$/.test(gpu.numaAffinity)
      ? Number(gpu.numaAffinity)
      : lists.indexOf(gpu.cpuAffinity);
  for (const command of facts.of('commands').flatMap((c) => c.commands)) {
    if (/CUDA_VISIBLE_DEVICES|--device[= ]|-d \d/.test(command.text)) continue;
    const bound = /numactl\s.*?(?:-N|--cpunodebind[= ]|-m|--membind[= ])\s?(\d{1,3})\b/.exec(command.text);
    const cpus = /(?:taskset\s+(?:-c|--cpu-list)\s+|numactl\s.*?(?:-C|--physcpubind)[= ]?)([\d,-]+)/.exec(command.text);
    const near = cpusOf(gpu.cpuAffinity);
    const wrong = bound
      ? lists.length > 1 && Number(bound[1]) !== node
      : cpus
        ? [...cpusOf(cpus[1]!)].every((c) => !near.has(c))
        : false;
    if (!wrong) continue;
    return finding('process-not-numa-pinned', {
      confidence: facts.of('bandwidth-test').length > 0 ? 0.9 : 0.7,
      devices: [gpu.label.toLowerCase()],
      evidence: [command.at, gpu.at, facts.of('bandwidth-test')[0]?.transfers[0]?.at],
      commands: [`numactl -N ${node} -m ${node} …`],
    });
  }
  return undefined;
};
