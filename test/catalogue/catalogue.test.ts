import { describe, expect, it } from 'vitest';
import { checkCatalogue, isSource } from '../../src/catalogue/check.ts';
import { cpus, socketBytesPerSecond } from '../../src/catalogue/cpus.ts';
import { gpuByDeviceId, gpuByProduct, gpus } from '../../src/catalogue/gpus.ts';
import { socketMemory } from '../../src/catalogue/host-memory.ts';
import { nicByDeviceId, nics, usualNic } from '../../src/catalogue/nics.ts';
import { countedKeys } from '../../src/catalogue/node.ts';
import { nvlinkGenerations, nvswitches } from '../../src/catalogue/nvlink.ts';
import { gigatransfers, pcieBytesPerSecond, pcieGenerations } from '../../src/catalogue/pcie.ts';
import { pcieSwitches } from '../../src/catalogue/pcie-switches.ts';
import { findSystem, nearestSystem, systems } from '../../src/catalogue/systems.ts';
import { training } from '../../src/catalogue/training.ts';

const promised = {
  gpus: `v100-sxm2-16g v100-sxm2-32g v100-sxm3-32g p40 a100-sxm4-40g a100-sxm4-80g a100-pcie-40g a100-pcie-80g
    a800-sxm4-80g a30 a40 a10 a10g h100-sxm5-80g h100-pcie-80g h100-nvl-94g h800-sxm5-80g h200-sxm5-141g h20 gh200-120g
    b200 b300 gb200 gb300 gb10 l4 l20 l40s rtx-2080-ti rtx-3090 rtx-4090 rtx-5090 rtx-a6000 rtx-6000d rtx-pro-6000 mi300x`,
  cpus: 'intel-bdw intel-skl intel-icx intel-spr intel-emr amd-rome amd-milan amd-genoa amd-turin power9 grace',
  pcie: 'gen3 gen4 gen5 gen6',
};
const words = (text: string): string[] => text.split(/\s+/).filter((w) => w !== '');

describe('the catalogue', () => {
  it('has every part a description may name', () => {
    expect(words(promised.gpus).filter((id) => !gpus.has(id))).toEqual([]);
    expect(words(promised.cpus).filter((id) => !cpus.has(id))).toEqual([]);
    expect([...pcieGenerations.keys()]).toEqual(words(promised.pcie));
  });

  it('gives a unit and a source with every number', () => {
    const all = {
      gpus: Object.fromEntries(gpus),
      cpus: Object.fromEntries(cpus),
      pcie: Object.fromEntries(pcieGenerations),
      nics: Object.fromEntries(nics),
      nvlinkGenerations,
      nvswitches,
      switches: Object.fromEntries(pcieSwitches),
      socketMemory: Object.fromEntries(socketMemory),
      systems: Object.fromEntries(systems),
      training,
    };
    expect(checkCatalogue(all, 'catalogue', countedKeys)).toEqual([]);
  });

  it('names a source for every id and system', () => {
    for (const part of gpus.values()) expect(isSource(part.idSource), part.id).toBe(true);
    for (const part of nics.values()) expect(isSource(part.idSource), part.id).toBe(true);
    for (const part of pcieSwitches.values()) expect(isSource(part.source), part.name).toBe(true);
    for (const system of systems.values()) {
      expect(system.sources.length, system.id).toBeGreaterThan(0);
      for (const source of system.sources) expect(isSource(source), `${system.id}: ${source}`).toBe(true);
    }
  });

  it('is refused when a number lacks its unit or its source', () => {
    const bad = {
      a: { value: 1, unit: '', source: 'https://example.org/x' },
      b: { value: 1, unit: 'GB', source: 'somebody said so' },
      c: 5,
      d: { value: Number.NaN, unit: 'GB', source: 'https://example.org/x' },
    };
    expect(checkCatalogue(bad, 'bad').map((f) => `${f.path} ${f.fault}`)).toEqual([
      'bad.a no unit',
      'bad.b no source',
      'bad.c bare number',
      'bad.d not finite',
    ]);
    expect(isSource('NVIDIA A100 Tensor Core GPU Architecture, p. 36')).toBe(true);
    expect(isSource('NVIDIA A100 Tensor Core GPU Architecture')).toBe(false);
  });

  it('uses only parts it has, and no name twice', () => {
    const names = new Set<string>();
    for (const system of systems.values()) {
      expect(gpus.has(system.parts.gpu), system.id).toBe(true);
      expect(cpus.has(system.parts.cpu), system.id).toBe(true);
      if (system.parts.nicPart !== undefined) expect(nics.has(system.parts.nicPart), system.id).toBe(true);
      for (const name of [system.id, ...system.aliases]) {
        expect(names.has(name), name).toBe(false);
        names.add(name);
        expect(name).toBe(name.toLowerCase());
      }
    }
    const devices = [...gpus.values()].flatMap((g) => g.deviceIds.map((id) => `${g.pciVendor}:${id}`));
    expect(new Set(devices).size).toBe(devices.length);
  });

  it('finds a part by what tools print', () => {
    expect(gpuByProduct('NVIDIA H100 80GB HBM3')?.id).toBe('h100-sxm5-80g');
    expect(gpuByProduct('Tesla V100-SXM2-16GB')?.id).toBe('v100-sxm2-16g');
    expect(gpuByProduct('A100-SXM4-40GB')?.id).toBe('a100-sxm4-40g');
    expect(gpuByProduct('GeForce RTX 3090')?.id).toBe('rtx-3090');
    expect(gpuByProduct('NVIDIA H100')).toBeUndefined();
    expect(gpuByDeviceId('0x10DE', '0x2330')?.id).toBe('h100-sxm5-80g');
    expect(nicByDeviceId('0x15b3', '0x1021')?.id).toBe('connectx-7');
  });

  it('finds a system by id, by nickname, and the nearest one to a slip', () => {
    expect(findSystem('dgx-a100-40g')?.parts.gpu).toBe('a100-sxm4-40g');
    expect(findSystem('P4D.24xlarge')?.id).toBe('aws-p4d');
    expect(nearestSystem('dgx-a10-40g')).toBe('dgx-a100-40g');
    expect(nearestSystem('my-laptop')).toBeUndefined();
  });

  it('agrees with itself: link counts times link rates are what data sheets add up', () => {
    const total = (id: string): number => {
      const link = gpus.get(id)!.nvlink!;
      return link.links.value * link.perLink.value * 2;
    };
    expect(total('v100-sxm2-16g')).toBe(300);
    expect(total('a100-sxm4-40g')).toBe(600);
    expect(total('h100-sxm5-80g')).toBe(900);
    expect(total('h800-sxm5-80g')).toBe(400);
    expect(total('b200')).toBe(1800);
    expect(total('a40')).toBe(112.5);
    for (const { generation, perLink } of nvlinkGenerations) {
      for (const part of gpus.values()) {
        if (part.nvlink?.generation?.value !== generation.value || part.architecture === 'Ampere') continue;
        expect(part.nvlink.perLink.value, part.id).toBe(perLink.value);
      }
    }
  });

  it('reckons with PCIe as the standard does', () => {
    expect(pcieBytesPerSecond('gen3', 16) / 1e9).toBeCloseTo(15.75, 2);
    expect(pcieBytesPerSecond('gen5', 16) / 1e9).toBeCloseTo(63.02, 2);
    expect(gigatransfers('32.0 GT/s PCIe')).toBe(32);
    expect(gigatransfers('16 GT/s')).toBe(16);
    expect(gigatransfers('')).toBeUndefined();
    expect(gigatransfers(undefined)).toBeUndefined();
    expect(socketBytesPerSecond(cpus.get('intel-skl')!)! / 1e9).toBeCloseTo(62.4);
    expect(socketBytesPerSecond(cpus.get('amd-rome')!)! / 1e9).toBeCloseTo(108);
    expect(socketBytesPerSecond(cpus.get('grace')!)).toBeUndefined();
    expect(usualNic(200, 4).id).toBe('connectx-6');
    expect(usualNic(200, 5).id).toBe('connectx-7');
    expect(usualNic(100, 5, 'efa').id).toBe('efa-v2');
  });
});
