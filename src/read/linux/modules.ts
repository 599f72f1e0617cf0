import type { Where } from '../../fact/fact.ts';
import { lineFormat } from '../kit/lines.ts';
import { own } from '../own.ts';

/** Loaded kernel modules: `lsmod` or `/proc/modules`, whole or through grep. */
export interface Modules {
  readonly kind: 'modules';
  readonly file: string;
  readonly modules: readonly Module[];
  /** The title row was there: the list is not the output of a grep. */
  readonly whole: boolean;
  readonly at: Where;
}

export interface Module {
  readonly name: string;
  readonly usedBy: readonly string[];
  readonly at: Where;
}

type Entry = Module & { readonly title?: true };

export const modules = lineFormat<Entry>({
  id: 'lsmod',
  example: 'Module                  Size  Used by',
  entry: (line, at) => {
    if (/^\W{0,3}Module\s+Size\s+Used by/.test(line)) return { name: '', usedBy: [], at, title: true };
    const found =
      /^(?:> ?)?([a-z][\w-]{1,60})\s+(\d{4,9})\s+(-?\d{1,6})(?:\s+([\w,-]{1,2000}?),?)?(?:\s+(?:Live|Loading|Unloading) 0x[0-9a-f]+.*)?\s*$/.exec(
        line,
      );
    if (!found) return undefined;
    const usedBy = found[4] === undefined || found[4] === '-' ? [] : found[4].split(',').filter((n) => n !== '');
    // A table of numbers has digits where the names of users would stand.
    if (usedBy.some((n) => /^\d+$/.test(n)) || Number(found[2]) < 4096) return undefined;
    return { name: own(found[1]!.replace(/-/g, '_')), usedBy: usedBy.map(own), at };
  },
  build: (entries, { file }) => {
    const modules = entries.filter((e) => !e.title);
    return { kind: 'modules', file, modules, whole: entries.length > modules.length, at: entries[0]!.at };
  },
});
