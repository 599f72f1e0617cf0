import { expect, it } from 'vitest';
import { assemble } from '../../src/assemble/assemble.ts';
import { assume } from '../../src/assemble/assume.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { readText } from '../../src/read/read-source.ts';
import { courseOf } from '../../src/way/course.ts';

const matrix = [
  '\tGPU0\tGPU1\tGPU2\tCPU Affinity',
  'GPU0\t X \tPIX\tPIX\t0',
  'GPU1\tPIX\t X \tPIX\t0',
  'GPU2\tPIX\tPIX\t X \t0',
];
const table = (cells: readonly string[]) => cells.map((row, i) => `GPU${i}\t${row}`);

const machine = (...tables: readonly (readonly string[])[]): Machine =>
  assemble([matrix, ...tables].flatMap((lines, i) => [...readText(`${i}.txt`, lines.join('\n')).documents]));

const way = (m: Machine, to: string) => {
  const found = courseOf(m, {}, 'gpu0', to);
  if (!found.ok) throw new Error(found.error.reason.code);
  return [found.value.direct, found.value.rule.code, found.value.evidence[0]?.file];
};

it('decides each pair by what the driver says of it, with its line', () => {
  const m = machine(table(['X\tOK\tCNS', 'OK\tX\tCNS', 'CNS\tCNS\tX']));
  expect(way(m, 'gpu1').slice(0, 2)).toEqual(['yes', 'rule.p2p.within']);
  expect(way(m, 'gpu2')).toEqual(['no', 'rule.p2p.driver', '1.txt']);
});

it('takes OK in one of several tables for P2P: the others are of atomics, or NVLink', () => {
  const bad = table(['X\tNS\tNS', 'NS\tX\tNS', 'NS\tNS\tX']);
  const good = table(['X\tOK\tOK', 'OK\tX\tOK', 'OK\tOK\tX']);
  for (const m of [machine(bad, good), machine(good, bad)]) expect(way(m, 'gpu2')[0]).toBe('yes');
  expect(way(machine(bad), 'gpu2')[0]).toBe('no');
});

it('gives way to what is assumed', () => {
  const m = assume(machine(table(['X\tCNS\tCNS', 'CNS\tX\tCNS', 'CNS\tCNS\tX'])), [{ fact: 'p2p', on: true }]);
  expect(m.ok && way(m.value, 'gpu1')[0]).toBe('yes');
});

it('takes a way that a log shows in direct use for allowed by the driver', () => {
  const log = ['birch:7:9 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM'];
  expect(way(machine(), 'gpu1')[0]).toBe('unknown');
  expect(way(machine(log), 'gpu1')[0]).toBe('yes');
  expect(way(machine(log), 'gpu2')[0]).toBe('unknown');
});
