import type { Where } from '../../fact/fact.ts';
import { blockFormat } from '../kit/block.ts';
import { own } from '../own.ts';

/** `lscpu`, its fields under their English names (also of other locales, by their place where that is sure). */
export interface CpuInfo {
  readonly kind: 'cpu-info';
  readonly file: string;
  readonly fields: ReadonlyMap<string, { readonly value: string; readonly at: Where }>;
}

/** Titles of other locales (util-linux po files), so that a paste from such a machine is read as well. */
const translated: Readonly<Record<string, string>> = {
  架构: 'Architecture',
  型号名称: 'Model name',
  座: 'Socket(s)',
  插槽: 'Socket(s)',
  'NUMA 节点': 'NUMA node(s)',
  Modellname: 'Model name',
  Sockel: 'Socket(s)',
  'NUMA-Knoten': 'NUMA node(s)',
  Architektur: 'Architecture',
};

/** Beginnings of lscpu's own titles; lines of other programs have a colon as well. */
const ownTitle =
  /^(?:Architecture|CPU|Byte Order|Address sizes|On-line|Off-line|Vendor ID|BIOS|Model|Thread|Core|Socket|Cluster|Stepping|Frequency|BogoMIPS|Bogo|Flags|Virtualization|Hypervisor|Caches|L[1-4]|NUMA|Vulnerab|Microcode|Machine|Book|Drawer|Dispatching|Max|Min)/;

export const cpuInfo = blockFormat({
  id: 'lscpu',
  example: 'Architecture:            x86_64',
  hints: ['x86_64', 'aarch64', 'ppc64', 'NUMA node', 'Socket(s)', 'Model name'],
  starts:
    /(?:Architecture|架构|Architektur)[:：]\s+(?:x86_64|aarch64|ppc64le)|NUMA node\(s\):\s+\d|Socket\(s\):\s+\d|Model name:\s+\S/,
  patience: 8,
  open: (context) => {
    const fields = new Map<string, { value: string; at: Where }>();
    return {
      take(line, number) {
        const found = /^\s*([^:：]{1,40})[:：]\s+(\S.{0,400}?)\s*$/.exec(line);
        if (!found || fields.size >= 120) return false;
        const printed = found[1]!.trim();
        if (!ownTitle.test(printed) && /^[\x00-\x7f]+$/.test(printed) && !Object.hasOwn(translated, printed))
          return false;
        const name = Object.hasOwn(translated, printed) ? translated[printed]! : printed;
        if (!fields.has(name)) fields.set(own(name), { value: own(found[2]!), at: context.at(number) });
        return true;
      },
      close: () => (fields.size === 0 ? undefined : { kind: 'cpu-info', file: context.file, fields }),
    };
  },
});
