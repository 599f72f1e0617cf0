import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TraceDocument } from '../../src/engine/trace.ts';
import { crowfly } from './run.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'crowfly-trace-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function traced(...options: string[]): TraceDocument {
  const file = join(dir, 'trace.json');
  const { status, err } = crowfly(['move', ...options, '--trace', file]);
  expect(status).toBe(0);
  expect(err).toContain(file);
  return JSON.parse(readFileSync(file, 'utf8')) as TraceDocument;
}
const tracks = (t: TraceDocument): string[] =>
  t.traceEvents.filter((e) => e.name === 'thread_name').map((e) => String(e.args?.['name']));

describe('move --trace', () => {
  it('shows each device of a staged copy as a track, two chunks under way at once', () => {
    const trace = traced('gpu0', 'gpu1', '--system', 'dgx-h100', '--path', 'host-staged', '--sizes', '8M');
    expect(tracks(trace)).toEqual(
      expect.arrayContaining(['copy engine into host memory', 'copy engine out of host memory']),
    );
    const runs = (name: string): [number, number][] =>
      trace.traceEvents
        .filter((e) => e.pid === 2 && e.name.startsWith(name))
        .map((e) => [e.ts!, e.ts! + e.dur!] as [number, number]);
    const into = runs('copy engine into');
    const out = runs('copy engine out');
    expect([into.length, out.length]).toEqual([8, 8]);
    // Chunk i leaves only when it has come in, and before chunk i + 1 has.
    out.forEach(([from], i) => {
      expect(from).toBeGreaterThanOrEqual(into[i]![1] - 1e-3);
      if (i < 7) expect(from).toBeLessThan(into[i + 1]![1]);
    });
  });

  it('has no core among what moves the bytes of the direct way, and one that starts it', () => {
    const trace = traced('gpu0', 'node1/gpu0', '--system', 'dgx-h100', '--nodes', '2', '--path', 'gpudirect-rdma');
    const names = tracks(trace).join('\n');
    expect(names).not.toMatch(/moves bytes|host memory/);
    expect(names).toContain('core that starts and polls');
  });

  it('is named in the language asked for', () => {
    const trace = traced('gpu0', 'gpu1', '--system', 'dgx-h100', '--lang', 'zh');
    expect(tracks(trace).every((name) => /[\u4e00-\u9fff]|NVLink/.test(name))).toBe(true);
  });
});
