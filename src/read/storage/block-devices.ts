import type { Where } from '../../fact/fact.ts';
import { lineFormat } from '../kit/lines.ts';
import { own } from '../own.ts';

/** Rows of `lsblk` and of `nvme list`: what a mount point stands on. */
export interface BlockDevices {
  readonly kind: 'block-devices';
  readonly file: string;
  readonly devices: readonly BlockDevice[];
}

export interface BlockDevice {
  /** `nvme0n1`, `vg0-scratch`, `md0`. */
  readonly name: string;
  /** As lsblk calls it: `disk`, `part`, `lvm`, `crypt`, `raid0`. */
  readonly type: string;
  readonly mount?: string;
  readonly model?: string;
  readonly at: Where;
}

const lsblk =
  /^[\s│├└─|`>-]*([\w][\w.:+-]{0,100})\s+\d{1,4}:\d{1,7}\s+[01]\s+[\d.,]{1,12}[BKMGTP]?\s+[01]\s+(disk|part|lvm|crypt|mpath|dm|loop|rom|raid\d{1,2}|linear|md)(?:\s+(\/\S{0,200}|\[SWAP\]))?\s*$/;
const nvme =
  /^[\s>]*\/dev\/(nvme\d{1,4}n\d{1,4})\s+(?:\/dev\/ng\S{1,20}\s+)?(\S.{0,120}?)\s+(?:0x)?\d{1,4}\s+[\d.]{1,10}\s+[kMGTP]?B\s+\/\s+[\d.]{1,10}\s+[kMGTP]?B\s/;

export const blockDevices = lineFormat<BlockDevice>({
  id: 'lsblk',
  example: 'nvme0n1   259:0    0   3.5T  0 disk /data',
  hints: [' disk', ' part', ' lvm', ' crypt', ' raid', ' mpath', ' loop', ' rom', ' md', '/dev/nvme'],
  patience: 6,
  entry: (line, at) => {
    const row = lsblk.exec(line);
    if (row) {
      const mount = row[3] === undefined || row[3] === '[SWAP]' ? {} : { mount: own(row[3]) };
      return { name: own(row[1]!), type: row[2]!, ...mount, at };
    }
    const drive = nvme.exec(line);
    // The serial number in front of the model is nobody's business.
    return drive ? { name: own(drive[1]!), type: 'disk', model: own(drive[2]!.replace(/^\S+\s+/, '')), at } : undefined;
  },
  build: (devices, { file }) => ({ kind: 'block-devices', file, devices }),
});
