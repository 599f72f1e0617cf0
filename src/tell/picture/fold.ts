import type { PictureBox, PictureHost } from './model.ts';

/** So many equal leaves or boxes side by side are still a picture; more are folded. */
const most = 8;

/**
 * Numbers boxes so that equal ones get the same number: equal in everything but their names. Numbers instead of texts,
 * because a text of texts doubles its escapes at every level.
 */
class Likeness {
  private readonly numbers = new Map<string, number>();
  private readonly known = new WeakMap<PictureBox, number>();

  of(box: PictureBox): number {
    const before = this.known.get(box);
    if (before !== undefined) return before;
    const children = box.children.map((child) => this.of(child));
    const key = JSON.stringify([
      box.kind,
      box.detail ?? '',
      box.link ?? '',
      box.mark ?? '',
      box.nvlinks,
      box.count,
      children,
    ]);
    const number = this.numbers.get(key) ?? this.numbers.size;
    this.numbers.set(key, number);
    this.known.set(box, number);
    return number;
  }
}

/** A switch that holds nothing but a switch, three levels and more: one box named after the first and the last. */
function foldChain(box: PictureBox): PictureBox {
  let last = box;
  let depth = 0;
  while (last.children.length === 1 && isSwitch(last.children[0]!) && last.children[0]!.mark === undefined) {
    last = last.children[0]!;
    depth++;
  }
  if (!isSwitch(box) || depth < 2) return box;
  return { ...box, label: `${box.label}…${last.label}`, count: depth + 1, children: last.children };
}
const isSwitch = (box: PictureBox): boolean => box.kind === 'switch' || box.kind === 'bridge';

/** Folds rows of more than eight equal children into one that counts them. Marked boxes always stay on their own. */
export function foldBoxes(whole: PictureBox): PictureBox {
  return foldBelow(whole, new Likeness());
}

function foldBelow(whole: PictureBox, like: Likeness): PictureBox {
  const box = foldChain(whole);
  const children = box.children.map((child) => foldBelow(child, like));
  const groups = new Map<string | number, PictureBox[]>();
  for (const child of children) {
    const key = child.mark === 'bad' || child.mark === 'look' ? child.id : like.of(child);
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
  const like = new Likeness();
  for (const host of hosts) {
    const key = JSON.stringify([
      host.cpus.map((cpu) => like.of(cpu)),
      host.band ?? '',
      host.mesh?.counts ?? '',
      host.lines,
    ]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { first: host, count: host.count });
    else group.count += host.count;
  }
  return [...groups.values()].map(({ first, count }) => ({ ...first, count }));
}
