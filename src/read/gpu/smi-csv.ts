import { blockFormat } from '../kit/block.ts';
import { own } from '../own.ts';
import type { SmiGpu } from './smi-query.ts';

/** Names of `--query-gpu` and the titles that `-q` gives the same fields. */
const titles: ReadonlyMap<string, string> = new Map([
  ['name', 'product name'],
  ['pstate', 'performance state'],
  ['driver_version', 'driver version'],
  ['fabric.state', 'fabric/state'],
  ['fabric.status', 'fabric/status'],
  ['pcie.link.gen.current', 'pcie generation/current'],
  ['pcie.link.gen.gpucurrent', 'pcie generation/current'],
  ['pcie.link.gen.max', 'pcie generation/max'],
  ['pcie.link.width.current', 'link width/current'],
  ['pcie.link.width.max', 'link width/max'],
]);

type Made = { -readonly [K in keyof SmiGpu]: SmiGpu[K] } & {
  fields: Map<string, { value: string; at: { file: string; line: number } }>;
};

/** `nvidia-smi --query-gpu=… --format=csv`: its title row tells which field is which. */
export const smiCsv = blockFormat({
  id: 'nvidia-smi-csv',
  example: 'index, name, pci.bus_id, pcie.link.width.current, pcie.link.width.max',
  hints: [', name', ', pci', ', fabric', 'name, ', 'pstate, '],
  starts:
    /(?:[a-z_]+(?:\.[a-z_]+){0,4}(?: \[\w+\])?, ){0,30}(?:pci\.bus_id|pcie\.link\.(?:width|gen)\.\w+|fabric\.state|pstate)(?: \[\w+\])?(?:,|\s*$)/,
  patience: 4,
  open: (context) => {
    const gpus: Made[] = [];
    let columns: string[] | undefined;
    return {
      take(line, number) {
        const cells = line.split(',').map((c) => c.trim());
        if (!columns) {
          columns = cells.map((c) => c.replace(/ \[\w+\]$/, ''));
          return true;
        }
        // A sentence with as many commas is no row.
        if (cells.length !== columns.length || gpus.length >= 256 || cells.some((c) => c.length > 64)) return false;
        const gpu: Made = { fields: new Map() };
        columns.forEach((name, i) => {
          const value = own(cells[i]!.slice(0, 120));
          if (/^(?:gpu_)?(?:pci\.)?bus_id$/.test(name)) gpu.busId = value;
          gpu.fields.set(titles.get(name) ?? name, { value, at: context.at(number) });
        });
        gpus.push(gpu);
        return true;
      },
      close: () => (gpus.length === 0 ? undefined : { kind: 'smi-query', file: context.file, gpus }),
    };
  },
});
