import { describe, expect, it } from 'vitest';
import { answerPaths } from '../../src/answer/paths.ts';
import { answerPredict, type PredictAnswer } from '../../src/answer/predict.ts';
import { assemble } from '../../src/assemble/assemble.ts';
import { editsOf } from '../../src/flip/edits.ts';
import { flipsOf } from '../../src/flip/flips.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { portsOf } from '../../src/machine/names.ts';
import { dataPaths } from '../../src/move/move.ts';
import { portsLeft } from '../../src/nccl/ib-hca.ts';
import type { Ask } from '../../src/nccl/of-machine.ts';
import { readText } from '../../src/read/read-source.ts';
import { courseOf } from '../../src/way/course.ts';
import { described, system } from '../support/machines.ts';

const rack = await described(
  'node: {gpu: h100-sxm5-80g, gpus: 8, link: nvswitch, nic: 400Gb/s, nics: 8, cpu: intel-spr, sockets: 2, pcie: gen5, gpusPerSwitch: 1, nicsPerSwitch: 1}\nnodes: 2\nnetwork: {transport: infiniband}\nsoftware: {nccl: 2.21.5, gdr: true}\n',
);
const env = (...pairs: [string, string][]): Ask => ({ env: new Map(pairs) });

function predicted(machine: Machine, ask: Ask): PredictAnswer {
  const a = answerPredict(machine, ask, { name: 'all_reduce', datatype: 'float', sizes: [2 ** 30] });
  if (!a.ok) throw new Error(a.error.reason.code);
  return a.value;
}
const busbw = (machine: Machine, ask: Ask): number => predicted(machine, ask).rows[0]!.busbwGBps;
const said = (machine: Machine, ask: Ask) => predicted(machine, ask).assumptions.map((m) => m.code);

describe('NCCL_IB_HCA', () => {
  it('leaves the ports that it names, by prefix, whole name or exclusion', () => {
    const ports = portsOf(rack.hosts[0]!);
    const left = (value: string) => ports.filter(portsLeft(ports, value)).map((p) => p.dev);
    expect(left('mlx5_0')).toEqual([0]);
    expect(left('=mlx5_1,mlx5_7')).toEqual([1, 7]);
    expect(left('^mlx5_0,mlx5_1')).toEqual([2, 3, 4, 5, 6, 7]);
    expect(left('mlx5_3:1')).toEqual([3]);
    // Another machine's names take nothing away from this one.
    expect(left('bnxt_re0')).toHaveLength(8);
  });

  it('holds a job to the NICs left, and says how many', () => {
    const all = busbw(rack, {});
    const two = busbw(rack, env(['NCCL_IB_HCA', 'mlx5_0,mlx5_1']));
    const one = busbw(rack, env(['NCCL_IB_HCA', 'mlx5_0']));
    expect(two).toBeLessThan(0.5 * all);
    expect(one / two).toBeCloseTo(0.5, 1);
    expect(said(rack, env(['NCCL_IB_HCA', 'mlx5_0']))).toContain('predict.hca');
    expect(said(rack, env(['NCCL_IB_HCA', 'bnxt_re0']))).toContain('predict.hca-none');
    expect(said(rack, {})).not.toContain('predict.hca');
  });

  it('takes the other NICs out of the pairs, and the rule names it', () => {
    const ask = env(['NCCL_IB_HCA', 'mlx5_0']);
    const paths = answerPaths(rack, ask);
    if (!paths.ok) throw new Error('no paths');
    expect(new Set(paths.value.pairs.filter((p) => p.gdr && /gpu/.test(p.from)).map((p) => p.to))).toEqual(
      new Set(['node0/nic0']),
    );
    const course = courseOf(rack, ask, 'node0/gpu1', 'node0/nic1');
    expect(course.ok && course.value).toMatchObject({ direct: 'no', rule: { code: 'answer.nic-left-out' } });
  });

  it('is nothing to a plugin', () => {
    expect(busbw(system('aws-p5', 2), env(['NCCL_IB_HCA', 'mlx5_0']))).toBe(busbw(system('aws-p5', 2), {}));
  });
});

describe('a network taken away', () => {
  const way = (machine: Machine, ask: Ask): string | undefined => {
    const course = courseOf(machine, ask, 'node0/gpu0', 'node1/gpu0');
    return course.ok ? course.value.ways[0]?.path : undefined;
  };

  it.each([env(['NCCL_IB_DISABLE', '1']), env(['NCCL_NET', 'Socket'])])('leaves sockets: %o', (ask) => {
    expect(way(rack, {})).toBe('gpudirect-rdma');
    expect(way(rack, ask)).toBe('tcp');
    expect(busbw(rack, ask)).toBeLessThan(0.5 * busbw(rack, {}));
    expect(said(rack, ask)).toContain('predict.assume.sockets');
    const [name] = ask.env!.keys();
    const undo = editsOf(rack, ask, { host: 0, gpus: [], nics: [] }).find((e) => e.id === `unset ${name}`)!;
    const { machine, ask: without } = undo.apply(rack, ask);
    expect(way(machine, without)).toBe('gpudirect-rdma');
  });

  it('leaves no verbs for the way through host memory either', () => {
    const allowed = (ask: Ask): Record<string, string> => {
      const paths = dataPaths(rack, ask, 'node0/gpu0', 'node1/gpu0');
      return paths.ok ? Object.fromEntries(paths.value.map((p) => [p.path, p.allowed])) : {};
    };
    const verbs = { 'gpudirect-rdma': 'no', 'host-staged-rdma': 'no' };
    expect(allowed(env(['NCCL_IB_DISABLE', '1']))).toMatchObject(verbs);
    expect(allowed({})).toMatchObject({ 'host-staged-rdma': 'yes' });
  });

  it('is there again in a log whose own variable took it away, once that is removed', () => {
    const log = (line: string, socket: string): string =>
      [
        'birch:7:7 [0] NCCL INFO NCCL version 2.21.5+cuda12.4',
        line,
        `birch:7:17 [0] NCCL INFO NET/Socket : Using [0]${socket}:192.0.2.7<0>`,
        'birch:7:17 [0] NCCL INFO Using network Socket',
        '',
      ].join('\n');
    const read = (...texts: readonly string[]): Machine =>
      assemble(
        texts.flatMap((text, i) => [...readText(`${i}.log`, text).documents]),
        { ...rack, fabric: {} },
      );
    const set = (name: string, value: string): string =>
      `birch:7:17 [0] NCCL INFO ${name} set by environment to ${value}`;
    for (const line of [set('NCCL_IB_DISABLE', '1.'), set('NCCL_NET', 'Socket')]) {
      for (const [socket, path] of [
        ['eth0', 'tcp'],
        ['ib0', 'ipoib'],
      ] as const) {
        const machine = read(log(line, socket));
        const course = courseOf(machine, {}, 'node0/gpu0', 'node1/gpu0');
        if (!course.ok) throw new Error();
        expect([line, course.value.ways[0]?.path, course.value.evidence[0]?.line]).toEqual([line, path, 2]);
        const [first] = flipsOf(machine, {}, course.value);
        expect(first?.edits.map((e) => e.effort)).toEqual(['unset']);
        expect(first?.after.ways[0]?.path).toBe('gpudirect-rdma');
      }
    }
    // Sockets that nobody asked for are what there is.
    const without = read(log(set('NCCL_DEBUG', 'INFO'), 'eth0'));
    expect(without.fabric.transport?.value).toBe('tcp');
  });

  it('is not taken away by 0, by IB, or before a release knows the variable', () => {
    expect(way(rack, env(['NCCL_IB_DISABLE', '0']))).toBe('gpudirect-rdma');
    expect(way(rack, env(['NCCL_NET', 'IB']))).toBe('gpudirect-rdma');
    expect(way(rack, { nccl: '2.8.4', ...env(['NCCL_NET', 'Socket']) })).toBe('gpudirect-rdma');
  });
});
