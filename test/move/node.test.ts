import { describe, expect, it } from 'vitest';
import type { Machine } from '../../src/machine/machine.ts';
import { copiesOf, type DataPathModel, type MovePath, moveRow } from '../../src/move/model.ts';
import { dataPaths } from '../../src/move/move.ts';
import { readWriteShare } from '../../src/physics/pcie.ts';
import { described, pasted, system } from '../support/machines.ts';

const find = (machine: Machine, from: string, to: string, path: MovePath): DataPathModel => {
  const found = dataPaths(machine, {}, from, to);
  if (!found.ok) throw new Error(found.error.code);
  return found.value.find((m) => m.path === path)!;
};
const rate = (m: DataPathModel, both = false): number =>
  moveRow(m, 2 ** 28, { depth: 8, threads: 1, both }).bandwidthGBps;

describe('NVLink from GPU to CPU', () => {
  /** One socket of an AC922: two V100, three NVLinks of 25 GB/s from each to the POWER9. */
  const power = pasted(`<system version="1">
  <cpu numaid="0" affinity="ff" arch="ppc64">
    <pci busid="0004:04:00.0" class="0x030200" link_speed="8.0 GT/s PCIe" link_width="4">
      <gpu dev="0" sm="70" rank="0" gdr="1"><nvlink target="0004:00:00.0" count="3" tclass="0x068001"/></gpu>
    </pci>
    <pci busid="0004:05:00.0" class="0x030200" link_speed="8.0 GT/s PCIe" link_width="4">
      <gpu dev="1" sm="70" rank="1" gdr="1"><nvlink target="0004:00:00.0" count="3" tclass="0x068001"/></gpu>
    </pci>
  </cpu>
</system>
`);

  it('carries 70 GB/s and more on POWER9, where PCIe has four lanes', () => {
    for (const [from, to] of [
      ['host0', 'gpu1'],
      ['gpu1', 'host0'],
    ] as const) {
      const m = find(power, from, to, 'nvlink-c2c');
      expect(copiesOf(m)).toBe(1);
      expect(rate(m)).toBeGreaterThan(65);
      expect(rate(m)).toBeLessThan(75);
      expect(rate(find(power, from, to, 'memcpy-pinned'))).toBeLessThan(4);
    }
  });

  it('is nowhere else', () => {
    expect(find(system('hgx-h100', 1), 'host0', 'gpu0', 'nvlink-c2c')).toBeUndefined();
  });
});

describe('PCIe both ways at once', () => {
  it('carries less than twice one way: requests to read travel with the writes', async () => {
    const machine = await described(
      'node: {gpu: h200-sxm5-141g, gpus: 1, link: pcie, cpu: intel-emr, sockets: 1, pcie: gen5, gpusPerSwitch: 0}\n',
    );
    const m = find(machine, 'host0', 'gpu0', 'memcpy-pinned');
    expect(rate(m, true) / rate(m) / 2).toBeCloseTo(readWriteShare(5), 9);
    // quality/h200-vm.md: 100 GB/s in total.
    expect(rate(m, true)).toBeGreaterThan(100);
    expect(rate(m, true)).toBeLessThan(108);
  });

  it('suffers less where headers take more of the writes anyway, as before Gen4', () => {
    expect(readWriteShare(3)).toBeGreaterThan(readWriteShare(5));
    expect(readWriteShare(5)).toBeCloseTo(0.97, 2);
  });
});

describe('NVLink by generation', () => {
  it.each([
    // p2pBandwidthLatencyTest as published: one link of a cube mesh (half of 48.5 both ways), NVSwitches of two generations.
    ['dgx-1v', 'gpu1', 24.25],
    ['dgx-a100-40g', 'gpu4', 274],
    ['hgx-h100', 'gpu4', 393],
  ])('%s to %s: %i GB/s', (id, to, published) => {
    expect(Math.abs(Math.log(rate(find(system(id, 1), 'gpu0', to, 'nvlink')) / published))).toBeLessThan(0.03);
  });
});

describe('a small write to a peer', () => {
  const small = (machine: Machine, to: string): number =>
    moveRow(find(machine, 'gpu0', to, 'nvlink'), 8, { depth: 1, threads: 1, both: false }).latencyUs;

  it('takes longer through an NVSwitch than over a link, and twice as long through a GPU in between', () => {
    const mesh = system('dgx-1v', 1);
    // Published with 1.9 µs; 2.4 to 2.9; 2.8.
    expect(small(mesh, 'gpu1')).toBeCloseTo(1.9, 2);
    for (const switched of ['dgx-2', 'dgx-h100']) expect(small(system(switched, 1), 'gpu1')).toBeCloseTo(2.8, 2);
    // GPU 0 of the mesh has links to 1, 2, 3 and 4 alone.
    expect(small(mesh, 'gpu5')).toBeCloseTo(3.8, 2);
  });
});
