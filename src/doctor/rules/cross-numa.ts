import type { Where } from '../../fact/fact.ts';
import { typeOfNumber } from '../../nccl/path-type.ts';
import { releaseFor } from '../../nccl/release.ts';
import type { TopoMatrix } from '../../read/nvidia-smi-topo.ts';
import type { Facts } from '../facts.ts';
import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/** A GPU whose every NIC is across the link between sockets. The numbers NCCL prints mean another type in each release. */
export const crossNuma: Rule = (facts) => {
  const logged: { at: Where; gpu: string }[] = [];
  for (const log of facts.logs) {
    const release = releaseFor(log.versions.find((v) => v.flavour === 'nccl')?.text ?? '2.18.3');
    const direct = new Set(log.gdr.filter((g) => g.enabled).map((g) => `${g.host} ${g.gpu.text}`));
    for (const g of log.gdr) {
      if (g.enabled || g.distance === undefined || !release || direct.has(`${g.host} ${g.gpu.text}`)) continue;
      if (typeOfNumber(g.distance, release) === 'SYS') logged.push({ at: g.at, gpu: g.gpu.text });
    }
  }
  const rows: { at: Where; gpu: string }[] = [];
  let near = 0;
  // On GB300 and later a NIC reaches the GPU by its Data Direct function, which the matrix does not show.
  const dataDirect = facts.gpuNames.some((g) => /GB300|Rubin|\bVR\d/.test(g.name));
  for (const matrix of dataDirect ? [] : facts.of('topo-matrix')) {
    const nics = matrix.devices.map((d, i) => ({ d, i })).filter(({ d }) => d.kind === 'nic');
    if (nics.length === 0 || matrix.truncated) continue;
    matrix.devices.forEach((d, row) => {
      // Beside Grace a GPU has a domain of its own, and every NIC is SYS from it though it meets them in its own CPU.
      if (d.kind !== 'gpu' || /^\d+$/.test(d.gpuNumaId ?? '')) return;
      const far =
        nics.every(({ i }) => across(matrix.cells[row]?.[i])) && !nics.some(({ i }) => sameNode(matrix, row, i));
      if (far) rows.push({ at: d.at, gpu: d.label.toLowerCase() });
      else near++;
    });
  }
  if (logged.length === 0 && rows.length === 0) return undefined;
  // Where some GPUs have a NIC near, the far ones matter once the network is in use; many servers are built so.
  const used =
    near === 0 ||
    facts.severalNodes ||
    facts.connections.some((c) => c.kind === 'NET') ||
    facts.of('perftest').length > 0;
  return finding('gpu-nic-cross-numa', {
    severity: logged.length > 0 ? 'error' : used ? 'warning' : 'info',
    confidence: logged.length > 0 ? 0.9 : used ? 0.7 : 0.5,
    devices: rows.length > 0 ? rows.map((r) => r.gpu) : logged.map((l) => l.gpu),
    evidence: [...logged.slice(0, 2).map((l) => l.at), ...rows.map((r) => r.at), ...logged.slice(2).map((l) => l.at)],
    commands: ['nvidia-smi topo -m', 'export NCCL_NET_GDR_LEVEL=SYS'],
  });
};

const across = (cell: string | undefined): boolean => /^(?:SYS|SOC)$/.test(cell ?? '');

/** A NIC that is near a GPU of the same NUMA node as this one: some machines print SYS between the host bridges of one node. */
const sameNode = (matrix: TopoMatrix, row: number, nic: number): boolean => {
  const node = matrix.devices[row]?.numaAffinity;
  return (
    /^\d+$/.test(node ?? '') &&
    matrix.devices.some(
      (d, i) =>
        d.kind === 'gpu' && d.numaAffinity === node && /^(?:PIX|PXB|PHB|NODE)$/.test(matrix.cells[i]?.[nic] ?? ''),
    )
  );
};

/** Some GPU has a NIC on its own node: the way between GPU and NIC is not closed to all. */
export const someNear = (facts: Facts): boolean =>
  facts
    .of('topo-matrix')
    .some((matrix) =>
      matrix.devices.some(
        (d, row) =>
          d.kind === 'gpu' &&
          matrix.devices.some(
            (e, i) => e.kind === 'nic' && /^(?:PIX|PXB|PHB|NODE)$/.test(matrix.cells[row]?.[i] ?? ''),
          ),
      ),
    );
