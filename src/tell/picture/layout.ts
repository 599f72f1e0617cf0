import type { PictureBox } from './model.ts';

/** How a renderer measures: in cells for a terminal, in pixels for SVG. */
export interface Metrics {
  leaf(box: PictureBox): { readonly w: number; readonly h: number };
  /** Least width of a box that its heading needs, borders included. */
  head(box: PictureBox): number;
  readonly padX: number;
  readonly padTop: number;
  readonly padBottom: number;
  readonly gapX: number;
  readonly gapY: number;
  /** Between leaves, which may stand closer or wider than boxes. */
  readonly leafGapX: number;
  readonly leafGapY: number;
  /** Widths are tried in steps of this, and none below `least`: bounds the work on hostile trees. */
  readonly step: number;
  readonly least: number;
}

/** A box with its place; children's places are relative to the whole drawing. */
export interface Placed {
  readonly box: PictureBox;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly children: readonly Placed[];
}

interface Sized {
  readonly w: number;
  readonly h: number;
  readonly rows: readonly Row[];
}
interface Row {
  readonly items: readonly Item[];
  readonly y: number;
  readonly h: number;
  /** Columns of the grid it belongs to and their width in all; 0 columns: not to be widened. */
  readonly columns: number;
  readonly w: number;
}
interface Item {
  readonly box: PictureBox;
  readonly x: number;
  readonly w: number;
  readonly size: Sized;
}

/** Is it drawn as text or a tile, rather than as a box around others? */
export const isLeaf = (box: PictureBox): boolean =>
  box.kind === 'gpu' || box.kind === 'nic' || box.kind === 'nvme' || box.kind === 'nvswitch';

/**
 * Lays out boxes side by side and wraps them to a width, equal columns where possible; of the ways that fit, the lowest.
 * Returns where everything stands, and the size of the whole, which is widened to `atLeast`.
 */
export function layoutBoxes(
  boxes: readonly PictureBox[],
  width: number,
  metrics: Metrics,
  atLeast = 0,
): { readonly placed: readonly Placed[]; readonly w: number; readonly h: number } {
  const measured = new Map<PictureBox, Map<number, Sized>>();
  const measure = (box: PictureBox, room: number): Sized => {
    if (isLeaf(box)) return { ...metrics.leaf(box), rows: [] };
    const avail = Math.max(metrics.least, Math.floor(room / metrics.step) * metrics.step);
    const known = measured.get(box)?.get(avail);
    if (known !== undefined) return known;
    const inner = content(box.children, avail - 2 * metrics.padX, measure, metrics);
    const sized: Sized = {
      w: Math.max(inner.w + 2 * metrics.padX, metrics.head(box)),
      h: inner.h + metrics.padTop + metrics.padBottom,
      rows: inner.rows,
    };
    const byWidth = measured.get(box) ?? new Map<number, Sized>();
    byWidth.set(avail, sized);
    measured.set(box, byWidth);
    return sized;
  };
  const whole = content(boxes, width, measure, metrics);
  // Boxes of one grid share what their parent is wider than they need.
  const place = (sized: Sized, x: number, y: number, inner: number): Placed[] =>
    sized.rows.flatMap((row) => {
      const extra = row.columns === 0 ? 0 : Math.floor(Math.max(0, inner - row.w) / row.columns);
      return row.items.map((item, column) => {
        const left = x + item.x + column * extra;
        const top = y + row.y;
        const w = item.w + extra;
        return {
          box: item.box,
          x: left,
          y: top,
          w,
          h: isLeaf(item.box) ? item.size.h : row.h,
          children: place(item.size, left + metrics.padX, top + metrics.padTop, w - 2 * metrics.padX),
        };
      });
    });
  return { placed: place(whole, 0, 0, Math.max(whole.w, atLeast)), w: Math.max(whole.w, atLeast), h: whole.h };
}

/**
 * The rows inside a box: leaves first (GPUs, NICs, drives), then boxes. Leaves share a row when all fit in one; else each
 * kind has its own.
 */
function content(
  children: readonly PictureBox[],
  avail: number,
  measure: (box: PictureBox, avail: number) => Sized,
  metrics: Metrics,
): Sized {
  const leaves = leafKinds.flatMap((kind) => children.filter((child) => child.kind === kind));
  const oneRow =
    leaves.reduce((sum, leaf) => sum + metrics.leaf(leaf).w, 0) + metrics.leafGapX * Math.max(0, leaves.length - 1);
  const kinds = oneRow <= avail ? [leaves] : leafKinds.map((kind) => leaves.filter((leaf) => leaf.kind === kind));
  const parts = kinds
    .filter((list) => list.length > 0)
    .map((list) => ({
      sized: grid(list, avail, measure, metrics.leafGapX, metrics.leafGapY, false),
      gap: metrics.leafGapY,
    }));
  const boxes = children.filter((c) => !isLeaf(c));
  if (boxes.length > 0) {
    parts.push({ sized: grid(boxes, avail, measure, metrics.gapX, metrics.gapY, true), gap: metrics.gapY });
  }
  let h = 0;
  const rows: Row[] = [];
  parts.forEach(({ sized, gap }, i) => {
    if (i > 0) h += gap;
    rows.push(...sized.rows.map((row) => ({ ...row, y: row.y + h })));
    h += sized.h;
  });
  return { w: Math.max(0, ...parts.map((p) => p.sized.w)), h, rows };
}

const leafKinds = ['gpu', 'nic', 'nvme', 'nvswitch'] as const;

function grid(
  items: readonly PictureBox[],
  avail: number,
  measure: (box: PictureBox, avail: number) => Sized,
  gapX: number,
  gapY: number,
  stretch: boolean,
): Sized {
  if (items.length === 0) return { w: 0, h: 0, rows: [] };
  let best: Sized | undefined;
  const tried = new Set<number>();
  for (let rows = 1; rows <= items.length; rows++) {
    const columns = Math.ceil(items.length / rows);
    if (tried.has(columns)) continue;
    tried.add(columns);
    const each = Math.floor((avail - (columns - 1) * gapX) / columns);
    const sizes = items.map((item) => measure(item, each));
    const candidate = arrange(items, sizes, columns, gapX, gapY, stretch);
    if (candidate.w <= avail && (best === undefined || candidate.h < best.h)) best = candidate;
    // Leaves have one size: the first way that fits is the lowest.
    if (best !== undefined && (!stretch || tried.size >= 6)) break;
  }
  if (best !== undefined) return best;
  // Nothing fits: one below the other, as narrow as they get.
  return arrange(
    items,
    items.map((item) => measure(item, avail)),
    1,
    gapX,
    gapY,
    stretch,
  );
}

function arrange(
  items: readonly PictureBox[],
  sizes: readonly Sized[],
  columns: number,
  gapX: number,
  gapY: number,
  stretch: boolean,
): Sized {
  const widths = Array.from({ length: Math.min(columns, items.length) }, (_, c) =>
    Math.max(...sizes.filter((_size, i) => i % columns === c).map((s) => s.w)),
  );
  const rows: Row[] = [];
  const total = widths.reduce((a, b) => a + b, 0) + gapX * (widths.length - 1);
  let y = 0;
  for (let i = 0; i < items.length; i += columns) {
    const row = sizes.slice(i, i + columns);
    const h = Math.max(...row.map((s) => s.h));
    let x = 0;
    const placed = row.map((size, c) => {
      const item: Item = { box: items[i + c]!, x, w: stretch ? widths[c]! : size.w, size };
      x += widths[c]! + gapX;
      return item;
    });
    rows.push({ items: placed, y, h, columns: stretch ? widths.length : 0, w: total });
    y += h + gapY;
  }
  return { w: total, h: y - gapY, rows };
}
