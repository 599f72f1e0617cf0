import { describe, expect, it } from 'vitest';
import { answerCompare, type CompareAnswer } from '../../src/answer/compare.ts';
import { answerPredict, type PredictAsk } from '../../src/answer/predict.ts';
import { collective } from '../../src/catalogue/collective.ts';
import { suspectsOf } from '../../src/flip/suspects.ts';
import type { Machine } from '../../src/machine/machine.ts';
import type { Ask } from '../../src/nccl/of-machine.ts';
import { clockedTimes } from '../../src/predict/collective/clocked.ts';
import type { NcclTests } from '../../src/read/nccl-tests/types.ts';
import { readText } from '../../src/read/read-source.ts';
import { stylerFor } from '../../src/tell/text/columns.ts';
import { compareText } from '../../src/tell/text/compare.ts';
import { predictText } from '../../src/tell/text/predict.ts';
import { say } from '../../src/words/message.ts';
import { described, system } from '../support/machines.ts';

const plain = { language: 'en', width: 100, style: stylerFor(false) } as const;
const sizes = Array.from({ length: 28 }, (_, i) => 2 ** (i + 5));
const what: PredictAsk = { name: 'all_reduce', datatype: 'float', sizes };

/** What a machine prints, as a program would read it. */
function printed(machine: Machine, ask: Ask = {}, over: Partial<PredictAsk> = {}): NcclTests {
  const a = answerPredict(machine, ask, { ...what, ...over });
  if (!a.ok) throw new Error(a.error.reason.code);
  const text = `# Collective test starting: ${over.name ?? what.name}_perf\n${predictText(a.value, plain)}`;
  const table = readText('table.txt', text).documents.find((d) => d.kind === 'nccl-tests');
  if (table?.kind !== 'nccl-tests') throw new Error('no table');
  return table;
}

function compared(machine: Machine, table: NcclTests): CompareAnswer {
  const a = answerCompare(machine, {}, table);
  if (!a.ok || !a.value) throw new Error('no answer');
  return a.value;
}

const healthy = () =>
  described(
    'node: {gpu: h100-sxm5-80g, gpus: 8, link: nvswitch, nic: 400Gb/s, nics: 8, cpu: intel-spr, sockets: 2, pcie: gen5, gpusPerSwitch: 1, nicsPerSwitch: 1}\nnodes: 2\nnetwork: {transport: infiniband, rate: 400Gb/s}\nsoftware: {nccl: 2.27.7, gdr: true}\n',
  );

describe('a measured table beside the expected one', () => {
  it('is normal when it is what the machine should print, for every collective', async () => {
    const machine = await healthy();
    for (const name of ['all_reduce', 'all_gather', 'reduce_scatter', 'broadcast', 'alltoall'] as const) {
      const c = compared(machine, printed(machine, {}, { name }));
      expect([name, c.ask.name, c.verdict]).toEqual([name, name, 'normal']);
      expect(c.rows.every((r) => r.verdict === 'normal')).toBe(true);
      expect(c.explanations[0]!.id).toBe('as-described');
    }
  });

  it('takes from its head how calls were launched', async () => {
    const machine = await healthy();
    const table = printed(machine);
    const told = (options: NcclTests['options']) =>
      compared(machine, { ...table, options }).assumptions.some((a) => a.code === 'predict.assume.launch');
    expect(told({})).toBe(true);
    expect(told({ nThread: 1, nGpus: 8, graph: 0 })).toBe(false);
    expect(told({ nThread: 1, nGpus: 1, graph: 0 })).toBe(false);
    expect(told({ nThread: 1, nGpus: 8, graph: 1 })).toBe(false);
    // Eight GPUs that one thread starts in turn: small sizes take the time of eight starts, large ones what they took.
    const least = (options: NcclTests['options'], at: number) =>
      compared(machine, { ...table, options }).rows.at(at)!.timeUs;
    const alone = { nThread: 1, nGpus: 1, graph: 0 };
    const inTurn = { nThread: 1, nGpus: 8, graph: 0 };
    expect(least(inTurn, 0)).toBe(8 * collective.launchEach.value);
    expect(least(alone, 0)).toBeLessThan(least(inTurn, 0));
    expect(least(inTurn, -1)).toBe(least(alone, -1));
    expect(least({ nThread: 1, nGpus: 8, graph: 20 }, 0)).toBe(least(alone, 0));
  });

  it('is explained by the fault that it was made with', async () => {
    const machine = await healthy();
    for (const suspect of suspectsOf(machine)) {
      const broken = suspect.apply(machine, {});
      const table = printed(broken.machine, broken.ask);
      const c = compared(machine, table);
      if (c.verdict === 'normal') continue;
      expect(c.verdict).toBe('low');
      const best = c.explanations[0]!;
      // Two faults may leave the same curve; then both lie on it.
      const own = c.explanations.find((e) => e.id === suspect.id)!;
      expect([suspect.id, own.distance < 0.01, best.distance <= own.distance]).toEqual([suspect.id, true, true]);
      expect(compareText(c, 'table.txt', plain)).toContain('look most like');
      const distances = c.explanations.map((e) => e.distance);
      expect(distances).toEqual([...distances].sort((a, b) => a - b));
    }
  });

  it('is called impossible above the wires, and no mistake where bus bandwidth counts bytes twice', async () => {
    const old = system('dgx-a100-40g');
    expect(compared(old, printed(system('hgx-b200'))).verdict).toBe('impossible');
    const two = await described(
      'node: {gpu: h100-sxm5-80g, gpus: 8, link: nvswitch, nic: 100Gb/s, nics: 8, cpu: intel-spr, sockets: 2, pcie: gen5, gpusPerSwitch: 1, nicsPerSwitch: 1}\nnodes: 2\nnetwork: {transport: infiniband, rate: 100Gb/s}\nsoftware: {nccl: 2.27.7, gdr: true, env: {NCCL_ALGO: Tree}}\n',
    );
    const c = compared(two, printed(two));
    expect(c.verdict).toBe('normal');
    expect(c.notes.map((n) => n.code)).toEqual(['compare.above.tree']);
    expect(compared(system('hgx-h200'), printed(system('hgx-h200'))).notes.map((n) => n.code)).toEqual([
      'compare.above.nvls',
    ]);
  });

  it('says when the table is of another number of ranks', () => {
    const codes = (machine: Machine, table: NcclTests) => compared(machine, table).notes.map((n) => n.code);
    const one = system('dgx-a100-40g');
    const two = system('dgx-a100-40g', 2);
    for (const name of ['all_reduce', 'all_gather'] as const) {
      expect(codes(one, printed(two, {}, { name }))).toContain('compare.ranks');
      expect(codes(two, printed(two, {}, { name }))).not.toContain('compare.ranks');
    }
    const ranks = Array.from({ length: 32 }, (_, rank) => ({
      rank,
      host: 'n',
      device: rank,
      busId: '0x1b',
      product: 'A100',
      at: { file: 'table.txt', line: rank + 1 },
    }));
    expect(codes(two, { ...printed(two), ranks })).toContain('compare.ranks');
  });

  it('tells a collective that is not named by its two bandwidths', async () => {
    const machine = await healthy();
    const anonymous = (name: PredictAsk['name']): NcclTests => ({
      ...printed(machine, {}, { name }),
      collective: undefined,
    });
    for (const name of ['all_reduce', 'all_gather', 'reduce_scatter', 'broadcast', 'reduce', 'sendrecv'] as const) {
      expect(compared(machine, anonymous(name)).ask.name).toBe(name);
    }
  });

  it('compares times where a single rank has no bus bandwidth', async () => {
    const text = `#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
        1024           256     float     sum      -1     4.57    0.22    0.00      0     4.60    0.22    0.00      0
   134217728      33554432     float     sum      -1    305.2   439.8    0.00      0    305.1   439.9    0.00      0
`;
    const table = readText('one.txt', text).documents.find((d) => d.kind === 'nccl-tests') as NcclTests;
    const one = await described(
      'node: {gpu: rtx-4090, gpus: 1, link: pcie, cpu: intel-spr, sockets: 1, pcie: gen4, gpusPerSwitch: 1}\nnodes: 1\nsoftware: {nccl: 2.27.7}\n',
    );
    const c = compared(one, table);
    expect(c.ask.name).toBe('all_reduce');
    expect(c.rows.every((r) => r.ratio > 0)).toBe(true);
    expect(compareText(c, 'one.txt', plain)).not.toContain('NaN');
  });

  it('has no answer to a table without rows', async () => {
    const table = { ...printed(await healthy()), rows: [] };
    expect(answerCompare(await healthy(), {}, table)).toEqual({ ok: true, value: undefined });
  });
});

describe('what a comparison may claim', () => {
  const table = (head: string, sizes: readonly number[], busbw: (bytes: number) => number): NcclTests => {
    const rows = sizes.map((bytes) => {
      const algbw = busbw(bytes) / 1.75;
      return [bytes, bytes / 4, 'float', 'sum', -1, bytes / 1000 / algbw, algbw, busbw(bytes), 0].join(' ');
    });
    const text = `${head}#  size count type redop root time algbw busbw #wrong\n${rows.join('\n')}\n`;
    const doc = readText('table.txt', text).documents.find((d) => d.kind === 'nccl-tests');
    if (doc?.kind !== 'nccl-tests') throw new Error('no table');
    return doc;
  };

  it('says nothing of large sizes where none was measured', () => {
    const c = compared(
      system('hgx-h100'),
      table('', [1024, 4096], () => 0.01),
    );
    expect(c.verdict).toBe('low');
    expect(compareText(c, 't', plain)).toContain('the sizes measured are slower');
    const d = compared(
      system('hgx-h100'),
      table('', [2 ** 28, 2 ** 30], () => 40),
    );
    expect(compareText(d, 't', plain)).toContain('large sizes are slower');
  });

  it('suspects nothing that changes nothing', () => {
    const c = compared(
      system('dgx-1v'),
      table('', [2 ** 28, 2 ** 30], () => 20),
    );
    expect(c.explanations.map((e) => e.id)).not.toContain('nvls-off');
    // Nor where the engine, which times the machine as described only, is some per cent off the closed form.
    const run = answerCompare(
      system('dgx-a100-40g'),
      {},
      table('', [2 ** 21, 2 ** 22, 2 ** 24], () => 20),
      clockedTimes,
    );
    if (!run.ok || !run.value) throw new Error('no answer');
    expect(run.value.timedBy).toBe('engine');
    expect(run.value.explanations.map((e) => e.id).sort()).toEqual(['as-described', 'p2p-off']);
    expect(
      compared(
        system('hgx-h100'),
        table('', [2 ** 28, 2 ** 30], () => 200),
      ).explanations.map((e) => e.id),
    ).toContain('nvls-off');
  });

  it('calls no curve far from the measured one an explanation', () => {
    const c = compared(
      system('hgx-h100'),
      table('', [2 ** 28, 2 ** 30], () => 40),
    );
    const told = (distance: number) =>
      compareText({ ...c, explanations: [{ id: 'one-nic', what: say('suspect.sockets'), distance }] }, 't', plain);
    expect(told(0.1)).toContain('look most like');
    expect(told(1)).toContain('None of these faults alone explains');
    expect(told(1)).not.toContain('look most like');
  });
});
