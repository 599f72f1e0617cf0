import { smiField } from '../../read/gpu/smi-query.ts';
import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/** Xid errors that name the link or the firmware. Xid 45 is what they do to others, so it says nothing itself. */
const nvlinkXids = new Set(['74', '145', '149', '150']);

export const xids: Rule = (facts) => {
  const told = facts.said('xid');
  const gsp = told.filter((x) => x.words[1] === '119');
  const link = told.filter((x) => nvlinkXids.has(x.words[1] ?? ''));
  return [
    gsp.length === 0
      ? undefined
      : finding('gpu-xid-119-gsp-timeout', {
          devices: gsp.map((x) => x.words[0]!),
          evidence: gsp.map((x) => x.at),
          commands: ['sudo nvidia-smi -r', 'sudo nvidia-bug-report.sh'],
        }),
    link.length === 0
      ? undefined
      : finding('gpu-xid-nvlink', {
          devices: link.map((x) => x.words[0]!),
          evidence: link.map((x) => x.at),
          commands: ['nvidia-smi nvlink -e', 'sudo nvidia-smi -r', 'sudo nvidia-bug-report.sh'],
        }),
  ];
};

export const ncclSegfault: Rule = (facts) => {
  const told = facts.said('nccl-segfault');
  if (told.length === 0) return undefined;
  return finding('nccl-segfault', { evidence: told.map((t) => t.at), commands: ['coredumpctl info'] });
};

export const peermemContext: Rule = (facts) => {
  const told = facts.said('peermem-context');
  if (told.length === 0) return undefined;
  return finding('peermem-invalid-context', { confidence: 0.8, evidence: told.map((t) => t.at) });
};

const peermemModule = /^(?:nvidia_peermem|nv_peer_mem)$/;
const name = (module: string): string => module.replace(/-/g, '_');

/** A module built against other headers than those of the kernel or the driver that runs. */
export const symbols: Rule = (facts) => {
  const told = facts.said('symbol');
  const ofPeermem = told.filter((t) => /ib_(?:un)?register_peer_memory_client/.test(t.words[2] ?? ''));
  const refused = facts
    .said('module-not-inserted')
    .filter(
      (m) =>
        peermemModule.test(name(m.words[0] ?? '')) &&
        /Invalid argument|Unknown symbol|Exec format/i.test(m.words[1] ?? ''),
    );
  const others = told.filter((t) => !ofPeermem.includes(t) && /nvidia|nvfs|p2p/.test(`${t.words[0]} ${t.words[2]}`));
  const kernel = facts
    .of('listing')
    .flatMap((l) => l.entries)
    .find((e) => e.target !== undefined && /ofa_kernel|^\/?default$|\/default$/.test(e.path));
  const module = name(ofPeermem[0]?.words[0] ?? refused[0]?.words[0] ?? 'nvidia_peermem');
  const other = name(others[0]?.words[0] ?? '');
  return [
    ofPeermem.length + refused.length === 0
      ? undefined
      : finding('peermem-symbol-mismatch-ofed', {
          confidence: ofPeermem.length > 0 ? 0.95 : 0.75,
          devices: [module],
          evidence: [...ofPeermem.map((t) => t.at), ...refused.map((m) => m.at), kernel?.at],
          commands: [`modinfo ${module} | grep -E 'filename|depends|vermagic'`, 'ofed_info -s; uname -r'],
          ...(ofPeermem.length > 0 ? {} : { settle: 'sudo dmesg | tail -n 50' }),
        }),
    others.length === 0
      ? undefined
      : finding('kernel-module-symbol-mismatch', {
          severity: others.every((t) => t.words[1] === 'no symbol version for') ? 'warning' : 'error',
          devices: [...new Set(others.map((t) => name(t.words[0]!)))],
          evidence: others.map((t) => t.at),
          commands: [`modinfo ${other} | grep vermagic`, 'cat /proc/driver/nvidia/version'],
        }),
  ];
};

/** gdrdrv: the device file, and the flavour of driver that it was built for. */
export const gdrdrv: Rule = (facts) => {
  const module = facts.module('gdrdrv');
  const node = facts
    .of('listing')
    .flatMap((l) => l.entries)
    .find((e) => e.path === '/dev/gdrdrv' && !e.there);
  const info = facts
    .of('module-info')
    .flatMap((m) => m.modules)
    .find((m) => m.name === 'gdrdrv');
  const depends = info?.fields.get('depends');
  const dummy = depends && /nv-p2p-dummy|nv_p2p_dummy/.test(depends.value) ? depends : undefined;
  const built = facts.said('gdrdrv-flavour');
  const flavour = facts.of('driver-version')[0];
  const crossed = built.filter(
    (b) => flavour && (b.words[0] === 'proprietary') !== (flavour.flavour === 'proprietary'),
  );
  return [
    node && module !== undefined && module !== 'absent'
      ? finding('gdrdrv-device-node-missing', {
          evidence: [node.at, module],
          commands: [
            'sudo mknod /dev/gdrdrv c $(awk \'$2=="gdrdrv"{print $1}\' /proc/devices) 0 && sudo chmod 666 /dev/gdrdrv',
          ],
        })
      : undefined,
    dummy || crossed.length > 0
      ? finding('gdrdrv-wrong-driver-flavour', {
          confidence: crossed.length > 0 ? 0.95 : 0.8,
          evidence: [dummy?.at, ...(crossed.length > 0 ? crossed : built).map((b) => b.at), flavour?.at],
          commands: ['cat /proc/driver/nvidia/version', 'sudo dkms status'],
        })
      : undefined,
  ];
};

/** The window through which others reach GPU memory is too small for the transfers in flight. */
export const bar1: Rule = (facts) => {
  const exhausted = facts.said('bar-exhausted');
  const small = facts.of('smi-query').flatMap((q) =>
    q.gpus.flatMap((g) => {
      const total = smiField(g, 'bar1 memory usage/total');
      const size = /^(\d+) MiB/.exec(total?.value ?? '');
      return total && size && Number(size[1]) <= 256 ? [{ at: total.at, gpu: g.busId }] : [];
    }),
  );
  if (exhausted.length === 0) return undefined;
  return finding('bar1-too-small', {
    devices: small.flatMap((s) => s.gpu ?? []),
    evidence: [...exhausted.slice(0, 2).map((e) => e.at), ...small.map((s) => s.at)],
    commands: ['nvidia-smi -q | grep -A3 "BAR1 Memory"'],
  });
};
