import { fact } from '../../fact/fact.ts';
import { blockFormat } from '../kit/block.ts';
import { own } from '../own.ts';
import { acsControl, acsRegister, asksAcs, fullAddress, pciLink } from './fields.ts';
import { treeReader } from './tree.ts';
import type { AcsControl, LooseLink, Lspci, PciDevice, PciLink } from './types.ts';

type Made = { -readonly [K in keyof PciDevice]: PciDevice[K] };

const head =
  /^\s*((?:[0-9a-fA-F]{4,8}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7]) (?:"?)([A-Z0-9][^:"[]{1,60}?)(?: \[([0-9a-f]{4})\])?(?:: |" ")(.{1,300})$/;
const treeRow = /^[ |]*[-+\\]{1,4}\[[0-9a-f]{4,8}:[0-9a-f]{2}|^\s{0,3}[ |+\\-]*[-+\\]-+[0-9a-f]{2}\.[0-7]/;

/** A command that asks for one device, of which a grep may leave the fields alone. */
const asksOne = /\blspci\b.* -s ?((?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7])\b/i;

/** Fields that are known also below a blank line. */
const fields =
  /^\s*(?:Capabilities|ACS(?:Cap|Ctl)|(?:Lnk|Dev)(?:Cap|Ctl|Sta)\d?:|Bus: primary|Kernel driver|NUMA node:|Subsystem:|Control:|Status:|Latency:|Interrupt:|Region \d)/;

const deviceLimit = 8192;
const looseLimit = 4000;

/** `lspci`, `-nn`, `-v … -vvv`, `-t`, `-nnmm`, and what a grep leaves of them. */
export const lspci = blockFormat({
  id: 'lspci',
  example: '17:00.0 3D controller: NVIDIA Corporation GH100 [H100 SXM5 80GB] (rev a1)',
  // A function's number and what may follow it: a dot and a digit alone stand in every other line of a log.
  hints: [...'01234567']
    .flatMap((n) => [`.${n} `, `.${n}-`])
    .concat('-[', '+[', 'ACSCtl', 'LnkSta', 'LnkCap', 'ECAP_ACS', 'lspci'),
  starts:
    /^\s*(?:[0-9a-fA-F]{4,8}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7] "?[A-Z0-9][\w ./-]{2,60}(?: \[[0-9a-f]{4}\])?(?:: |" ")|(?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7] (?:PCI bridge|Bridge|Host bridge|3D controller|VGA compatible controller|Display controller|Processing accelerators|Infiniband controller|Ethernet controller|Network controller|Non-Volatile memory controller)(?: \[[0-9a-f]{4}\])?: |^(?:> ?){0,4}[ |]*[-+\\]{1,4}\[[0-9a-f]{4}:[0-9a-f]{2}|(?:ACSCtl|LnkSta|LnkCap):\s+\S|setpci\b.*ECAP_ACS\+(?:0x)?0?6\.w|\blspci\b.* -s ?(?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]\b|(?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7] \(e?cap 0{0,3}d @/i,
  patience: 60,
  open: (context) => {
    const devices: Made[] = [];
    const tree: Lspci['tree'][number][] = [];
    const loose: AcsControl[] = [];
    const looseLinks: LooseLink[] = [];
    const roots: string[] = [];
    const leaves: Lspci['leaves'][number][] = [];
    const drawn = treeReader();
    let device: Made | undefined;
    /** The device that `lspci -s` was asked for, and the capability of its link. */
    let asked: string | undefined;
    let able: PciLink | undefined;
    let asksRegister = false;
    /** Blanks before the first device: a paste that is indented as a whole. */
    let margin = -1;
    let closed = false;

    /** A line of a link without its device. */
    const looseLink = (line: string, number: number): boolean => {
      const found = /^\s*(?:(LnkCap)|(LnkSta)|LnkCtl\d?|LnkCap2|LnkSta2|ACSCap):/.exec(line);
      if (!found) return false;
      if (!found[1] && !found[2]) return true;
      const link = pciLink(line, context.at(number));
      if (found[1]) able = link;
      else if (link && looseLinks.length < looseLimit) {
        looseLinks.push({ ...(asked ? { address: asked } : {}), ...(able ? { linkCap: able } : {}), linkSta: link });
        able = undefined;
      }
      return true;
    };

    /** Lines that ask: what follows them is an answer without a name. */
    const question = (line: string): boolean => {
      if (line.includes('ECAP_ACS') && asksAcs.test(line)) {
        asksRegister = true;
        return true;
      }
      const one = line.includes('lspci') ? asksOne.exec(line) : null;
      if (!one) return false;
      asked = own(fullAddress(one[1]!));
      able = undefined;
      device = undefined;
      return true;
    };

    /** An indented line below a device. Only the few fields that matter are taken apart. */
    const field = (line: string, number: number): boolean => {
      // The head of a matrix and settings are indented as well.
      if (/^\s+(?:GPU\d+\s|NCCL_)/.test(line)) return false;
      // Nearly all lines are of no interest, so nothing is made of them: the first letter decides.
      let from = 0;
      while (line.charCodeAt(from) === 9 || line.charCodeAt(from) === 32) from++;
      const letter = line.charCodeAt(from);
      if (letter === 65 && line.startsWith('ACSCtl:', from)) {
        const acs = acsControl(line, context.at(number));
        if (acs && device) device.acs ??= acs;
        else if (acs && loose.length < looseLimit) loose.push({ ...acs, ...(asked ? { address: asked } : {}) });
        return true;
      }
      if (!device) return looseLink(line.slice(from), number);
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
      take(whole, number) {
        const line = margin > 0 ? whole.slice(Math.min(margin, whole.length - whole.trimStart().length)) : whole;
        const first = line.charCodeAt(0);
        if (line === '') {
          // lspci leaves no blank line inside a device: what is indented below one may be anybody's.
          closed = true;
          return device !== undefined;
        }
        if (device && (first === 9 || (first === 32 && line.charCodeAt(1) === 32)))
          return closed && !fields.test(line) ? false : field(line, number);
        if (line.includes('ACSCtl:') && !/^\s*ACSCtl/.test(line)) {
          // A loop over devices that puts the address in front of what grep found.
          const acs = acsControl(line, context.at(number));
          const address = /(?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]/i.exec(
            line.slice(0, line.indexOf('ACSCtl:')),
          );
          if (acs && loose.length < looseLimit)
            loose.push({ ...acs, ...(address ? { address: own(fullAddress(address[0])) } : {}) });
          return acs !== undefined;
        }
        const found = head.exec(line);
        if (found) {
          closed = false;
          if (margin < 0) margin = line.length - line.trimStart().length;
          asked = undefined;
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
        const written = acsRegister(line, asksRegister, context.at(number));
        if (written) {
          if (loose.length < looseLimit) loose.push(written);
          return true;
        }
        // A tree that somebody quoted is one still.
        const unquoted = line.replace(/^(?:> ?){1,4}/, '');
        if (treeRow.test(unquoted)) {
          const row = drawn(unquoted);
          const at = context.at(number);
          if (row.root !== undefined && roots.length < deviceLimit) roots.push(row.root);
          for (const edge of row.edges) if (tree.length < deviceLimit) tree.push({ ...edge, at });
          if (row.leaf && leaves.length < deviceLimit) leaves.push({ ...row.leaf, at });
          return true;
        }
        if (question(line)) return true;
        if (/^\s|^ACS|^Lnk/.test(line)) return closed && !fields.test(line) ? false : field(line, number);
        // Something else stands between: the device is over.
        closed = true;
        return false;
      },
      close: () =>
        devices.length + tree.length + leaves.length + loose.length + looseLinks.length === 0
          ? undefined
          : { kind: 'lspci', file: context.file, devices, roots, tree, leaves, loose, looseLinks },
    };
  },
});
