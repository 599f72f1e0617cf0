import { describe, expect, it } from 'vitest';
import { answerPredict } from '../../src/answer/predict.ts';
import { assemble } from '../../src/assemble/assemble.ts';
import { speedsFor } from '../../src/predict/collective/catalogued.ts';
import { groundOf } from '../../src/predict/collective/ground.ts';
import { Predictor, type TestName } from '../../src/predict/collective/predict.ts';
import { readClusterYaml } from '../../src/read/cluster-yaml.ts';
import { described } from '../support/machines.ts';

/** µs of 1 GiB on a machine that a few lines of YAML describe. */
const gibibyte = (yaml: string): Promise<number> => timeOf(yaml, 2 ** 30);

async function timeOf(yaml: string, bytes: number, name: TestName = 'all_reduce'): Promise<number> {
  const read = await readClusterYaml(yaml, 'machine.yaml');
  if (!read.ok) throw new Error('no description');
  const ground = groundOf(assemble([read.value]), {});
  if (!ground.ok) throw new Error(ground.error.reason.code);
  return new Predictor(ground.value, speedsFor(ground.value), name, 'float').at(bytes).timeUs;
}

const boards = (cpu: string, gpus = 8): string =>
  `node: {gpu: rtx-5090, gpus: ${gpus}, link: pcie, cpu: ${cpu}, sockets: 2, pcie: gen5, gpusPerSwitch: 1}\nnodes: 1\n`;

describe('the wire that holds a collective back', () => {
  it('is called what it is: a root complex, sockets, reads of a GPU, and NVLink only where there is some', async () => {
    const why = async (yaml: string, name: TestName = 'all_reduce'): Promise<string> => {
      const answer = answerPredict(await described(yaml), {}, { name, datatype: 'float', sizes: [2 ** 30] });
      if (!answer.ok) throw new Error(answer.error.reason.code);
      const { of, why } = answer.value.bottleneck;
      return `${why.code} ${of}`;
    };
    const sys = 'nodes: 1\nsoftware: {p2p: true, env: {NCCL_P2P_LEVEL: SYS}}\n';
    const a40 = (sockets: number): string =>
      `node: {gpu: a40, gpus: 4, link: pcie, cpu: intel-icx, sockets: ${sockets}, pcie: gen4, gpusPerSwitch: 0}\n${sys}`;
    expect(await why(a40(1))).toMatch(/^predict\.wire\.root gpu\d–cpu$/);
    expect(await why(a40(2))).toMatch(/^predict\.wire\.socket gpu\d–cpu$/);
    expect(await why(a40(2), 'sendrecv')).toMatch(/^predict\.wire\.socket gpu\d–cpu$/);
    const volta =
      'node: {gpu: v100-sxm2-32g, gpus: 8, link: nvlink-hybrid-cube-mesh, nic: 100Gb/s, nics: 4, cpu: intel-skl, sockets: 2, pcie: gen3, gpusPerSwitch: 2, nicsPerSwitch: 1}\nnodes: 4\nnetwork: {transport: infiniband, rate: 100Gb/s}\nsoftware: {gdr: true}\n';
    expect(await why(volta)).toMatch(/^predict\.wire\.read gpu\d–nic$/);
  });

  it('is named for sends and receives as for rings: the port where links are wide, else the link before it', async () => {
    const why = async (name: TestName, pcie: string, nccl = '2.30.7'): Promise<string> => {
      const rack = await described(
        `node: {gpu: h100-sxm5-80g, gpus: 8, link: nvswitch, nic: 400Gb/s, nics: 8, cpu: intel-spr, sockets: 2, pcie: ${pcie}, gpusPerSwitch: 1, nicsPerSwitch: 1}\nnodes: 2\nnetwork: {transport: infiniband}\nsoftware: {nccl: ${nccl}, gdr: true}\n`,
      );
      const answer = answerPredict(rack, {}, { name, datatype: 'float', sizes: [2 ** 32] });
      if (!answer.ok) throw new Error(answer.error.reason.code);
      return `${answer.value.bottleneck.why.code} ${answer.value.bottleneck.of}`;
    };
    for (const name of ['alltoall', 'sendrecv', 'gather'] as const) {
      expect(await why(name, 'gen5')).toMatch(/^predict\.wire\.port nic\d$/);
      expect(await why(name, 'gen4')).toMatch(/^predict\.wire\.pcie gpu\d–switch\d$/);
    }
    // Before 2.29.2 a message has two channels: 39 GB/s for all that share them, 28 for one, where the port takes 45.
    expect(await why('alltoall', 'gen5', '2.21.5')).toBe('predict.limit.threads undefined');
    expect(await why('sendrecv', 'gen5', '2.21.5')).toBe('predict.limit.latency undefined');
  });
});

describe('chunks of sends and receives', () => {
  it('of no bytes are refused where a message is cut into them', async () => {
    const rack = async (nodes: number) =>
      described(
        `node: {gpu: a100-sxm4-80g, gpus: 4, link: nvswitch, nic: 200Gb/s, nics: 4, cpu: amd-rome, sockets: 2, pcie: gen4, gpusPerSwitch: 1, nicsPerSwitch: 1}\nnodes: ${nodes}\nnetwork: {transport: infiniband}\nsoftware: {gdr: true}\n`,
      );
    const told = async (nodes: number, variable: string, bytes: number, name: TestName = 'alltoall') => {
      const env = new Map([[variable, String(bytes)]]);
      const answer = answerPredict(await rack(nodes), { env }, { name, datatype: 'float', sizes: [2 ** 26] });
      if (!answer.ok) return answer.error.reason;
      const [row] = answer.value.rows;
      expect(Number.isFinite(row!.timeUs) && row!.timeUs > 0).toBe(true);
      return 'timed';
    };
    for (const bytes of [0, -1, -131072]) {
      const refused = (name: string) => ({ code: 'predict.chunk', args: { name, bytes } });
      expect(await told(2, 'NCCL_P2P_NET_CHUNKSIZE', bytes)).toMatchObject(refused('NCCL_P2P_NET_CHUNKSIZE'));
      expect(await told(1, 'NCCL_P2P_NVL_CHUNKSIZE', bytes)).toMatchObject(refused('NCCL_P2P_NVL_CHUNKSIZE'));
      expect(await told(1, 'NCCL_P2P_NET_CHUNKSIZE', bytes)).toBe('timed');
      expect(await told(2, 'NCCL_P2P_NET_CHUNKSIZE', bytes, 'all_reduce')).toBe('timed');
    }
    expect(await told(2, 'NCCL_P2P_NET_CHUNKSIZE', 4096)).toBe('timed');
  });
});

describe('what collectives take their wires for', () => {
  it('lets sockets pass what a core copies through the kernel, for each GPU, whatever is told of GPUDirect RDMA', async () => {
    const hosts = (more: string, gpus = 8): string =>
      `node: {gpu: h100-sxm5-80g, gpus: ${gpus}, link: nvswitch, nic: 400Gb/s, nics: ${gpus}, cpu: intel-spr, sockets: 2, pcie: gen5, gpusPerSwitch: 1, nicsPerSwitch: 1}\nnodes: 2\nnetwork: {transport: tcp, rate: 400Gb/s}\nsoftware: {${more}}\n`;
    const [eight, four, told, threads] = [
      await gibibyte(hosts('')),
      await gibibyte(hosts('', 4)),
      await gibibyte(hosts('gdr: true')),
      await gibibyte(hosts('env: {NCCL_SOCKET_NTHREADS: "4"}')),
    ];
    expect(told).toBe(eight);
    // A core copies about 3 GB/s in packets of 1,500 bytes; each of eight sends half of the time and receives the other.
    const busbw = (2 ** 30 * 15) / 8 / eight / 1000;
    expect(busbw / 8).toBeGreaterThan(1);
    expect(busbw / 8).toBeLessThan(4.2 / 2);
    expect(four / eight).toBeGreaterThan(1.7);
    expect(eight / threads).toBeGreaterThan(3);
  });

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

  it('sends through the root complex what ACS keeps switches from passing on', async () => {
    // ABCI's nodes of eight A100 below Ice Lake, two and a NIC to a switch: 33.3 GB/s at 32 MiB over two nodes and 31.3 over four were
    // published (NCCL 2.8.4), where the ports alone would bear 90.
    const abci = (nodes: number, acs: boolean): Promise<number> =>
      timeOf(
        `node: {gpu: a100-sxm4-40g, gpus: 8, link: nvswitch, nic: 200Gb/s, nics: 4, cpu: intel-icx, sockets: 2, pcie: gen4, gpusPerSwitch: 2, nicsPerSwitch: 1}
nodes: ${nodes}
network: {transport: infiniband, rate: 200Gb/s}
software: {nccl: 2.8.4, gdr: true, acs: ${acs}}
`,
        2 ** 25,
      );
    const busbw = (us: number, ranks: number): number => ((2 ** 25 / us / 1000) * (2 * (ranks - 1))) / ranks;
    for (const [nodes, published] of [
      [2, 33.3],
      [4, 31.3],
    ] as const) {
      expect(busbw(await abci(nodes, true), 8 * nodes) / published).toBeGreaterThan(0.75);
      expect(busbw(await abci(nodes, true), 8 * nodes) / published).toBeLessThan(1.25);
    }
    // Over two nodes trees are held by their threads either way; over four a ring is held by the root complex.
    expect(await abci(4, true)).toBeGreaterThan(1.5 * (await abci(4, false)));
  });

  it('is slower through two sockets than below one switch, where NCCL is told to go there all the same', async () => {
    // The last GPU of a node sends to the first of the next; the only NIC is below the first two. A message has the four channels of
    // 2.29.2 and later: two pass 28 GB/s, which sockets hold back little.
    const far = (env: string): Promise<number> =>
      timeOf(
        `node: {gpu: h100-sxm5-80g, gpus: 4, link: nvlink-all-to-all, nic: 400Gb/s, nics: 1, cpu: intel-spr, sockets: 2, pcie: gen5, gpusPerSwitch: 2, nicsPerSwitch: 1, nvlinksPerPair: 6}
nodes: 2
network: {transport: roce, rate: 400Gb/s}
software: {nccl: 2.30.7, gdr: true, env: {${env}}}
`,
        2 ** 30,
        'sendrecv',
      );
    const direct = await far('');
    const across = await far('NCCL_PXN_DISABLE: "1", NCCL_NET_GDR_LEVEL: SYS');
    expect(across / direct).toBeGreaterThan(1.7);
  });

  it('reads no more of a Volta GPU than it gives to NICs', async () => {
    // DGX-2H, eight EDR ports a node: 81.5 GB/s were published over many nodes, 10.2 a port.
    const us = await timeOf(
      `node: {gpu: v100-sxm3-32g, gpus: 16, link: nvswitch, nic: 100Gb/s, nics: 8, cpu: intel-skl, sockets: 2, pcie: gen3, gpusPerSwitch: 2, nicsPerSwitch: 1}
nodes: 8
network: {transport: infiniband, rate: 100Gb/s}
software: {gdr: true}
`,
      2 ** 32,
    );
    const busbw = ((2 ** 32 / us / 1000) * (2 * 127)) / 128;
    expect(busbw).toBeGreaterThan(74);
    expect(busbw).toBeLessThan(83);
  });

  it('joins the used GPUs of nodes that share an NVLink domain, and those alone', async () => {
    const domain = (perNode: number): Promise<number> =>
      timeOf(
        `node: {gpu: gb200, gpus: 4, link: nvswitch, nic: 100Gb/s, nics: 1, cpu: grace, sockets: 2, pcie: gen5}
nodes: 4
gpusPerNode: ${perNode}
nvlinkDomain: 36
network: {transport: infiniband, rate: 100Gb/s}
`,
        2 ** 20,
        'broadcast',
      );
    // Ranks of nodes follow each other though only some of a node's GPUs have one.
    expect(await domain(1)).toBeLessThan(await domain(2));
    expect(await domain(2)).toBeLessThan(await domain(4));
  });

  it('pays a shared NIC for a whole chunk at every level of a tree', async () => {
    const tree = (rate: number): Promise<number> =>
      timeOf(
        `node: {gpu: h100-pcie-80g, gpus: 2, link: pcie, nic: ${rate}Gb/s, nics: 1, cpu: intel-icx, sockets: 2, pcie: gen5, gpusPerSwitch: 1, nicsPerSwitch: 1}
nodes: 16
network: {transport: infiniband, rate: ${rate}Gb/s}
software: {nccl: 2.30, env: {NCCL_NET_GDR_LEVEL: PHB, NCCL_ALGO: Tree, NCCL_PROTO: LL}}
`,
        2 ** 19,
      );
    // Four levels up and four down, half of 1 MiB of words and flags in each of the two trees: 21 µs by a line of 25 GB/s, 42 by half of that.
    expect((await tree(100)) - (await tree(200))).toBeGreaterThan(8 * 21);
  });
});
