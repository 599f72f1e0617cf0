import { describe, expect, it } from 'vitest';
import { answerMove } from '../../src/answer/move.ts';
import type { MovePath } from '../../src/move/model.ts';
import { described } from '../support/machines.ts';

const big = 40 * 2 ** 20;

async function row(yaml: string, from: string, to: string, path: MovePath, bytes = big, both = false) {
  const answer = answerMove(await described(yaml), {}, from, to, { sizes: [bytes], depth: 8, threads: 1, both, path });
  if (!answer.ok) throw new Error(answer.error.code);
  return answer.value.paths[0]!.rows[0]!;
}
const rate = async (...ask: Parameters<typeof row>): Promise<number> => (await row(...ask)).bandwidthGBps;
const small = async (yaml: string, path: MovePath, from = 'gpu0', to = 'gpu1'): Promise<number> =>
  (await row(yaml, from, to, path, 16)).latencyUs;

const pair = (gpu: string, cpu: string, more = ''): string =>
  `node: {gpu: ${gpu}, gpus: 4, link: pcie, cpu: ${cpu}, sockets: 2, gpusPerSwitch: 0${more}}\nsoftware: {p2p: true}\n`;

describe('copies from GPU to GPU over PCIe are writes', () => {
  it('an Intel host passes more of them than of what a NIC reads, less from socket to socket', async () => {
    const near = await rate(pair('a100-pcie-40g', 'intel-skl', ', pcie: gen3'), 'gpu0', 'gpu1', 'p2p-pcie');
    const far = await rate(pair('a100-pcie-40g', 'intel-skl', ', pcie: gen3'), 'gpu0', 'gpu3', 'p2p-pcie');
    expect(near).toBeGreaterThan(9.5);
    expect(near).toBeLessThan(10.6);
    expect(far).toBeGreaterThan(7.8);
    expect(far).toBeLessThan(8.8);
  });

  it('EPYC 9004 and later pass them from socket to socket as within one, EPYC 7003 does not', async () => {
    const turin = pair('rtx-5090', 'amd-turin', ', pcie: gen5');
    expect(await rate(turin, 'gpu0', 'gpu3', 'p2p-pcie')).toBeCloseTo(await rate(turin, 'gpu0', 'gpu1', 'p2p-pcie'), 3);
    const milan = pair('a100-pcie-40g', 'amd-milan', ', pcie: gen4');
    const far = await rate(milan, 'gpu0', 'gpu3', 'p2p-pcie');
    expect(far).toBeLessThan(0.75 * (await rate(milan, 'gpu0', 'gpu1', 'p2p-pcie')));
  });

  it('a small one takes the less the newer the GPU', async () => {
    const of = (gpu: string): Promise<number> => small(pair(gpu, 'amd-genoa'), 'p2p-pcie');
    expect(await of('a100-pcie-40g')).toBeGreaterThan(await of('l40s'));
    expect(await of('l40s')).toBeGreaterThan(await of('rtx-5090'));
  });
});

describe('copies through host memory', () => {
  it('GPUs with GDDR memory hand over sooner', async () => {
    const [gddr, hbm] = [pair('l40s', 'amd-genoa', ', pcie: gen4'), pair('a100-pcie-40g', 'amd-genoa', ', pcie: gen4')];
    expect(await small(gddr, 'host-staged')).toBeLessThan(0.7 * (await small(hbm, 'host-staged')));
    expect(await rate(gddr, 'gpu0', 'gpu1', 'host-staged')).toBeGreaterThan(
      1.05 * (await rate(hbm, 'gpu0', 'gpu1', 'host-staged')),
    );
  });

  it('where the driver does one copy after the other, half of the rate is left', async () => {
    const turns = await rate(pair('rtx-3090', 'intel-skl', ', pcie: gen3'), 'gpu0', 'gpu1', 'host-staged');
    expect(turns).toBeGreaterThan(5.6);
    expect(turns).toBeLessThan(6.2);
    expect(await rate(pair('rtx-a6000', 'intel-skl', ', pcie: gen3'), 'gpu0', 'gpu1', 'host-staged')).toBeGreaterThan(
      10,
    );
  });

  it('below one switch an eighth is lost', async () => {
    const v100 =
      'node: {gpu: v100-sxm2-16g, gpus: 4, link: pcie, cpu: intel-skl, sockets: 1, pcie: gen3, gpusPerSwitch: 2}\n';
    const [below, across] = [
      await rate(v100, 'gpu0', 'gpu1', 'host-staged'),
      await rate(v100, 'gpu0', 'gpu2', 'host-staged'),
    ];
    expect(below / across).toBeGreaterThan(0.85);
    expect(below / across).toBeLessThan(0.92);
  });
});

it('links that join two GPUs take a small write longer since Ampere; through a switch nothing changes', async () => {
  const bridge =
    'node: {gpu: h100-pcie-80g, gpus: 2, link: nvlink-pairs, nvlinksPerPair: 12, cpu: intel-spr, sockets: 1, gpusPerSwitch: 0}\n';
  const v100 =
    'node: {gpu: v100-sxm2-16g, gpus: 4, link: nvlink-all-to-all, nvlinksPerPair: 2, cpu: intel-skl, sockets: 1}\n';
  const hgx = 'node: {gpu: h100-sxm5-80g, gpus: 8, link: nvswitch, cpu: intel-spr, sockets: 2}\n';
  expect(await small(bridge, 'nvlink')).toBeCloseTo(2.5, 2);
  expect(await small(v100, 'nvlink')).toBeCloseTo(1.9, 2);
  expect(await small(hgx, 'nvlink')).toBeCloseTo(2.8, 2);
});
