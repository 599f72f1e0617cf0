import type { Where } from '../fact/fact.ts';
import type { Facts } from './facts.ts';

/**
 * Where the inputs show a GPU and a NIC below one PCIe switch: a tree that NCCL printed, or a matrix of nvidia-smi. With
 * GPUDirect RDMA at work NCCL calls such a pair PIX or PXB; without it, it plans through the CPU and prints PHB.
 */
export function sharedSwitches(facts: Facts): Where[] {
  const found: Where[] = [];
  for (const system of facts.logs.flatMap((l) => l.systems)) {
    const below = new Map<string, { gpu?: Where; nic?: Where }>();
    const at = new Map(system.nodes.map((n) => [n.id, n.at]));
    for (const { from, to, type } of system.links) {
      if (type !== 'PCI' || !from.startsWith('PCI/')) continue;
      const switched = below.get(from) ?? {};
      if (to.startsWith('GPU/')) switched.gpu ??= at.get(to) ?? system.at;
      if (to.startsWith('NIC/')) switched.nic ??= at.get(to) ?? system.at;
      below.set(from, switched);
    }
    for (const { gpu, nic } of below.values()) if (gpu && nic) found.push(nic, gpu);
  }
  for (const matrix of facts.of('topo-matrix')) {
    matrix.devices.forEach((gpu, row) => {
      if (gpu.kind !== 'gpu') return;
      const near = matrix.devices.some((d, i) => d.kind === 'nic' && /^PI[XB]|^PXB/.test(matrix.cells[row]?.[i] ?? ''));
      if (near) found.push(gpu.at);
    });
  }
  return found;
}
