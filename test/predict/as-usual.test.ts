import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerCompare } from '../../src/answer/compare.ts';
import { answerMove } from '../../src/answer/move.ts';
import { answerPredict } from '../../src/answer/predict.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { readText } from '../../src/read/read-source.ts';
import { pasted, system } from '../support/machines.ts';

/** `nvidia-smi topo -m` of GPUs in pairs, each pair beside `nicsPerPair` NICs behind a switch of switches. */
function matrix(link: string, gpus: number, nicsPerPair: number): string {
  const pairs = gpus / 2;
  const names = [
    ...Array.from({ length: gpus }, (_, i) => `GPU${i}`),
    ...Array.from({ length: pairs * nicsPerPair }, (_, i) => `NIC${i}`),
  ];
  const pair = (i: number): number => Math.floor(i < gpus ? i / 2 : (i - gpus) / nicsPerPair);
  const cell = (i: number, j: number): string => {
    if (i === j) return 'X';
    if (i < gpus && j < gpus) return link;
    return pair(i) === pair(j) ? 'PXB' : 'SYS';
  };
  const rows = names.map((n, i) =>
    [
      n,
      ...names.map((_, j) => cell(i, j)),
      ...(i < gpus ? [`${pair(i) * 8}-${pair(i) * 8 + 7}`, `${pair(i)}`] : []),
    ].join('\t'),
  );
  return `\t${names.join('\t')}\tCPU Affinity\tNUMA Affinity\n${rows.join('\n')}\n`;
}

const size = 2 ** 30;
const predicted = (machine: Machine, nodes: number) => {
  const p = answerPredict({ ...machine, nodes }, {}, { name: 'all_reduce', datatype: 'float', sizes: [size] });
  if (!p.ok) throw new Error(p.error.reason.code);
  return p.value;
};
const codes = (machine: Machine, nodes: number): string[] => predicted(machine, nodes).assumptions.map((a) => a.code);

describe('what no input tells is taken as usual, and said', () => {
  it('a matrix of a DGX A100 is predicted as the DGX A100 is', () => {
    const told = predicted(pasted(matrix('NV12', 8, 2)), 2);
    const known = predicted(system('dgx-a100-40g', 2), 2);
    expect(Math.abs(Math.log(told.rows[0]!.timeUs / known.rows[0]!.timeUs))).toBeLessThan(0.02);
  });

  it('says what it took: GPUs, links, ports and GPUDirect RDMA; of one node no ports', () => {
    const machine = pasted(matrix('NV12', 8, 2));
    const usual = (nodes: number): string[] => codes(machine, nodes).filter((c) => c.startsWith('usual.'));
    expect(usual(2)).toEqual(['usual.gpu', 'usual.pcie', 'usual.port', 'usual.gdr']);
    expect(usual(1)).toEqual(['usual.gpu', 'usual.pcie']);
    expect(codes(system('dgx-a100-40g', 2), 2).some((c) => c.startsWith('usual.'))).toBe(false);
  });

  it('a name in another input is no assumption', () => {
    const table = [
      '# nThread 1 nGpus 1 minBytes 1073741824 maxBytes 1073741824 step: 2(factor) warmup iters: 5 iters: 20',
      '#',
      '# Using devices',
      '#  Rank  0 Group  0 Pid   1 on  a device  0 [0x07] NVIDIA H100 80GB HBM3',
      '#',
      '#       size         count      type   redop    root     time   algbw   busbw #wrong',
      '#        (B)    (elements)                               (us)  (GB/s)  (GB/s)',
      '  1073741824     268435456     float     sum      -1   4300.0  249.71  468.21      0',
    ];
    const machine = pasted(`${matrix('NV18', 8, 2)}\n${table.join('\n')}\n`);
    expect(codes(machine, 2)).not.toContain('usual.gpu');
    expect(codes(machine, 2)).toContain('usual.port');
  });

  it('GPUs of which nothing is told stand for cards like an A100, and it says so', () => {
    expect(codes(pasted(matrix('SYS', 4, 1)), 1)).toContain('usual.gpu-unknown');
  });

  it('what is told is kept: GDR switched off, a network without it', () => {
    const machine = pasted(matrix('NV12', 8, 2));
    const off: Machine = {
      ...machine,
      software: { ...machine.software, gdr: { value: false, at: [], by: 'assumed' } },
    };
    expect(codes(off, 2)).not.toContain('usual.gdr');
    expect(predicted(off, 2).rows[0]!.timeUs).toBeGreaterThan(1.5 * predicted(machine, 2).rows[0]!.timeUs);
    const tcp: Machine = { ...machine, fabric: { transport: { value: 'tcp', at: [], by: 'input' } } };
    expect(codes(tcp, 2)).not.toContain('usual.gdr');
  });

  it('wires of an assumed rate forbid nothing', () => {
    const machine = { ...pasted(matrix('NV12', 8, 1)), nodes: 2 };
    const time = predicted(machine, 2).rows[0]!.timeUs / 5;
    const row = `  ${size}     268435456     float     sum      -1   ${time.toFixed(1)}   ${(size / time / 1000).toFixed(2)}   ${((size / time / 1000) * 1.875).toFixed(2)}      0\n`;
    const head = '#       size         count      type   redop    root     time   algbw   busbw #wrong\n';
    const read = readText(
      't.txt',
      `${head}#        (B)    (elements)                               (us)  (GB/s)  (GB/s)\n${row}`,
    );
    const table = read.documents.find((d) => d.kind === 'nccl-tests')!;
    const answer = answerCompare(machine, {}, table);
    expect(answer.ok && answer.value?.verdict).toBe('high');
    const known = answerCompare(system('dgx-a100-40g', 2), {}, table);
    expect(known.ok && known.value?.verdict).toBe('impossible');
  });

  it('move answers and says what it took', () => {
    const moved = answerMove(pasted(matrix('NV12', 8, 2)), {}, 'gpu0', 'gpu1', {
      sizes: [size],
      depth: 1,
      threads: 1,
      both: false,
    });
    if (!moved.ok) throw new Error(moved.error.code);
    expect(moved.value.assumed.map((a) => a.code)).toContain('usual.gpu');
    expect(moved.value.paths.find((p) => p.model.path === 'nvlink')?.rows[0]?.bandwidthGBps).toBeGreaterThan(200);
  });

  it('nodes without a NIC do not meet', () => {
    const p = answerPredict(
      { ...pasted(matrix('NV18', 8, 0)), nodes: 2 },
      {},
      { name: 'all_reduce', datatype: 'float', sizes: [size] },
    );
    expect(p.ok || p.error.reason.code).toBe('predict.no-nic');
  });

  it('any matrix is predicted with finite times, or refused for a reason', () => {
    const word = fc.constantFrom('NV18', 'NV12', 'NV4', 'SYS', 'PIX', 'PHB', 'NODE', 'PXB');
    const far = fc.constantFrom('PIX', 'PXB', 'PHB', 'NODE', 'SYS');
    const shape = fc
      .record({ gpus: fc.integer({ min: 1, max: 8 }), nics: fc.integer({ min: 0, max: 4 }) })
      .chain(({ gpus, nics }) => {
        const n = gpus + nics;
        const cells = fc.array(fc.tuple(word, far), { minLength: 1, maxLength: n * n });
        return fc.record({ gpus: fc.constant(gpus), n: fc.constant(n), cells, nodes: fc.integer({ min: 1, max: 3 }) });
      });
    const collective = fc.constantFrom('all_reduce', 'all_gather', 'alltoall', 'broadcast', 'sendrecv');
    fc.assert(
      fc.property(shape, collective, ({ gpus, n, cells, nodes }, name) => {
        const names = Array.from({ length: n }, (_, i) => (i < gpus ? `GPU${i}` : `NIC${i - gpus}`));
        const cell = (i: number, j: number): string => {
          if (i === j) return 'X';
          const [near, apart] = cells[(Math.min(i, j) * n + Math.max(i, j)) % cells.length]!;
          return Math.max(i, j) < gpus ? near : apart;
        };
        const rows = names.map((row, i) => [row, ...names.map((_, j) => cell(i, j))].join('\t'));
        const machine = { ...pasted(`\t${names.join('\t')}\n${rows.join('\n')}\n`), nodes };
        const p = answerPredict(machine, {}, { name, datatype: 'float', sizes: [8 * 24, size] });
        if (!p.ok) expect(p.error.reason.code).toMatch(/^(predict|graph|rule)\./);
        else for (const r of p.value.rows) expect(r.timeUs > 0 && r.busbwGBps < 2000, JSON.stringify(r)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
});

describe('which GPUs are taken for usual', () => {
  /** Four GPUs joined in pairs by six NVLinks, each on a NUMA node of its own. */
  const four = (cpus: readonly string[]): string => {
    const names = cpus.map((_, i) => `GPU${i}`);
    const rows = names.map((n, i) => [n, ...names.map((_, j) => (i === j ? 'X' : 'NV6')), cpus[i], `${i}`].join('\t'));
    return `\t${names.join('\t')}\tCPU Affinity\tNUMA Affinity\n${rows.join('\n')}\n`;
  };
  const assumedGpu = (text: string): unknown =>
    predicted(pasted(text), 1).assumptions.find((a) => a.code === 'usual.gpu')?.args['gpu'];

  it('takes NUMA nodes with the cores of a Grace CPU for such modules, and no others', () => {
    expect(assumedGpu(four(['0-71', '72-143', '144-215', '216-287']))).toMatch(/GH200/);
    expect(assumedGpu(four(['0,8,16', '1,9,17', '2,10,18', '3,11,19']))).toMatch(/H100/);
    expect(assumedGpu(four(['0-15', '16-31', '32-47', '48-63']))).toMatch(/H100/);
  });

  it('says that unnamed GPUs are taken after the named one, not after their NVLinks', () => {
    const one = 'GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-11111111-2222-3333-4444-555555555555)\n';
    const mixed = predicted(pasted(`${four(['0-15', '16-31', '32-47', '48-63'])}\n${one}`), 1);
    const said = mixed.assumptions.map((a) => a.code);
    expect(said).toContain('usual.gpu-beside');
    expect(said).not.toContain('usual.gpu');
  });
});
