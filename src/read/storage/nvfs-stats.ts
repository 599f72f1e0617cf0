import type { Where } from '../../fact/fact.ts';
import { blockFormat } from '../kit/block.ts';
import { own } from '../own.ts';

/** `/proc/driver/nvidia-fs/stats`: what the driver of GPUDirect Storage has done since it was loaded. */
export interface NvfsStats {
  readonly kind: 'nvfs-stats';
  readonly file: string;
  readonly at: Where;
  readonly version?: string;
  /** The driver of the NICs registers GPU memory with it. */
  readonly peerDirect?: boolean;
  /** Rows that count what went wrong: `Bar1-map`, `Mmap`, `Reads` where most did, and the kinds of `Error`. */
  readonly failed: readonly { readonly name: string; readonly count: number; readonly at: Where }[];
}

export const nvfsStats = blockFormat({
  id: 'nvidia-fs-stats',
  example: 'NVFS statistics(ver: 4.0)',
  hints: ['NVFS ', 'Bar1-map'],
  starts: /NVFS statistics ?\(ver|NVFS Driver ?\(version|Bar1-map\s+: n=/,
  patience: 12,
  open: (context) => {
    const failed: { name: string; count: number; at: Where }[] = [];
    let version: string | undefined;
    let peerDirect: boolean | undefined;
    let first: Where | undefined;
    return {
      take(line, number) {
        const driver = /NVFS Driver ?\(version: ?([\d.]{1,16})\)/.exec(line);
        if (driver) version ??= own(driver[1]!);
        const direct = /Mellanox PeerDirect Supported: (True|False)/.exec(line);
        if (direct) peerDirect ??= direct[1] === 'True';
        const row = /^\s*([A-Z][\w-]{2,20}(?: [A-Z]\w{2,12})?)\s*: ((?:[\w()/-]{1,30}=\d{1,20}\s*){1,16})$/.exec(line);
        if (row && failed.length < 64) {
          // A row of errors names each kind; the other rows have one count of them, which may be old beside many that went well.
          const counts = row[1] === 'Error' ? /\b([\w-]{2,20})=(\d{1,15})/g : /\b(err)=(\d{1,15})/g;
          const well = Number(/\bok=(\d{1,15})/.exec(row[2]!)?.[1] ?? 0);
          for (const [, name, count] of row[2]!.matchAll(counts))
            if (Number(count) > (name === 'err' ? well : 0))
              failed.push({ name: own(`${row[1]} ${name}=${count}`), count: Number(count), at: context.at(number) });
        }
        const mine =
          driver !== null ||
          direct !== null ||
          row !== null ||
          /^\s*(?:GDS Version|NVFS statistics|IO stats|Logging level|Active |GPU [0-9a-f]{4}:)/.test(line);
        if (mine) first ??= context.at(number);
        return mine;
      },
      close: () =>
        first && {
          kind: 'nvfs-stats',
          file: context.file,
          at: first,
          ...(version === undefined ? {} : { version }),
          ...(peerDirect === undefined ? {} : { peerDirect }),
          failed,
        },
    };
  },
});
