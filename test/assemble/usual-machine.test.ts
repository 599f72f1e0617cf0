import { describe, expect, it } from 'vitest';
import { answerCompare } from '../../src/answer/compare.ts';
import { assemble } from '../../src/assemble/assemble.ts';
import { usualMachine } from '../../src/assemble/usual-machine.ts';
import { groundOf } from '../../src/predict/collective/ground.ts';
import { readText } from '../../src/read/read-source.ts';

/** A table of `hosts` with `each` ranks, and one large row. */
function table(product: string, hosts: number, each: number, timeUs: number): string {
  const ranks = Array.from({ length: hosts * each }, (_, r) => {
    const [host, device] = [Math.floor(r / each), r % each];
    return `#  Rank ${String(r).padStart(2)} Group  0 Pid ${4000 + r} on  node${host} device ${String(device).padStart(2)} [0x${(16 + device).toString(16)}] ${product}`;
  });
  const algbw = 2 ** 33 / timeUs / 1000;
  return [
    '# nThread 1 nGpus 1 minBytes 8589934592 maxBytes 8589934592 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1',
    '#',
    '# Using devices',
    ...ranks,
    '#',
    '#       size         count      type   redop    root     time   algbw   busbw #wrong',
    '#        (B)    (elements)                               (us)  (GB/s)  (GB/s)',
    `  ${2 ** 33}    ${2 ** 31}     float     sum      -1   ${timeUs}   ${algbw.toFixed(2)}   ${(1.875 * algbw).toFixed(2)}      0`,
  ].join('\n');
}

function stoodFor(text: string) {
  const { documents } = readText('t.txt', text);
  const machine = usualMachine(assemble(documents), documents);
  return { documents, machine };
}

describe('a table alone stands for the machine that it was most likely made on', () => {
  it.each([
    ['NVIDIA H100 80GB HBM3', 2, 8, 'hgx-h100'],
    ['NVIDIA A100-SXM4-40GB', 3, 8, 'dgx-a100-40g'],
    ['Tesla V100-SXM2-16GB', 1, 4, 'dgx-1v-16g'],
    ['NVIDIA H200', 1, 8, 'hgx-h200'],
  ])('%s on %i hosts, %i each: %s', (product, hosts, each, system) => {
    const { machine } = stoodFor(table(product, hosts, each, 50000));
    expect(machine?.hosts[0]?.system).toBe(system);
    expect(machine?.nodes).toBe(hosts);
    const ground = groundOf(machine!, {});
    expect(ground.ok && ground.value.ranks).toBe(hosts * each);
    expect(machine?.notes.map((n) => n.message.code)).toContain('usual.system');
  });

  it.each([
    [
      'the middle of the list',
      table('NVIDIA H100 80GB HBM3', 2, 8, 50000).replaceAll(/^# {2}Rank (?! 0|15).*\n/gm, ''),
    ],
    [
      'all but one line of each process of eight GPUs',
      table('NVIDIA H100 80GB HBM3', 2, 8, 50000)
        .replaceAll(/^# {2}Rank (?! 0| 8).*\n/gm, '')
        .replace('nGpus 1', 'nGpus 8'),
    ],
  ])('has as many ranks as before somebody left out %s', (_, text) => {
    const { documents, machine } = stoodFor(text);
    expect([machine?.nodes, machine?.hosts[0]?.system]).toEqual([2, 'hgx-h100']);
    const answer = answerCompare(machine!, {}, documents.find((d) => d.kind === 'nccl-tests')!);
    expect(answer.ok && answer.value?.ground.ranks).toBe(16);
    expect(answer.ok && answer.value?.notes.map((n) => n.code)).not.toContain('compare.ranks');
  });

  it('believes no rank or device beyond any run', () => {
    const text = table('NVIDIA H100 80GB HBM3', 1, 2, 50000)
      .replace('Rank  1', 'Rank 999999999999')
      .replace('device  1', 'device 88888888888');
    expect(stoodFor(text).machine?.nodes).toBe(1);
  });

  it('is judged, says what it took, and calls nothing impossible', () => {
    const judged = (timeUs: number) => {
      const { documents, machine } = stoodFor(table('NVIDIA H100 80GB HBM3', 2, 8, timeUs));
      const answer = answerCompare(machine!, {}, documents.find((d) => d.kind === 'nccl-tests')!);
      if (!answer.ok || !answer.value) throw new Error('no answer');
      return answer.value;
    };
    expect(judged(33500).verdict).toBe('normal');
    expect(judged(33500).assumptions[0]?.code).toBe('usual.system');
    expect(judged(90000).verdict).toBe('low');
    expect(judged(3000).verdict).toBe('high');
  });

  it('is no guess where a topology is at hand, or GPUs are not named or in no system', () => {
    expect(stoodFor(table('NVIDIA Imaginary 9000', 1, 8, 50000)).machine).toBeUndefined();
    const { documents } = readText('t.txt', table('NVIDIA H200', 1, 8, 50000));
    const matrix = '\tGPU0\tGPU1\nGPU0\tX\tNV18\nGPU1\tNV18\tX\n';
    expect(usualMachine(assemble([...documents, ...readText('m.txt', matrix).documents]), documents)).toBeUndefined();
  });
});
