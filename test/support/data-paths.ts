import { assemble } from '../../src/assemble/assemble.ts';
import { systems } from '../../src/catalogue/systems.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { nameDevices } from '../../src/machine/names.ts';
import type { RunEnds } from '../../src/move/bytes/place.ts';
import type { DataPathModel } from '../../src/move/model.ts';
import { dataPaths } from '../../src/move/move.ts';
import { readClusterYaml } from '../../src/read/cluster-yaml.ts';
import { assuming } from './assuming.ts';
import { system } from './machines.ts';

const ends = (from: string, to: string): RunEnds => ({
  from: from.includes('gpu')
    ? 'gpu'
    : from.includes('host')
      ? 'host'
      : from === 'client'
        ? 'client'
        : from.includes('capture')
          ? 'capture'
          : 'drive',
  to: to.includes('gpu') ? 'gpu' : to === 'client' ? 'client' : to.includes('host') ? 'host' : 'drive',
  apart: from.split('/')[0] !== to.split('/')[0],
});

async function withDrives(type = 'nvme', transport = 'roce'): Promise<Machine> {
  const text = `node: {gpu: a100-sxm4-80g, gpus: 8, link: nvswitch, nic: 200Gb/s, nics: 8, cpu: amd-rome, sockets: 2, pcie: gen4, gpusPerSwitch: 2, nicsPerSwitch: 2}\nnodes: 2\nnetwork: {transport: ${transport}, rate: 200Gb/s}\nstorage: {type: ${type}, count: 2, perDeviceGBps: 6.8, placement: same-switch, gds: true}\n`;
  const read = await readClusterYaml(text, 'c.yaml');
  if (!read.ok) throw new Error('description');
  return assemble([read.value]);
}

export interface KnownPath {
  readonly m: DataPathModel;
  readonly e: RunEnds;
}

/** Every data path of every machine between every kind of ends. */
export async function everyPath(): Promise<KnownPath[]> {
  const found: KnownPath[] = [];
  const machines = [...systems.keys()].map((id) => assuming(system(id, 2), [{ fact: 'gdr', on: true }]));
  const tcp = { ...machines[0]!, fabric: { transport: { value: 'tcp' as const, at: [] } } };
  for (const machine of [
    ...machines,
    tcp,
    ...(await Promise.all([
      withDrives(),
      withDrives('nvmeof'),
      withDrives('nfs-rdma'),
      withDrives('nfs'),
      withDrives('nvmeof', 'tcp'),
      withDrives('nvme', 'efa'),
      withDrives('nvme', 'tcpx'),
      withDrives('nvme', 'tcpxo'),
    ])),
  ]) {
    const gpus = nameDevices(machine)
      .filter((d) => d.kind === 'gpu' && d.node === 0)
      .map((d) => `node0/${d.local}`);
    const pairs = [
      ...gpus.slice(1).map((g) => [gpus[0]!, g] as const),
      [gpus[0]!, 'node1/gpu0'] as const,
      ['node0/host0', gpus[0]!] as const,
      [gpus[0]!, 'node0/host0'] as const,
      ['node0/host0', 'node1/host0'] as const,
      ['node1/host0', gpus[0]!] as const,
      [gpus[0]!, 'node1/host0'] as const,
      ['client', gpus[0]!] as const,
      [gpus[0]!, 'client'] as const,
      ['client', 'node0/host0'] as const,
      ['node0/storage', gpus[0]!] as const,
      [gpus[0]!, 'node0/storage'] as const,
      ['node0/storage', gpus.at(-1)!] as const,
      [gpus.at(-1)!, 'node0/storage'] as const,
      ['node0/capture0', gpus[0]!] as const,
    ];
    for (const [from, to] of pairs) {
      const models = dataPaths(machine, {}, from, to);
      for (const m of models.ok ? models.value : []) found.push({ m, e: ends(from, to) });
    }
  }
  return found;
}

/** One of each sequence of stages between kinds of ends. */
export function unlike(paths: readonly KnownPath[]): KnownPath[] {
  const key = ({ m, e }: KnownPath): string =>
    `${m.path} ${m.stages.map((s) => s.name.code).join()} ${JSON.stringify(e)}`;
  return [...new Map(paths.map((p) => [key(p), p])).values()];
}
