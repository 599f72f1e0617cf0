import { describe, expect, test } from 'vitest';
import { rejoiner } from '../../src/input/rejoin.ts';
import { readText } from '../../src/read/read-source.ts';

const given = (lines: readonly string[]): string[] => {
  const out: string[] = [];
  const joined = rejoiner((line) => out.push(line));
  for (const line of lines) joined.line(line);
  joined.end();
  return out;
};
const broken = (line: string, width: number): string[] =>
  Array.from({ length: Math.ceil(line.length / width) }, (_, i) => line.slice(i * width, (i + 1) * width));
const long =
  'node-a:7:9 [0] transport/net_ib.cc:1295 NCCL WARN NET/IB : Got completion from peer 198.51.100.2<41234> with status=12 opcode=0 len=0 vendor err 129 (Recv) hca mlx5_1';

describe('records that a terminal has broken', () => {
  test.each([80, 100, 120])('at %i columns are whole again, and keep their lines', (width) => {
    const parts = broken(long, width);
    const out = given(['Start', ...parts, 'End']);
    expect(out).toEqual(['Start', long, ...parts.slice(1), 'End']);
    const { documents } = readText('a.log', [...parts, 'End'].join('\n'));
    expect(documents).toMatchObject([{ kind: 'nccl-log', warnings: [{ code: 12, at: { line: 1 } }] }]);
  });

  test('are told from records, rows and lines of their own', () => {
    const full = long.slice(0, 80);
    for (const next of [
      `${long.slice(0, 60)}`,
      '# nThread 1 nGpus 8',
      '        1048576   262144',
      '',
      '[  12.345678] mlx5',
    ])
      expect(given([full, next])).toEqual([full, next]);
    expect(given([long.slice(0, 79), 'more'])).toEqual([long.slice(0, 79), 'more']);
    expect(given([full])).toEqual([full]);
  });

  test('are told from a log whose records are longer than the screen', () => {
    const full = long.slice(0, 80);
    expect(given([long, full, 'Epoch 1'])).toEqual([long, full, 'Epoch 1']);
    // A record beyond the screen that comes later tells as well.
    expect(given([full, 'y'.repeat(80), long])).toEqual([full, 'y'.repeat(80), long]);
    // Prose before a log is no part of it, and what stands far above came from another window.
    expect(given(['x'.repeat(300), ...broken(long, 80)])[1]).toBe(long);
    const far = Array.from({ length: 200 }, (_, i) => `line ${i}`);
    expect(given([long, ...far, ...broken(long, 80)])).toContain(long);
    expect(given([long, ...far, ...broken(long, 80)]).filter((l) => l === long)).toHaveLength(2);
  });

  test('are told from lines that a console filled up, and from what others print', () => {
    const full = `${long.slice(0, 70)}${' '.repeat(10)}`;
    expect(given([full, 'Epoch 1'])).toEqual([full, 'Epoch 1']);
    const next = ['NCCL version 2.21.5+cuda12.4', 'Traceback (most recent call last):', 'GPU0 X NV12', 'INFO 05-01 ok'];
    for (const one of next) expect(given([long.slice(0, 80), one])).toEqual([long.slice(0, 80), one]);
  });

  test('do not grow without end', () => {
    const out = given([long.slice(0, 80), ...Array.from({ length: 1000 }, () => 'x'.repeat(80))]);
    expect(Math.max(...out.map((l) => l.length))).toBeLessThanOrEqual(12 * 80);
    expect(out).toHaveLength(1001);
  });
});
