import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foremost } from '../../src/answer/explain.ts';
import { cost, type Edit, editsOf } from '../../src/flip/edits.ts';
import { cheapestFlip, flipsOf, focusOf, verdictOf } from '../../src/flip/flips.ts';
import { editHost, moved } from '../../src/machine/edit.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { nameDevices } from '../../src/machine/names.ts';
import type { Ask } from '../../src/nccl/of-machine.ts';
import { releases } from '../../src/nccl/release.ts';
import { type Course, courseOf } from '../../src/way/course.ts';
import { assuming } from '../support/assuming.ts';
import { nearAndFar, pasted, system } from '../support/machines.ts';

function course(machine: Machine, ask: Ask, from: string, to: string): Course {
  const c = courseOf(machine, ask, from, to);
  if (!c.ok) throw new Error(c.error.reason.code);
  return c.value;
}

const bases: readonly (readonly [string, Machine])[] = [
  ['near and far', pasted(nearAndFar)],
  ['dgx-1v', system('dgx-1v', 2)],
  ['hgx-h100', system('hgx-h100', 2)],
  ['gh200', system('gh200', 2)],
  ['aws-p3dn', system('aws-p3dn', 2)],
];

/** A machine with random facts, a question about it, and an environment. */
const situation = fc
  .record({
    base: fc.nat(bases.length - 1),
    nicGdr: fc.constantFrom(true, false, undefined),
    gpuGdr: fc.constantFrom(true, true, undefined, false),
    p2p: fc.constantFrom(undefined, true, false),
    nccl: fc.constantFrom(...releases.filter((r) => Number(r.split('.')[1]) >= 12)),
    env: fc.array(
      fc.constantFrom<[string, string]>(
        ['NCCL_P2P_DISABLE', '1'],
        ['NCCL_P2P_LEVEL', 'NVL'],
        ['NCCL_P2P_LEVEL', 'SYS'],
        ['NCCL_NET_GDR_LEVEL', 'LOC'],
        ['NCCL_NET_GDR_LEVEL', 'SYS'],
        ['NCCL_NET_GDR_READ', '0'],
        ['NCCL_SHM_DISABLE', '1'],
        ['NCCL_PXN_DISABLE', '1'],
        ['NCCL_NVB_DISABLE', '1'],
      ),
      { maxLength: 2 },
    ),
    ends: fc.tuple(fc.nat(), fc.nat()),
    remote: fc.boolean(),
  })
  .map((r) => {
    const [, plain] = bases[r.base]!;
    const set = <T extends { readonly gdr?: boolean }>(x: T, gdr: boolean | undefined): T => {
      const { gdr: _, ...rest } = x;
      return (gdr === undefined ? rest : { ...rest, gdr }) as T;
    };
    const hosts = plain.hosts.map((h) => editHost(h, { gpu: (g) => set(g, r.gpuGdr), port: (p) => set(p, r.nicGdr) }));
    const bare = { ...plain, hosts };
    const machine = r.p2p === undefined ? bare : assuming(bare, [{ fact: 'p2p', on: r.p2p }]);
    const devices = nameDevices(machine).filter((d) => d.node === 0 && (d.kind === 'gpu' || d.kind === 'nic'));
    const gpus = devices.filter((d) => d.kind === 'gpu');
    const from = gpus[r.ends[0] % gpus.length]!;
    const to = r.remote ? `node1/${from.local}` : devices[r.ends[1] % devices.length]!.id;
    return { machine, ask: { nccl: r.nccl, env: new Map(r.env) } satisfies Ask, from: from.id, to };
  });

describe('flips', () => {
  it('each change the verdict, and the cheapest shown is the cheapest there is', () => {
    fc.assert(
      fc.property(situation, ({ machine, ask, from, to }) => {
        const now = course(machine, ask, from, to);
        const flips = flipsOf(machine, ask, now);
        for (const f of flips) {
          let state: { machine: Machine; ask: Ask } = { machine, ask };
          for (const e of f.edits) state = e.apply(state.machine, state.ask);
          const after = course(state.machine, state.ask, from, to);
          expect(verdictOf(after)).toBe(verdictOf(f.after));
          expect(verdictOf(after)).not.toBe(verdictOf(now));
          expect(after.direct).toBe(now.direct === 'yes' ? 'no' : 'yes');
        }
        const found = exhaustive(machine, ask, now);
        expect(cheapestFlip(machine, ask, now)?.edits.map((e) => e.id)).toEqual(
          foremost(flips, 1)[0]?.edits.map((e) => e.id),
        );
        const singles = flips.filter((f) => f.edits.length === 1);
        expect(singles.length > 0).toBe(found !== undefined);
        const shown = foremost(flips, 1)[0];
        if (found !== undefined) expect(shown!.edits.reduce((sum, e) => sum + cost(e), 0)).toBe(found);
      }),
      { numRuns: 60 },
    );
  });

  /** Independent of the search: every edit tried, the least cost of those that reach the wanted verdict. */
  function exhaustive(machine: Machine, ask: Ask, now: Course): number | undefined {
    const wanted = now.direct === 'yes' ? 'no' : 'yes';
    let least: number | undefined;
    for (const e of editsOf(machine, ask, focusOf(machine, now))) {
      const state = e.apply(machine, ask);
      const after = course(state.machine, state.ask, now.from, now.to);
      if (after.direct === wanted && (least === undefined || cost(e) < least)) least = cost(e);
    }
    return least;
  }

  it('edits leave the machine they are made on untouched', () => {
    for (const [, machine] of bases) {
      const before = JSON.stringify(machine.hosts);
      const now = course(machine, {}, nameDevices(machine).find((d) => d.kind === 'gpu')!.id, 'node1/gpu0');
      for (const e of editsOf(machine, {}, focusOf(machine, now))) e.apply(machine, {});
      expect(JSON.stringify(machine.hosts)).toBe(before);
    }
  });

  it('say what a person would try: module, level, slot, or the variable that is in the way', () => {
    const ids = (machine: Machine, ask: Ask, from: string, to: string): string[] =>
      foremost(flipsOf(machine, ask, course(machine, ask, from, to)), 5).map((f) =>
        f.edits.map((e: Edit) => e.id).join(' + '),
      );
    const near = pasted(nearAndFar);
    const off = { ...near, hosts: near.hosts.map((h) => editHost(h, { port: (p) => ({ ...p, gdr: false }) })) };
    expect(ids(off, {}, 'gpu0', 'nic0')[0]).toBe('nic-gdr on');
    expect(ids(near, {}, 'gpu0', 'nic1')).toEqual(['NCCL_NET_GDR_LEVEL=SYS', 'move nic1 to 0.0']);
    expect(ids(near, { env: new Map([['NCCL_NET_GDR_LEVEL', 'LOC']]) }, 'gpu0', 'nic0')[0]).toBe(
      'unset NCCL_NET_GDR_LEVEL',
    );
    expect(ids(off, {}, 'gpu0', 'nic1')[0]).toBe('NCCL_NET_GDR_LEVEL=SYS + nic-gdr on');
  });

  it('move a card without losing or doubling anything', () => {
    for (const [, machine] of bases) {
      const devices = nameDevices(machine);
      const count = (m: Machine): string[] =>
        nameDevices(m)
          .map((d) => `${d.kind} ${d.busId ?? d.local}`)
          .sort();
      for (const nic of devices.filter((d) => d.kind === 'nic' && d.path.length > 1)) {
        for (const place of devices.filter((d) => d.kind === 'cpu' || d.kind === 'switch')) {
          if (place.host !== nic.host) continue;
          const hosts = machine.hosts.map((h, i) => (i === nic.host ? moved(h, nic.path, place.path) : h));
          expect(count({ ...machine, hosts })).toEqual(count(machine));
        }
      }
    }
  });
});
