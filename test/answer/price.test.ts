import { describe, expect, it } from 'vitest';
import { priceOf } from '../../src/answer/price.ts';
import { typicalMachine } from '../../src/answer/typical.ts';
import { systemMachine } from '../../src/assemble/build/machine.ts';
import { findingIds } from '../../src/doctor/ids.ts';
import { render } from '../../src/words/render.ts';

const dgx = await typicalMachine(undefined);
const pcie = systemMachine('dgx-1v')!;

describe('the price of a finding', () => {
  it('is what the detour costs on this machine', () => {
    const staged = render(priceOf(dgx, {}, 'gdr-disabled-peermem-missing')!, 'en');
    expect(staged).toMatch(/^Here: [\d.]+ instead of [\d.]+ GB\/s from gpu0 to node1\/gpu0, \d+ % lost\.$/);
    const [slow, fast] = /([\d.]+) instead of ([\d.]+)/.exec(staged)!.slice(1).map(Number);
    expect(slow!).toBeLessThan(fast! / 1.02);
    expect(priceOf(dgx, {}, 'ipoib-used-instead-of-verbs')?.code).toBe('doctor.cost.rate');
  });

  it('is none where nothing takes a detour, and never a fault', () => {
    expect(priceOf(dgx, {}, 'shm-too-small')).toBeUndefined();
    for (const machine of [dgx, pcie, { ...dgx, hosts: [] }]) for (const id of findingIds) priceOf(machine, {}, id);
  });
});
