import { describe, expect, it } from 'vitest';
import { speedsFor } from '../../src/predict/collective/catalogued.ts';
import { clockedTimes } from '../../src/predict/collective/clocked.ts';
import { type CollectiveGround, groundOf } from '../../src/predict/collective/ground.ts';
import { OnEngine } from '../../src/predict/collective/on-engine.ts';
import { Predictor, type TestName } from '../../src/predict/collective/predict.ts';
import { assuming } from '../support/assuming.ts';
import { described, system } from '../support/machines.ts';

function groundFor(id: string, nodes: number, gdr: boolean): CollectiveGround {
  const ground = groundOf(assuming(system(id, nodes), [{ fact: 'gdr', on: gdr }]), {});
  if (!ground.ok) throw new Error(id);
  return ground.value;
}

/** How far the engine's time is from the closed form's. */
const apart = (id: string, nodes: number, gdr: boolean, name: TestName, bytes: number): number =>
  apartOn(groundFor(id, nodes, gdr), name, bytes);

function apartOn(ground: CollectiveGround, name: TestName, bytes: number): number {
  const predictor = new Predictor(ground, speedsFor(ground), name, 'float');
  const [time] = clockedTimes(predictor, 'float', [bytes])!;
  return Math.abs(Math.log(time! / predictor.at(bytes).timeUs));
}

type Case = readonly [string, number, boolean, TestName, number, number];

function agree(cases: readonly Case[]): void {
  for (const [id, nodes, gdr, name, bytes, within] of cases) {
    expect(apart(id, nodes, gdr, name, bytes), `${id} × ${nodes} ${gdr} ${name} ${bytes}`).toBeLessThan(within);
  }
}

describe('one mechanism after the other: the closed form has what the engine finds', () => {
  it('rings: a chunk that is not sent round all of the ring still meets every slow hop', () => {
    agree([
      ['gcp-a3-mega', 2, true, 'all_gather', 1024, 0.01],
      ['dgx-1v', 2, false, 'all_gather', 2 ** 20, 0.03],
      ['dgx-a100-80g', 4, false, 'all_gather', 2 ** 24, 0.03],
    ]);
  });

  it('rings: who reads from a NIC holds its slots until it has passed on what it read', () => {
    agree([
      ['hgx-h100', 4, true, 'all_gather', 2 ** 28, 0.01],
      ['hgx-b300', 2, true, 'reduce_scatter', 2 ** 28, 0.01],
      ['hgx-h100', 2, true, 'all_gather', 2 ** 27, 0.01],
    ]);
  });

  it('rings: the engine tells slices of unequal size one by one', () => {
    agree([
      ['hgx-h100', 3, false, 'all_gather', 13 * 2 ** 20, 0.001],
      ['hgx-h100', 3, false, 'all_gather', 2 ** 24, 0.001],
      ['hgx-b200', 3, false, 'reduce_scatter', 20 * 2 ** 20, 0.001],
    ]);
  });

  it('rings: what ranks send at once queues up before the first slow hop', () => {
    agree([
      ['aws-p4d', 4, false, 'all_gather', 2 ** 20, 0.02],
      ['aws-p4d', 4, false, 'all_reduce', 2 ** 20, 0.02],
      ['aws-p5', 2, false, 'all_gather', 2 ** 20, 0.02],
      ['dgx-1v', 2, true, 'reduce_scatter', 2 ** 20, 0.02],
      ['gcp-a3-high', 2, true, 'all_gather', 2 ** 24, 0.02],
    ]);
  });

  it('rings: ranks with hops of several kinds fall out of step, and meet less on wires that they share', () => {
    agree([
      ['pcie-rtx-3090-8', 2, false, 'all_reduce', 2 ** 20, 0.05],
      ['pcie-rtx-3090-8', 2, true, 'all_reduce', 2 ** 20, 0.07],
      ['pcie-rtx-3090-8', 4, false, 'all_gather', 2 ** 16, 0.03],
      ['pcie-rtx-6000d-8', 1, false, 'all_reduce', 2 ** 20, 0.08],
      ['pcie-rtx-6000d-8', 4, false, 'all_gather', 2 ** 24, 0.05],
      ['hgx-h100', 4, false, 'all_gather', 2 ** 24, 0.02],
    ]);
  });

  it('rings of two wait for each loop by itself; PAT for each message', () => {
    agree([
      ['gh200', 2, true, 'all_gather', 2 ** 28, 0.001],
      ['gh200', 2, false, 'reduce_scatter', 2 ** 28, 0.001],
      ['gh200', 4, false, 'all_gather', 2 ** 20, 0.001],
    ]);
  });

  it('chains: few pieces have the wires to themselves that many share', () => {
    agree([
      ['gh200', 4, false, 'broadcast', 2 ** 16, 0.03],
      ['hgx-h100', 2, false, 'broadcast', 2 ** 20, 0.05],
      ['hgx-h100', 2, false, 'broadcast', 2 ** 24, 0.03],
      ['hgx-h100', 4, false, 'broadcast', 2 ** 24, 0.04],
    ]);
  });

  it('chains: where they come to a wire again, the first piece meets what came before, and both ends have it alone for a while', () => {
    agree([
      ['pcie-rtx-4090-8', 1, true, 'broadcast', 2 ** 16, 0.07],
      ['pcie-rtx-4090-8', 1, true, 'broadcast', 2 ** 20, 0.01],
      ['dgx-a100-80g', 2, false, 'broadcast', 2 ** 24, 0.01],
      ['dgx-a100-80g', 2, false, 'broadcast', 2 ** 25, 0.02],
      ['pcie-rtx-3090-8', 4, false, 'broadcast', 2 ** 20, 0.04],
      ['gh200', 4, false, 'broadcast', 2 ** 22, 0.03],
    ]);
  });

  it('chains: the channel that crosses the network once more than others is the last', () => {
    agree([
      ['gcp-a3-high', 2, true, 'broadcast', 2 ** 16, 0.02],
      ['aws-p4d', 4, true, 'broadcast', 2 ** 16, 0.02],
    ]);
  });

  it('trees: what is on its way up on one level meets nothing of the others, and little comes back before all is up', () => {
    agree([
      ['aws-p3dn', 2, true, 'all_reduce', 2 ** 20, 0.02],
      ['dgx-1v', 2, false, 'all_reduce', 2 ** 20, 0.03],
      ['dgx-a100-80g', 4, false, 'all_reduce', 2 ** 24, 0.05],
      ['hgx-h100', 2, false, 'all_reduce', 2 ** 24, 0.04],
    ]);
  });

  it('trees: chunks on their way up and down again share each wire with those that their node has there', () => {
    agree([
      ['dgx-2', 3, false, 'all_reduce', 2 ** 24, 0.001],
      ['azure-ndv2', 5, true, 'all_reduce', 2 ** 22, 0.03],
      ['aws-p4d', 5, true, 'all_reduce', 2 ** 22, 0.02],
      ['dgx-a100-80g', 8, false, 'all_reduce', 2 ** 24, 0.01],
      ['dgx-a100-80g', 8, false, 'all_reduce', 2 ** 26, 0.03],
      ['gcp-a3-mega', 8, false, 'all_reduce', 2 ** 24, 0.02],
      ['gh200', 8, true, 'all_reduce', 2 ** 20, 0.04],
    ]);
  });

  it('trees: who hands down to another node writes to the next GPU of its own in the same step', () => {
    agree([
      ['dgx-a100-80g', 2, true, 'all_reduce', 2 ** 13, 0.001],
      ['dgx-a100-80g', 3, true, 'all_reduce', 2 ** 16, 0.001],
      ['dgx-a100-80g', 5, true, 'all_reduce', 2 ** 20, 0.001],
      ['dgx-a100-80g', 16, true, 'all_reduce', 2 ** 17, 0.005],
      ['dgx-a100-80g', 16, true, 'all_reduce', 2 ** 24, 0.005],
    ]);
  });

  it('trees: nodes that are parts of one host hand chunks on over its NICs as hosts do', () => {
    const env = new Map([
      ['NCCL_P2P_DISABLE', '1'],
      ['NCCL_SHM_DISABLE', '1'],
      ['NCCL_ALGO', 'Tree'],
    ]);
    for (const id of ['hgx-h100', 'dgx-a100-80g']) {
      for (const proto of ['LL128', 'Simple']) {
        const ground = groundOf(system(id, 1), { env: new Map([...env, ['NCCL_PROTO', proto]]) });
        if (!ground.ok) throw new Error(id);
        expect(ground.value.nodes).toBe(8);
        for (const bytes of [3 * 2 ** 20, 2 ** 24]) {
          expect(apartOn(ground.value, 'all_reduce', bytes), `${id} ${proto} ${bytes}`).toBeLessThan(0.02);
        }
      }
    }
  });

  it('little is divided over fewer channels, equally much for each', () => {
    agree([
      ['hgx-h100', 2, true, 'broadcast', 2 ** 15, 0.03],
      ['dgx-a100-80g', 4, true, 'all_gather', 354_176, 0.03],
      ['dgx-a100-80g', 4, true, 'all_gather', 460_416, 0.03],
      ['dgx-a100-80g', 3, true, 'all_reduce', 2 ** 17, 0.001],
    ]);
  });

  it('trees: no wire carries more than it can, however few hops of a way cross it', async () => {
    const node =
      'node: {gpu: a40, gpus: 4, link: pcie, nic: 25Gb/s, nics: 2, cpu: amd-milan, sockets: 1, pcie: gen4, gpusPerSwitch: 2}';
    const ground = groundOf(await described(`${node}\nnodes: 2\nnetwork: {rate: 25Gb/s}\nsoftware: {gdr: true}\n`), {});
    if (!ground.ok) throw new Error(ground.error.reason.code);
    const predictor = new Predictor(ground.value, speedsFor(ground.value), 'all_reduce', 'float');
    const [time] = clockedTimes(predictor, 'float', [2 ** 27])!;
    expect(Math.abs(Math.log(time! / predictor.at(2 ** 27).timeUs))).toBeLessThan(0.03);
  });

  it('NVLS: a little for all heads is more for some of them', () => {
    agree([
      ['hgx-b200', 2, false, 'all_reduce', 2 ** 20, 0.03],
      ['hgx-b200', 4, false, 'all_reduce', 2 ** 20, 0.06],
    ]);
  });

  it('NVLS: what ranks send runs ahead of what heads send, and leaves them an equal share of the wire', () => {
    agree([
      ['hgx-h100', 1, true, 'all_reduce', 12 * 2 ** 20, 0.001],
      ['hgx-h100', 1, true, 'all_reduce', 14 * 2 ** 20, 0.001],
      ['hgx-h100', 1, true, 'all_reduce', 2 ** 25, 0.001],
      ['hgx-b200', 1, true, 'all_reduce', 24 * 2 ** 20, 0.001],
      ['hgx-b200', 1, true, 'all_reduce', 20 * 2 ** 20, 0.02],
      ['hgx-h100', 2, true, 'all_reduce', 2 ** 25, 0.001],
      ['hgx-h100', 2, true, 'all_reduce', 96 * 2 ** 20, 0.001],
      ['hgx-h100', 2, false, 'all_reduce', 12 * 2 ** 20, 0.001],
    ]);
  });

  it('NVLS: a chunk set to less than a grain is no more than that, and waits for slots of its buffer', () => {
    const cases = [
      ['hgx-h100', 1, 'NVLS', '2048', 2 ** 24],
      ['hgx-h100', 2, 'NVLSTree', '2048', 2 ** 24],
      ['hgx-h100', 2, 'NVLSTree', '1', 3 * 2 ** 20],
      ['hgx-h100', 4, 'NVLSTree', '4096', 3 * 2 ** 20],
    ] as const;
    for (const [id, nodes, algorithm, chunk, bytes] of cases) {
      const env = new Map([
        ['NCCL_ALGO', algorithm],
        ['NCCL_NVLS_CHUNKSIZE', chunk],
      ]);
      const ground = groundOf(system(id, nodes), { env });
      if (!ground.ok) throw new Error(id);
      expect(apartOn(ground.value, 'all_reduce', bytes), `${id} × ${nodes} ${chunk}`).toBeLessThan(0.02);
    }
  });

  it('NVLSTree: a wire that chunks cross on their way up and down again has them at once, on each hop as many as its node has there', () => {
    agree([
      ['hgx-h100', 3, false, 'all_reduce', 2 ** 25, 0.001],
      ['hgx-h100', 3, true, 'all_reduce', 2 ** 26, 0.04],
      ['hgx-h100', 4, true, 'all_reduce', 2 ** 25, 0.001],
      ['hgx-h100', 4, true, 'all_reduce', 28 * 2 ** 20, 0.001],
      ['hgx-h100', 4, false, 'all_reduce', 2 ** 24, 0.001],
      ['hgx-h100', 4, false, 'all_reduce', 2 ** 28, 0.001],
      ['hgx-h100', 5, true, 'all_reduce', 2 ** 26, 0.01],
      ['hgx-h100', 8, true, 'all_reduce', 2 ** 25, 0.001],
      ['hgx-h100', 16, true, 'all_reduce', 2 ** 28, 0.005],
    ]);
  });

  it('the engine runs GPUs once that are alike only where their distance from the network does not count', () => {
    const ground = groundFor('dgx-2', 2, true);
    const speeds = speedsFor(ground);
    const [time] = clockedTimes(new Predictor(ground, speeds, 'all_gather', 'float'), 'float', [1024])!;
    const whole = new OnEngine(ground, speeds).time('all_gather', 1024, 4, { fold: 'none' });
    if (!whole.ok) throw new Error(whole.error.code);
    expect(time! / (whole.value.time * 1e6)).toBeCloseTo(1, 6);
  });
});
