import type { Where } from '../../fact/fact.ts';
import { blockFormat } from '../kit/block.ts';
import { own } from '../own.ts';

/** `modinfo`: what a module file says of itself. */
export interface ModuleInfo {
  readonly kind: 'module-info';
  readonly file: string;
  readonly modules: readonly { readonly name: string; readonly fields: ReadonlyMap<string, ModuleField> }[];
}

export interface ModuleField {
  readonly value: string;
  readonly at: Where;
}

export const moduleInfo = blockFormat({
  id: 'modinfo',
  example: 'filename:       /lib/modules/6.8.0-45-generic/kernel/drivers/gdrdrv.ko',
  hints: ['.ko'],
  starts: /filename:\s+\S{1,200}\.ko(?:\.\w+)?\s*$/,
  open: (context) => {
    const modules: { name: string; fields: Map<string, ModuleField> }[] = [];
    return {
      take(line, number) {
        const found = /^\s*([a-z][\w.-]{1,40}):\s+(.*?)\s*$|^\s*(depends|alias):\s*$/.exec(line);
        if (!found) return false;
        const key = found[1] ?? found[3]!;
        const value = found[2] ?? '';
        if (key === 'filename') {
          if (modules.length >= 200) return true;
          const name = /([\w-]+)\.ko/.exec(value)?.[1] ?? '';
          modules.push({ name: own(name.replace(/-/g, '_')), fields: new Map() });
        }
        const fields = modules.at(-1)?.fields;
        if (fields && fields.size < 64 && !fields.has(key))
          fields.set(own(key), { value: own(value.slice(0, 400)), at: context.at(number) });
        return true;
      },
      close: () => (modules.length === 0 ? undefined : { kind: 'module-info', file: context.file, modules }),
    };
  },
});
