import { describe, expect, it } from 'vitest';
import { answerMove } from '../../src/answer/move.ts';
import { systemMachine } from '../../src/assemble/build/machine.ts';
import { systems } from '../../src/catalogue/systems.ts';
import { moveJson } from '../../src/tell/json/move.ts';
import { picture, pictureJson } from '../../src/tell/picture/index.ts';
import type { Move, Shown } from '../../src/web/page/answers.ts';
import { nodesOf } from '../../src/web/picture/boxes.ts';
import { type Plan, planOf } from '../../src/web/picture/place.ts';
import { lineOf, routeOf } from '../../src/web/picture/routes.ts';

const how = { sizes: [2 ** 20], depth: 1, threads: 1, both: false };

function planned(id: string, nodes: number, width: number): { plan: Plan; moves: (from: string, to: string) => Move } {
  const machine = { ...systemMachine(id)!, nodes };
  const shown = pictureJson(picture(machine)) as Shown;
  return {
    plan: planOf(nodesOf(shown), width),
    moves: (from, to) => {
      const answer = answerMove(machine, {}, from, to, how);
      if (!answer.ok) return { from, to, assumptions: [], paths: [] };
      return JSON.parse(moveJson(answer.value, how, [], 'en')) as Move;
    },
  };
}

describe('the picture on the page', () => {
  it.each([...systems.keys()])('of %s has no two devices on one spot, and all inside', (id) => {
    for (const width of [340, 800, 1900]) {
      const { plan } = planned(id, 2, width);
      const leaves = [...plan.spots].filter(([name]) => /(gpu|nic|nvme)\d+$/.test(name)).map(([, s]) => s);
      expect(leaves.length).toBeGreaterThan(1);
      for (const a of leaves) {
        expect(a.x >= 0 && a.y >= 0 && a.x + a.w <= plan.w && a.y + a.h <= plan.h).toBe(true);
        const over = leaves.filter(
          (b) => b !== a && a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h,
        );
        expect(over).toEqual([]);
      }
    }
  });

  it.each([...systems.keys()])('of %s leads every way from its one end to its other, level or upright', (id) => {
    const { plan, moves } = planned(id, 2, 900);
    const pairs = [
      ['node0/gpu0', 'node0/gpu1'],
      ['node0/gpu0', 'node1/gpu0'],
      ['node0/gpu0', 'node0/host0'],
      ['node0/host0', 'node0/gpu1'],
    ] as const;
    let routes = 0;
    for (const [from, to] of pairs) {
      const end = plan.spots.get(to)?.at;
      for (const path of moves(from, to).paths) {
        const route = routeOf(plan, path, from, to);
        const points = route.legs.flatMap((l) => l.points);
        // What no input rates has no wires to follow.
        if (path.stages.every((s) => s.links.length === 0)) continue;
        routes++;
        expect(points[0], `${path.path} ${from}`).toEqual(plan.spots.get(from)!.at);
        expect(points.at(-1), `${path.path} ${from} ${to}`).toEqual(end);
        for (const leg of route.legs) {
          leg.points.forEach((p, i) => {
            const q = leg.points[i + 1];
            if (q && path.stages[route.legs.indexOf(leg)]!.links.length > 0)
              expect(p.x === q.x || p.y === q.y).toBe(true);
          });
          expect(lineOf(leg.points, 2)).toMatch(/^(M[\d.-]+ [\d.-]+([LQ][\d. -]+)*)?$/);
        }
        const copied = route.legs.filter((l) => l.copy).length;
        expect(copied).toBe(path.copies);
      }
    }
    expect(routes).toBeGreaterThan(0);
  });
});
