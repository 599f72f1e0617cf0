import { describe, expect, it } from 'vitest';
import { answerCompare } from '../../src/answer/compare.ts';
import { answerPredict, type PredictAsk } from '../../src/answer/predict.ts';
import type { Machine } from '../../src/machine/machine.ts';
import type { Datatype, TestName } from '../../src/predict/collective/predict.ts';
import { readText } from '../../src/read/read-source.ts';
import { stylerFor } from '../../src/tell/text/columns.ts';
import { predictText } from '../../src/tell/text/predict.ts';
import { described, pasted, system } from '../support/machines.ts';

const sizes = [2 ** 20, 2 ** 24, 2 ** 28];

/** Why there is no table, or what it says of the type. */
function said(machine: Machine, nccl: string, name: TestName, datatype: Datatype): string | undefined {
  const what: PredictAsk = { name, datatype, sizes };
  const a = answerPredict(machine, { nccl }, what);
  if (!a.ok) return `refused: ${a.error.reason.code}`;
  return a.value.assumptions.find((m) => m.code.startsWith('predict.type'))?.code;
}

describe('types that a release or a GPU has not', () => {
  it('8-bit floating point came with 2.24, bfloat16 with 2.10', () => {
    const h100 = system('hgx-h100');
    const a100 = system('dgx-a100-40g');
    for (const name of ['all_reduce', 'all_gather', 'alltoall'] as const) {
      expect(said(h100, '2.23.4', name, 'f8e4m3')).toBe('refused: predict.type.early');
      expect(said(h100, '2.24.3', name, 'f8e5m2')).toBeUndefined();
      expect(said(a100, '2.9.9', name, 'bfloat16')).toBe('refused: predict.type.early');
      expect(said(a100, '2.10.3', name, 'bfloat16')).toBeUndefined();
    }
    expect(said(a100, '2.9.9', 'all_reduce', 'half')).toBeUndefined();
  });

  it('8-bit floating point is reduced from compute capability 9.0 on', () => {
    const a100 = system('dgx-a100-40g');
    for (const name of ['all_reduce', 'reduce_scatter', 'reduce'] as const) {
      expect(said(a100, '2.30.7', name, 'f8e4m3')).toBe('refused: predict.type.sm');
      expect(said(system('hgx-h100'), '2.30.7', name, 'f8e4m3')).toBeUndefined();
    }
    // Bytes that are only moved need no sum; of releases before 2.28 that is not sure.
    expect(said(a100, '2.28.3', 'all_gather', 'f8e4m3')).toBeUndefined();
    expect(said(a100, '2.27.7', 'broadcast', 'f8e4m3')).toBe('predict.type.moved');
    expect(said(a100, '2.27.7', 'alltoall', 'f8e4m3')).toBeUndefined();
    // Sums of bytes that are integers NCCL has always had.
    expect(said(a100, '2.9.9', 'all_reduce', 'int8')).toBeUndefined();
  });

  it('nothing is forbidden by what no input tells', () => {
    const nameless = pasted(`        GPU0    GPU1    CPU Affinity    NUMA Affinity
GPU0     X      PIX     0-15    0
GPU1    PIX      X      0-15    0
`);
    expect(said(nameless, '2.30.7', 'all_reduce', 'f8e4m3')).toBe('predict.type.open');
  });

  it('a table that was measured is read and compared, whatever its type is called', async () => {
    const h100 = await described('node: hgx-h100\nsoftware: {nccl: 2.27.7}\n');
    const a = answerPredict(h100, {}, { name: 'all_reduce', datatype: 'f8e4m3', sizes });
    if (!a.ok) throw new Error(a.error.reason.code);
    const text = predictText(a.value, { language: 'en', width: 100, style: stylerFor(false) });
    for (const type of ['  f8e4m3', 'fp8_e4m3']) {
      const table = readText(
        't.txt',
        `# Collective test starting: all_reduce_perf\n${text.replaceAll('  f8e4m3', type)}`,
      ).documents.find((d) => d.kind === 'nccl-tests');
      if (table?.kind !== 'nccl-tests') throw new Error('no table');
      const codes = (machine: Machine, nccl?: string): readonly string[] => {
        const c = answerCompare(machine, nccl === undefined ? {} : { nccl }, table);
        if (!c.ok || !c.value) throw new Error('no answer');
        expect([type, c.value.ask.datatype, c.value.rows.length]).toEqual([type, 'f8e4m3', 3]);
        return c.value.assumptions.map((m) => m.code).filter((code) => code.startsWith('predict.type'));
      };
      expect(codes(h100)).toEqual([]);
      expect(codes(h100, '2.18.3')).toEqual(['predict.type.early-seen']);
      expect(codes(system('dgx-a100-40g'), '2.27.7')).toEqual(['predict.type.sm-seen']);
    }
  });
});
