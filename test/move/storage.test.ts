import { describe, expect, it } from 'vitest';
import type { Assumption } from '../../src/assemble/assume.ts';
import { calibration } from '../../src/catalogue/calibration.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { copiesOf, type DataPathModel, hostMemoryOf, type MovePath, moveRow } from '../../src/move/model.ts';
import { dataPaths } from '../../src/move/move.ts';
import { sayings } from '../../src/tell/text/gain.ts';
import { type GainRow, gains } from '../../src/workload/gain.ts';
import { assuming } from '../support/assuming.ts';
import { described, pasted } from '../support/machines.ts';

const cluster = (over: { gpu?: string; cpu?: string; placement?: string; perSwitch?: number; more?: string } = {}) =>
  described(
    `node: {gpu: ${over.gpu ?? 'h100-sxm5-80g'}, gpus: 8, link: nvswitch, cpu: ${over.cpu ?? 'amd-genoa'}, sockets: 2, pcie: gen5, gpusPerSwitch: ${over.perSwitch ?? 4}}\nstorage: {type: nvme, count: 2, perDeviceGBps: 6, readLatencyUs: 80, placement: ${over.placement ?? 'same-switch'}, gds: true${over.more ?? ''}}\n`,
  );
const find = (machine: Machine, from: string, to: string, path: MovePath): DataPathModel => {
  const found = dataPaths(machine, {}, from, to);
  if (!found.ok) throw new Error(found.error.code);
  const m = found.value.find((x) => x.path === path);
  if (!m) throw new Error(`no ${path}`);
  return m;
};
const rate = (m: DataPathModel, threads = 16): number =>
  moveRow(m, 2 ** 20, { depth: 1, threads, both: false }).bandwidthGBps;

describe('a GPU on another switch than the drives', async () => {
  const machine = await cluster();

  it('is fed through one beside them: one copy more over NVLink, no host memory, and each request waits', () => {
    const near = find(machine, 'storage', 'gpu1', 'gpudirect-storage');
    const far = find(machine, 'storage', 'gpu6', 'gpudirect-storage');
    expect(near.stages.map((s) => s.name.code)).toEqual(['move.stage.drives', 'move.stage.drive-write']);
    expect(far.stages.map((s) => s.name.code)).toEqual([
      'move.stage.drives',
      'move.stage.drive-write-near',
      'move.stage.nvlink',
    ]);
    expect(far.rule).toEqual({ code: 'move.rule.gds-far', args: { gpu: 'gpu0' } });
    expect([copiesOf(near), copiesOf(far), hostMemoryOf(far)]).toEqual([0, 1, 0]);
    expect(rate(far, 4)).toBeLessThan(rate(near, 4) / 3);
    // The near GPU's own PCIe link carries what the far one reads.
    expect(far.stages[1]!.links.map((l) => l.key)).toEqual(
      near.stages[1]!.links.map((l) => l.key.replace('.1 ', '.0 ')),
    );
  });

  it('writes back the same way round', () => {
    const far = find(machine, 'gpu6', 'storage', 'gpudirect-storage');
    expect(far.stages.map((s) => s.name.code)).toEqual([
      'move.stage.nvlink',
      'move.stage.drive-read-near',
      'move.stage.drives-write',
    ]);
  });
});

describe('a write to drives', async () => {
  it('takes the drives’ own rate and latency of writing, and says where no input tells them', async () => {
    const told = await cluster({ more: ', perDeviceWriteGBps: 2, writeLatencyUs: 15' });
    const guessed = await cluster();
    const write = find(told, 'gpu0', 'storage', 'gpudirect-storage');
    expect(write.note).toBeUndefined();
    expect(rate(write)).toBeCloseTo(4, 1);
    expect(find(guessed, 'gpu0', 'storage', 'gpudirect-storage').note?.code).toBe('move.note.writes-as-reads');
    expect(rate(find(told, 'storage', 'gpu0', 'gpudirect-storage'))).toBeCloseTo(12, 1);
    const small = (m: DataPathModel): number => moveRow(m, 512, { depth: 1, threads: 1, both: false }).latencyUs;
    expect(
      small(find(told, 'storage', 'gpu0', 'posix-bounce')) - small(find(told, 'gpu0', 'storage', 'posix-bounce')),
    ).toBeCloseTo(65, 0);
  });

  it('costs the kernel its own part of a request, and one copy to be launched, beside the drive’s time', async () => {
    const machine = await cluster();
    const { posixRequest, copyLaunch, compatRequest } = calibration;
    const beside = (p: MovePath): number => find(machine, 'storage', 'gpu0', p).timing.oneWay * 1e6 - 80;
    expect(beside('posix-bounce')).toBeCloseTo(posixRequest.value + copyLaunch.value, 9);
    expect(beside('gds-compat')).toBeCloseTo(posixRequest.value + copyLaunch.value + compatRequest.value, 9);
    expect(beside('p2pdma')).toBeCloseTo(posixRequest.value, 9);
  });

  it('is what gain knows as a checkpoint', async () => {
    const row = gains(await cluster(), {}).find((r) => r.workload.id === 'checkpoint')!;
    expect(row.staged.hostMemoryGBps).toBeGreaterThan(row.staged.bandwidthGBps * 1.99);
    expect(row.direct.hostMemoryGBps).toBe(0);
  });

  it('frees what it frees of the same work: moving more in a second is no cost', async () => {
    const machine = await described(
      'node: {gpu: h100-sxm5-80g, gpus: 8, link: nvswitch, cpu: intel-spr, sockets: 2, pcie: gen5, gpusPerSwitch: 2}\nstorage: {type: nvme, count: 8, perDeviceGBps: 6.8, placement: same-switch, gds: true}\n',
    );
    const same = gains(machine, {}).find((r) => r.workload.id === 'dataset')!;
    // These drives bring no more by the direct way; where they would, it takes more cores in all.
    expect(same.word).toBe('relief');
    const direct = { ...same.direct, bandwidthGBps: 2 * same.direct.bandwidthGBps, cores: 2 * same.direct.cores };
    const row: GainRow = { ...same, word: 'bandwidth', direct };
    expect(row.direct.cores).toBeGreaterThan(row.staged.cores);
    const freed = sayings(row).find((m) => m.code === 'gain.beside');
    expect(Number(freed?.args['cores'])).toBeGreaterThan(0);
  });
});

describe('a read through host memory', () => {
  it('is as fast as a direct one when many workers share the drives: 7.31 and 7.32 GB/s of one drive, 49 and 49 of five', async () => {
    const read = async (gpu: string, cpu: string, gen: string, drives: string, threads: number) => {
      const machine = await described(
        `node: {gpu: ${gpu}, gpus: 1, link: pcie, cpu: ${cpu}, sockets: 1, pcie: ${gen}, gpusPerSwitch: 0}\nstorage: {type: nvme, ${drives}, readLatencyUs: 80, placement: same-socket, gds: true}\n`,
      );
      return (['gpudirect-storage', 'gds-compat', 'posix-bounce'] as const).map((path) =>
        rate(find(machine, 'storage', 'gpu0', path), threads),
      );
    };
    for (const got of await read('a100-pcie-40g', 'amd-rome', 'gen4', 'count: 1, perDeviceGBps: 7.3', 8)) {
      expect(Math.abs(Math.log(got / 7.31))).toBeLessThan(0.02);
    }
    for (const got of await read('rtx-pro-6000', 'amd-turin', 'gen5', 'count: 5, perDeviceGBps: 10.5', 16)) {
      expect(Math.abs(Math.log(got / 49))).toBeLessThan(0.08);
    }
    const [, , alone] = await read('rtx-pro-6000', 'amd-turin', 'gen5', 'count: 5, perDeviceGBps: 10.5', 1);
    expect(alone).toBeLessThan(10);
  });
});

describe('a file in the page cache', () => {
  it('asks no drive: two copies by core and engine, as measured on an H200', async () => {
    const machine = await described(
      'node: {gpu: h200-sxm5-141g, gpus: 1, link: pcie, cpu: intel-emr, sockets: 1, pcie: gen5, gpusPerSwitch: 0}\nstorage: {type: nvme, count: 1, perDeviceGBps: 1.8, placement: same-socket}\n',
    );
    const m = find(machine, 'nvme0', 'gpu0', 'posix-cached');
    expect([copiesOf(m), hostMemoryOf(m), m.allowed]).toEqual([2, 3, 'unknown']);
    // quality/h200-vm.md, "page cache: read and copy".
    for (const [bytes, us] of [
      [2 ** 12, 10.0],
      [2 ** 16, 15.7],
    ] as const) {
      const { latencyUs } = moveRow(m, bytes, { depth: 1, threads: 1, both: false });
      expect(Math.abs(Math.log(latencyUs / us))).toBeLessThan(0.15);
    }
  });
});

describe('the kernel’s P2PDMA', () => {
  const verdict = (machine: Machine, from: string, to: string, ...facts: Assumption[]): readonly [string, string] => {
    const m = find(assuming(machine, facts), from, to, 'p2pdma');
    return [m.allowed, m.rule.code];
  };
  const set = { fact: 'p2pdma', on: true } as const;
  const noAcs = { fact: 'acs', on: false } as const;
  const acs = { fact: 'acs', on: true } as const;

  it('needs kernel and driver set up for it, and says what would tell', async () => {
    const machine = await cluster();
    expect(verdict(machine, 'nvme0', 'gpu0')).toEqual(['unknown', 'rule.p2pdma.kernel-unknown']);
    expect(verdict(machine, 'nvme0', 'gpu0', set)).toEqual(['yes', 'rule.p2pdma.yes']);
    expect(verdict(machine, 'nvme0', 'gpu0', { ...set, on: false })).toEqual(['no', 'rule.p2pdma.off']);
  });

  it('takes it from gdscheck', () => {
    const check = (answer: string) =>
      pasted(
        ` GDS release version: 1.13.0.11\n DRIVER CONFIGURATION:\n NVMe P2PDMA        : ${answer}\n NVMe               : Unsupported\n`,
      );
    expect(check('Supported').software.p2pdma?.value).toBe(true);
    expect(check('Unsupported').software.p2pdma).toMatchObject({ value: false, at: [{ line: 3 }] });
  });

  it.each([
    // Below one switch nothing of the host is asked, unless ACS sends it up.
    ['intel-bdw', 'gpu0', [set, noAcs], 'yes', 'rule.p2pdma.yes'],
    ['intel-bdw', 'gpu0', [set, acs], 'no', 'rule.p2pdma.acs'],
    ['intel-bdw', 'gpu0', [set], 'unknown', 'rule.p2pdma.acs-unknown'],
    ['intel-icx', 'gpu0', [set, acs], 'yes', 'rule.p2pdma.yes'],
    ['intel-spr', 'gpu0', [set, acs], 'unknown', 'rule.p2pdma.bridge-unknown'],
    // Through host bridges only where the kernel lists them.
    ['intel-bdw', 'gpu6', [set, noAcs], 'no', 'rule.p2pdma.bridge'],
    ['intel-spr', 'gpu6', [set, noAcs], 'unknown', 'rule.p2pdma.bridge-unknown'],
    ['amd-rome', 'gpu6', [set, acs], 'yes', 'rule.p2pdma.yes'],
  ] as const)('%s, to %s, %o: %s, %s', async (cpu, gpu, facts, answer, rule) => {
    expect(verdict(await cluster({ cpu }), 'nvme0', gpu, ...facts)).toEqual([answer, rule]);
  });

  it('is refused for GPUs whose memory the driver gives to no kernel', async () => {
    const machine = await cluster({ gpu: 'v100-sxm3-32g', cpu: 'intel-skl' });
    expect(verdict(machine, 'nvme0', 'gpu0', set, noAcs)).toEqual(['no', 'rule.p2pdma.gpu']);
  });

  it('crosses the root complex where cuFile would stage through a near GPU, and is bound by it', async () => {
    const machine = await cluster({ cpu: 'intel-icx' });
    const far = find(machine, 'storage', 'gpu6', 'p2pdma');
    expect(copiesOf(far)).toBe(0);
    expect(far.stages.map((s) => s.name.code)).toEqual(['move.stage.drives', 'move.stage.drive-write']);
    expect(moveRow(far, 4096, { depth: 1, threads: 1, both: false }).latencyUs).toBeLessThan(200);
  });
});
