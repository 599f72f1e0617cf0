import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

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
  const flavour = facts.driverFlavour;
  const crossed = built.filter(
    (b) => flavour && (b.words[0] === 'proprietary') !== (flavour.flavour === 'proprietary'),
  );
  const asked = facts.said('gdr-open').map((m) => m.at);
  // insmod and modprobe look where no module for the kernel that runs was put.
  const absent = facts.said('gdrdrv-absent').map((m) => m.at);
  const loaded = module === 'absent' ? undefined : module;
  return [
    asked.length + absent.length > 0 && !loaded
      ? finding('gdrdrv-not-loaded', {
          confidence: module === 'absent' ? 0.9 : absent.length > 0 ? 0.8 : 0.7,
          evidence: [...absent, ...asked],
          commands: [
            ...(absent.length > 0 ? ['sudo dkms autoinstall'] : []),
            'sudo modprobe gdrdrv',
            'ls -l /dev/gdrdrv',
          ],
          ...(module === 'absent'
            ? {}
            : {
                settle: `${absent.length > 0 ? 'dkms status; uname -r; ' : ''}lsmod | grep gdrdrv; ls -l /dev/gdrdrv`,
              }),
        })
      : undefined,
    node && loaded
      ? finding('gdrdrv-device-node-missing', {
          evidence: [node.at, loaded],
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
