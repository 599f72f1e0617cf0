import type { Where } from '../../fact/fact.ts';
import { say } from '../../words/message.ts';
import { type Finding, finding } from '../finding.ts';
import { hcasWithout, refusedBuffers, stagedWays } from '../peermem-facts.ts';
import type { Rule } from '../rule.ts';
import { sharedSwitches } from '../shared-switch.ts';

const load = ['sudo modprobe nvidia_peermem', 'echo nvidia_peermem | sudo tee /etc/modules-load.d/nvidia-peermem.conf'];

const settle = "lsmod | grep -E 'nvidia_peermem|nv_peer_mem'";

/** GPUDirect RDMA is off because nothing on the host registers GPU memory with the NIC. */
export const peermemMissing: Rule = (facts) => {
  const { peermem } = facts;
  if (peermem !== undefined && peermem !== 'absent') return undefined;
  const none = peermem === 'absent' ? [say('doctor.absent.module', { name: 'nvidia_peermem' })] : [];
  const list = peermem === 'absent' ? facts.of('modules')[0]?.at : undefined;
  if (facts.amd) return amdWithout(facts);
  // No module helps a board that the driver refuses.
  if (facts.geforce) return undefined;
  const hcas = facts.grace ? [] : hcasWithout(facts);
  if (hcas.length > 0) {
    return finding('gdr-disabled-peermem-missing', {
      confidence: peermem === 'absent' ? 0.95 : 0.7,
      devices: hcas.map((h) => h.name),
      evidence: [...hcas.map((h) => h.at), list],
      absent: none,
      commands: load,
      ...(peermem === 'absent' ? {} : { settle }),
    });
  }
  const failed = facts.of('perftest').find((p) => p.noRegion && p.cuda && !p.dmabuf);
  if (failed?.noRegion && !dmabufOnly(facts)) {
    return finding('gdr-disabled-peermem-missing', {
      confidence: peermem === 'absent' ? 0.9 : 0.6,
      evidence: [failed.noRegion.at, list],
      absent: none,
      commands: load,
      ...(peermem === 'absent' ? {} : { settle }),
    });
  }
  const ways = facts.grace ? [] : stagedWays(facts);
  const allStaged = ways.length > 0 && !facts.connections.some((c) => c.gdr);
  const distance = facts.logs.some((l) => l.gdr.some((g) => !g.enabled));
  const shared = sharedSwitches(facts);
  // NVIDIA's images look for the module when they start, where they see an RDMA card.
  const image = facts.said('image-no-peermem').map((m) => m.at);
  if (allStaged && !distance && (peermem === 'absent' || shared.length + image.length > 0)) {
    return finding('gdr-disabled-peermem-missing', {
      confidence: peermem === 'absent' && shared.length > 0 ? 0.9 : 0.7,
      evidence: [...shared, ...image, ...ways.map((w) => w.at), list],
      absent: none,
      commands: load,
      ...(peermem === 'absent' ? {} : { settle }),
    });
  }
  const blind = ucxBlind(facts);
  if (blind) {
    return finding('gdr-disabled-peermem-missing', {
      confidence: peermem === 'absent' ? 0.9 : 0.7,
      devices: blind.devices,
      evidence: [...blind.at, list],
      absent: none,
      commands: load,
      ...(peermem === 'absent' ? {} : { settle }),
    });
  }
  const unbuilt = facts.said('peermem-absent').map((m) => m.at);
  if (unbuilt.length > 0) {
    return finding('gdr-disabled-peermem-missing', {
      confidence: 0.8,
      evidence: [...unbuilt, list],
      absent: none,
      commands: ['dkms status; modinfo nvidia-peermem', ...load],
    });
  }
  const off = facts.said('ucx-cuda').length === 0 ? [] : facts.said('ucx-gdr-off');
  if (off.length > 0) {
    return finding('gdr-disabled-peermem-missing', {
      confidence: peermem === 'absent' ? 0.9 : 0.65,
      devices: off.map((m) => m.words[0]!),
      evidence: [...off.map((m) => m.at), list],
      absent: none,
      commands: load,
      ...(peermem === 'absent' ? {} : { settle }),
    });
  }
  const refused = refusedBuffers(facts);
  if (refused.length > 0) {
    return finding('gdr-disabled-peermem-missing', {
      confidence: peermem === 'absent' ? 0.9 : 0.6,
      evidence: [...refused, list],
      absent: none,
      commands: load,
      ...(peermem === 'absent' ? {} : { settle }),
    });
  }
  const nvshmem = [...facts.said('nvshmem-no-peermem'), ...facts.said('gdr-neither')];
  if (nvshmem.length > 0) {
    return finding('gdr-disabled-peermem-missing', {
      confidence: peermem === 'absent' ? 0.95 : 0.75,
      evidence: [...nvshmem.map((m) => m.at), list],
      absent: none,
      commands: load,
      ...(peermem === 'absent' ? {} : { settle }),
    });
  }
  const cufile = facts.said('peermem-not-loaded')[0];
  if (!cufile) return undefined;
  // cuFile needs it for network file systems alone; with local drives it changes nothing.
  return finding('gdr-disabled-peermem-missing', {
    severity: 'info',
    confidence: 0.6,
    evidence: [cufile.at],
    commands: load,
  });
};

/** AMD's driver registers with the RDMA core by itself, where both are built for each other; DMA-BUF is asked for. */
const amdWithout = (facts: Parameters<Rule>[0]): Finding | undefined => {
  const hcas = hcasWithout(facts);
  return hcas.length === 0
    ? undefined
    : finding('gdr-disabled-peermem-missing', {
        confidence: 0.7,
        devices: hcas.map((h) => h.name),
        evidence: hcas.map((h) => h.at),
        fix: say('doctor.fix-peermem-amd'),
        commands: [
          'ls /sys/kernel/mm/memory_peers',
          'grep -E "CONFIG_PCI_P2PDMA|CONFIG_DMABUF_MOVE_NOTIFY" /boot/config-$(uname -r)',
          'export NCCL_DMABUF_ENABLE=1',
        ],
        settle: 'ls /sys/kernel/mm/memory_peers; uname -r; rocm-smi --showdriverversion',
      });
};

/** NICs on which UCX registers host memory alone, although it was built for GPUs and sees some. */
function ucxBlind(
  facts: Parameters<Rule>[0],
): { readonly devices: string[]; readonly at: readonly Where[] } | undefined {
  const domains = facts.of('ucx').flatMap((u) => u.domains);
  const gpus = domains.some((d) => /^cuda/.test(d.name) || /^cuda/.test(d.component ?? ''));
  const nics = domains.filter((d) => (d.component === 'ib' || /^mlx5_|^rocep/.test(d.name)) && d.memory);
  if (!gpus || nics.length === 0 || nics.some((d) => d.memory!.types.some((t) => /^cuda/.test(t)))) return undefined;
  return { devices: nics.map((d) => d.name), at: nics.map((d) => d.memory!.at) };
}

/** The open kernel modules are there and perftest was not told to use DMA-BUF: that alone explains it. */
function dmabufOnly(facts: Parameters<Rule>[0]): boolean {
  const open = facts.driverFlavour?.flavour === 'open';
  const called = facts
    .of('commands')
    .flatMap((c) => c.commands)
    .find((c) => /--use_cuda\b/.test(c.text));
  return open && called !== undefined && !called.text.includes('--use_cuda_dmabuf');
}
