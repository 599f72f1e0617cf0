import type { GdsCheck } from '../../read/storage/gdscheck.ts';
import { say } from '../../words/message.ts';
import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

type Facts = Parameters<Rule>[0];

const row = (check: GdsCheck, name: RegExp) => check.drivers.find((d) => name.test(d.name));
const nothing = (check: GdsCheck): boolean => check.drivers.length > 0 && check.drivers.every((d) => !d.supported);
const others = (check: GdsCheck): boolean => check.drivers.some((d) => d.supported);
const gdsInUse = (facts: Facts): boolean =>
  facts.of('gds-check').length + facts.of('cufile-config').length + facts.of('gdsio').length > 0 ||
  facts.of('messages').some((m) => m.from === 'cufile') ||
  facts.said('compat-mode').length > 0;

/** cuFile reads through host memory. That compat mode is allowed is the default and says nothing; that it is used does. */
export const gdsCompat: Rule = (facts) => {
  const said = facts.said('compat-mode').map((m) => m.at);
  const forced = facts.of('gds-check').flatMap((c) => {
    const allowed = c.properties.get('use_compat_mode');
    const must = c.properties.get('force_compat_mode');
    if (must?.value === 'true') return [must.at];
    return allowed?.value === 'true' && nothing(c) ? [allowed.at, c.drivers[0]!.at] : [];
  });
  if (said.length === 0 && forced.length === 0) return undefined;
  return finding('gds-compat-mode', {
    confidence: said.length > 0 ? 0.95 : 0.8,
    evidence: [...said, ...forced],
    commands: ['sudo modprobe nvidia-fs', '/usr/local/cuda/gds/tools/gdscheck -p'],
  });
};

/** nvidia-fs is not loaded where GPUDirect Storage is wanted. */
export const gdsDriver: Rule = (facts) => {
  const module = facts.module('nvidia_fs');
  const failed = facts.said('driver-missing').map((m) => m.at);
  // The kernel's own way to NVMe does without it.
  const p2pdma = facts.of('gds-check').some((c) => row(c, /P2PDMA/)?.supported) || facts.said('p2pdma-mode').length > 0;
  // A log goes back in time: what needs the driver shows that it is there by now.
  const seen =
    facts.of('gds-check').some((c) => c.nvidiaFs) ||
    facts.of('nvfs-stats').length > 0 ||
    facts.said('nvme-not-registered').length > 0;
  if (p2pdma || (module !== undefined && module !== 'absent')) return undefined;
  if (seen || (failed.length === 0 && !(module === 'absent' && gdsInUse(facts)))) return undefined;
  return finding('gds-driver-not-loaded', {
    confidence: module === 'absent' ? 0.9 : 0.7,
    evidence: [...failed, module === 'absent' ? facts.of('modules')[0]?.at : undefined, facts.of('gds-check')[0]?.at],
    absent: module === 'absent' ? [say('doctor.absent.module', { name: 'nvidia_fs' })] : [],
    commands: ['sudo modprobe nvidia-fs', 'echo nvidia-fs | sudo tee /etc/modules-load.d/nvidia-fs.conf'],
    ...(module === undefined ? { settle: 'lsmod | grep nvidia_fs' } : {}),
  });
};

/** Neither of the two ways to NVMe works. All other rows read Unsupported wherever their product is not installed. */
export const gdsNvme: Rule = (facts) => {
  const found = facts.of('gds-check').flatMap((c) => {
    const nvme = row(c, /^NVMe$/i);
    const p2pdma = row(c, /^NVMe P2PDMA$/i);
    return nvme && !nvme.supported && !others(c) ? [{ c, nvme, p2pdma }] : [];
  });
  // Who has switched this way off is told that it is not there, and does not miss it.
  const off =
    facts.said('p2pdma-off').length > 0 ||
    facts.settings.some((s) => /^CUFILE_USE_PCIP2PDMA$/i.test(s.name) && /^(?:false|0|off)$/i.test(s.value)) ||
    facts.of('gds-check').some((c) => c.properties.get('use_pci_p2pdma')?.value === 'false');
  const refused = off ? [] : facts.said('p2pdma-unsupported').map((m) => m.at);
  const wanted = found.filter(
    ({ c, p2pdma }) =>
      p2pdma && !p2pdma.supported && (c.properties.get('use_pci_p2pdma')?.value === 'true' || refused.length > 0),
  );
  const lone = refused.length > 0 && found.length === 0 && !facts.of('gds-check').some(others);
  return [
    found.length > 0
      ? finding('gds-nvme-unsupported', {
          confidence: 0.85,
          evidence: found.map((f) => f.nvme.at),
          commands: ['/usr/local/cuda/gds/tools/gdscheck -p', 'modinfo nvme | grep -E "filename|version"'],
        })
      : undefined,
    wanted.length > 0 || lone
      ? finding('gds-p2pdma-unsupported', {
          confidence: 0.85,
          evidence: [...wanted.map((w) => w.p2pdma?.at), ...refused],
          commands: ['uname -r', 'nvidia-smi --query-gpu=driver_version --format=csv'],
        })
      : undefined,
  ];
};

/** What cuFile's log and gdsio say in so many words. */
export const gdsMessages: Rule = (facts) => {
  const of = (topic: string) => facts.said(topic).map((m) => m.at);
  const refusedGpu = [
    ...of('map-refused'),
    ...of('gds-gpu'),
    ...facts.of('gds-check').flatMap((c) => c.unsupportedGpu ?? []),
  ];
  const block = facts.said('block-device');
  const mapped = facts
    .of('block-devices')
    .flatMap((l) => l.devices.filter((d) => /^(?:lvm|crypt|mpath|dm)$/.test(d.type) && d.mount !== undefined))
    .map((d) => d.at);
  return [
    of('file-unsupported').length === 0
      ? undefined
      : finding('gds-file-register-failed', {
          evidence: of('file-unsupported'),
          commands: ['findmnt -o TARGET,SOURCE,FSTYPE,OPTIONS', '/usr/local/cuda/gds/tools/gdscheck -p'],
        }),
    refusedGpu.length === 0 || facts.said('bar-exhausted').length > 0
      ? undefined
      : finding('gds-gpu-memory-refused', {
          confidence: facts.geforce ? 0.95 : 0.75,
          evidence: [...refusedGpu, facts.geforce?.at],
          commands: ['nvidia-smi -q | grep -A3 BAR1', 'modinfo nvidia_fs | grep -E "version|vermagic"'],
        }),
    of('nvme-not-registered').length === 0
      ? undefined
      : finding('gds-nvme-driver-not-patched', {
          evidence: of('nvme-not-registered'),
          commands: [
            'modinfo nvme | grep filename',
            'sudo ./mlnxofedinstall --with-nvmf --enable-gds --add-kernel-support',
          ],
        }),
    of('gds-off').length === 0
      ? undefined
      : finding('gds-disabled-by-config', {
          evidence: of('gds-off'),
          commands: ['grep -A20 denylist /etc/cufile.json; env | grep CUFILE'],
        }),
    of('gds-version').length === 0
      ? undefined
      : finding('gds-versions-differ', {
          evidence: of('gds-version'),
          commands: [
            'cat /proc/driver/nvidia-fs/version; modinfo nvidia_fs | grep -i version',
            'ldconfig -p | grep cufile',
          ],
        }),
    of('udev-missing').length === 0
      ? undefined
      : finding('gds-udev-missing-in-container', {
          evidence: of('udev-missing'),
          commands: ['docker run -v /run/udev:/run/udev:ro …'],
        }),
    block.length === 0
      ? undefined
      : finding('gds-unsupported-block-device', {
          devices: block.map((b) => b.words[0] ?? '').filter((d) => d !== ''),
          evidence: [...block.map((b) => b.at), ...mapped],
          commands: ['lsblk -o NAME,TYPE,MOUNTPOINT'],
        }),
  ];
};
