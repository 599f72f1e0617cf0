import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

const cpusOf = (list: string): Set<number> => {
  const cpus = new Set<number>();
  for (const part of list.split(',').slice(0, 256)) {
    const range = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part.trim());
    if (range) for (let c = Number(range[1]); c <= Number(range[2] ?? range[1]) && cpus.size < 8192; c++) cpus.add(c);
  }
  return cpus;
};

const boundTo = /numactl\s.*?(?:-N|--cpunodebind[= ]|-m|--membind[= ])\s?(\d{1,3})\b/;

/** A program bound to the memory or the cores of the other socket. */
export const numaPinned: Rule = (facts) => {
  const matrix = facts.of('topo-matrix')[0];
  const gpu = matrix?.devices.find((d) => d.kind === 'gpu' && d.cpuAffinity !== undefined);
  if (!matrix || gpu?.cpuAffinity === undefined) return undefined;
  // Without a column of NUMA nodes, nodes are counted in the order of their CPUs.
  const lists = [...new Set(matrix.devices.flatMap((d) => d.cpuAffinity ?? []))].sort(
    (a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10),
  );
  const told = gpu.numaAffinity !== undefined && /^\d+$/.test(gpu.numaAffinity);
  const node = told ? Number(gpu.numaAffinity) : lists.indexOf(gpu.cpuAffinity);
  const commands = facts.of('commands').flatMap((c) => c.commands);
  const nodes = new Set(commands.flatMap((c) => boundTo.exec(c.text)?.[1] ?? []));
  // One command for each node is how ranks are bound to the GPUs near them.
  if (nodes.size > 1) return undefined;
  for (const command of commands) {
    if (/CUDA_VISIBLE_DEVICES|--device[= ]|-d \d/.test(command.text)) continue;
    const bound = boundTo.exec(command.text);
    const cpus = /(?:taskset\s+(?:-c|--cpu-list)\s+|numactl\s.*?(?:-C|--physcpubind)[= ]?)([\d,-]+)/.exec(command.text);
    const near = cpusOf(gpu.cpuAffinity);
    const wrong = bound
      ? (told || lists.length > 1) && Number(bound[1]) !== node
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
