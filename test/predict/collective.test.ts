import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerGraph } from '../../src/answer/graph.ts';
import { answerPredict } from '../../src/answer/predict.ts';
import { assume } from '../../src/assemble/assume.ts';
import { editHost } from '../../src/machine/edit.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { wireBound } from '../../src/predict/collective/bound.ts';
import { speedsFor } from '../../src/predict/collective/catalogued.ts';
import { clockedTimes } from '../../src/predict/collective/clocked.ts';
import { type CollectiveGround, groundOf } from '../../src/predict/collective/ground.ts';
import { Predictor, type TestName, testNames } from '../../src/predict/collective/predict.ts';
import { readText } from '../../src/read/read-source.ts';
import { stylerFor } from '../../src/tell/text/columns.ts';
import { predictText } from '../../src/tell/text/predict.ts';
import { described, system } from '../support/machines.ts';

const plain = { language: 'en', width: 100, style: stylerFor(false) } as const;
const cluster = async (text: string): Promise<CollectiveGround> => {
  const g = groundOf(await described(text), {});
  if (!g.ok) throw new Error(g.error.reason.code);
  return g.value;
};

/** Machines of many kinds, made once: sizes are drawn upon them. */
async function grounds(): Promise<CollectiveGround[]> {
  const out: CollectiveGround[] = [];
  const parts = [
    ['v100-sxm2-16g', 8, 'nvlink-hybrid-cube-mesh', 'gen3', '100Gb/s', 4, 2, 1, 'intel-bdw'],
    ['a100-sxm4-40g', 8, 'nvswitch', 'gen4', '200Gb/s', 8, 2, 2, 'amd-rome'],
    ['a100-sxm4-80g', 4, 'nvlink-all-to-all', 'gen4', '200Gb/s', 4, 1, 1, 'amd-milan'],
    ['h100-sxm5-80g', 8, 'nvswitch', 'gen5', '400Gb/s', 8, 1, 1, 'intel-spr'],
    ['h100-sxm5-80g', 8, 'nvswitch', 'gen5', '200Gb/s', 2, 4, 1, 'amd-genoa'],
    ['b200', 8, 'nvswitch', 'gen5', '400Gb/s', 8, 1, 1, 'intel-emr'],
    ['l40s', 8, 'pcie', 'gen4', '200Gb/s', 4, 2, 1, 'amd-genoa'],
    ['rtx-4090', 4, 'pcie', 'gen4', '100Gb/s', 1, 2, 1, 'amd-rome'],
  ] as const;
  for (const [gpu, gpus, link, pcie, nic, nics, per, nper, cpu] of parts) {
    for (const nodes of [1, 2, 5, 16]) {
      for (const nccl of ['2.18.5', '2.27.7', '2.30.7']) {
        const extra = link === 'nvlink-all-to-all' ? ', nvlinksPerPair: 4' : '';
        out.push(
          await cluster(
            `node: {gpu: ${gpu}, gpus: ${gpus}, link: ${link}, nic: ${nic}, nics: ${nics}, cpu: ${cpu}, sockets: 2, pcie: ${pcie}, gpusPerSwitch: ${per}, nicsPerSwitch: ${nper}${extra}}\nnodes: ${nodes}\nnetwork: {transport: infiniband, rate: ${nic}}\nsoftware: {nccl: ${nccl}, gdr: true}\n`,
          ),
        );
      }
    }
  }
  return out;
}

describe('predicted times of collectives', async () => {
  const all = await grounds();

  it('never beat the wires, never fall with size, and at most double when size does, in one regime: 100,000 cases', () => {
    fc.assert(
      fc.property(
        fc.nat(all.length - 1),
        fc.constantFrom(...testNames),
        fc.constantFrom('float' as const, 'int8' as const, 'half' as const),
        fc.array(fc.double({ min: 3, max: 34, noNaN: true }), { minLength: 100, maxLength: 100 }),
        (which, name, datatype, exponents) => {
          const g = all[which]!;
          const p = new Predictor(g, speedsFor(g), name, datatype);
          for (const e of exponents) {
            const bytes = Math.max(8, Math.floor(2 ** e));
            const at = p.at(bytes);
            expect(at.timeUs).toBeGreaterThan(0);
            expect(at.timeUs).toBeGreaterThanOrEqual(
              wireBound(g, name, bytes, at.algorithm.startsWith('NVLS')) * (1 - 1e-9),
            );
            const more = p.at(2 * bytes);
            const a = p.launch(bytes);
            const b = p.launch(2 * bytes);
            if (a?.nChannels !== b?.nChannels || a?.chunkBytes !== b?.chunkBytes) continue;
            if (at.algorithm !== more.algorithm || at.protocol !== more.protocol) continue;
            expect(more.timeUs).toBeGreaterThanOrEqual(at.timeUs * (1 - 1e-9));
            expect(more.timeUs).toBeLessThanOrEqual(2 * at.timeUs * (1 + 1e-9));
          }
        },
      ),
      { numRuns: 1000 },
    );
  }, 120_000);

  it('print a table that the reader of nccl-tests reads', () => {
    const answer = answerPredict(
      system('hgx-h100', 2),
      {},
      { name: 'all_reduce', datatype: 'half', sizes: [8, 1 << 20, 1 << 30] },
    );
    if (!answer.ok) throw new Error(answer.error.reason.code);
    const text = predictText(answer.value, plain);
    const read = readText('table.txt', text);
    const table = read.documents.find((d) => d.kind === 'nccl-tests');
    expect(table?.kind).toBe('nccl-tests');
    const rows = table?.kind === 'nccl-tests' ? table.rows : [];
    expect(rows.map((r) => r.bytes)).toEqual([8, 1 << 20, 1 << 30]);
    rows.forEach((r, i) => {
      expect(r.outOfPlace!.busbw).toBeCloseTo(answer.value.rows[i]!.busbwGBps, 1);
      expect(Math.abs(r.outOfPlace!.timeUs / answer.value.rows[i]!.timeUs - 1)).toBeLessThan(0.01);
    });
  });

  it('follow NCCL to its switches: half is reduced there, bytes are not', () => {
    const g = all.find((x) => x.sm === 90 && x.nodes === 1 && x.made.release.name === '2.18.5')!;
    const at = (type: 'half' | 'int8') => new Predictor(g, speedsFor(g), 'all_reduce', type).at(1 << 30);
    expect(at('half').algorithm).toBe('NVLS');
    expect(at('int8').algorithm).toBe('Ring');
    expect(at('half').timeUs).toBeLessThan(at('int8').timeUs);
  });

  it('join the four EFA rails of a GPU, and the trays of an NVLink domain', async () => {
    const efa = await cluster(
      'node: {gpu: h100-sxm5-80g, gpus: 8, link: nvswitch, nic: 100Gb/s, nics: 32, cpu: amd-milan, sockets: 2, pcie: gen5, gpusPerSwitch: 1, nicsPerSwitch: 4}\nnodes: 2\nnetwork: {transport: efa, rate: 100Gb/s}\nsoftware: {gdr: true}\n',
    );
    expect(efa.made.perDomain[0]!.ground.paths.system.nodes.NET).toHaveLength(8);
    expect(efa.netTotal).toBeGreaterThan(8 * 45);
    const racks = await cluster(
      'node: {gpu: gb200, gpus: 4, link: nvswitch, nic: 400Gb/s, nics: 4, cpu: grace, sockets: 2, pcie: gen5, gpusPerSwitch: 1, nicsPerSwitch: 1}\nnodes: 4\nnvlinkDomain: 8\nnetwork: {transport: infiniband, rate: 400Gb/s}\nsoftware: {gdr: true}\n',
    );
    expect([racks.ranks, racks.nodes]).toEqual([16, 2]);
  });

  it('name the wire that is weakest', async () => {
    const limit = async (yaml: string) => {
      const a = answerPredict(await described(yaml), {}, { name: 'all_gather', datatype: 'float', sizes: [1 << 30] });
      return a.ok ? a.value.bottleneck : undefined;
    };
    const node =
      'node: {gpu: h100-sxm5-80g, gpus: 8, link: nvswitch, nic: 100Gb/s, nics: 8, cpu: intel-spr, sockets: 2, pcie: gen5, gpusPerSwitch: 1, nicsPerSwitch: 1}\n';
    expect(
      await limit(`${node}nodes: 2\nnetwork: {transport: infiniband, rate: 100Gb/s}\nsoftware: {gdr: true}\n`),
    ).toMatchObject({
      limit: 'outside',
      why: { code: 'predict.wire.port' },
    });
    expect(await limit(`${node}nodes: 1\n`)).toMatchObject({ limit: 'inside', why: { code: 'predict.wire.nvlink' } });
  });

  const at = (machine: Machine, name: TestName, bytes: number): number => {
    const answer = answerPredict(machine, {}, { name, datatype: 'float', sizes: [bytes] });
    if (!answer.ok) throw new Error(answer.error.reason.code);
    return answer.value.rows[0]!.busbwGBps;
  };
  const without = (machine: Machine): Machine => {
    const off = assume(machine, [{ fact: 'gdr', on: false }]);
    if (!off.ok) throw new Error(off.error.code);
    return off.value;
  };

  it('are of whole elements, the same for every rank, as nccl-tests has them', () => {
    const machine = system('hgx-h100');
    const rows = (name: TestName, datatype: 'half' | 'float', asked: readonly number[]) => {
      const answer = answerPredict(machine, {}, { name, datatype, sizes: asked });
      return answer.ok ? answer.value.rows.map((r) => r.bytes) : answer.error.reason.code;
    };
    expect(rows('all_reduce', 'half', [15, 17])).toEqual([14, 16]);
    expect(rows('all_reduce', 'float', [1])).toBe('predict.small');
    expect(rows('reduce_scatter', 'float', [8])).toBe('predict.small');
    expect(rows('reduce_scatter', 'float', [8, 128, 200, 1000])).toEqual([128, 896]);
    expect(rows('sendrecv', 'float', [9])).toEqual([8]);
  });

  it('pay for host memory on every algorithm where GPUDirect RDMA is off', () => {
    const machine = system('hgx-h100', 2);
    for (const name of ['all_reduce', 'all_gather', 'broadcast', 'alltoall', 'sendrecv'] as const) {
      const share = at(without(machine), name, 2 ** 32) / at(machine, name, 2 ** 32);
      expect([name, share < 0.75]).toEqual([name, true]);
    }
    for (const NCCL_ALGO of ['Ring', 'Tree', 'NVLSTree']) {
      const ask = { env: new Map([['NCCL_ALGO', NCCL_ALGO]]) };
      const rate = (m: Machine): number => {
        const answer = answerPredict(m, ask, { name: 'all_reduce', datatype: 'float', sizes: [2 ** 32] });
        if (!answer.ok) throw new Error(answer.error.reason.code);
        expect(answer.value.rows[0]!.algorithm).toBe(NCCL_ALGO);
        return answer.value.rows[0]!.busbwGBps;
      };
      expect(rate(without(machine)) / rate(machine)).toBeLessThan(0.6);
    }
  });

  it('reach host memory on Grace by C2C, which is faster than the NIC', () => {
    for (const id of ['gh200', 'gb200-nvl72']) {
      const machine = system(id, id === 'gh200' ? 2 : 36);
      expect(at(without(machine), 'all_gather', 2 ** 32) / at(machine, 'all_gather', 2 ** 32)).toBeGreaterThan(0.95);
    }
  });

  it.each(['dgx-spark', 'gh200'])('keep the NIC of two %s busy, whose channels are out of step', (id) => {
    const machine = system(id, 2);
    const rates = (name: 'all_gather' | 'reduce_scatter' | 'all_reduce', clock?: typeof clockedTimes): number => {
      const answer = answerPredict(machine, {}, { name, datatype: 'float', sizes: [2 ** 32] }, clock);
      if (!answer.ok) throw new Error(answer.error.reason.code);
      return answer.value.rows[0]!.busbwGBps;
    };
    for (const name of ['all_gather', 'reduce_scatter'] as const) {
      expect(rates(name) / rates('all_reduce')).toBeGreaterThan(0.97);
      expect(rates(name, clockedTimes) / rates(name)).toBeCloseTo(1, 3);
    }
  });

  it('take a NIC that an input calls unable for one that is staged', () => {
    const machine = system('hgx-h100', 2);
    const told = { ...machine, hosts: machine.hosts.map((h) => editHost(h, { port: (p) => ({ ...p, gdr: false }) })) };
    expect(at(told, 'all_reduce', 2 ** 32)).toBeCloseTo(at(without(machine), 'all_reduce', 2 ** 32), 6);
  });

  it.each([
    [18, 1],
    [19, 2],
    [32, 2],
    [36, 2],
  ])('count %i nodes of an NVLink domain as asked', (nodes, counted) => {
    const ground = groundOf(system('gb200-nvl72', nodes), {});
    if (!ground.ok) throw new Error(ground.error.reason.code);
    expect([ground.value.ranks, ground.value.nodes]).toEqual([4 * nodes, counted]);
    const { channels } = ground.value.made;
    for (const { ring, treeUp } of channels) {
      expect(new Set(ring)).toEqual(new Set(Array.from({ length: 4 * nodes }, (_, r) => r)));
      expect(treeUp.filter((up) => up < 0)).toHaveLength(1);
    }
  });

  it('wait for the few NICs of a domain that is not used whole', () => {
    expect(at(system('gb200-nvl72', 19), 'all_reduce', 2 ** 32)).toBeLessThan(
      0.7 * at(system('gb200-nvl72', 36), 'all_reduce', 2 ** 32),
    );
  });

  it.each([
    ['gb200-nvl72', 36],
    ['gb200-nvl72', 19],
    ['aws-p5', 2],
    ['hgx-h100', 2],
  ] as const)('and graph tell one choice: %s x%i', (id, nodes) => {
    const machine = system(id, nodes);
    const graph = answerGraph(machine);
    if (!graph.ok) throw new Error(graph.error.reason.code);
    const { choices } = graph.value;
    const sizes = choices.AllReduce.map((c) => c.bytes);
    const answer = answerPredict(machine, {}, { name: 'all_reduce', datatype: 'float', sizes });
    if (!answer.ok) throw new Error(answer.error.reason.code);
    expect(answer.value.rows.map((r) => [r.algorithm, r.protocol, r.channels])).toEqual(
      choices.AllReduce.map((c) => [c.algorithm, c.protocol, c.nChannels]),
    );
    expect(graph.value.nodes).toBe(nodes);
  });
});
