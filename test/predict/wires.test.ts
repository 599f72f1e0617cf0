import { describe, expect, it } from 'vitest';
import { assemble } from '../../src/assemble/assemble.ts';
import { speedsFor } from '../../src/predict/collective/catalogued.ts';
import { groundOf } from '../../src/predict/collective/ground.ts';
import { Predictor } from '../../src/predict/collective/predict.ts';
import { readClusterYaml } from '../../src/read/cluster-yaml.ts';

/** µs of 1 GiB on a machine that a few lines of YAML describe. */
async function gibibyte(yaml: string): Promise<number> {
  const read = await readClusterYaml(yaml, 'machine.yaml');
  if (!read.ok) throw new Error('no description');
  const ground = groundOf(assemble([read.value]), {});
  if (!ground.ok) throw new Error(ground.error.reason.code);
  return new Predictor(ground.value, speedsFor(ground.value), 'all_reduce', 'float').at(2 ** 30).timeUs;
}

const boards = (cpu: string, gpus = 8): string =>
  `node: {gpu: rtx-5090, gpus: ${gpus}, link: pcie, cpu: ${cpu}, sockets: 2, pcie: gen5, gpusPerSwitch: 1}\nnodes: 1\n`;

describe('what collectives take their wires for', () => {
  it('lets GPUs without P2P meet in host memory as fast as published, where its CPU does not hold them up', async () => {
    // Eight RTX 5090 on two Xeon 8480+, AllReduce: 28 GB/s (https://github.com/NVIDIA/nccl/issues/1639).
    const busbw = (us: number): number => ((2 ** 30 / us) * 1.75) / 1000;
    expect(busbw(await gibibyte(boards('intel-spr')))).toBeGreaterThan(24);
    expect(busbw(await gibibyte(boards('intel-spr')))).toBeLessThan(32);
    // EPYC 7002: 5.2 GB/s were published of four A100 without P2P.
    expect(busbw(await gibibyte(boards('amd-rome')))).toBeLessThan(6);
  });

  it('takes sockets for what they are, whether GPUDirect RDMA is denied or not spoken of', async () => {
    const over = (gdr: string): Promise<number> =>
      gibibyte(
        `node: {gpu: a100-sxm4-80g, gpus: 8, link: nvswitch, nic: 100Gb/s, nics: 4, cpu: intel-icx, sockets: 2, pcie: gen4, gpusPerSwitch: 2, nicsPerSwitch: 1}
nodes: 2
gpusPerNode: 4
network: {transport: tcp, rate: 100Gb/s}
software: {nccl: 2.21.5, gdr: ${gdr}}
`,
      );
    expect(await over('false')).toBeCloseTo(await over('auto'), 6);
  });

  it('keeps a Gen5 link as fast as it is where an old NCCL takes it for Gen3', async () => {
    const on = (pcie: string): Promise<number> =>
      gibibyte(
        `node: {gpu: a100-sxm4-40g, gpus: 8, link: nvswitch, nic: 100Gb/s, nics: 1, cpu: intel-spr, sockets: 1, pcie: ${pcie}, gpusPerSwitch: 4, nicsPerSwitch: 1}
nodes: 2
network: {transport: efa, rate: 100Gb/s}
software: {nccl: 2.10.3, gdr: true}
`,
      );
    expect(await on('gen5')).toBeLessThan((await on('gen4')) * 1.05);
  });
});
