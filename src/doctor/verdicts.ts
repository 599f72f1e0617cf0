import { gpuByDeviceId, gpuByProduct } from '../catalogue/gpus.ts';
import type { Answer, Where } from '../fact/fact.ts';
import type { Message } from '../words/message.ts';
import { say } from '../words/message.ts';
import type { Facts } from './facts.ts';
import type { Finding } from './finding.ts';
import type { FindingId } from './ids.ts';
import { stagedWays } from './peermem-facts.ts';
import { someNear } from './rules/cross-numa.ts';

/** Does data take the direct way? One answer for each way that the inputs speak of. */
export interface WayVerdict {
  readonly way: 'gpudirect-rdma' | 'p2p' | 'gpudirect-storage';
  readonly about: Message;
  readonly answer: Answer;
  readonly evidence: readonly Where[];
  /** The finding that says no. */
  readonly because?: FindingId;
  readonly settle?: string;
}

const networkFaults = /^(?:gdr-|ipoib|sockets-|rdma-(?:device|drivers)|efa-|gpu-nic-cross|dmabuf|peermem-symbol)/;
const peerFaults = /^p2p-/;
const storageFaults = /^gds-/;

export function wayVerdicts(facts: Facts, findings: readonly Finding[]): WayVerdict[] {
  return [network(facts, findings), peers(facts, findings), storage(facts, findings)].flatMap((v) => v ?? []);
}

/** The loudest finding of a kind says no; remarks say it too when they name the way itself. */
function refused(
  findings: readonly Finding[],
  kind: RegExp,
): Pick<WayVerdict, 'answer' | 'evidence' | 'because'> | undefined {
  const found = findings.find((f) => kind.test(f.id));
  return found && { answer: 'no', evidence: found.evidence.slice(0, 1), because: found.id };
}

function network(facts: Facts, findings: readonly Finding[]): WayVerdict | undefined {
  const head = { way: 'gpudirect-rdma', about: say('doctor.way.gpudirect-rdma') } as const;
  // Where one GPU has a NIC near, the far ones do not decide for all.
  const mixed = facts.logs.every((l) => l.gdr.length === 0) && someNear(facts);
  const no = refused(mixed ? findings.filter((f) => f.id !== 'gpu-nic-cross-numa') : findings, networkFaults);
  if (no) return { ...head, ...no };
  const direct = facts.connections.find((c) => c.kind === 'NET' && c.gdr);
  if (direct) return { ...head, answer: 'yes', evidence: [direct.at] };
  const staged = stagedWays(facts)[0];
  const ib = facts.networks.find((n) => n.ib)?.ib;
  const ucx = staged || ib ? undefined : ucxWay(facts);
  if (ucx) return { ...head, ...ucx };
  if (!staged && !ib) return undefined;
  return {
    ...head,
    answer: staged ? 'no' : 'unknown',
    evidence: [staged?.at ?? ib!.at],
    ...(staged ? {} : { settle: 'NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET,GRAPH' }),
  };
}

function peers(facts: Facts, findings: readonly Finding[]): WayVerdict | undefined {
  const head = { way: 'p2p', about: say('doctor.way.p2p') } as const;
  // What ACS sends to the root is not direct, whatever NCCL calls it; NVLink does not pass there.
  const linked = facts.of('topo-matrix').some((m) => m.cells.flat().some((c) => /^NV\d/.test(c ?? '')));
  const no = refused(findings, linked ? peerFaults : /^(?:p2p-|acs-enabled$)/);
  // Whether NVLinks join the GPUs, which ACS does not touch, only the driver tells.
  if (no?.because === 'acs-enabled' && mayHaveNvlink(facts)) {
    return { ...head, answer: 'unknown', evidence: no.evidence, settle: 'nvidia-smi topo -m' };
  }
  if (no) return { ...head, ...no };
  const shared = facts.connections.find((c) => c.kind === 'SHM');
  if (shared) return { ...head, answer: 'no', evidence: [shared.at] };
  const direct = facts.connections.find((c) => c.kind === 'P2P');
  if (direct) return { ...head, answer: 'yes', evidence: [direct.at] };
  const none = p2pLine(facts);
  if (none) return { ...head, answer: 'no', evidence: [none] };
  const status = facts.of('p2p-status').flatMap((t) => t.rows);
  const bad = status.find((r) => r.cells.some((c) => /NS$|^DR$/.test(c)));
  if (bad) return { ...head, answer: 'no', evidence: [bad.at] };
  const allowed = status.find((r) => r.cells.includes('OK'));
  if (allowed) return { ...head, answer: 'yes', evidence: [allowed.at] };
  const access = facts.of('p2p-bandwidth').flatMap((p) => p.access)[0];
  return access && { ...head, answer: access.can ? 'yes' : 'no', evidence: [access.at] };
}

/** NCCL's word that the driver offers no P2P between GPUs. */
export const p2pLine = (facts: Facts): Where | undefined =>
  facts.logs.flatMap((l) => l.p2p).find((p) => p.kind === 'disabled' || p.kind === 'refused')?.at ??
  facts.said('nvshmem-peer')[0]?.at ??
  facts.said('p2p-lacking')[0]?.at;

/** How UCX sends the largest messages from GPU memory over an RDMA transport. */
function ucxWay(facts: Facts): Pick<WayVerdict, 'answer' | 'evidence'> | undefined {
  const rows = facts
    .of('ucx')
    .flatMap((u) => u.protocols.filter((p) => /cuda|rocm/.test(p.about) && /^(?:rc|dc|ud)_|mlx5/.test(p.via)));
  const large = rows.filter((r) => /inf$/.test(r.range));
  const direct = large.find((r) => /zero-copy/.test(r.protocol));
  if (direct) return { answer: 'yes', evidence: [direct.at] };
  const staged = large.find((r) => /pipeline|fragmented|copy-in|copy-out/.test(r.protocol));
  return staged && { answer: 'no', evidence: [staged.at] };
}

/** GPUs of kinds that NVLink joins, and no input that shows the ways between them. */
function mayHaveNvlink(facts: Facts): boolean {
  if (facts.of('topo-matrix').length > 0 || facts.connections.length > 0 || facts.of('p2p-bandwidth').length > 0)
    return false;
  const listed = facts.of('lspci').flatMap((l) => l.devices.flatMap((d) => d.ids ?? []));
  return (
    listed.some((ids) => {
      const [vendor, device] = ids.split(':').map((id) => `0x${id}`);
      return vendor !== undefined && device !== undefined && gpuByDeviceId(vendor, device)?.nvlink !== undefined;
    }) || facts.gpuNames.some((g) => gpuByProduct(g.name)?.nvlink !== undefined || /SXM/.test(g.name))
  );
}

function storage(facts: Facts, findings: readonly Finding[]): WayVerdict | undefined {
  const head = { way: 'gpudirect-storage', about: say('doctor.way.gpudirect-storage') } as const;
  const no = refused(findings, storageFaults);
  if (no) return { ...head, ...no };
  const ran = facts
    .of('gdsio')
    .flatMap((g) => g.results)
    .find((r) => r.transfer === 'GPUD');
  const driver = facts
    .of('gds-check')
    .flatMap((c) => c.drivers)
    .find((d) => d.supported);
  const seen = ran ?? driver;
  return seen && { ...head, answer: 'yes', evidence: [seen.at] };
}
