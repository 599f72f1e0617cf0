import { describe, expect, it } from 'vitest';
import { answerMove } from '../../src/answer/move.ts';
import { described } from '../support/machines.ts';

async function rate(yaml: string, both = false): Promise<number> {
  const ask = { sizes: [2 ** 29], depth: 8, threads: 1, both, path: 'nvlink-c2c' } as const;
  const answer = answerMove(await described(yaml), {}, 'host0', 'gpu0', ask);
  if (!answer.ok) throw new Error(answer.error.code);
  return answer.value.paths[0]!.rows[0]!.bandwidthGBps;
}

describe('C2C', () => {
  const one = 'node: {gpu: gb300, gpus: 1, link: pcie, cpu: grace, sockets: 1, gpusPerSwitch: 0}\n';
  const two =
    'node: {gpu: gb200, gpus: 4, link: nvswitch, cpu: grace, sockets: 2, gpusPerSwitch: 0}\nnvlinkDomain: 72\n';

  it('a GPU that has a Grace to itself is bound by its memory, so both ways move what one moves', async () => {
    const alone = await rate(one);
    expect(alone).toBeGreaterThan(340);
    expect(await rate(one, true)).toBeCloseTo(alone, -1);
  });

  it('two share its links: each has half of them one way, and nearly as much again both ways', async () => {
    const half = await rate(two);
    expect(half).toBeGreaterThan(190);
    expect(half).toBeLessThan(212);
    expect(await rate(two, true)).toBeGreaterThan(1.7 * half);
  });

  it('a GPU whose memory is the CPU’s copies within it: what is read is written there too', async () => {
    const spark = 'node: {gpu: gb10, gpus: 1, link: pcie, cpu: gb10, sockets: 1, gpusPerSwitch: 0}\n';
    const alone = await rate(spark);
    expect(alone).toBeGreaterThan(125);
    expect(alone).toBeLessThan(273 / 2);
  });

  it('copies take it in place of PCIe, also those on the way through host memory', async () => {
    const yaml = `node: {gpu: gh200-120g, gpus: 1, link: pcie, nic: 400Gb/s, nics: 1, cpu: grace, sockets: 1, pcie: gen5, gpusPerSwitch: 0, nicsPerSwitch: 0}
nodes: 2
network: {transport: infiniband, rate: 400Gb/s}
software: {gdr: true}
`;
    const machine = await described(yaml);
    const path = (from: string, to: string, name: string) => {
      const answer = answerMove(machine, {}, from, to, { sizes: [2 ** 30], depth: 8, threads: 1, both: false });
      if (!answer.ok) throw new Error(answer.error.code);
      return answer.value.paths.find((p) => p.model.path === name)!;
    };
    expect(path('node0/gpu0', 'node0/host0', 'memcpy-pinned').model.allowed).toBe('no');
    expect(path('node0/gpu0', 'node0/host0', 'nvlink-c2c').model.allowed).toBe('yes');
    const [staged, direct] = ['host-staged-rdma', 'gpudirect-rdma'].map(
      (name) => path('node0/gpu0', 'node1/gpu0', name).rows[0]!.bandwidthGBps,
    );
    expect(staged! / direct!).toBeGreaterThan(0.9);
  });
});
