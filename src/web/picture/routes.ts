import type { MovePath, MoveStage, Way } from '../page/answers.ts';
import { memoryOf, type PlacedNode, type Plan, type Point, type Spot } from './place.ts';

/** A way through the picture: the places of each stage in order, and how fast the stage is. */
export interface Route {
  readonly path: string;
  readonly legs: readonly Leg[];
}

export interface Leg {
  readonly points: readonly Point[];
  readonly bytesPerSecond?: number;
  readonly copy: boolean;
}

/** The route of a data path as `move` tells it: every stage names the wires that it crosses, in order. */
export function routeOf(plan: Plan, path: MovePath, from: string, to: string): Route {
  let here = spotOf(plan, from)?.at;
  const end = spotOf(plan, to)?.at;
  const wired = path.stages.findLastIndex((s) => s.links.length > 0);
  const legs = path.stages.map((stage, i): Leg => {
    const points = pointsOf(plan, stage, here);
    // A link between sockets whose rate no input tells is no wire of the stage, and crossed all the same.
    if (end && i === wired) joined(points, end);
    here = points.at(-1) ?? here;
    return {
      points,
      copy: stage.copy,
      ...(stage.bytesPerSecond === undefined ? {} : { bytesPerSecond: stage.bytesPerSecond }),
    };
  });
  return { path: path.path, legs };
}

/** The route of a way as `explain` tells it, by the names that each stage passes: all there is where no rate is known. */
export function routeOfWay(plan: Plan, way: Way): Route {
  const legs = way.stages.map((stage): Leg => {
    const points: Point[] = [];
    const kernel = (name: string): string => name.replace(/\/kernel$/, '');
    const a = spotOf(plan, kernel(stage.from));
    const b = spotOf(plan, kernel(stage.to));
    if (a) points.push(a.at);
    for (const via of stage.via) {
      const spot = spotOf(plan, via);
      if (spot) joined(points, spot.at);
    }
    const here = a && plan.nodes.find((n) => inside(n, a.at));
    const there = b && plan.nodes.find((n) => inside(n, b.at));
    // Over the NVSwitch, or between nodes: by way of the band that stands for it.
    const band = stage.via.includes('NVSwitch') ? here?.band : here !== there ? plan.network : undefined;
    if (a && b && band) {
      points.push({ x: a.at.x, y: middle(band) }, { x: b.at.x, y: middle(band) });
    }
    if (b) joined(points, b.at);
    return { points, copy: stage.copy !== undefined };
  });
  return { path: way.path, legs };
}

function pointsOf(plan: Plan, stage: MoveStage, here: Point | undefined): Point[] {
  const points: Point[] = here ? [here] : [];
  const push = (...more: Point[]): void => {
    for (const p of more) joined(points, p);
  };
  if (stage.links.length === 0) {
    // A core copies from memory to memory: a loop on the spot.
    if (here && stage.copy) points.push({ x: here.x + 16, y: here.y - 7 }, { x: here.x + 16, y: here.y + 7 }, here);
    return points;
  }
  for (const link of stage.links) push(...wire(plan, link.kind, link.device));
  const last = stage.links.at(-1)!;
  const memory =
    last.kind === 'up' || last.kind === 'c2c-out'
      ? memoryAbove(plan, last.device, last.kind === 'c2c-out')
      : socketMemory(plan, last);
  if (memory) push({ x: memory.at.x, y: (points.at(-1) ?? memory.at).y }, memory.at);
  return points;
}

/** Goes on to a point, level or upright, as wires are drawn. */
function joined(points: Point[], p: Point): void {
  const last = points.at(-1);
  if (last?.x === p.x && last.y === p.y) return;
  if (last && last.x !== p.x && last.y !== p.y) points.push({ x: last.x, y: p.y });
  points.push(p);
}

/** Names in answers carry their node where there are several; on one node they may lack it, or have one too many. */
function spotOf(plan: Plan, id: string | undefined): Spot | undefined {
  if (id === undefined) return undefined;
  return plan.spots.get(id) ?? plan.spots.get(id.replace(/^node\d+\//, '')) ?? plan.spots.get(`node0/${id}`);
}

/** Where one wire runs. A device hangs below the line of its parent; what does not hang in the first row goes round by the edge. */
function wire(plan: Plan, kind: string, device: string | undefined): Point[] {
  const spot = spotOf(plan, device);
  if (!spot) return [];
  const own = spot.at;
  const back = kind === 'down' || kind.endsWith('-in');
  const turned = (points: Point[]): Point[] => (back ? points.reverse() : points);
  const node = plan.nodes.find((n) => inside(n, own));
  switch (kind) {
    case 'up':
    case 'down':
      return turned([own, ...toParent(plan, spot)]);
    case 'port-out':
    case 'port-in': {
      if (!plan.network || !node) return [own];
      // Below its row, out to the edge that looks to the middle of the drawing, and down.
      const below = spot.y + spot.h + 5;
      const leftSide = node.rect.x + node.rect.w / 2 < plan.w / 2;
      const edge = leftSide && node.rect.w < plan.w * 0.7 ? node.rect.x + node.rect.w - 6 : node.rect.x + 6;
      return turned([own, { x: own.x, y: below }, { x: edge, y: below }, { x: edge, y: middle(plan.network) }]);
    }
    case 'nvlink-out':
    case 'nvlink-in': {
      if (!node?.band) return [own];
      const below = spot.y + spot.h + 8;
      const edge = node.rect.x + 8;
      const y = middle(node.band);
      return turned([own, { x: own.x, y: below }, { x: edge, y: below }, { x: edge, y }, { x: edge + 12, y }]);
    }
    default:
      return [own];
  }
}

/** From a device to the line that it hangs on. */
function toParent(plan: Plan, spot: Spot): Point[] {
  const parent = spotOf(plan, spot.parent);
  if (!parent) return [];
  const { x } = spot.at;
  const bus = parent.at.y;
  if (spot.y - bus <= firstRow) return [{ x, y: bus }];
  const above = spot.y - 6;
  const edge = parent.x + 5;
  return [
    { x, y: above },
    { x: edge, y: above },
    { x: edge, y: bus },
  ];
}

/** What begins so close below the line hangs on it directly. */
const firstRow = 14;

const middle = (r: { y: number; h: number }): number => r.y + r.h / 2;
const inside = (n: PlacedNode, p: Point): boolean =>
  p.x >= n.rect.x && p.x <= n.rect.x + n.rect.w && p.y >= n.rect.y && p.y <= n.rect.y + n.rect.h;

/** What ends at a NUMA node ends in its memory. C2C leads there from however deep a GPU hangs; PCIe from right below it. */
function memoryAbove(plan: Plan, device: string | undefined, deep: boolean): Spot | undefined {
  let parent = spotOf(plan, device)?.parent;
  for (let i = 0; deep && i < 32 && parent !== undefined && !cpu.test(parent); i++)
    parent = plan.spots.get(parent)?.parent;
  return parent !== undefined && cpu.test(parent) ? spotOf(plan, memoryOf(parent)) : undefined;
}

const cpu = /cpu-?\d+$/;

/** A link between sockets leads to the other socket's memory; its text names node and sockets in both languages alike. */
function socketMemory(plan: Plan, link: MoveStage['links'][number]): Spot | undefined {
  if (link.kind !== 'socket') return undefined;
  const found = /(node\d+)\D+(\d+)\D+(\d+)/.exec(link.text);
  return found ? spotOf(plan, `${found[1]}/host${found[3]}`) : undefined;
}

/** A line with rounded corners through points, moved aside a little so that several can run together. */
export function lineOf(points: readonly Point[], aside: number): string {
  const moved = points.map((p) => ({ x: p.x + aside, y: p.y + aside }));
  return moved
    .map((p, i) => {
      const before = moved[i - 1];
      const next = moved[i + 1];
      if (!before) return `M${r(p.x)} ${r(p.y)}`;
      if (!next) return `L${r(p.x)} ${r(p.y)}`;
      const a = toward(p, before, corner);
      const b = toward(p, next, corner);
      return `L${r(a.x)} ${r(a.y)}Q${r(p.x)} ${r(p.y)} ${r(b.x)} ${r(b.y)}`;
    })
    .join('');
}

const corner = 7;
const r = (n: number): number => Math.round(n * 10) / 10;

function toward(p: Point, q: Point, most: number): Point {
  const length = Math.hypot(q.x - p.x, q.y - p.y);
  if (length === 0) return p;
  const k = Math.min(most, length / 2) / length;
  return { x: p.x + (q.x - p.x) * k, y: p.y + (q.y - p.y) * k };
}
