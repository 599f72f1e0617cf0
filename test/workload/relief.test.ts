import { describe, expect, it } from 'vitest';
import { stylerFor } from '../../src/tell/text/columns.ts';
import { gainText, sayings } from '../../src/tell/text/gain.ts';
import { gains, hostMemoryBandwidth } from '../../src/workload/gain.ts';
import { pasted, system } from '../support/machines.ts';

/** Eight GPUs on an NVSwitch and two NICs; nothing tells the CPUs. */
const gpus = Array.from({ length: 8 }, (_, i) => `GPU${i}`);
const near = (gpu: number, nic: number): string =>
  gpu === 4 * nic ? 'PIX' : Math.floor(gpu / 4) === nic ? 'NODE' : 'SYS';
const matrix = [
  ['', ...gpus, 'NIC0', 'NIC1', 'CPU Affinity', 'NUMA Affinity'],
  ...gpus.map((g, i) => [
    g,
    ...gpus.map((_, j) => (i === j ? ' X ' : 'NV18')),
    near(i, 0),
    near(i, 1),
    i < 4 ? '0-47' : '48-95',
    i < 4 ? '0' : '1',
  ]),
  ...[0, 1].map((n) => [`NIC${n}`, ...gpus.map((_, i) => near(i, n)), ...[0, 1].map((m) => (m === n ? ' X ' : 'SYS'))]),
]
  .map((row) => row.join('\t'))
  .join('\n');

describe('what is freed where the CPUs are not known', () => {
  const machine = pasted(`${matrix}\n`);
  const rows = gains(machine, {});

  it('is noticed when it is much for any host memory', () => {
    expect(hostMemoryBandwidth(machine)).toBeUndefined();
    const gradient = rows.find((r) => r.workload.id === 'gradient')!;
    expect(gradient.staged.hostMemoryGBps).toBeGreaterThan(100);
    expect(gradient.word).toBe('relief');
  });

  it('is nothing where messages are rare', () => {
    const rare = rows.find((r) => r.workload.id === 'rare')!;
    expect(rare.word).toBe('nothing');
    expect(sayings(rare)[0]?.code).toBe('gain.word.nothing');
  });

  it('is never called small or rare where the work goes as fast as it can', () => {
    for (const row of rows.filter((r) => r.workload.perSecond === undefined)) {
      const full = sayings({ ...row, word: 'nothing' })[0]?.code;
      expect(full).toBe('gain.word.nothing-full');
    }
  });

  it('is the same figure in the table and in the sentence', () => {
    for (const id of ['dgx-1v', 'hgx-h100', 'aws-p3dn', 'gh200']) {
      const told = system(id, 2);
      const text = gainText(told, gains(told, {}), { language: 'en', width: 200, style: stylerFor(false) });
      const inTable = new Set([...text.matchAll(/ (\S+) GB\/s(?: \(\d+ %\))?$/gm)].map((m) => m[1]));
      const said = [...text.matchAll(/(\S+) GB\/s of (?:it|host memory)/g)].map((m) => m[1]);
      expect(said.length).toBeGreaterThan(0);
      for (const figure of said) expect([id, figure, inTable.has(figure)]).toEqual([id, figure, true]);
    }
  });
});
