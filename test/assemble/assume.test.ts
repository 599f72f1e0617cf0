import { describe, expect, it } from 'vitest';
import { assume, assumptionText, parseAssumption } from '../../src/assemble/assume.ts';
import { systemMachine } from '../../src/assemble/build/machine.ts';
import { findEnd } from '../../src/move/ends.ts';
import { courseOf } from '../../src/way/course.ts';

const h100 = systemMachine('dgx-h100', 2)!;

function withFacts(...texts: string[]) {
  const parsed = texts.map((t) => {
    const a = parseAssumption(t);
    if (!a.ok) throw new Error(a.error.code);
    return a.value;
  });
  const made = assume(h100, parsed);
  if (!made.ok) throw new Error(made.error.code);
  return made.value;
}

function way(machine: ReturnType<typeof withFacts>, from: string, to: string) {
  const course = courseOf(machine, {}, from, to);
  if (!course.ok) throw new Error(course.error.reason.code);
  return course.value;
}

describe('--assume', () => {
  it('reads back what it writes', () => {
    for (const text of ['gdr=on', 'nvlink=off', 'nic0.slot=gpu4', 'node1/nic3.link=gen3x8', 'nic0.rate=100Gb/s']) {
      const parsed = parseAssumption(text);
      expect(parsed.ok && assumptionText(parsed.value)).toBe(text);
    }
  });

  it('says what is wrong with what it cannot read', () => {
    const code = (text: string) => {
      const parsed = parseAssumption(text);
      return parsed.ok ? 'ok' : parsed.error.code;
    };
    expect(code('gdrr=on')).toBe('assemble.assume.unknown-near');
    expect(code('gdr=maybe')).toBe('assemble.assume.value');
    expect(code('nic0.link=gen9x3')).toBe('assemble.assume.form');
    expect(code('nic0.rate=fast')).toBe('assemble.assume.form');
    expect(code('nic0.speed=1')).toMatch(/unknown/);
    const none = assume(h100, [{ fact: 'slot', device: 'nic99', beside: 'gpu0' }]);
    expect(!none.ok && none.error.code).toBe('assemble.assume.no-device');
  });

  it('takes NVLink away: peers go over PCIe', () => {
    expect(way(h100, 'gpu0', 'gpu1').ways[0]!.path).toBe('nvlink');
    expect(way(withFacts('nvlink=off'), 'gpu0', 'gpu1').ways[0]!.path).not.toBe('nvlink');
  });

  it('takes peermem away: no GPUDirect RDMA, unless DMA-BUF is there', () => {
    expect(way(withFacts('gdr=on'), 'gpu0', 'node1/gpu0').direct).toBe('yes');
    expect(way(withFacts('gdr=on', 'peermem=off'), 'gpu0', 'node1/gpu0').direct).toBe('no');
    expect(way(withFacts('gdr=on', 'dmabuf=on', 'peermem=off'), 'gpu0', 'node1/gpu0').direct).toBe('yes');
  });

  it('narrows a link, slows a port and moves a card, and NCCL decides anew', () => {
    const nics = (m: typeof h100) => way(m, 'gpu0', 'node1/gpu0').nics;
    const before = nics(withFacts('gdr=on'));
    expect(nics(withFacts('gdr=on', 'nic0.rate=100Gb/s'))).not.toEqual(before);
    expect(nics(withFacts('gdr=on', 'nic0.slot=gpu4'))).not.toEqual(before);
    const all = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => `nic${i}.link=gen3x8`);
    const narrow = way(withFacts('gdr=on', ...all), 'gpu0', 'node1/gpu0').ways[0]!;
    expect(Math.min(...narrow.stages.flatMap((s) => (s.rate === undefined ? [] : [s.rate])))).toBeCloseTo(7.877e9, -7);
  });

  it('an IOMMU in use redirects peer traffic, as the kernel switches ACS on with it', () => {
    const acs = (m: typeof h100) => {
      const end = findEnd(m, 'gpu0');
      return end.ok && end.value.acs;
    };
    expect(acs(h100)).toBe(false);
    expect(acs(withFacts('iommu=on'))).toBe(true);
    expect(acs(withFacts('iommu=on', 'acs=off'))).toBe(false);
  });
});
