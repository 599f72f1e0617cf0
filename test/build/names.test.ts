import { describe, expect, it } from 'vitest';
import type { Cpu, Host, PciDevice } from '../../src/machine/host.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { deviceAt, findDevice, nameDevices } from '../../src/machine/names.ts';

const gpu = (dev: number, busId: string): PciDevice => ({
  role: 'gpu',
  busId,
  link: {},
  children: [],
  gpus: [{ dev, nvlinks: [{ to: 'nvswitch', count: 18, targetClass: '0x068000', at: [] }], at: [] }],
  at: [],
});
const nic = (dev: number): PciDevice => ({
  role: 'port',
  link: {},
  children: [],
  ports: [{ dev, name: 'bond0', guid: '0x1', at: [] }],
  at: [],
});
const sw = (...children: PciDevice[]): PciDevice => ({ role: 'switch', link: {}, children, at: [] });
const cpu = (numa: number, hostHash: string | undefined, ...devices: PciDevice[]): Cpu => ({
  numa,
  ...(hostHash === undefined ? {} : { hostHash }),
  devices,
  at: [],
});
const machine = (nodes: number, ...hosts: Host[]): Machine => ({
  hosts,
  nodes,
  fabric: {},
  software: { env: new Map() },
  conflicts: [],
  notes: [],
});

describe('the names of devices', () => {
  const host: Host = {
    names: [],
    cpus: [cpu(-1, undefined, sw(gpu(1, 'b'), sw(gpu(0, 'a'))), nic(0)), cpu(3, undefined, nic(0))],
  };

  it('follow the numbers of the source, and the tree for switches', () => {
    const named = nameDevices(machine(1, host));
    expect(named.map((d) => d.id)).toEqual(['cpu0', 'cpu3', 'gpu0', 'gpu1', 'nic0', 'switch0', 'switch1', 'nvswitch0']);
    for (const d of named) if (d.busId !== undefined) expect(deviceAt(host, d.path)?.busId).toBe(d.busId);
    expect(named.find((d) => d.id === 'nic0')?.twins).toEqual([[1, 0]]);
  });

  it('carry the node where there are several, also inside one fused description', () => {
    const fused: Host = { names: [], cpus: [cpu(0, '0x1', gpu(0, 'a')), cpu(0, '0x2', gpu(0, 'b'))] };
    const ids = nameDevices(machine(2, fused)).map((d) => d.id);
    expect(ids).toContain('node0/gpu0');
    expect(ids).toContain('node1/gpu0');
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('find a device of an equal node', () => {
    expect(findDevice(machine(2, host), 'node1/gpu0')?.id).toBe('node0/gpu0');
    expect(findDevice(machine(2, host), 'gpu1')?.busId).toBe('b');
    expect(findDevice(machine(2, host), 'node2/gpu0')).toBeUndefined();
  });
});
