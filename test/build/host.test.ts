import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildHost } from '../../src/assemble/build/host.ts';
import { buildMachine, systemMachine } from '../../src/assemble/build/machine.ts';
import { hybridCubeMesh } from '../../src/catalogue/cube-mesh.ts';
import { gpus } from '../../src/catalogue/gpus.ts';
import { systems } from '../../src/catalogue/systems.ts';
import type { Gpu, Host, NicPort, PciDevice } from '../../src/machine/host.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { nameDevices } from '../../src/machine/names.ts';
import { readClusterYaml } from '../../src/read/cluster-yaml.ts';
import { anyParts, anyTransport, toYaml } from './arbitrary.ts';

const flat = (host: Host): PciDevice[] => {
  const all: PciDevice[] = [];
  const walk = (device: PciDevice, depth: number): void => {
    expect(depth).toBeLessThan(5);
    all.push(device);
    for (const child of device.children) walk(child, depth + 1);
  };
  for (const cpu of host.cpus) for (const device of cpu.devices) walk(device, 0);
  return all;
};
const gpusOf = (host: Host): Gpu[] => flat(host).flatMap((d) => d.gpus ?? []);
const portsOf = (host: Host): NicPort[] => flat(host).flatMap((d) => d.ports ?? []);
const build = async (yaml: string): Promise<Machine> => {
  const read = await readClusterYaml(yaml, 'c.yaml');
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return buildMachine(read.value.cluster);
};

function checkHost(host: Host): void {
  const devices = flat(host);
  const ids = devices.map((d) => d.busId!);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { busId, role } of devices) {
    expect(busId).toMatch(role === 'nic' ? /^[0-9a-f]{4}:[0-9a-f]{2}:00\.[01]$/ : /^[0-9a-f]{4}:[0-9a-f]{2}:00\.0$/);
    // The second port of a card stands beside its first.
    if (busId!.endsWith('.1')) expect(ids).toContain(busId!.replace(/1$/, '0'));
  }
  // NVLinks are symmetric and lead to GPUs that are there.
  const byBus = new Map(devices.filter((d) => d.role === 'gpu').map((d) => [d.busId!, d]));
  for (const [bus, device] of byBus) {
    for (const link of device.gpus![0]!.nvlinks) {
      if (link.to !== 'gpu') continue;
      const back = byBus.get(link.target!)!.gpus![0]!.nvlinks.find((l) => l.target === bus);
      expect(back?.count).toBe(link.count);
      expect(link.target).not.toBe(bus);
    }
    const total = device.gpus![0]!.nvlinks.reduce((sum, l) => sum + l.count, 0);
    expect(total).toBeLessThanOrEqual(gpus.get(device.gpus![0]!.part!)!.nvlink?.links.value ?? 0);
  }
  const ports = portsOf(host);
  expect(new Set(ports.map((p) => p.guid)).size).toBe(ports.length);
  // NVML numbers GPUs by bus: GPU order and bus order agree.
  const order = [...byBus.values()].sort((a, b) => (a.busId! < b.busId! ? -1 : 1)).map((d) => d.gpus![0]!.dev);
  expect(order).toEqual([...order].sort((a, b) => a - b));
}

describe('a host built from a description', () => {
  it('puts no PCIe switch between a GPU and a NIC of a Grace board that names none', async () => {
    for (const gpu of ['gpu: gh200-120g, gpus: 1, nics: 1, sockets: 1', 'gpu: gb200, gpus: 4, nics: 4, sockets: 2']) {
      const [host] = (await build(`node: {${gpu}, nic: 400Gb/s, cpu: grace}`)).hosts;
      expect(new Set(flat(host!).map((d) => d.role))).toEqual(new Set(['gpu', 'nic']));
      expect(gpusOf(host!).every((g) => g.c2c !== undefined)).toBe(true);
    }
  });

  it('has what any valid description asks for, uniquely named, its NVLinks symmetric', async () => {
    await fc.assert(
      fc.asyncProperty(anyParts, anyTransport, async (parts, transport) => {
        const { host } = buildHost(parts, { where: () => [], ...(transport ? { transport } : {}) });
        checkHost(host);
        expect(
          gpusOf(host)
            .map((g) => g.dev)
            .sort((a, b) => a - b),
        ).toEqual(Array.from({ length: parts.gpus }, (_, i) => i));
        expect(
          portsOf(host)
            .map((p) => p.dev)
            .sort((a, b) => a - b),
        ).toEqual(Array.from({ length: parts.nics }, (_, i) => i));
        expect(new Set(host.cpus.map((c) => c.socket)).size).toBe(parts.sockets);
        const read = await build(toYaml(parts));
        expect(gpusOf(read.hosts[0]!).length).toBe(parts.gpus);
      }),
      { numRuns: 300 },
    );
  });

  it('deals with a machine too large for one PCI domain', () => {
    const parts = {
      gpu: 'h100-sxm5-80g',
      gpus: 200,
      link: 'pcie',
      nics: 200,
      nicGbps: 400,
      cpu: 'intel-spr',
      sockets: 2,
      pcie: 'gen5',
      gpusPerSwitch: 1,
      nicsPerSwitch: 1,
    } as const;
    checkHost(buildHost(parts, { where: () => [] }).host);
  });

  it('spreads NICs that are fewer than the places for them', async () => {
    const machine = await build(
      'node: {gpu: h100-sxm5-80g, gpus: 8, link: nvswitch, nic: 400Gb/s, nics: 4, cpu: intel-spr, sockets: 2, pcie: gen5, gpusPerSwitch: 1, nicsPerSwitch: 1}',
    );
    const withNic = machine.hosts[0]!.cpus.flatMap((c) => c.devices).map(
      (s) => s.children.filter((d) => d.role === 'nic').length,
    );
    expect(withNic).toEqual([1, 0, 1, 0, 1, 0, 1, 0]);
  });

  it('puts drives where they are asked for', async () => {
    const dgx2 =
      'node: {gpu: v100-sxm3-32g, gpus: 16, link: nvswitch, cpu: intel-skl, sockets: 2, pcie: gen3, gpusPerSwitch: 4}';
    const place = async (placement: string): Promise<number[][]> => {
      const machine = await build(
        `${dgx2}\nstorage: {type: nvme, count: 2, perDeviceGBps: 3.5, placement: ${placement}}`,
      );
      return nameDevices(machine)
        .filter((d) => d.kind === 'nvme')
        .map((d) => [...d.path]);
    };
    expect(await place('same-switch')).toEqual([
      [0, 0, 4],
      [0, 0, 5],
    ]);
    expect((await place('same-socket')).map((p) => p[0])).toEqual([0, 0]);
    expect((await place('other-socket')).map((p) => p[0])).toEqual([1, 1]);
  });

  it('uses only some GPUs and the NICs next to them', async () => {
    const machine = await build(
      'node: {gpu: h100-sxm5-80g, gpus: 8, link: nvswitch, nic: 400Gb/s, nics: 8, cpu: intel-spr, sockets: 2, pcie: gen5, gpusPerSwitch: 1, nicsPerSwitch: 1}\ngpusPerNode: 4\nnicsPerNode: 2',
    );
    const host = machine.hosts[0]!;
    expect(gpusOf(host).map((g) => g.rank)).toEqual([0, 1, 2, 3, undefined, undefined, undefined, undefined]);
    expect(portsOf(host).map((p) => p.dev)).toEqual([0, 1]);
    const tops = host.cpus[0]!.devices.map((s) => s.children.some((d) => d.role === 'nic'));
    expect(tops).toEqual([true, false, true, false]);
    expect(host.cpus[1]!.devices.every((s) => s.children.every((d) => d.role === 'gpu'))).toBe(true);
  });

  it('draws DGX-1V links as real dumps do', () => {
    for (let i = 0; i < 8; i++) {
      for (let j = 0; j < 8; j++) expect(hybridCubeMesh[i]![j]).toBe(hybridCubeMesh[j]![i]);
      expect(hybridCubeMesh[i]!.reduce((a, b) => a + b, 0)).toBe(6);
    }
  });

  it('says what comes from the catalogue and what from a line', async () => {
    const machine = await build('node: dgx-a100-40g\nnodes: 2\nnetwork: {rate: 100Gb/s}\nsoftware: {p2p: false}');
    expect(machine.fabric.transport).toEqual({ value: 'infiniband', at: [], by: 'catalogue' });
    expect(machine.fabric.rateMbps).toEqual({ value: 100_000, at: [{ file: 'c.yaml', line: 3 }], by: 'input' });
    expect(portsOf(machine.hosts[0]!)[0]!.speedMbps).toBe(100_000);
    expect(machine.software.env.get('NCCL_P2P_DISABLE')).toEqual({
      value: '1',
      at: [{ file: 'c.yaml', line: 4 }],
      by: 'input',
    });
    expect(machine.software.p2pStatus).toEqual({ value: true, at: [], by: 'catalogue' });
    expect(machine.hosts[0]!.cpus.map((c) => c.numa)).toEqual([3, 1, 7, 5]);
    expect(machine.nodes).toBe(2);
    const root = machine.hosts[0]!.cpus[0]!.devices[0]!;
    expect([root.subsystemDevice, root.children[0]!.subsystemDevice]).toEqual(['0xa096', '0x13b8']);
    const geforce = await build('node: {gpu: rtx-4090, gpus: 2, cpu: amd-milan}');
    expect(geforce.software.p2pStatus?.value).toBe(false);
    expect(gpusOf(geforce.hosts[0]!)[0]!.gdr).toBe(false);
    expect(gpusOf(geforce.hosts[0]!)[0]!.at).toEqual([{ file: 'c.yaml', line: 1 }]);
  });

  it('builds every system of the catalogue', () => {
    for (const system of systems.values()) {
      const machine = systemMachine(system.id)!;
      checkHost(machine.hosts[0]!);
      expect(gpusOf(machine.hosts[0]!).length).toBe(system.parts.gpus);
      expect(portsOf(machine.hosts[0]!).length).toBe(system.parts.nics);
    }
    expect(systemMachine('no-such-thing')).toBeUndefined();
  });
});

const shared = process.env['CROWFLY_SHARED'] ?? join(import.meta.dirname, '../../../shared');
const folders = ['measured', 'measured-nvlink', 'move'].map((name) => join(shared, 'data', name));

describe.skipIf(!folders.every((folder) => existsSync(folder)))(
  'descriptions of measured machines (skipped without ../shared or $CROWFLY_SHARED)',
  () => {
    it.each(folders)('%s', async (folder) => {
      const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
      expect(files.length).toBeGreaterThan(0);
      for (const name of files) {
        const text = readFileSync(join(folder, name), 'utf8');
        const read = await readClusterYaml(text, name);
        if (!read.ok) expect.fail(`${name}: ${JSON.stringify(read.error)}`);
        const machine = buildMachine(read.value.cluster);
        checkHost(machine.hosts[0]!);
        expect(gpusOf(machine.hosts[0]!).length, name).toBeGreaterThan(0);
      }
    });
  },
);
