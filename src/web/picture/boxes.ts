import type { PictureBox } from '../../tell/picture/model.ts';
import type { Device, Shown } from '../page/answers.ts';

/** A node as it stands on the page: boxes nested again, and a twin drawn where nodes are equal. */
export interface NodeBoxes {
  /** `node0`; what the names of its devices begin with where there are several nodes. */
  readonly id: string;
  readonly title: string;
  /** Further nodes like this one that are not drawn. */
  readonly more: number;
  readonly cpus: readonly PictureBox[];
  readonly nvswitch?: string;
  readonly links: readonly string[];
  readonly mesh?: { readonly gpus: readonly string[]; readonly links: readonly (readonly number[])[] };
}

/** Nests the rows of `crowfly/show@1`; of equal nodes the first two stand there, so that there is another end. */
export function nodesOf(shown: Shown): NodeBoxes[] {
  const taken = new Set(shown.hosts.map((h) => h.id));
  const several = shown.hosts.length > 1 || shown.hosts.some((h) => h.count > 1);
  return shown.hosts.flatMap((host, index) => {
    const cpus = nested(shown.devices.filter((d) => d.host === index));
    const node: NodeBoxes = {
      id: host.id,
      title: [several ? host.id : '', host.name ?? ''].filter((x) => x !== '').join(' · '),
      more: 0,
      cpus,
      links: host.links,
      ...(host.nvswitch === undefined ? {} : { nvswitch: host.nvswitch }),
      ...(host.nvlinkMesh === undefined ? {} : { mesh: host.nvlinkMesh }),
    };
    if (host.count < 2) return [node];
    const id = nextNode(taken);
    const twin = { ...node, id, title: id, more: host.count - 2, cpus: cpus.map((b) => renamed(b, host.id, id)) };
    return [node, twin];
  });
}

function nextNode(taken: Set<string>): string {
  for (let n = 0; ; n++) {
    const id = `node${n}`;
    if (taken.has(id)) continue;
    taken.add(id);
    return id;
  }
}

const renamed = (box: PictureBox, from: string, to: string): PictureBox => ({
  ...box,
  id: box.id.startsWith(`${from}/`) ? `${to}/${box.id.slice(from.length + 1)}` : `${to}/${box.id}`,
  children: box.children.map((c) => renamed(c, from, to)),
});

interface Growing extends Omit<PictureBox, 'children'> {
  children: Growing[];
}

/** Rows come parents first; a row's parent is the last one of that name that is still open. */
function nested(devices: readonly Device[]): PictureBox[] {
  const roots: Growing[] = [];
  const open: Growing[] = [];
  for (const d of devices) {
    const box: Growing = {
      kind: d.kind,
      label: d.label,
      id: d.id,
      count: d.count,
      nvlinks: d.nvlinks,
      at: d.at,
      children: [],
      ...(d.detail === undefined ? {} : { detail: d.detail }),
      ...(d.name === undefined ? {} : { name: d.name }),
      ...(d.busId === undefined ? {} : { busId: d.busId }),
      ...(d.link === undefined ? {} : { link: d.link }),
      ...(d.mark === undefined ? {} : { mark: d.mark }),
    };
    while (open.length > 0 && open[open.length - 1]!.id !== d.parent) open.pop();
    const parent = open[open.length - 1];
    (parent?.children ?? roots).push(box);
    open.push(box);
  }
  return roots;
}

/** The name without its node: what stands on a box. */
export const local = (id: string): string => id.replace(/^node\d+\//, '');
