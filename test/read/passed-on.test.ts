import { expect, test } from 'vitest';
import { readText } from '../../src/read/read-source.ts';

const warning =
  'node-a:7:9 [0] misc/shmutils.cc:72 NCCL WARN Error: failed to extend /dev/shm/nccl-AbCdEf to 33030532 bytes, error: No space left on device (28)';
const record = (log: string): string => JSON.stringify({ log, stream: 'stderr', time: '2025-05-01T12:00:00.1Z' });

test('a log that a container runtime kept as JSON is the same log', () => {
  const { documents } = readText('a.log', ['Starting', record(`${warning}\n`)].join('\n'));
  expect(documents).toEqual(readText('a.log', `Starting\n${warning}\n`).documents);
});

test('several lines in one record count as the line of the record', () => {
  const table = '\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tNV12\t0-15\nGPU1\tNV12\t X \t0-15\n';
  const { documents, lines } = readText('a.log', [record('Start\n'), record(table), record('End\n')].join('\n'));
  expect(lines).toBe(3);
  expect(documents).toMatchObject([{ kind: 'topo-matrix', line: 2 }]);
});

test('a settings file of JSON is read as what it is', () => {
  const { formats } = readText('cufile.json', '{\n  "properties": {\n    "allow_compat_mode": false\n  }\n}\n');
  expect(formats.map((f) => f.id)).toEqual(['cufile-json']);
});

test('records in JSON were never broken by a terminal', () => {
  const head = 'node-a:7:9 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/IPC';
  const full = `n${'x'.repeat(80 - head.length - 1)}${head}`;
  const { documents } = readText('a.log', [record(`${full}\n`), record('Epoch 1\n')].join('\n'));
  expect(documents).toMatchObject([{ kind: 'nccl-log', connections: [{ text: 'P2P/IPC' }] }]);
});

test('a report of nccl-tests that was laid out is read with what failed', () => {
  const half = { time: 10, alg_bw: 1, bus_bw: 1, nwrong: 0 };
  const row = { size: 8, count: 2, type: 'float', out_of_place: half, in_place: half };
  const report = { args: ['all_reduce_perf', '-x A B'], results: [row], errors: ['unhandled system error'] };
  const { documents } = readText('a.json', JSON.stringify(report, null, 2));
  expect(documents).toMatchObject([{ kind: 'nccl-tests', errors: [{ text: 'unhandled system error' }] }]);
});
