import { describe, expect, it } from 'vitest';
import type { TopoMatrix } from '../../src/read/nvidia-smi-topo.ts';
import { readText } from '../../src/read/read-source.ts';
import { declinedOf, expectRead, notesOf, read } from './expect-read.ts';

const topo = (lines: readonly string[]) => expectRead(lines, 'topo-matrix');
const grid = ({ cells }: TopoMatrix): string[] => cells.map((row) => row.map((cell) => cell ?? '-').join(' '));

/** Two GPUs and two NICs as nvidia-smi writes them: tabs, an underlined header, one tab too many before the last column. */
const tabs = [
  '\t\u001b[4mGPU0\tGPU1\tNIC0\tNIC1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\u001b[0m',
  'GPU0\t X \tNV4\tPIX\tSYS\t0-15,32-47\t0\t\tN/A',
  'GPU1\tNV4\t X \tSYS\tPXB\t16-31\t1\t\t5',
  'NIC0\tPIX\tSYS\t X \tSYS\t\t\t\t',
  'NIC1\tSYS\tPXB\tSYS\t X \t\t\t\t',
  '',
  'Legend:',
  '',
  '  X    = Self',
  '',
  'NIC Legend:',
  '',
  '  NIC0: ibp3s0',
  '  NIC1: mlx5_bond_1',
];

const whole = ['X NV4 PIX SYS', 'NV4 X SYS PXB', 'PIX SYS X SYS', 'SYS PXB SYS X'];

/** The same with tab stops of eight blanks, as a terminal shows it. */
const expandTabs = (line: string): string =>
  line.split('\t').reduce((text, field) => text.padEnd(text === '' ? 0 : Math.ceil((text.length + 1) / 8) * 8) + field);
const blanks = tabs.map((line) => expandTabs(line.replace(/\u001b\[\d*m/g, '')).trimEnd());

describe('nvidia-smi topo -m', () => {
  it('reads tabs with empty affinity columns', async () => {
    const matrix = await topo(tabs);
    expect(grid(matrix)).toEqual(whole);
    expect(matrix.truncated).toBe(false);
    expect(matrix.devices).toMatchObject([
      { label: 'GPU0', kind: 'gpu', index: 0, cpuAffinity: '0-15,32-47', numaAffinity: '0', at: { line: 2 } },
      { label: 'GPU1', cpuAffinity: '16-31', numaAffinity: '1', gpuNumaId: '5' },
      { label: 'NIC0', kind: 'nic', index: 0, name: 'ibp3s0' },
      { label: 'NIC1', name: 'mlx5_bond_1', at: { line: 5 } },
    ]);
    expect(matrix.devices[0]).not.toHaveProperty('gpuNumaId');
  });

  it('reads aligned blanks the same', async () => {
    const matrix = await topo(blanks);
    expect(grid(matrix)).toEqual(whole);
    expect(matrix.devices.map(({ numaAffinity, gpuNumaId }) => [numaAffinity, gpuNumaId])).toEqual([
      ['0', undefined],
      ['1', '5'],
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  it('reads single blanks, as a web page gives them', async () => {
    const matrix = await topo([
      'GPU0 GPU1 mlx5_0 CPU Affinity NUMA Affinity',
      'GPU0 X PHB NODE 0-31 0',
      'GPU1 PHB X NODE 0-31 0',
      'mlx5_0 NODE NODE X',
    ]);
    expect(grid(matrix)).toEqual(['X PHB NODE', 'PHB X NODE', 'NODE NODE X']);
    expect(matrix.devices[2]).toMatchObject({ label: 'mlx5_0', kind: 'nic', index: 0, name: 'mlx5_0' });
  });

  it('puts a value under the title where it stands when others are missing', async () => {
    const matrix = await topo([
      '        GPU0    GPU1    CPU Affinity    NUMA Affinity   GPU NUMA ID',
      'GPU0     X      SYS     0-7                             2',
      'GPU1    SYS      X                      1               3',
    ]);
    expect(matrix.devices).toMatchObject([
      { cpuAffinity: '0-7', gpuNumaId: '2' },
      { numaAffinity: '1', gpuNumaId: '3' },
    ]);
    expect(matrix.devices[1]).not.toHaveProperty('cpuAffinity');
  });

  it.each([
    ['a quote mark', '> '],
    ['a timestamp', '2025-11-03 08:15:42 node3: '],
    ['mpirun', '[1,0]<stdout>:'],
    ['kubectl', '[pod/a/b] '],
  ])('reads behind %s', async (_what, prefix) => {
    const matrix = await topo(tabs.map((line) => prefix + line));
    expect(grid(matrix)).toEqual(whole);
  });

  it('reads old letters and a single GPU', async () => {
    expect(grid(await topo(['\tGPU0\tGPU1\tCPU Affinity', 'GPU0\t X \tSOC\t0-3', 'GPU1\tSOC\t X \t4-7']))).toEqual([
      'X SOC',
      'SOC X',
    ]);
    expect(grid(await topo(['\tGPU0\tCPU Affinity', 'GPU0\t X \t0-3']))).toEqual(['X']);
  });

  it('reads two matrices of one file', async () => {
    const result = await read([...tabs, '', ...tabs]);
    expect(result.documents.map((document) => [document.kind, (document as TopoMatrix).line])).toEqual([
      ['topo-matrix', 1],
      ['topo-matrix', 16],
    ]);
    expect(notesOf(result)).toEqual([]);
  });

  it('reads a matrix between the lines of a log', async () => {
    const noise = 'ash:1:2 [0] NCCL INFO Using network IB';
    const result = await read(blanks.flatMap((line) => [line, noise]));
    expect(result.documents.map(({ kind }) => kind)).toEqual(['topo-matrix', 'nccl-log']);
    expect(grid(result.documents[0] as TopoMatrix)).toEqual(whole);
  });

  it('joins what a terminal has wrapped', async () => {
    const matrix = await topo([
      '        GPU0    GPU1    GPU2',
      'GPU3    CPU Affinity',
      'GPU0     X      NV1     NV2',
      'SYS     0-3',
      'GPU1    NV1      X      SYS',
      'NV2     0-3',
      'GPU2    NV2     SYS      X',
      'NV1     4-7',
      'GPU3    SYS     NV2     NV1',
      ' X      4-7',
    ]);
    expect(grid(matrix)).toEqual(['X NV1 NV2 SYS', 'NV1 X SYS NV2', 'NV2 SYS X NV1', 'SYS NV2 NV1 X']);
    expect(matrix.devices.map(({ cpuAffinity }) => cpuAffinity)).toEqual(['0-3', '0-3', '4-7', '4-7']);
  });

  it('says what is missing of a cut matrix', async () => {
    const result = await read(tabs.slice(0, 3).map((line, i) => (i === 2 ? line.slice(0, 14) : line)));
    const matrix = result.documents[0] as TopoMatrix;
    expect(matrix.truncated).toBe(true);
    expect(grid(matrix)).toEqual(['X NV4 PIX SYS', 'NV4 X - -', '- - - -', '- - - -']);
    expect(notesOf(result)).toEqual([
      '3: "S" in the row of GPU1 is no path type',
      '1: the matrix lacks the rows of NIC0, NIC1',
      '3: the row of GPU1 has 2 cells where the header has 4 columns',
    ]);
  });

  it('says when a matrix contradicts itself', async () => {
    const result = await read(['\tGPU0\tGPU1\tCPU Affinity', 'GPU0\t X \tPIX\t0', 'GPU1\tSYS\tFOO\t0']);
    expect(notesOf(result)).toEqual([
      '3: "FOO" in the row of GPU1 is no path type',
      '3: the row of GPU1 has 1 cells where the header has 2 columns',
      '3: GPU1→GPU0 is SYS, but GPU0→GPU1 is PIX',
    ]);
  });

  it('declines with a reason', async () => {
    const p2p = await read([' \tGPU0\tGPU1\t', ' GPU0\tX\tTNS\t', ' GPU1\tTNS\tX\t', '', 'Legend:']);
    expect(p2p.documents.map((d) => d.kind)).toEqual(['p2p-status']);
    expect(notesOf(p2p)).toEqual([]);
    expect(declinedOf(await read(['nothing here']))['nvidia-smi-topo']).toBe('no header row with GPU0');
    expect(declinedOf(await read(['\tGPU0\tGPU1\tCPU Affinity', 'and then prose']))['nvidia-smi-topo']).toMatch(
      /no row of path types/,
    );
  });

  it('leaves the rows of topo -p2p to their own reader, also where both stand in one paste', async () => {
    const p2p = [' \tGPU0\tGPU1', ' GPU0\tX\tOK', ' GPU1\tCNS\tX', '', 'Legend:', '  OK   = Status Ok'];
    const matrix = ['\tGPU0\tGPU1\tCPU Affinity', 'GPU0\t X \tPIX\t0', 'GPU1\tPIX\t X \t0'];
    for (const lines of [p2p, [...matrix, '', ...p2p], [...p2p, '', ...matrix]]) {
      const tables = (await read(lines)).documents.filter((d) => d.kind === 'p2p-status');
      expect(tables.map((t) => t.rows.map((r) => [r.gpu, r.cells.join(' ')]))).toEqual([
        [
          [0, 'X OK'],
          [1, 'CNS X'],
        ],
      ]);
    }
    expect((await read([...matrix, '', ...p2p])).documents.map((d) => d.kind).sort()).toEqual([
      'p2p-status',
      'topo-matrix',
    ]);
  });
});

describe('a matrix that became a table of a page', () => {
  const matrix = [
    ['X', 'NV12', 'PXB'],
    ['NV12', 'X', 'PXB'],
    ['PXB', 'PXB', 'X'],
  ];
  const table = ['GPU0', 'GPU1', 'NIC0'].map((name, i) => [name, ...matrix[i]!]);

  it('of Markdown or of HTML is the same matrix', async () => {
    const markdown = ['| | GPU0 | GPU1 | NIC0 |', '|---|---|---|---|', ...table.map((r) => `| ${r.join(' | ')} |`)];
    expect((await topo(markdown)).cells).toEqual(matrix);
    const row = (tag: string, all: readonly string[]) =>
      `<tr>${all.map((c) => `<${tag} class="c">${c}</${tag}>`).join('')}</tr>`;
    const html = [`<table>${row('th', ['', 'GPU0', 'GPU1', 'NIC0'])}`, ...table.map((r) => row('td', r)), '</table>'];
    const [page] = readText('topo.html', html.join('\n')).documents;
    expect((page as TopoMatrix).cells).toEqual(matrix);
  });
});
