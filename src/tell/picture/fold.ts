import type { PictureBox, PictureHost } from './model.ts';

/** So many equal leaves or boxes side by side are still a picture; more are folded. */
const most = 8;

/** What two boxes must share to be drawn as one: everything but their names. */
function likeness(box: PictureBox): string {
  return JSON.stringify([
    box.kind,
    box.detail ?? '',
    box.link ?? '',
    box.mark ?? '',
    box.nvlinks,
    box.children.map(likeness),
  ]);
}

/** Folds rows of more than eight equal children into one that counts them. Marked boxes always stay on their own. */
export function foldBoxes(box: PictureBox): PictureBox {
  const children = box.children.map(foldBoxes);
  const groups = new Map<string, PictureBox[]>();
  for (const child of children) {
    const key = child.mark === 'bad' || child.mark === 'look' ? child.id : likeness(child);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [child]);
    else group.push(child);
  }
  const folded: PictureBox[] = [];
  for (const group of groups.values()) {
    const first = group[0]!;
    if (group.length <= most) folded.push(...group);
    else folded.push({ ...first, label: `${first.label}…${group.at(-1)!.label}`, count: group.length });
  }
  // Unfolded children keep the order of the tree.
  return children.length === folded.length ? { ...box, children } : { ...box, children: folded };
}

/** Equal nodes become one that counts them, in the place of the first. */
export function foldHosts(hosts: readonly PictureHost[]): PictureHost[] {
  const groups = new Map<string, { first: PictureHost; count: number }>();
  for (const host of hosts) {
    const key = JSON.stringify([host.cpus.map(likeness), host.band ?? '', host.mesh?.counts ?? '', host.lines]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { first: host, count: host.count });
    else group.count += host.count;
  }
  return [...groups.values()].map(({ first, count }) => ({ ...first, count }));
}
