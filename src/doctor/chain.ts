import type { Answer, Where } from '../fact/fact.ts';
import type { Document } from '../read/documents.ts';
import { type Message, say } from '../words/message.ts';
import { diagnose } from './diagnose.ts';
import { Facts, isGpu } from './facts.ts';
import { type Finding, titleOf } from './finding.ts';
import { registered, stagedWays } from './peermem-facts.ts';
import { isWorkaround } from './rules/environment.ts';
import { portLeft } from './rules/ports.ts';
import { p2pLine } from './verdicts.ts';

/** The ways whose support is followed link by link. */
export const chainedWays = ['gpudirect-rdma', 'p2p', 'gpudirect-storage'] as const;
export type ChainedWay = (typeof chainedWays)[number];

/** One thing that a direct way needs. */
export interface ChainLink {
  readonly link: ChainLinkId;
  readonly answer: Answer;
  readonly evidence: readonly Where[];
  /** The finding that says no. */
  readonly because?: Message;
  /** What is wrong beside the one that says yes: a port of several that is down. */
  readonly remark?: Message;
  /** What would tell. */
  readonly settle?: string;
}

export type ChainLinkId =
  | 'gpu'
  | 'driver'
  | 'memory'
  | 'nic'
  | 'verbs'
  | 'acs'
  | 'iommu'
  | 'place'
  | 'library'
  | 'nvidia-fs'
  | 'drives';

interface Need {
  readonly link: ChainLinkId;
  /** Findings that say no. */
  readonly no: RegExp;
  /** Those of `no` that are about single devices of several, and the line that shows one left which does. */
  readonly spare?: { readonly of: RegExp; readonly left: (facts: Facts) => Where | undefined };
  /** Variables that switch off what this link needs; those of other ways say nothing here. */
  readonly switches?: RegExp;
  /** What was seen that says no, where no finding does. */
  readonly seen?: (facts: Facts) => { readonly because: Message; readonly at: Where } | undefined;
  /** The line that says yes. */
  readonly yes: (facts: Facts) => Where | undefined;
  readonly settle: string;
}

const gpu: Need = {
  link: 'gpu',
  no: /^(?:gdr-unsupported-(?:geforce|unified-memory)|p2p-(?:disabled|broken)-geforce)$/,
  yes: (f) =>
    f.geforce || f.unified
      ? undefined
      : (f.gpuNames.find((g) => /\b(?:[VAHBL]\d{2,3}|GH200|GB\d|RTX A|Tesla|P40)/.test(g.name))?.at ?? gpuOfLspci(f)),
  settle: 'nvidia-smi -L',
};
const driver: Need = {
  link: 'driver',
  no: /^(?:kernel-module-symbol-mismatch|dmabuf-needs-open-kernel-module|fabric-manager-|gpu-xid)/,
  yes: (f) =>
    f.of('driver-version')[0]?.at ??
    present(f.module('nvidia')) ??
    f.of('kubernetes-node').flatMap((k) => k.labels.filter((l) => /^nvidia\.com\/cuda\.driver/.test(l.name)))[0]?.at,
  settle: 'cat /proc/driver/nvidia/version',
};
const memory: Need = {
  link: 'memory',
  no: /^(?:gdr-disabled-peermem|gdr-disabled-nccl-too-old|peermem-symbol|gdr-disabled-in-topo)/,
  yes: (f) =>
    registered(f).asPeermem ??
    registered(f).asNvMem ??
    ucxRegisters(f) ??
    f.networks.find((n) => n.dmaBuf.length > 0)?.dmaBuf[0]?.at ??
    f.connections.find((c) => c.gdr)?.at,
  settle: "lsmod | grep -E 'nvidia_peermem|nv_peer_mem'; ls /sys/kernel/mm/memory_peers",
};
const nic: Need = {
  link: 'nic',
  no: /^(?:nic-(?:port-down|missing|no-subnet-manager)|rdma-drivers-not-loaded|rdma-device-not-in-container|efa-device-not-exposed)$/,
  spare: { of: /^nic-(?:port-down|missing|no-subnet-manager)$/, left: portLeft },
  yes: (f) => f.ports.find((p) => p.state?.value === 'active')?.at ?? f.networks.find((n) => n.ib)?.ib?.at,
  settle: 'ibstat',
};
const verbs: Need = {
  link: 'verbs',
  no: /^(?:sockets-fallback-no-libibverbs|ipoib-used-instead-of-verbs|efa-plugin-no-provider|memlock-limit)$/,
  yes: (f) =>
    f.networks.find((n) => n.ib)?.ib?.at ??
    f.of('libfabric').flatMap((l) => l.providers.filter((p) => /^(?:efa|verbs|cxi)/.test(p.name)))[0]?.at,
  settle: 'NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET',
};
const acs: Need = {
  link: 'acs',
  no: /^acs-enabled$/,
  yes: (f) =>
    f
      .of('lspci')
      .flatMap((l) => l.devices)
      .find((d) => d.acs)?.at,
  settle: 'sudo lspci -D -vvv',
};
const iommu: Need = {
  link: 'iommu',
  no: /^iommu-on$/,
  // Saying nothing is no answer: AMD's is on by default.
  yes: (f) =>
    f
      .of('kernel-cmdline')
      .flatMap((c) => c.lines)
      .find((l) => /\biommu=(?:pt|off)\b|\b(?:intel|amd)_iommu=off\b/.test(l.text))?.at,
  settle: 'cat /proc/cmdline; sudo dmesg | grep -iE "DMAR|IOMMU"',
};
const place: Need = {
  link: 'place',
  no: /^(?:gpu-nic-cross-numa|vm-flat-topology-needs-topo-file|gdr-disabled-by-default-grace)$/,
  yes: (f) => nearRow(f),
  settle: 'nvidia-smi topo -m',
};
const library: Need = {
  link: 'library',
  no: /^(?:gdr-asymmetric-between-nodes|sockets-fallback)$/,
  switches: /^NCCL_(?:NET_GDR_LEVEL|NET_GDR_READ|DMABUF_ENABLE|IB_DISABLE)$/,
  seen: (f) => {
    const staged = stagedWays(f)[0];
    return staged && { because: say('chain.seen-staged'), at: staged.at };
  },
  yes: (f) => f.connections.find((c) => c.kind === 'NET' && c.gdr)?.at,
  settle: 'NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET,GRAPH',
};

const needs: Readonly<Record<ChainedWay, readonly Need[]>> = {
  'gpudirect-rdma': [gpu, driver, memory, nic, verbs, acs, iommu, place, library],
  p2p: [
    gpu,
    driver,
    acs,
    iommu,
    {
      link: 'library',
      no: /^p2p-(?:bandwidth-abnormal|mapping-refused)$/,
      switches: /^NCCL_P2P_(?:DISABLE|LEVEL)$/,
      seen: (f) => {
        const at = f.connections.some((c) => c.kind === 'P2P') ? undefined : p2pLine(f);
        return at && { because: say('chain.seen-no-p2p'), at };
      },
      yes: (f) =>
        f.connections.find((c) => c.kind === 'P2P')?.at ??
        f.of('p2p-status').flatMap((t) => t.rows.filter((r) => r.cells.every((c) => c === 'OK' || c === 'X')))[0]?.at,
      settle: 'NCCL_DEBUG=INFO',
    },
  ],
  'gpudirect-storage': [
    gpu,
    driver,
    {
      link: 'nvidia-fs',
      no: /^(?:gds-driver-not-loaded|gds-compat-mode|gds-nvme-driver-not-patched|gds-p2pdma-unsupported)$/,
      yes: (f) =>
        present(f.module('nvidia_fs', 'nvidia-fs')) ??
        f.of('gds-check').find((c) => c.nvidiaFs)?.nvidiaFs?.at ??
        f.of('nvfs-stats')[0]?.at ??
        f.said('gds-driver')[0]?.at ??
        supportedRow(f, /^NVMe P2PDMA$/i),
      settle: '/usr/local/cuda/gds/tools/gdscheck -p',
    },
    {
      link: 'drives',
      no: /^gds-(?:nvme-unsupported|unsupported-block-device|file-register-failed|udev-missing-in-container)$/,
      yes: (f) => supportedRow(f, /^NVMe(?: P2PDMA)?$/i),
      settle: '/usr/local/cuda/gds/tools/gdscheck -p',
    },
    acs,
    iommu,
  ],
};

/** A NIC on which UCX registers GPU memory. */
const ucxRegisters = (f: Facts): Where | undefined =>
  f.of('ucx').flatMap((u) => u.domains.filter((d) => d.component === 'ib' && d.memory?.types.includes('cuda')))[0]
    ?.memory?.at;

/** A row of gdscheck that says Supported. */
const supportedRow = (f: Facts, name: RegExp): Where | undefined =>
  f.of('gds-check').flatMap((c) => c.drivers.filter((d) => d.supported && name.test(d.name)))[0]?.at;

/** The matrix that shows a NIC on the switch of a GPU. */
function nearRow(f: Facts): Where | undefined {
  for (const m of f.of('topo-matrix')) {
    const near = m.devices.some(
      (d, row) =>
        d.kind === 'gpu' && m.devices.some((e, col) => e.kind === 'nic' && /^P[IX]/.test(m.cells[row]?.[col] ?? '')),
    );
    if (near) return { file: m.file, line: m.line };
  }
  return undefined;
}

const present = (seen: Where | 'absent' | undefined): Where | undefined => (seen === 'absent' ? undefined : seen);
const gpuOfLspci = (f: Facts): Where | undefined =>
  f
    .of('lspci')
    .flatMap((l) => l.devices)
    .find((d) => isGpu(d) && /3D controller/.test(d.className))?.at;

/** The support chain of a way: for every link yes, no or unknown, and what would tell. Never a pass without a line that says so. */
export function chainOf(documents: readonly Document[], way: ChainedWay): ChainLink[] {
  const facts = new Facts(documents);
  const { findings } = diagnose(documents);
  return needs[way].map((need): ChainLink => {
    const left = need.spare?.left(facts);
    const against = findings.filter((f) => need.no.test(f.id));
    const no: Finding | undefined = against.find((f) => !left || !need.spare?.of.test(f.id));
    if (no) {
      return { link: need.link, answer: 'no', evidence: no.evidence.slice(0, 2), because: titleOf(no.id) };
    }
    const off = facts.settings.find((s) => need.switches?.test(s.name) && isWorkaround(s.name, s.value));
    if (off)
      return {
        link: need.link,
        answer: 'no',
        evidence: [off.at],
        because: say('doctor.set', { name: off.name, value: off.value }),
      };
    const seen = need.seen?.(facts);
    if (seen) return { link: need.link, answer: 'no', evidence: [seen.at], because: seen.because };
    const yes = left ?? need.yes(facts);
    if (yes) {
      const [one] = against;
      const evidence = [yes, ...(one?.evidence.slice(0, 1) ?? [])];
      return { link: need.link, answer: 'yes', evidence, ...(one ? { remark: remarkOf(one) } : {}) };
    }
    return { link: need.link, answer: 'unknown', evidence: [], settle: need.settle };
  });
}

const remarkOf = (f: Finding): Message =>
  f.devices.length === 0
    ? say('chain.but', { what: titleOf(f.id) })
    : say('chain.except', { what: titleOf(f.id), devices: f.devices.slice(0, 8).join(', ') });

export const linkName = (id: ChainLinkId): Message => say(`chain.link.${id}`);
