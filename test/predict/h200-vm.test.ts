import { describe, expect, it } from 'vitest';
import { answerMove } from '../../src/answer/move.ts';
import { described } from '../support/machines.ts';

/** quality/h200-vm.md: bytes, µs of one copy waited for. */
const pinned: readonly (readonly [number, number, number])[] = [
  [2 ** 19, 18.01, 16.01],
  [2 ** 23, 159.8, 158.1],
  [2 ** 27, 2433.8, 2435.7],
  [2 ** 29, 9705.8, 9713.5],
];

describe('copies measured on one H200', async () => {
  const machine = await described(
    'node: {gpu: h200-sxm5-141g, gpus: 1, link: pcie, cpu: intel-emr, sockets: 1, pcie: gen5, gpusPerSwitch: 0}\nnodes: 1\nstorage: {type: nvme, count: 1, perDeviceGBps: 1.8, readLatencyUs: 31, placement: same-socket, filesystem: ext4, gds: false}\n',
  );
  const rows = (from: string, to: string, path: string, sizes: readonly number[]) => {
    const a = answerMove(machine, {}, from, to, { sizes: [...sizes], depth: 1, threads: 1, both: false });
    if (!a.ok) throw new Error(a.error.code);
    return a.value.paths.find((p) => p.model.path === path)!.rows;
  };

  it.each([
    ['host0', 'gpu0', 1],
    ['gpu0', 'host0', 2],
  ] as const)('pinned, %s to %s: within 10 %% from 512 KiB on', (from, to, column) => {
    const got = rows(
      from,
      to,
      'memcpy-pinned',
      pinned.map(([bytes]) => bytes),
    );
    got.forEach((r, i) => {
      expect(Math.abs(Math.log(r.latencyUs / pinned[i]![column]))).toBeLessThan(0.1);
    });
  });

  it('pinned, 8 B: within 1.3 times', () => {
    expect(rows('host0', 'gpu0', 'memcpy-pinned', [8])[0]!.latencyUs / 6.45).toBeLessThan(1.3);
  });

  it('reads of 4 KiB with O_DIRECT, through host memory with and without cuFile: within 10 %', () => {
    const at = (path: string) => rows('nvme0', 'gpu0', path, [4096])[0]!.latencyUs;
    for (const [path, us] of [
      ['posix-bounce', 42.4],
      ['gds-compat', 99.6],
    ] as const) {
      expect(Math.abs(Math.log(at(path) / us)), path).toBeLessThan(0.1);
    }
  });

  it('cuFile through host memory costs a small read what was measured more', () => {
    const at = (path: string) => rows('nvme0', 'gpu0', path, [4096])[0]!.latencyUs;
    expect(at('gds-compat') - at('posix-bounce')).toBeCloseTo(57, 0);
  });
});
