import { describe, expect, it } from 'vitest';
import { calibration } from '../../src/catalogue/calibration.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { copiesOf, type DataPathModel, hostMemoryOf, type MovePath, moveRow } from '../../src/move/model.ts';
import { dataPaths } from '../../src/move/move.ts';
import { assuming } from '../support/assuming.ts';
import { described, system } from '../support/machines.ts';

const gdr = assuming(system('hgx-h100', 2), [{ fact: 'gdr', on: true }]);
const paths = (machine: Machine, from: string, to: string): ReadonlyMap<MovePath, DataPathModel> => {
  const found = dataPaths(machine, {}, from, to);
  if (!found.ok) throw new Error(found.error.code);
  return new Map(found.value.map((m) => [m.path, m]));
};
const us = (m: DataPathModel, bytes: number): number =>
  moveRow(m, bytes, { depth: 1, threads: 1, both: false }).latencyUs;

describe('from the network into GPU memory', () => {
  const fromClient = paths(gdr, 'client', 'node0/gpu0');
  const fromHost = paths(gdr, 'node1/host0', 'node0/gpu0');

  it('goes directly without a copy, staged with one, through the kernel with one more', () => {
    const counted = [...fromClient].map(([path, m]) => [path, copiesOf(m), hostMemoryOf(m)]);
    expect(counted).toEqual([
      ['gpudirect-rdma', 0, 0],
      ['host-staged-rdma', 1, 2],
      ['ipoib-datagram', 2, 4],
      ['ipoib-connected', 2, 4],
    ]);
  });

  it('from memory of another node that sends through its kernel: one more copy, and its own host memory', () => {
    expect(copiesOf(fromHost.get('ipoib-connected')!)).toBe(3);
    expect(hostMemoryOf(fromHost.get('ipoib-connected')!)).toBe(7);
    expect(hostMemoryOf(fromHost.get('host-staged-rdma')!)).toBe(3);
    // The far NIC reads host memory; into the GPU no host memory is touched.
    expect(fromHost.get('gpudirect-rdma')!.stages.map((s) => s.hostMemory)).toEqual([1, 0, 0]);
  });

  it('a small message saves the launch of one copy, and the kernel costs most', () => {
    const at = (path: MovePath): number => us(fromClient.get(path)!, 8);
    // What it saves is a little less than the launch: the NIC's way into GPU memory is longer than into the host's.
    const { copyLaunch, gpuEnd } = calibration;
    expect(at('host-staged-rdma') - at('gpudirect-rdma')).toBeCloseTo(copyLaunch.value - gpuEnd.value, 2);
    expect(at('ipoib-datagram')).toBeGreaterThan(at('host-staged-rdma'));
  });

  it('answers go back as requests came', () => {
    const back = paths(gdr, 'node0/gpu0', 'client');
    expect([...back.keys()]).toEqual([...fromClient.keys()]);
    for (const [path, m] of back) expect(copiesOf(m), path).toBe(copiesOf(fromClient.get(path)!));
  });

  it('two clients, or a drive and a client, are nothing that this machine moves', () => {
    for (const [from, to] of [
      ['client', 'client'],
      ['nvme0', 'client'],
    ] as const) {
      expect(dataPaths(gdr, {}, from, to).ok).toBe(false);
    }
  });
});

describe('whether GPU memory may be registered', () => {
  const cluster = (node: string, software = ''): Promise<Machine> =>
    described(
      `node: {${node}, gpus: 1, link: pcie, nic: 100Gb/s, nics: 1, cpu: intel-icx, sockets: 1, pcie: gen4}\nnetwork: {transport: roce, rate: 100Gb/s}\n${software}`,
    );
  const verdict = (machine: Machine): readonly [string, string] => {
    const m = paths(machine, 'client', 'gpu0').get('gpudirect-rdma')!;
    return [m.allowed, m.rule.code];
  };

  it.each([
    ['gpu: a100-pcie-40g', [], 'unknown', 'rule.gdr.not-known'],
    ['gpu: a100-pcie-40g', [{ fact: 'peermem', on: true }], 'yes', 'rule.register.yes'],
    ['gpu: a100-pcie-40g', [{ fact: 'dmabuf', on: true }], 'yes', 'rule.register.yes'],
    [
      'gpu: a100-pcie-40g',
      [
        { fact: 'peermem', on: false },
        { fact: 'dmabuf', on: false },
      ],
      'no',
      'rule.gdr.nic-cannot',
    ],
    // One of the two is enough; without a word about the other nothing is settled.
    ['gpu: a100-pcie-40g', [{ fact: 'peermem', on: false }], 'unknown', 'rule.gdr.not-known'],
    ['gpu: rtx-4090', [{ fact: 'peermem', on: true }], 'no', 'rule.gdr.gpu-cannot'],
  ] as const)('%s, %o: %s, for %s', async (gpu, facts, answer, rule) => {
    const machine = await cluster(gpu);
    const open: Machine = {
      ...machine,
      hosts: machine.hosts.map((h) => ({
        ...h,
        cpus: h.cpus.map((c) => ({
          ...c,
          devices: c.devices.map(function bare(d): typeof d {
            return {
              ...d,
              children: d.children.map(bare),
              ...(d.ports ? { ports: d.ports.map(({ gdr: _, ...port }) => port) } : {}),
            };
          }),
        })),
      })),
    };
    expect(verdict(assuming(open, facts))).toEqual([answer, rule]);
  });

  it('needs a network with RDMA: TCP ends in the kernel', async () => {
    const machine = await described('node: hgx-h100\nnetwork: {transport: tcp, rate: 100Gb/s}\n');
    expect([...paths(machine, 'client', 'gpu0').keys()]).toEqual(['tcp']);
  });
});
