import { cells } from '../../base/width.ts';
import { isLeaf, layoutBoxes, type Metrics, type Placed } from '../../tell/picture/layout.ts';
import type { PictureBox } from '../../tell/picture/model.ts';
import type { NodeBoxes } from './boxes.ts';

/** Where everything stands, in pixels. */
export interface Plan {
  readonly w: number;
  readonly h: number;
  readonly nodes: readonly PlacedNode[];
  readonly spots: ReadonlyMap<string, Spot>;
  /** The network below the nodes, where there are several. */
  readonly network?: Rect;
}

export interface PlacedNode {
  readonly node: NodeBoxes;
  readonly rect: Rect;
  readonly boxes: readonly Placed[];
  readonly band?: Rect;
}

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A thing that data can be at or pass. */
export interface Spot extends Rect {
  /** The middle of a device; of a switch or NUMA node the middle of the line that its children hang on. */
  readonly at: Point;
  readonly parent?: string;
}

/** Width of a character cell at 13 px, on the wide side. */
const cell = 7.4;
export const leafHeight = 42;
/** From the top of a box to the line that its children hang on. */
export const busAt = 31;
const memoryWidth = 78;
const pad = 12;
const bandHeight = 26;

export const times = (box: PictureBox): string => (box.count > 1 ? ` ×${box.count}` : '');

/** What stands at the head of a box that holds others. */
export const boxTitle = (box: PictureBox): string =>
  `${box.label || (box.kind === 'bridge' ? 'PCI' : box.kind)}${typeof box.detail === 'string' && box.kind === 'cpu' ? ` · ${box.detail}` : ''}${times(box)}`;

const metrics: Metrics = {
  leaf: (box) => ({
    w: Math.min(Math.max(62, Math.ceil(cells(box.label + times(box)) * cell) + 20), 220),
    h: leafHeight,
  }),
  head: (box) =>
    Math.min(Math.ceil(cells(boxTitle(box)) * cell) + 30, 300) + (box.kind === 'cpu' ? memoryWidth + 10 : 0),
  padX: 10,
  padTop: 40,
  padBottom: 10,
  gapX: 10,
  gapY: 12,
  leafGapX: 10,
  leafGapY: 14,
  step: 8,
  least: 96,
};

export function planOf(nodes: readonly NodeBoxes[], width: number): Plan {
  const avail = Math.max(260, width);
  const several = nodes.length > 1;
  // Two nodes stand side by side where both fit without being squeezed.
  const half = Math.floor((avail - 16) / 2);
  const side = several && half >= 400 ? half : avail;
  const spots = new Map<string, Spot>();
  const placed: PlacedNode[] = [];
  let [x, y, row, right] = [0, 0, 0, 0];
  for (const node of nodes) {
    const made = placeNode(node, side, several);
    if (x > 0 && x + made.rect.w > avail) {
      x = 0;
      y += row + 16;
      row = 0;
    }
    placed.push(shifted(made, x, y));
    x += made.rect.w + 16;
    right = Math.max(right, x - 16);
    row = Math.max(row, made.rect.h);
  }
  y += row;
  const w = Math.max(right, 200);
  for (const p of placed) addSpots(p, spots);
  if (!several) return { w, h: y, nodes: placed, spots };
  const network = { x: 0, y: y + 18, w, h: bandHeight };
  return { w, h: y + 18 + bandHeight, nodes: placed, spots, network };
}

function placeNode(node: NodeBoxes, width: number, framed: boolean): PlacedNode {
  const inset = framed || node.title !== '' ? pad : 1;
  const top = inset > 1 ? 32 : 1;
  const laid = layoutBoxes(node.cpus, width - 2 * inset, metrics);
  let h = top + laid.h;
  let band: Rect | undefined;
  if (node.nvswitch !== undefined) {
    band = { x: inset, y: h + 12, w: laid.w, h: bandHeight };
    h += 12 + bandHeight;
  }
  if (node.more > 0) h += 20;
  return {
    node,
    rect: { x: 0, y: 0, w: laid.w + 2 * inset, h: h + inset },
    boxes: laid.placed.map((p) => moved(p, inset, top)),
    ...(band ? { band } : {}),
  };
}

const moved = (p: Placed, dx: number, dy: number): Placed => ({
  ...p,
  x: p.x + dx,
  y: p.y + dy,
  children: p.children.map((c) => moved(c, dx, dy)),
});

const shifted = (n: PlacedNode, dx: number, dy: number): PlacedNode => ({
  ...n,
  rect: { ...n.rect, x: dx, y: dy },
  boxes: n.boxes.map((b) => moved(b, dx, dy)),
  ...(n.band ? { band: { ...n.band, x: n.band.x + dx, y: n.band.y + dy } } : {}),
});

function addSpots(n: PlacedNode, spots: Map<string, Spot>): void {
  const add = (p: Placed, parent: string | undefined): void => {
    const { box, x, y, w, h } = p;
    const at = { x: x + w / 2, y: isLeaf(box) ? y + h / 2 : y + busAt };
    if (box.id !== '') spots.set(box.id, { x, y, w, h, at, ...(parent === undefined ? {} : { parent }) });
    if (box.kind === 'cpu') {
      const m = memoryRect(p);
      spots.set(memoryOf(box.id), { ...m, at: { x: m.x + m.w / 2, y: m.y + m.h / 2 }, parent: box.id });
    }
    for (const c of p.children) add(c, box.id === '' ? parent : box.id);
  };
  for (const b of n.boxes) add(b, undefined);
}

/** The memory of a NUMA node, by the name that `move` and `explain` use: `cpu1` has `host1`. */
export const memoryOf = (cpu: string): string => cpu.replace(/cpu(-?\d+)$/, 'host$1');

/** Host memory of a NUMA node: a plate in the corner of its box, where staged data dips in. */
export const memoryRect = (p: Placed): Rect => ({ x: p.x + p.w - memoryWidth - 7, y: p.y + 5, w: memoryWidth, h: 21 });
