import { describe, expect, it } from 'vitest';
import { speedsFor } from '../../src/predict/collective/catalogued.ts';
import { groundOf } from '../../src/predict/collective/ground.ts';
import { Predictor } from '../../src/predict/collective/predict.ts';
import { described } from '../support/machines.ts';

/** Two GPUs and two NICs on two sockets, over TCP. */
async function rate(gbps: number): Promise<number> {
  const node = `{gpu: v100-sxm2-32g, gpus: 2, link: pcie, nic: ${gbps}Gb/s, nics: 2, cpu: intel-skl, sockets: 2, pcie: gen3, gpusPerSwitch: 0}`;
  const ground = groundOf(
    await described(`node: ${node}\nnodes: 3\nnetwork: {transport: tcp, rate: ${gbps}Gb/s}\n`),
    {},
  );
  if (!ground.ok) throw new Error(ground.error.reason.code);
  const p = new Predictor(ground.value, speedsFor(ground.value), 'all_gather', 'float');
  return 2 ** 28 / p.at(2 ** 28).timeUs / 1000;
}

describe('sockets', () => {
  it('know the memory of the host alone: what holds a NIC that reads a GPU, or writes to one across sockets, does not hold them', async () => {
    // Of the faster NICs NCCL takes one, to which the other GPU comes from the other socket: no slower than two at half the rate.
    expect(await rate(100)).toBeGreaterThan(0.99 * (await rate(50)));
  });
});
