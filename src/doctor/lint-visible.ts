import type { Machine } from '../machine/machine.ts';
import { gpusOf } from '../machine/names.ts';
import { smiField } from '../read/gpu/smi-query.ts';
import { say } from '../words/message.ts';
import type { Facts } from './facts.ts';
import type { EnvSetting, Judged } from './lint-env.ts';

/** GPUs that a list of visible ones may name, as far as the inputs tell. */
export interface GpusHere {
  readonly count?: number;
  /** By UUID, the number of nvidia-smi. */
  readonly uuids: ReadonlyMap<string, number>;
  /** GPUs of several kinds: CUDA counts them another way than nvidia-smi, unless told to. */
  readonly mixed: boolean;
}

export const isVisible = (name: string): boolean =>
  name === 'CUDA_VISIBLE_DEVICES' || name === 'NVIDIA_VISIBLE_DEVICES';

export function gpusHere(facts: Facts, machine: Machine): GpusHere {
  const uuids = new Map<string, number>();
  const lists = facts.of('smi-gpus').map((s) => s.gpus);
  for (const g of lists.flat()) if (g.uuid !== undefined) uuids.set(g.uuid, g.index);
  for (const q of facts.of('smi-query')) {
    q.gpus
      .filter((g) => g.busId !== undefined)
      .forEach((g, i) => {
        const uuid = smiField(g, 'gpu uuid')?.value;
        if (uuid !== undefined) uuids.set(uuid, i);
      });
  }
  const counts = new Set(machine.hosts.map((h) => gpusOf(h).length));
  const tables = [...lists, ...facts.of('smi-table').map((s) => s.gpus)].filter((l) => l.length > 0);
  const listed = new Set(tables.map((l) => Math.max(...l.map((g) => g.index)) + 1));
  const told = counts.size > 0 ? counts : listed;
  // Nodes that differ, or lists that are cut: then a number may be right on one and wrong on the other.
  const count = told.size === 1 ? [...told][0] : undefined;
  const kinds = new Set(machine.hosts.flatMap(gpusOf).map((g) => g.part ?? g.product));
  return { ...(count === undefined ? {} : { count }), uuids, mixed: kinds.size > 1 };
}

/**
 * Which GPUs a process or a container gets. CUDA reads numbers up to the first that is none or not there, and sees nothing at all where
 * one stands twice (CUDA C++ Programming Guide, "CUDA Environment Variables"; PyTorch's _parse_visible_devices does the same).
 */
export function judgeVisible(setting: EnvSetting, all: readonly EnvSetting[], here: GpusHere): Judged {
  const value = setting.value.trim();
  // A shell, a launcher or a template has yet to fill it in.
  if (/[$%{}<>`]/.test(value)) return { verdict: 'open', why: say('env.visible.shell') };
  const container = setting.name === 'NVIDIA_VISIBLE_DEVICES';
  if (container && value === 'all') return { verdict: 'fine', why: say('env.visible.container-all') };
  if (container && /^(?:none|void)?$/.test(value)) return { verdict: 'no-gpu', why: say('env.visible.container-none') };
  if (/^(?:|-\d+(?:,.*)?|NoDevFiles)$/.test(value)) return { verdict: 'no-gpu', why: say('env.visible.none') };
  const entries = value.split(',').map((e) => e.trim());
  if (entries[0]!.startsWith('MIG-')) return { verdict: 'fine', why: say('env.visible.mig') };
  const repeated = entries.find((e, i) => entries.indexOf(e) !== i);
  if (repeated !== undefined && !container)
    return { verdict: 'value', why: say('env.visible.repeated', { entry: repeated }) };
  const inside = container ? {} : within(all, here);
  const count = inside.count ?? here.count;
  const seen: number[] = [];
  for (const entry of entries) {
    const index = entry.startsWith('GPU-') ? byUuid(entry, here) : /^\d+$/.test(entry) ? Number(entry) : undefined;
    if (entry.startsWith('GPU-') && index === undefined) {
      if (here.uuids.size === 0 || here.uuids.size !== here.count)
        return { verdict: 'open', why: say('env.visible.uuid') };
      return wrong(container, entry, seen, here.uuids.size);
    }
    if (index === undefined || (count !== undefined && index >= count)) {
      // A paste from inside the container counts what it got; its list counts the GPUs of the host.
      if (container && index !== undefined && entries.length === count)
        return { verdict: 'fine', why: say('env.visible.container-host', { count }) };
      if (index === undefined) return { verdict: 'value', why: say('env.visible.text', { entry, seen: mapped(seen) }) };
      return wrong(container, entry, seen, count!);
    }
    seen.push(index);
  }
  if (container) return { verdict: 'fine', why: say('env.visible.container', { seen: mapped(seen) }) };
  const order = all.find((s) => s.name === 'CUDA_DEVICE_ORDER')?.value.trim();
  if (here.mixed && order !== 'PCI_BUS_ID' && !entries[0]!.startsWith('GPU-'))
    return { verdict: 'open', why: say('env.visible.order') };
  if (seen.length === count && seen.every((g, i) => g === i))
    return { verdict: 'standard', why: say('env.visible.same', { count }) };
  return { verdict: 'fine', why: say('env.visible.sees', { seen: mapped(seen) }) };
}

const wrong = (container: boolean, entry: string, seen: readonly number[], count: number): Judged => ({
  verdict: 'value',
  why: container
    ? say('env.visible.container-beyond', { entry, count })
    : say('env.visible.beyond', { entry, count, seen: mapped(seen) }),
});

/** What a list for the container leaves to CUDA inside it. */
function within(all: readonly EnvSetting[], here: GpusHere): { readonly count?: number } {
  const list = all.find((s) => s.name === 'NVIDIA_VISIBLE_DEVICES')?.value.trim();
  if (list === undefined || !/^[\dG][^$%{}<>`]*$/.test(list)) return {};
  const count = new Set(list.split(',')).size;
  return here.count !== undefined && count > here.count ? {} : { count };
}

/** UUIDs may be cut short as long as one GPU alone begins so. */
function byUuid(entry: string, { uuids }: GpusHere): number | undefined {
  const found = [...uuids].filter(([uuid]) => uuid.startsWith(entry));
  return found.length === 1 ? found[0]![1] : undefined;
}

const most = 8;

/** `gpu4 → 0, gpu5 → 1`; a dash where none is left. */
const mapped = (seen: readonly number[]): string =>
  seen.length === 0
    ? '–'
    : `${seen
        .slice(0, most)
        .map((g, i) => `gpu${g} → ${i}`)
        .join(', ')}${seen.length > most ? ', …' : ''}`;
