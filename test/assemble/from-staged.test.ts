import { describe, expect, it } from 'vitest';
import { assemble } from '../../src/assemble/assemble.ts';
import { chainOf } from '../../src/doctor/chain.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { portsOf } from '../../src/machine/names.ts';
import type { Document } from '../../src/read/documents.ts';
import { readText } from '../../src/read/read-source.ts';
import { courseOf } from '../../src/way/course.ts';

/** Two GPUs, a NIC beside each, and one more across the sockets. */
const matrix = `\tGPU0\tGPU1\tmlx5_0\tmlx5_1\tmlx5_2\tCPU Affinity\tNUMA Affinity
GPU0\t X \tNV12\tPXB\tNODE\tSYS\t0-31\t0
GPU1\tNV12\t X \tNODE\tPXB\tSYS\t0-31\t0
mlx5_0\tPXB\tNODE\t X \tNODE\tSYS\t\t
mlx5_1\tNODE\tPXB\tNODE\t X \tSYS\t\t
mlx5_2\tSYS\tSYS\tSYS\tSYS\t X \t\t
`;

/** A log of the default subsystems: it never says why. `list` as NCCL numbers its devices. */
function log(list: readonly string[], channels: readonly string[]): string {
  const devices = list.map((name, i) => `[${i}]${name}:1/IB`).join(' ');
  const lines = ['a', 'b'].flatMap((host, n) =>
    [0, 1].flatMap((gpu) => {
      const rank = 2 * n + gpu;
      const head = `${host}:${100 + gpu}:${200 + gpu} [${gpu}] NCCL INFO`;
      return [
        `${head} NET/IB : Using ${devices} [RO]; OOB eno1:10.0.0.${n + 1}<0>`,
        `${head} Using network IB`,
        `${head} comm 0x${rank} rank ${rank} nranks 4 cudaDev ${gpu} nvmlDev ${gpu} busId ${gpu + 1}000 commId 0x9 - Init START`,
      ];
    }),
  );
  return `NCCL version 2.21.5+cuda12.4\n${lines.join('\n')}\n${channels.join('\n')}\n`;
}
const channel = (gpu: number, text: string): string =>
  `a:${100 + gpu}:${200 + gpu} [${gpu}] NCCL INFO Channel 00/0 : ${gpu}[${gpu}] -> ${gpu + 2}[${gpu}] [send] via ${text}`;

const documents = (text: string): Document[] => [
  ...readText('topo.txt', matrix).documents,
  ...readText('nccl.log', text).documents,
];
const seen = (text: string): Machine => assemble(documents(text));
const gdr = (m: Machine): Record<string, boolean | undefined> =>
  Object.fromEntries(portsOf(m.hosts[0]!).map((p) => [p.name, p.gdr]));

const all = ['mlx5_0', 'mlx5_1', 'mlx5_2'];

describe('channels through host memory', () => {
  it('say that the NIC beside the GPU cannot go direct, and the way names their line', () => {
    const machine = seen(log(all, [channel(0, 'NET/IB/0'), channel(1, 'NET/IB/1')]));
    expect(gdr(machine)).toEqual({ mlx5_0: false, mlx5_1: false, mlx5_2: undefined });
    const course = courseOf(machine, {}, 'node0/gpu0', 'node1/gpu0');
    expect(course.ok && course.value).toMatchObject({ direct: 'no', rule: { code: 'rule.gdr.seen-staged' } });
    expect(course.ok && course.value.evidence.map((w) => w.file)).toContain('nccl.log');
  });

  it('say nothing of a NIC that is too far away to go direct', () => {
    expect(gdr(seen(log(all, [channel(0, 'NET/IB/2')]))).mlx5_2).toBeUndefined();
  });

  it('weigh less than a channel that went direct over the same NIC', () => {
    expect(gdr(seen(log(all, [channel(0, 'NET/IB/0'), channel(0, 'NET/IB/0/GDRDMA')]))).mlx5_0).toBe(true);
  });

  it('are of the NIC that the list of their host numbers so', () => {
    const machine = seen(log(['mlx5_1'], [channel(1, 'NET/IB/0')]));
    expect(gdr(machine)).toEqual({ mlx5_0: undefined, mlx5_1: false, mlx5_2: undefined });
    expect(gdr(seen(log(['mlx5_1'], [channel(1, 'NET/IB/0/GDRDMA')])))).toEqual({
      mlx5_0: undefined,
      mlx5_1: true,
      mlx5_2: undefined,
    });
  });

  it('are what the support chain sees NCCL do', () => {
    const library = (text: string) => chainOf(documents(text), 'gpudirect-rdma').find((l) => l.link === 'library');
    expect(library(log(all, [channel(0, 'NET/IB/0')]))).toMatchObject({
      answer: 'no',
      because: { code: 'chain.seen-staged' },
      evidence: [{ file: 'nccl.log' }],
    });
    expect(library(log(all, [channel(0, 'NET/IB/0/GDRDMA')]))?.answer).toBe('yes');
    expect(library(log(all, []))?.answer).toBe('unknown');
  });
});
