import type { Where } from '../../fact/fact.ts';
import { blockFormat } from '../kit/block.ts';
import { own } from '../own.ts';

/** `bandwidthTest` of the CUDA samples: copies between host and device. */
export interface BandwidthTest {
  readonly kind: 'bandwidth-test';
  readonly file: string;
  readonly devices: readonly { readonly index: number; readonly name: string }[];
  readonly transfers: readonly {
    readonly direction: 'to-device' | 'to-host' | 'on-device';
    readonly pinned: boolean;
    readonly bytes: number;
    /** MB/s, as printed; newer releases print GB/s and are converted. */
    readonly mbps: number;
    readonly at: Where;
  }[];
  readonly at: Where;
}

export const bandwidthTest = blockFormat({
  id: 'bandwidthTest',
  example: '[CUDA Bandwidth Test] - Starting...',
  hints: ['Bandwidth Test', 'Device Bandwidth', 'Host Bandwidth'],
  starts: /\[CUDA Bandwidth Test\]|(?:Host to Device|Device to Host) Bandwidth, \d+ Device/,
  open: (context) => {
    const devices: { index: number; name: string }[] = [];
    const transfers: BandwidthTest['transfers'][number][] = [];
    let direction: BandwidthTest['transfers'][number]['direction'] | undefined;
    let pinned = true;
    let unit = 1;
    let first = 0;
    return {
      take(line, number) {
        if (first === 0) first = number;
        const device = /^\s*Device (\d{1,3}): (\S.{0,80}?)\s*$/.exec(line);
        if (device) {
          if (devices.length < 64) devices.push({ index: Number(device[1]), name: own(device[2]!) });
          return true;
        }
        const title = /(Host to Device|Device to Host|Device to Device) Bandwidth/.exec(line);
        if (title) {
          direction =
            title[1] === 'Host to Device' ? 'to-device' : title[1] === 'Device to Host' ? 'to-host' : 'on-device';
          return true;
        }
        if (/(?:PINNED|PAGEABLE) Memory/i.test(line)) {
          pinned = /PINNED/i.test(line);
          return true;
        }
        if (/Transfer Size/.test(line)) {
          unit = /GB\/s/.test(line) ? 1000 : 1;
          return true;
        }
        const row = /^\s*(\d{3,14})\s+(\d{1,8}(?:\.\d{1,4})?)\s*$/.exec(line);
        if (row && direction) {
          if (transfers.length < 1000)
            transfers.push({
              direction,
              pinned,
              bytes: Number(row[1]),
              mbps: Number(row[2]) * unit,
              at: context.at(number),
            });
          return true;
        }
        return /Bandwidth Test|Running on|Mode\s*$|Result =|NOTE:/.test(line);
      },
      close: () =>
        transfers.length === 0
          ? undefined
          : { kind: 'bandwidth-test', file: context.file, devices, transfers, at: context.at(first) },
    };
  },
});
