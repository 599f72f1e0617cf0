import { describe, expect, it } from 'vitest';
import { answerGraph } from '../../src/answer/graph.ts';
import { answerPredict } from '../../src/answer/predict.ts';
import { networkHabits } from '../../src/catalogue/cloud-networks.ts';
import type { Machine } from '../../src/machine/machine.ts';
import type { TestName } from '../../src/predict/collective/predict.ts';
import { described } from '../support/machines.ts';

const a3 = (transport: string, nics: number, software = ''): Promise<Machine> =>
  described(
    `node: {gpu: h100-sxm5-80g, gpus: 8, link: nvswitch, nic: 200Gb/s, nics: ${nics}, cpu: intel-spr, sockets: 2, pcie: gen5, gpusPerSwitch: 2, nicsPerSwitch: ${nics / 4}}\nnodes: 2\nnetwork: {transport: ${transport}, rate: 200Gb/s}\nsoftware: {${software}}\n`,
  );
const p4d = (software = 'gdr: true'): Promise<Machine> =>
  described(
    `node: {gpu: a100-sxm4-40g, gpus: 8, link: nvswitch, nic: 100Gb/s, nics: 4, cpu: intel-skl, sockets: 2, pcie: gen3, gpusPerSwitch: 2, nicsPerSwitch: 1}\nnodes: 2\nnetwork: {transport: efa, rate: 100Gb/s}\nsoftware: {${software}}\n`,
  );

function asked(machine: Machine, bytes: number, name: TestName = 'all_reduce') {
  const answer = answerPredict(machine, {}, { name, datatype: 'float', sizes: [bytes], exact: true });
  if (!answer.ok) throw new Error(answer.error.reason.code);
  return { ...answer.value.rows[0]!, said: answer.value.assumptions.map((a) => a.code) };
}

describe('what comes with the network of a cloud', async () => {
  const tcpx = await a3('tcpx', 4);
  const tcpxo = await a3('tcpxo', 8);

  it('is assumed and said: NCCL is asked for what the guide or the plugin has it do', async () => {
    expect(asked(tcpx, 2 ** 20)).toMatchObject({ algorithm: 'Ring', protocol: 'Simple' });
    expect(asked(tcpxo, 2 ** 10)).toMatchObject({ algorithm: 'Tree', protocol: 'Simple' });
    expect(asked(await p4d(), 2 ** 10)).toMatchObject({ protocol: 'Simple' });
    for (const machine of [tcpx, tcpxo, await p4d()]) expect(asked(machine, 2 ** 20).said).toContain('usual.habits');
  });

  it('is not where a variable of it is told, nor on one node, nor on other networks', async () => {
    const told = await p4d('gdr: true, env: {NCCL_PROTO: LL}');
    expect(asked(told, 2 ** 10)).toMatchObject({ protocol: 'LL' });
    expect(asked(told, 2 ** 10).said).not.toContain('usual.habits');
    // Of several each stands by itself.
    const odd = await a3('tcpx', 4, 'env: {NCCL_ALGO: Tree}');
    expect(asked(odd, 2 ** 20)).toMatchObject({ algorithm: 'Tree', protocol: 'Simple' });
    expect(asked({ ...tcpx, nodes: 1 }, 2 ** 10).said).not.toContain('usual.habits');
    expect(networkHabits('infiniband', 90)).toBeUndefined();
    // EFAs beside Hopper keep 128 bytes in order.
    expect(networkHabits('efa', 90)!.variables['NCCL_PROTO']).toBeUndefined();
  });

  it('does not name what the caller asked for instead', () => {
    const habits = (env: Record<string, string>): unknown[] => {
      const answer = answerPredict(
        tcpx,
        { env: new Map(Object.entries(env)) },
        { name: 'all_reduce', datatype: 'float', sizes: [2 ** 20], exact: true },
      );
      if (!answer.ok) throw new Error(answer.error.reason.code);
      return answer.value.assumptions.filter((a) => a.code === 'usual.habits').map((a) => a.args['variables']);
    };
    expect(habits({ NCCL_PROTO: 'LL' })).toEqual([
      'NCCL_CROSS_NIC=0 NCCL_NET_GDR_LEVEL=PIX NCCL_BUFFSIZE=8388608 NCCL_ALGO=Ring NCCL_P2P_PXN_LEVEL=0',
    ]);
    expect(habits(networkHabits('tcpx', 90)!.variables)).toEqual([]);
  });

  it('makes times that were published', async () => {
    // Two nodes each. TCPX, AllGather, gcp-a3high-2n-allgather-tcpx; TCPXO, AllReduce, gcp-a3mega-2n-allreduce-tcpxo; EFA of 2021, AllReduce,
    // aws-p4d-2n-allreduce-eks-later.
    for (const [machine, name, published] of [
      [tcpx, 'all_gather', { 8388608: 1007, 33554432: 1117, 134217728: 1941, 536870912: 7099 }],
      [tcpxo, 'all_reduce', { 8192: 132, 524288: 174, 8388608: 572, 67108864: 1262, 1073741824: 6759 }],
      [await p4d(), 'all_reduce', { 32768: 272, 1048576: 485, 8388608: 1159 }],
    ] as const) {
      for (const [bytes, us] of Object.entries(published)) {
        const ratio = asked(machine, Number(bytes), name).timeUs / us;
        expect([name, bytes, ratio > 0.8 && ratio < 1.25, ratio]).toEqual([name, bytes, true, ratio]);
      }
    }
  });

  it('is the same to graph', () => {
    const graph = answerGraph(tcpxo);
    if (!graph.ok) throw new Error(graph.error.reason.code);
    expect(new Set(graph.value.choices.AllReduce.map((c) => c.protocol))).toEqual(new Set(['Simple']));
    expect(graph.value.notes.map((n) => n.code)).toContain('usual.habits');
  });
});

describe('an IOMMU', () => {
  it('is taken for ACS where nothing tells of that, and it is said', async () => {
    const on = await p4d('gdr: true, iommu: true');
    const off = await p4d('gdr: true, iommu: true, acs: false');
    expect(asked(on, 2 ** 26).said).toContain('predict.assume.acs');
    expect(asked(off, 2 ** 26).said).not.toContain('predict.assume.acs');
    expect(asked(on, 2 ** 26).timeUs).toBeGreaterThanOrEqual(asked(off, 2 ** 26).timeUs);
  });
});
