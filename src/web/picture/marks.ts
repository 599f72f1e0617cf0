import type { PictureBox } from '../../tell/picture/model.ts';
import { findings, good } from '../page/answers-of.ts';
import { local } from './boxes.ts';
import type { Plan } from './place.ts';

const worse: Readonly<Record<string, number>> = { look: 1, bad: 2 };

/** Boxes by everything that an input may call them: `node0/nic0`, `nic0`, `mlx5_0`, a bus id. */
export function named(plan: Plan): ReadonlyMap<string, readonly string[]> {
  const index = new Map<string, string[]>();
  const add = (name: string | undefined, id: string): void => {
    if (name === undefined || name === '') return;
    const list = index.get(name);
    if (!list) index.set(name, [id]);
    else if (!list.includes(id)) list.push(id);
  };
  const walk = (box: PictureBox): void => {
    for (const name of [box.id, local(box.id), box.busId]) add(name, box.id);
    // A product's name is that of many; a port's is its own.
    if (box.kind === 'nic' || box.kind === 'nvme') add(box.name, box.id);
    box.children.forEach(walk);
  };
  for (const n of plan.nodes) n.node.cpus.forEach(walk);
  return index;
}

/** The boxes of a name; `mlx5_0:2` is the second port of a device. */
export const boxesOf = (index: ReadonlyMap<string, readonly string[]>, name: string): readonly string[] =>
  index.get(name) ?? index.get(name.replace(/:\d+$/, '')) ?? [];

/** What the doctor found, as marks on devices. */
export function marksOf(index: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, string> {
  const marks = new Map<string, string>();
  for (const f of good(findings.value)?.findings ?? []) {
    const mark = f.severity === 'error' ? 'bad' : f.severity === 'warning' ? 'look' : undefined;
    if (mark === undefined || f.follows !== undefined) continue;
    for (const id of (f.devices ?? []).flatMap((d) => boxesOf(index, d))) {
      if ((worse[marks.get(id) ?? ''] ?? 0) < worse[mark]!) marks.set(id, mark);
    }
  }
  return marks;
}
