import { describe, expect, it } from 'vitest';
import { bytes } from '../../src/base/units.ts';
import { calibration } from '../../src/catalogue/calibration.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { type DataPathModel, type MovePath, moveRow } from '../../src/move/model.ts';
import { dataPaths } from '../../src/move/move.ts';
import { type WireKind, type WireOptions, wireCost } from '../../src/wire/efficiency.ts';
import { assuming } from '../support/assuming.ts';
import { described } from '../support/machines.ts';

const cluster = (network: string, node = 'gpu: a100-pcie-40g, cpu: amd-rome, pcie: gen4'): Promise<Machine> =>
  described(
    `node: {${node}, gpus: 1, link: pcie, nic: 100Gb/s, nics: 1, sockets: 1, gpusPerSwitch: 1, nicsPerSwitch: 1}\nnodes: 2\nnetwork: {transport: ${network}, rate: 100Gb/s}\n`,
  );
function find(machine: Machine, path: MovePath): DataPathModel {
  const gdr = assuming(machine, [{ fact: 'gdr', on: true }]);
  const found = dataPaths(gdr, {}, 'node0/gpu0', 'node1/gpu0');
  const m = found.ok ? found.value.find((x) => x.path === path) : undefined;
  if (!m) throw new Error(`no ${path}`);
  return m;
}
/** Gb/s of payload that the wire of a path carries. */
const wireOf = (m: DataPathModel): number => (m.stages.find((s) => s.name.code === 'move.stage.wire')!.rate * 8) / 1e9;

describe('a wire of 100 Gb/s', () => {
  it.each([
    // [network, path, its packets, and the payload that these headers leave]
    ['roce, mtu: 1024', 'gpudirect-rdma', 'roce-v2', { mtu: bytes(1024) }, 92.6],
    ['roce, mtu: 4096', 'host-staged-rdma', 'roce-v2', { mtu: bytes(4096) }, 98.0],
    ['infiniband, mtu: 4096', 'gpudirect-rdma', 'infiniband', { mtu: bytes(4096) }, 99.4],
    ['iwarp, mtu: 1500', 'gpudirect-rdma', 'iwarp', { mtu: bytes(1500) }, 92.7],
    ['iwarp, mtu: 9000', 'host-staged-rdma', 'iwarp', { mtu: bytes(9000) }, 98.7],
    ['tcp', 'tcp', 'tcp', { mtu: bytes(1500) }, 94.1],
    ['tcp, mtu: 9000', 'tcp', 'tcp', { mtu: bytes(9000) }, 99.0],
    ['infiniband', 'ipoib-datagram', 'ipoib-datagram', { mtu: bytes(2044) }, 95.3],
    ['infiniband', 'ipoib-connected', 'ipoib-connected', { mtu: bytes(65520), ibMtu: bytes(4096) }, 99.2],
  ] as const satisfies readonly (readonly [string, MovePath, WireKind, WireOptions, number])[])(
    '%s, %s: carries what is left of it when its headers are paid',
    async (network, path, kind, options, published) => {
      const got = wireOf(find(await cluster(network), path));
      expect(got).toBeCloseTo(100 * wireCost(kind, bytes(1 << 20), { ...options, operation: 'write' }).efficiency, 6);
      expect(Math.abs(got - published)).toBeLessThan(0.6);
    },
  );
});

describe('the kernel', () => {
  it('costs a core for each packet and each byte: large packets carry more, and never more than bytes alone allow', async () => {
    const rate = async (network: string): Promise<number> => {
      const m = find(await cluster(network), 'tcp');
      return moveRow(m, 2 ** 26, { depth: 4, threads: 1, both: false }).bandwidthGBps;
    };
    const [usual, jumbo] = [await rate('tcp'), await rate('tcp, mtu: 9000')];
    expect(jumbo).toBeGreaterThan(1.3 * usual);
    const { kernelByte, kernelPacket } = calibration;
    expect(jumbo).toBeLessThan(kernelByte.value);
    // A core's second is shared between bytes and packets.
    expect(usual).toBeCloseTo(1 / (1 / kernelByte.value + (kernelPacket.value * 1e3) / 1500), 1);
  });
});

describe('a queue pair', () => {
  it('starts so many messages a second: small ones fill no wire', async () => {
    const m = find(await cluster('infiniband'), 'gpudirect-rdma');
    const rate = (n: number): number => moveRow(m, n, { depth: 4096, threads: 1, both: false }).bandwidthGBps * 1e9;
    // 2.85 M/s published for a virtual function over HDR, 7.0 M/s for another adapter over 100 Gb/s.
    for (const n of [8, 64, 512]) expect(rate(n) / n / calibration.messageRate.value).toBeCloseTo(1, 1);
    expect(rate(2 ** 16)).toBeGreaterThan(0.98 * wireOf(m) * 1.25e8);
  });
});

describe('the head of a message', () => {
  it('passes every stage before the next can begin: a page costs each of them its time once', async () => {
    const m = find(await cluster('roce, mtu: 4096'), 'gpudirect-rdma');
    const us = (n: number): number => moveRow(m, n, { depth: 1, threads: 1, both: false }).latencyUs;
    const pages = m.stages.reduce((sum, s) => sum + 4096 / s.rate, 0) * 1e6;
    expect(us(4096) - m.timing.oneWay * 1e6).toBeCloseTo(pages, 6);
    // Beyond a page the slowest stage alone goes on.
    const slowest = Math.min(...m.stages.map((s) => s.rate));
    expect(us(1 << 20) - us(4096)).toBeCloseTo((((1 << 20) - 4096) / slowest) * 1e6, 6);
  });
});

describe('which way wins between nodes', () => {
  it.each([
    ['gpu: v100-sxm2-16g, cpu: intel-skl, pcie: gen3', 'infiniband'],
    ['gpu: a100-pcie-40g, cpu: amd-rome, pcie: gen4', 'roce'],
    ['gpu: h100-pcie-80g, cpu: intel-spr, pcie: gen5', 'roce'],
  ])('%s over %s: direct, then staged, then the kernel, small and large', async (node, network) => {
    const machine = await cluster(network, node);
    const kernel: MovePath = network === 'infiniband' ? 'ipoib-connected' : 'tcp';
    for (const size of [2 ** 16, 2 ** 22, 2 ** 26, 2 ** 30]) {
      for (const depth of [1, 16, 64]) {
        const rates = (['gpudirect-rdma', 'host-staged-rdma', kernel] as const).map(
          (p) => moveRow(find(machine, p), size, { depth, threads: 1, both: false }).bandwidthGBps,
        );
        expect(
          [...rates].sort((a, b) => b - a),
          `${size} × ${depth}`,
        ).toEqual(rates);
      }
    }
  });

  it('staged both ways brings what NCCL measured without GPUDirect RDMA over 100 Gb/s: 6 GB/s each way', async () => {
    const m = find(await cluster('infiniband', 'gpu: v100-sxm2-16g, cpu: intel-skl, pcie: gen3'), 'host-staged-rdma');
    const total = moveRow(m, 2 ** 26, { depth: 16, threads: 1, both: true }).bandwidthGBps;
    expect(total / 2).toBeGreaterThan(5);
    expect(total / 2).toBeLessThan(7.5);
  });
});
