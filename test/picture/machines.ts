import type { Cpu, Gpu, Host, NicPort, PciDevice } from '../../src/machine/host.ts';
import type { Machine } from '../../src/machine/machine.ts';

export const machineOf = (hosts: readonly Host[], rest: Partial<Machine> = {}): Machine => ({
  hosts,
  nodes: hosts.length,
  fabric: {},
  software: { env: new Map() },
  conflicts: [],
  notes: [],
  ...rest,
});

let bus = 0;
export const pci = (role: PciDevice['role'], rest: Partial<PciDevice> = {}): PciDevice => ({
  role,
  busId: `0000:${(bus++ % 256).toString(16).padStart(2, '0')}:00.0`,
  link: { speed: '32.0 GT/s PCIe', width: 16 },
  children: [],
  at: [],
  ...rest,
});
export const gpu = (dev: number, rest: Partial<Gpu> = {}, device: Partial<PciDevice> = {}): PciDevice =>
  pci('gpu', { gpus: [{ dev, sm: 90, nvlinks: [], at: [], ...rest }], ...device });
export const nic = (dev: number, rest: Partial<NicPort> = {}, device: Partial<PciDevice> = {}): PciDevice =>
  pci('nic', { ports: [{ dev, speedMbps: 400_000, at: [], ...rest }], ...device });
export const sw = (...children: PciDevice[]): PciDevice => pci('switch', { children });
export const cpu = (numa: number, devices: readonly PciDevice[], rest: Partial<Cpu> = {}): Cpu => ({
  numa,
  vendor: 'Intel',
  devices,
  at: [],
  ...rest,
});
export const host = (cpus: readonly Cpu[], rest: Partial<Host> = {}): Host => ({ names: [], cpus, ...rest });
