import { say } from '../words/message.ts';
import { endedTransfers } from './completions.ts';
import type { Facts } from './facts.ts';
import { isGpu } from './facts.ts';
import { type Failure, unexplained } from './failures.ts';
import type { Finding } from './finding.ts';
import { gdsOpen, gdsQuestions } from './gds-questions.ts';
import type { OpenQuestion, SaidQuestion } from './open-question.ts';
import { stagedWays } from './peermem-facts.ts';
import { wrongResults } from './wrong-results.ts';

/** Failures that programs tell of. */
const programs: readonly SaidQuestion[] = [
  ...gdsQuestions,
  {
    topic: 'bad-address',
    settle:
      "lsmod | grep -E 'nvidia_peermem|nv_peer_mem'; ls /sys/kernel/mm/memory_peers; nvidia-smi -q | grep -A3 BAR1; sudo dmesg | tail",
    cleared: /\bgdr-|dmabuf|peermem/,
  },
  {
    topic: 'not-registered',
    settle: "ulimit -l; lsmod | grep -E 'nvidia_peermem|nv_peer_mem'; nvidia-smi -q | grep -A3 BAR1; sudo dmesg | tail",
    cleared: /\bgdr-|dmabuf|peermem|^memlock|^bar1/,
  },
  {
    topic: 'gdr-pin',
    settle: 'sudo dmesg | tail -n 50; modinfo gdrdrv; cat /proc/driver/nvidia/version; nvidia-smi -L',
    cleared: /\bgdr-|gdrdrv/,
  },
  {
    topic: 'gdrdrv-version',
    settle: 'ls -l /dev/gdrdrv; grep gdrdrv /proc/devices; modinfo gdrdrv',
    cleared: /gdrdrv/,
  },
  {
    topic: 'gloo-mesh',
    settle: 'ip -br addr; getent hosts $(hostname); env | grep SOCKET_IFNAME',
    cleared: /wrong-interface/,
  },
  {
    topic: 'rnic-unusable',
    settle: 'ibv_devinfo -v; show_gids; ls -l /dev/infiniband',
    cleared: /roce|nic-|rdma-|libibverbs/,
  },
  {
    topic: 'peer-map-failed',
    settle: 'nvidia-smi -q | grep -A3 "BAR1 Memory"; nvidia-smi topo -p2p r; sudo dmesg | tail',
    cleared: /bar1|p2p-/,
  },
  // It says so of every card without RDMA too; its own list of cards tells which it is.
  {
    topic: 'plugin-missing-node',
    settle:
      'lspci -D | grep -E "Ethernet|Infiniband"; ls -l /dev/infiniband; lsmod | grep -E "ib_umad|rdma_ucm|ib_uverbs"',
    cleared: /rdma-/,
    unless: 'plugin-nic',
  },
  // What NVSHMEM's queues in GPU memory need of the driver.
  {
    topic: 'nic-map-failed',
    settle: "grep -E 'EnableStreamMemOPs|RegistryDwords' /proc/driver/nvidia/params; cat /proc/driver/nvidia/version",
    cleared: /nvshmem/,
  },
  {
    topic: 'driver-absent',
    settle: 'cat /proc/driver/nvidia/version; lsmod | grep nvidia; dkms status; sudo dmesg | grep -i nvrm | tail',
    cleared: /^driver-|^gpu-xid/,
  },
  {
    topic: 'adapter-init',
    settle: "sudo dmesg | grep -iE 'nvrm|xid' | tail -n 50; sudo lspci -vvv -d 10de: | grep -E 'LnkSta|Region'",
    cleared: /^driver-|^gpu-xid|fabric/,
  },
  {
    topic: 'gpu-handle',
    settle: "sudo dmesg | grep -iE 'nvrm|xid' | tail -n 50; lspci -d 10de:",
    cleared: /^driver-|^gpu-xid/,
  },
  {
    topic: 'nvlink-detect',
    settle: "nvidia-smi nvlink -s; nvidia-smi topo -m; sudo dmesg | grep -iE 'xid|knvlink'",
    cleared: /^nvlink|^gpu-xid|fabric/,
  },
  { topic: 'ucx-retry', settle: 'ibstat; show_gids; ip route', cleared: /roce|nic-|mtu/ },
  // GPUs of another fabric, or an IMEX domain that does not reach so far.
  {
    topic: 'ucx-handle-import',
    settle: 'nvidia-smi -q | grep -A4 Fabric; ls -l /dev/nvidia-caps-imex-channels; systemctl status nvidia-imex',
    cleared: /imex|fabric/,
  },
  {
    topic: 'efa-peer-gone',
    settle: 'sudo dmesg | tail -n 50; fi_pingpong -p efa $PEER',
    cleared: /^efa-|^gpu-xid|^shm-/,
  },
  {
    topic: 'nvbandwidth-error',
    settle: 'nvidia-smi -q | grep -A4 Fabric; nvidia-smi nvlink -s; systemctl status nvidia-imex',
    cleared: /imex|fabric|^gpu-xid|^nvlink/,
  },
  {
    topic: 'nic-resources',
    settle: 'rdma res; sudo mlxconfig -d $DEVICE q | grep -iE "LOG_BAR|UAR"; ulimit -l',
    cleared: /^memlock|^nic-firmware/,
  },
  {
    topic: 'ucx-address',
    settle: 'show_gids; ip -br addr; ip route; env | grep UCX_IB_GID_INDEX',
    cleared: /^roce|^nic-|^rdma-/,
  },
  {
    topic: 'ucx-no-way',
    settle:
      'env | grep UCX_; ucx_info -d | grep -E "Transport|Device"; ibv_devinfo; ls -l /dev/infiniband, on each node',
    cleared: /^rdma-|^nic-|libibverbs|^roce|containers-apart/,
    unless: 'ucx-not-there',
  },
  {
    topic: 'ucx-not-there',
    settle: 'ucx_info -v; ucx_info -d | grep -E "Transport|Device"; ibv_devinfo; ls -l /dev/infiniband',
    cleared: /^rdma-|^nic-|libibverbs/,
  },
  // A container whose rights to the GPUs were withdrawn, or a driver that finds none.
  {
    topic: 'nvml-init',
    settle: "ls -l /dev/nvidia*; cat /proc/driver/nvidia/version; sudo dmesg | grep -iE 'nvrm|xid' | tail",
    cleared: /^driver-|^gpu-xid/,
  },
  {
    topic: 'expert-timeout',
    settle: 'NVSHMEM_DEBUG=INFO; ibv_devinfo; show_gids; lsmod | grep nvidia_peermem',
    cleared: /nvshmem|^roce|^nic-|^gdr-|peermem|^gpu-xid/,
  },
  {
    topic: 'store-unreachable',
    settle: 'env | grep MASTER_; getent hosts $MASTER_ADDR; ip -br addr; nc -zv $MASTER_ADDR $MASTER_PORT',
    cleared: /wrong-interface|^gpu-xid/,
  },
  // Errors of a GPU's memory, engines or firmware; those of programs, and what the driver merely reports, are not asked about.
  {
    topic: 'xid',
    only: /\): (?:46|48|61|62|64|92|94|95|109|110|120|136|140|143|151|154|155|156|158)\b/,
    settle: 'nvidia-smi -q | grep -A12 -E "ECC Errors|Remapped Rows"; sudo nvidia-bug-report.sh',
    cleared: /^gpu-xid|^nvlink|^nvls|nvswitch|^driver-/,
  },
  {
    topic: 'pcie-error',
    settle: "sudo lspci -vvv | grep -E 'LnkSta|UESta|CESta'; sudo dmesg | grep -iE 'AER|pcieport'",
    cleared: /^gpu-xid-79|^nic-missing|^nic-firmware|^pcie/,
  },
  {
    topic: 'nic-module',
    settle: 'sudo mlxlink -d $DEVICE -m; ethtool -m $NETDEV',
    cleared: /^nic-/,
  },
  { topic: 'qp-unreachable', settle: 'show_gids; ip -br addr; ip route', cleared: /roce|nic-|mtu/ },
  {
    topic: 'cuda-unhandled',
    settle: 'NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET,GRAPH',
    cleared: /p2p-|shm-|cumem|nvls|imex|fabric/,
  },
];

/** What to ask next. Only what the inputs raise: a host that nobody described raises nothing. */
export function openQuestions(facts: Facts, findings: readonly Finding[]): OpenQuestion[] {
  const found = findings.map((f) => f.id);
  const ended = endedTransfers(facts, found);
  // A queue that the NIC gave up is told twice: by its event, and by the transfer that it broke.
  const follows = (f: Failure): boolean => f.kind === 'ib-async-event' && queue.test(f.text);
  const open: OpenQuestion[] = [
    ...(ended ? [{ ...ended, failed: true as const }] : []),
    ...unexplained(facts, findings)
      .filter((f) => f.kind !== 'ib-completion' && !(ended && follows(f)))
      .map((f) => ({
        about: say('doctor.open.failed', { text: quoted(f.text) }),
        evidence: [f.at],
        settle: f.settle,
        failed: true as const,
      })),
  ];
  const wrong = wrongResults(facts, found);
  if (wrong) open.push(wrong);
  const nvshmem = [...facts.said('nvshmem-queue'), ...facts.said('nvshmem-transport')][0];
  if (nvshmem && !found.includes('gdr-disabled-peermem-missing'))
    open.push({
      about: say('doctor.open.failed', { text: quoted(nvshmem.text).slice(0, 160) }),
      evidence: [nvshmem.at],
      // What its transport that posts from the GPU needs of the driver, and the NICs and addresses that it takes.
      settle:
        "grep -E 'EnableStreamMemOPs|RegistryDwords' /proc/driver/nvidia/params; ibv_devinfo; show_gids; env | grep NVSHMEM_",
      failed: true,
    });
  // Of GPU memory the rules speak; what is refused of the host's own is locked memory, or the driver of the card.
  const region = facts.of('perftest').find((p) => p.noRegion && !p.cuda && !p.dmabuf)?.noRegion;
  if (region && found.length === 0)
    open.push({
      about: say('doctor.open.failed', { text: "Couldn't allocate MR" }),
      evidence: [region.at],
      settle: 'ulimit -l; ibv_devinfo; sudo dmesg | tail',
      failed: true,
    });
  // It fails boards that have no NVLink for NVLinks that are down, so the table alone is no verdict.
  const dcgm = facts
    .of('dcgm-diag')
    .flatMap((d) => d.tests)
    .find((t) => /^(?:PCIe|NVLink|nvbandwidth|NCCL)/i.test(t.name) && /^Fail\b/.test(t.result));
  if (dcgm && !/nvlink|fabric|pcie-/.test(found.join(' ')))
    open.push({
      about: say('doctor.open.failed', { text: `DCGM, ${dcgm.name}: ${dcgm.result}` }),
      evidence: [dcgm.at],
      settle: 'nvidia-smi nvlink -s; nvidia-smi topo -m; sudo lspci -D -vvv',
      failed: true,
    });
  for (const { topic, settle, cleared, unless, only } of programs) {
    const said = facts.said(topic).find((m) => only?.test(m.text) !== false);
    if (said && !cleared.test(found.join(' ')) && (unless === undefined || facts.said(unless).length === 0))
      open.push({
        about: say('doctor.open.failed', { text: quoted(said.text).slice(0, 160) }),
        evidence: [said.at],
        settle,
        failed: true,
      });
  }
  const staged = facts.unified || found.some((f) => f.startsWith('gdr-')) ? [] : stagedWays(facts);
  if (staged.length > 0)
    open.push({
      about: say('doctor.open.gdr'),
      evidence: staged.slice(0, 3).map((s) => s.at),
      settle: "lsmod | grep -E 'nvidia_peermem|nv_peer_mem'; nvidia-smi topo -m",
    });
  const bridges = facts.of('lspci').flatMap((l) => l.devices);
  const gpu = bridges.find(isGpu);
  if (gpu && !bridges.some((d) => d.acs) && bridges.filter(isGpu).length > 1)
    open.push({ about: say('doctor.open.acs'), evidence: [gpu.at], settle: 'sudo lspci -D -vvv' });
  open.push(...gdsOpen(facts, found));
  // cuFile has seen that the bit is set, and not whether it redirects anything.
  const acs = facts.said('gds-acs').map((m) => m.at);
  if (acs.length > 0 && !bridges.some((d) => d.acs))
    open.push({ about: say('doctor.open.acs'), evidence: acs.slice(0, 3), settle: 'sudo lspci -D -vvv' });
  return open;
}

/** What the NIC says of a queue, not of a port or of itself. */
const queue = /work queue|on QP/;

/** The message, without the source file that some programs put before it. */
const quoted = (text: string): string =>
  text
    .replace(/^\S{1,200}\.(?:cpp|cuh?|h|cc):(?:\w{1,60}:)?\d{1,6}:\s*/, '')
    .replace(/\s+/g, ' ')
    .trim();
