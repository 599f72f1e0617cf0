import { fact } from '../../fact/fact.ts';
import { blockFormat } from '../kit/block.ts';
import { own } from '../own.ts';
import { acsControl, acsRegister, fullAddress, pciLink } from './fields.ts';
import { treeReader } from './tree.ts';
import type { AcsControl, Lspci, PciDevice } from './types.ts';

type Made = { -readonly [K in keyof PciDevice]: PciDevice[K] };

const head =
  /^\s*((?:[0-9a-fA-F]{4,8}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7]) (?:"?)([A-Z0-9][^:"[]{1,60}?)(?: \[([0-9a-f]{4})\])?(?:: |" ")(.{1,300})$/;
const treeRow = /^[ |]*[-+\\]{1,4}\[[0-9a-f]{4}:[0-9a-f]{2}|^\s{0,3}[ |+\\-]*[-+\\]-+[0-9a-f]{2}\.[0-7]/;

const deviceLimit = 8192;

/** `lspci`, `-nn`, `-v … -vvv`, `-t`, `-nnmm`, and what a grep leaves of them. */
export const lspci = blockFormat({
  id: 'lspci',
  example: '17:00.0 3D controller: NVIDIA Corporation GH100 [H100 SXM5 80GB] (rev a1)',
  hints: ['.0', '.1', '.2', '.3', '.4', '.5', '.6', '.7', 'ACSCtl', 'LnkSta'],
  starts:
    /^\s*(?:[0-9a-fA-F]{4,8}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7] "?[A-Z0-9][\w ./-]{2,60}(?: \[[0-9a-f]{4}\])?(?:: |" ")|(?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7] (?:PCI bridge|Bridge|Host bridge|3D controller|VGA compatible controller|Display controller|Processing accelerators|Infiniband controller|Ethernet controller|Network controller|Non-Volatile memory controller)(?: \[[0-9a-f]{4}\])?: |^[ |]*[-+\\]{1,4}\[[0-9a-f]{4}:[0-9a-f]{2}|(?:ACSCtl|LnkSta):\s+\S|(?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7] \(e?cap 0{0,3}d @/i,
  patience: 60,
  open: (context) => {
    const devices: Made[] = [];
    const tree: Lspci['tree'][number][] = [];
    const loose: AcsControl[] = [];
    const edges = treeReader();
    let device: Made | undefined;

    /** An indented line below a device. Only the few fields that matter are taken apart. */
    const field = (line: string, number: number): boolean => {
      // Nearly all lines are of no interest, so nothing is made of them: the first letter decides.
      let from = 0;
      while (line.charCodeAt(from) === 9 || line.charCodeAt(from) === 32) from++;
      const letter = line.charCodeAt(from);
      if (letter === 65 && line.startsWith('ACSCtl:', from)) {
        const acs = acsControl(line, context.at(number));
        if (acs && device) device.acs ??= acs;
        else if (acs && loose.length < 4000) loose.push(acs);
        return true;
      }
      if (!device) return /^(?:ACSCap|LnkCap|LnkSta|LnkCtl)\d?:/.test(line.slice(from, from + 12));
      switch (letter) {
        case 66: {
          if (!line.startsWith('Bus:', from)) break;
          const bus = /secondary=([0-9a-f]{2}), subordinate=([0-9a-f]{2})/.exec(line);
          if (bus) device.below ??= { from: Number.parseInt(bus[1]!, 16), to: Number.parseInt(bus[2]!, 16) };
          break;
        }
        case 67: {
          if (device.port !== undefined || !line.startsWith('Capabilities', from)) break;
          const port = /Express (?:\(v\d\) )?([A-Z]\w+(?: Port)?)/.exec(line);
          if (port) device.port = own(port[1]!);
          break;
        }
        case 75:
          if (line.startsWith('Kernel driver in use:', from))
            device.driver ??= fact(own(line.slice(from + 21).trim()), context.at(number));
          break;
        case 76: {
          const key = line.startsWith('LnkCap:', from)
            ? 'linkCap'
            : line.startsWith('LnkSta:', from)
              ? 'linkSta'
              : undefined;
          const link = key && pciLink(line, context.at(number));
          if (key && link) device[key] ??= link;
          break;
        }
        case 78: {
          const numa = line.startsWith('NUMA node:', from) ? /NUMA node: (\d{1,4})/.exec(line) : null;
          if (numa) device.numa ??= fact(Number(numa[1]), context.at(number));
          break;
        }
      }
      return true;
    };

    return {
      take(line, number) {
        const first = line.charCodeAt(0);
        if (device && (first === 9 || (first === 32 && line.charCodeAt(1) === 32) || line === '')) {
          if (line !== '') return field(line, number);
          return true;
        }
        if (line.includes('ACSCtl:') && !/^\s*ACSCtl/.test(line)) {
          // A loop over devices that puts the address in front of what grep found.
          const acs = acsControl(line, context.at(number));
          const address = /(?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]/i.exec(
            line.slice(0, line.indexOf('ACSCtl:')),
          );
          if (acs && loose.length < 4000)
            loose.push({ ...acs, ...(address ? { address: own(fullAddress(address[0])) } : {}) });
          return acs !== undefined;
        }
        const found = head.exec(line);
        if (found) {
          const ids = /\[([0-9a-f]{4}:[0-9a-f]{4})\]/.exec(found[4]!);
          device = {
            address: own(fullAddress(found[1]!)),
            className: own(found[2]!),
            name: own(found[4]!.replace(/ \[[0-9a-f]{4}:[0-9a-f]{4}\].*$/, '')),
            ...(ids ? { ids: own(ids[1]!) } : {}),
            at: context.at(number),
          };
          if (devices.length < deviceLimit) devices.push(device);
          return true;
        }
        const written = acsRegister(line, context.at(number));
        if (written) {
          if (loose.length < 4000) loose.push(written);
          return true;
        }
        if (treeRow.test(line)) {
          for (const edge of edges(line.replace(/ {2}\S.*$/, (rest) => (/^ {2}[ |+\\-]/.test(rest) ? rest : '')))) {
            if (tree.length < deviceLimit) tree.push({ ...edge, at: context.at(number) });
          }
          return true;
        }
        return /^\s|^ACS|^Lnk|^\s*$/.test(line) ? field(line, number) : false;
      },
      close: () =>
        devices.length + tree.length + loose.length === 0
          ? undefined
          : { kind: 'lspci', file: context.file, devices, tree, loose },
    };
  },
});
