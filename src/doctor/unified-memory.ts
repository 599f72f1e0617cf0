import type { Facts } from './facts.ts';
import { type Finding, finding } from './finding.ts';
import type { FindingId } from './ids.ts';

/** Findings that ask for what no driver offers where the GPU's memory is the system's own: NICs do not reach what CUDA allocates there. */
const pointless: ReadonlySet<FindingId> = new Set<FindingId>([
  'dmabuf-needs-open-kernel-module',
  'dmabuf-registration-refused',
  'gdr-disabled-in-topo',
  'gdr-disabled-nccl-too-old-for-peermem',
  'gdr-disabled-peermem-loaded',
  'gdr-disabled-peermem-missing',
  'gdrdrv-device-node-missing',
  'gdrdrv-not-loaded',
  'gdrdrv-wrong-driver-flavour',
  'gds-driver-not-loaded',
  'gds-nvme-driver-not-patched',
  'gds-nvme-unsupported',
  'gds-p2pdma-unsupported',
  'peermem-symbol-mismatch-ofed',
  'perftest-missing-dmabuf-flag',
]);

/** On such a GPU they are one remark: it is as it has to be. */
export function withoutPointless(facts: Facts, found: ReadonlyMap<FindingId, Finding>): readonly Finding[] {
  const all = [...found.values()];
  const { unified } = facts;
  const met = unified ? all.filter((f) => pointless.has(f.id)) : [];
  if (!unified || met.length === 0) return all;
  return [
    ...all.filter((f) => !pointless.has(f.id)),
    finding('gdr-unsupported-unified-memory', {
      confidence: 0.95,
      devices: met.flatMap((f) => f.devices),
      evidence: [unified.at, ...met.flatMap((f) => f.evidence)],
    }),
  ];
}
