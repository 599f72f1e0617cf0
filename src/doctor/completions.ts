import type { Where } from '../fact/fact.ts';
import { nameOfStatus, statusNamed, statusOfSyndrome } from '../read/rdma/completion-status.ts';
import { type Message, say } from '../words/message.ts';
import type { Facts } from './facts.ts';

/** A transfer that ended with an error, whoever says so: NCCL, libmlx5, the kernel, UCX, perftest, or a program of its own. */
interface Ended {
  readonly status: number;
  readonly at: Where;
}

function endedIn(facts: Facts): Ended[] {
  const numbered = (s: number | undefined, at: Where): Ended[] => (s === undefined ? [] : [{ status: s, at }]);
  const hex = (words: readonly string[]): number | undefined =>
    statusOfSyndrome(Number.parseInt(words.find((w) => w !== '') ?? '', 16));
  return [
    ...facts.warnings.flatMap((w) => (w.kind === 'ib-completion' ? numbered(w.code ?? -1, w.at) : [])),
    ...facts.said('nccl-status').map((m) => ({ status: Number(m.words[0]), at: m.at })),
    ...facts.of('mlx5-cqe').flatMap((d) => d.errors),
    ...facts.of('perftest').flatMap((p) => p.failed ?? []),
    ...facts.said('ucx-syndrome').flatMap((m) => numbered(hex(m.words), m.at)),
    ...facts.said('verbs-status').flatMap((m) => numbered(statusNamed(m.words[0] ?? ''), m.at)),
    ...facts.said('wc-status').map((m) => ({ status: Number(m.words[0]), at: m.at })),
    ...facts.said('wc-syndrome').flatMap((m) => numbered(hex(m.words), m.at)),
  ];
}

interface Class {
  readonly code: 'memory' | 'remote' | 'timeout' | 'not-ready' | 'flushed';
  readonly statuses: readonly number[];
  /** What would tell the cause. */
  readonly settle: string;
  /** Findings that are the cause. */
  readonly cleared: RegExp;
}

const memory =
  "sudo lspci -D -vvv; cat /proc/cmdline; sudo dmesg | grep -iE 'iommu|dmar|mlx5'; lsmod | grep -E 'nvidia_peermem|nv_peer_mem'";
const ofMemory = /^acs-enabled|^iommu|^gdr-|peermem|dmabuf|^bar1/;
const fabric = /^roce|^nic-|^mtu|^acs|^iommu|^rdma-|^gdr-/;

/** Causes first: where one rank's NIC cannot reach its memory, the others time out, and all that was on its way is flushed. */
const classes: readonly Class[] = [
  { code: 'memory', statuses: [4, 8], settle: memory, cleared: ofMemory },
  { code: 'remote', statuses: [9, 10, 11], settle: memory, cleared: ofMemory },
  {
    code: 'timeout',
    statuses: [12],
    settle: 'ibstat; show_gids; ip route; grep . /sys/class/infiniband/*/ports/1/hw_counters/*',
    cleared: /^roce|^nic-|^mtu|^rdma-|^acs|^slow-nic|^wrong-interface/,
  },
  { code: 'not-ready', statuses: [13], settle: 'NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET,GRAPH', cleared: fabric },
  { code: 'flushed', statuses: [5], settle: `NCCL_DEBUG=WARN; ${memory}`, cleared: fabric },
];

export interface EndedTransfers {
  readonly about: Message;
  readonly evidence: readonly Where[];
  readonly settle: string;
}

/** What the transfers that ended with an error leave open, the likeliest cause first; nothing where a finding tells it. */
export function endedTransfers(facts: Facts, found: readonly string[]): EndedTransfers | undefined {
  const ended = endedIn(facts);
  for (const { code, statuses, settle, cleared } of classes) {
    const mine = ended.filter((e) => statuses.includes(e.status));
    const [first] = mine;
    if (!first) continue;
    if (found.some((id) => cleared.test(id))) return undefined;
    const { status } = first;
    const about = say(`doctor.open.completion.${code}`, { status, name: nameOfStatus(status) ?? '' });
    return { about, evidence: mine.slice(0, 3).map((e) => e.at), settle };
  }
  const [other] = ended;
  if (!other || found.some((id) => fabric.test(id))) return undefined;
  const settle = 'ibstat; show_gids; sudo lspci -vvv | grep -i acsctl';
  return { about: say('doctor.open.completion'), evidence: [other.at], settle };
}
