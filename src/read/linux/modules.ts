import type { Where } from '../../fact/fact.ts';
import { blockFormat } from '../kit/block.ts';
import { own } from '../own.ts';

/** Loaded kernel modules: `lsmod` or `/proc/modules`, whole or through grep. */
export interface Modules {
  readonly kind: 'modules';
  readonly file: string;
  readonly modules: readonly Module[];
  /** The title row was there: the list is not the output of a grep. */
  readonly whole: boolean;
  /** It breaks off inside a row. */
  readonly cut: boolean;
  readonly at: Where;
}

export interface Module {
  readonly name: string;
  readonly usedBy: readonly string[];
  readonly at: Where;
}

const tail = '\\s+\\d{4,9}\\s+-?\\d{1,6}(?:\\s+[\\w,-]{1,2000})?(?:\\s+(?:Live|Loading|Unloading) 0x[0-9a-f]+.*)?\\s*$';
/** Modules by which a list is known although something stands before each line. */
const known = '(?:nvidia|nv_peer_mem|gdrdrv|ib_|mlx[45]_|rdma_|bnxt_re|irdma|efa|amdgpu|nvme)\\w*';
const row =
  /^\s*([a-z][\w-]{1,60})\s+(\d{4,9})\s+(-?\d{1,6})(?:\s+([\w,-]{1,2000}))?(?:\s+(?:Live|Loading|Unloading) 0x[0-9a-f]+.*)?\s*$/;
const title = /Module\s+Size\s+Used by/;
/** A row without its size. */
const broken = /^\s*[a-z][\w-]{0,60}(?:\s+\d{0,9})?$/;
const moduleLimit = 4000;

export const modules = blockFormat({
  id: 'lsmod',
  example: 'Module                  Size  Used by',
  starts: new RegExp(`${title.source}|^\\s*[a-z][\\w-]{1,60}${tail}|(?<=[\\s>:\\]])${known}${tail}`),
  patience: 6,
  open: (context) => {
    const found: Module[] = [];
    let whole = false;
    let first: Where | undefined;
    let last = 0;
    let cut = false;
    return {
      take(line, number) {
        const at = context.at(number);
        // The list breaks off inside a row: what would have come after it is not known to be absent.
        if (number === last + 1 && broken.test(line)) cut = true;
        if (title.test(line)) {
          whole = true;
          first ??= at;
          last = number;
          return true;
        }
        const cells = row.exec(line);
        if (!cells || Number(cells[2]) < 4096) return false;
        const usedBy = cells[4] === undefined || cells[4] === '-' ? [] : cells[4].split(',').filter((n) => n !== '');
        // A table of numbers has digits where the names of users would stand.
        if (usedBy.some((n) => /^\d+$/.test(n))) return false;
        first ??= at;
        last = number;
        cut = false;
        if (found.length < moduleLimit)
          found.push({ name: own(cells[1]!.replace(/-/g, '_')), usedBy: usedBy.map(own), at });
        return true;
      },
      close: () =>
        first
          ? { kind: 'modules', file: context.file, modules: found, whole: whole && !cut, cut, at: first }
          : undefined,
    };
  },
});
