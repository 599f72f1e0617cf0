import { describe, expect, it } from 'vitest';
import { versionOfCode } from '../../src/read/nccl-tests/line.ts';
import type { NcclTests } from '../../src/read/nccl-tests/types.ts';
import { declinedOf, expectRead, notesOf, read } from './expect-read.ts';

const options =
  '# nThread 1 nGpus 2 minBytes 8 maxBytes 1024 step: 2(factor) warmup iters: 3 iters: 11 agg iters: 1 validation: 1 graph: 0';
const footer = ['# Out of bounds values : 0 OK', '# Avg bus bandwidth    : 3.125 ', '#'];

const modern = [
  '# nccl-tests version 2.13.10 nccl-headers=22304 nccl-library=22506',
  '# Collective test starting: all_reduce_perf',
  options,
  '#',
  '# Using devices',
  '#  Rank  0 Group  0 Pid   4242 on      birch device  0 [0000:1b:00] NVIDIA L40S',
  '#  Rank  1 Group  0 Pid   4242 on      birch device  1 [0000:b1:00] NVIDIA L40S',
  '#',
  '#                                                              out-of-place                       in-place          ',
  '#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong',
  '#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)       ',
  '         512           128     float     sum      -1    21.50    0.02    0.02      0    20.25    0.03    0.03      0',
  '        1024           256     float     sum      -1  123456    6.25    6.25      2    22.00    6.50    6.50    N/A',
  ...footer,
  '# Collective test concluded: all_reduce_perf',
];

const table = (lines: readonly string[]): Promise<NcclTests> => expectRead(lines, 'nccl-tests');

describe('nccl-tests', () => {
  it('reads rows that somebody pasted without their titles, if their rates are their bytes by their times', async () => {
    const rows = [
      '> 1073741824   268435456   float   sum   -1   5432.1  197.67  370.63   0   5420.0  198.11  371.46   0',
      '  2147483648   536870912   float   sum   -1    10732  200.10  375.19   0    10702  200.66  376.24   0',
    ];
    const made = (await read(rows)).documents.find((d) => d.kind === 'nccl-tests');
    expect(made?.rows.map((r) => [r.bytes, r.redop, r.outOfPlace?.busbw, r.inPlace?.timeUs])).toEqual([
      [1073741824, 'sum', 370.63, 5420],
      [2147483648, 'sum', 375.19, 10702],
    ]);
    const other = await read(['  1073741824   268435456   float   sum   -1   5432.1  97.67  370.63   0']);
    expect(other.documents.map((d) => d.kind)).not.toContain('nccl-tests');
  });

  it('that printed no results still has its ranks', async () => {
    const cut = modern.slice(0, 7);
    const [tests] = (await read(cut)).documents as NcclTests[];
    expect([tests!.ranks.map((r) => r.host), tests!.rows, tests!.complete]).toEqual([['birch', 'birch'], [], false]);
    expect(notesOf(await read(cut)).join()).toContain('no row of results');
    expect((await read(modern.slice(0, 4))).documents).toEqual([]);
  });

  it('labelled by a launcher in the middle of its lines is the same table', async () => {
    const labelled = modern.map((l) =>
      `[0]${l}`.replace(/( -1)( +\d+)/, '$1[0]$2').replace(/ (\d)( +\d+\.\d+ +\d+\.\d+)/, ' $1[0]$2'),
    );
    expect((await table(labelled)).rows).toHaveLength((await table(modern)).rows.length);
  });

  it('reads the new layout', async () => {
    const tests = await table(modern);
    expect(tests).toMatchObject({
      from: 'text',
      program: 'all_reduce_perf',
      collective: 'all_reduce',
      version: '2.13.10',
      ncclVersion: '2.25.6',
      options: {
        nThread: 1,
        nGpus: 2,
        minBytes: 8,
        maxBytes: 1024,
        step: 2,
        stepKind: 'factor',
        warmupIters: 3,
        iters: 11,
        aggIters: 1,
        validation: true,
        graph: 0,
      },
      outOfBounds: { count: 0, ok: true },
      averageBusbw: { value: 3.125 },
      complete: true,
      errors: [],
    });
    expect(tests.ranks[1]).toMatchObject({
      rank: 1,
      group: 0,
      pid: 4242,
      host: 'birch',
      device: 1,
      busId: '0000:b1:00',
      product: 'NVIDIA L40S',
      at: { line: 7 },
    });
    expect(tests.rows).toEqual([
      {
        bytes: 512,
        count: 128,
        type: 'float',
        redop: 'sum',
        root: -1,
        line: 12,
        outOfPlace: { timeUs: 21.5, algbw: 0.02, busbw: 0.02, wrong: 0 },
        inPlace: { timeUs: 20.25, algbw: 0.03, busbw: 0.03, wrong: 0 },
      },
      {
        bytes: 1024,
        count: 256,
        type: 'float',
        redop: 'sum',
        root: -1,
        line: 13,
        outOfPlace: { timeUs: 123456, algbw: 6.25, busbw: 6.25, wrong: 2 },
        inPlace: { timeUs: 22, algbw: 6.5, busbw: 6.5, wrong: 'N/A' },
      },
    ]);
  });

  it('reads the middle layout with error columns', async () => {
    const tests = await table([
      '# nThread 1 nGpus 2 minBytes 8 maxBytes 64 step: 8(bytes) warmup iters: 5 iters: 20 validation: 1 ',
      '#   Rank  0 Pid   4242 on      birch device  0 [0x1b] Tesla T4',
      '#                                                       out-of-place                       in-place          ',
      '#       size         count    type   redop     time   algbw   busbw  error     time   algbw   busbw  error',
      '#        (B)    (elements)                     (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)       ',
      '          64            16   float     sum    33.25    0.00    0.00  0e+00    32.50    0.00    0.00  2e-07',
      ...footer,
    ]);
    expect(tests.options).toMatchObject({ stepKind: 'bytes', step: 8 });
    expect(tests.ranks).toMatchObject([{ busId: '0x1b', product: 'Tesla T4' }]);
    expect(tests.rows[0]).toMatchObject({ redop: 'sum', inPlace: { timeUs: 32.5, wrong: 2e-7 } });
    expect(tests.rows[0]).not.toHaveProperty('root');
    expect(tests.collective).toBeUndefined();
  });

  it('reads the oldest layout, in milliseconds', async () => {
    const tests = await table([
      '$ ./build/reduce_scatter_perf -b 8 -e 64 -g 2',
      'nThread 1 nGpus 2 minBytes 8 maxBytes 64 step: 2(factor) warmup iters: 5 iters: 20 validation: 1 ',
      '#                                                 out-of-place                    in-place',
      '#      bytes             N    type      op     time  algbw  busbw      res     time  algbw  busbw      res',
      '          64            16   float     sum    0.035   0.01   0.01    0e+00    0.034   0.01   0.01    0e+00',
      ' Avg bus bandwidth    : 0.01',
    ]);
    expect(tests.collective).toBe('reduce_scatter');
    expect(tests.rows[0]).toMatchObject({ bytes: 64, count: 16, outOfPlace: { timeUs: 35 }, inPlace: { timeUs: 34 } });
  });

  it.each([
    [
      'no operation, no root',
      '#       size         count    type     time   algbw   busbw  error     time   algbw   busbw  error',
      '   64   16   float    10.00    0.01    0.01    N/A    11.00    0.01    0.01    N/A',
      {},
    ],
    [
      'a root only',
      '#  size  count  type  root  time  algbw  busbw  error  time  algbw  busbw  error',
      '   64   16   float       3    10.00    0.01    0.01    N/A    11.00    0.01    0.01    N/A',
      { root: 3 },
    ],
    [
      'blank columns',
      '#  size  count  type  redop  time  algbw  busbw  error  time  algbw  busbw  error',
      '   64   16   float             10.00    0.01    0.01    N/A    11.00    0.01    0.01    N/A',
      {},
    ],
  ])('tells columns apart: %s', async (_what, head, row, more) => {
    const tests = await table([options, head, row, ...footer]);
    const { redop, root, outOfPlace, inPlace } = tests.rows[0]!;
    expect({ redop, root, time: [outOfPlace?.timeUs, inPlace?.timeUs] }).toEqual({
      redop: undefined,
      root: undefined,
      ...more,
      time: [10, 11],
    });
  });

  it('reads per-iteration columns and timestamps', async () => {
    const half = '12.00    0.04    0.04      0    11.00    13.00    12.90    2.50';
    const tests = await table([
      options,
      '#       size         count      type   redop    root     time   algbw   busbw  #wrong    i_min    i_max    i_p99    i_cv%     time   algbw   busbw  #wrong    i_min    i_max    i_p99    i_cv%           timestamp',
      `         512           128     float     sum      -1    ${half}    ${half}  2025-11-03 08:15:42`,
      ...footer,
    ]);
    expect(tests.rows[0]).toMatchObject({ outOfPlace: { timeUs: 12, wrong: 0 }, inPlace: { timeUs: 12 } });
  });

  it('reads between the lines of a log, behind a prefix', async () => {
    const log = 'birch:1:2 [0] NCCL INFO Launch mode Parallel';
    const result = await read(modern.flatMap((line) => [log, `[1,0]<stdout>:${line}`]));
    const tests = result.documents.find((document): document is NcclTests => document.kind === 'nccl-tests');
    expect(tests!.rows).toHaveLength(2);
    expect(tests!.complete).toBe(true);
    expect(notesOf(result)).toEqual([]);
  });

  it('reads several tables of one file', async () => {
    const result = await read([...modern, '', ...modern.map((line) => line.replace('all_reduce', 'all_gather'))]);
    expect(result.documents.map((document) => (document as NcclTests).collective)).toEqual([
      'all_reduce',
      'all_gather',
    ]);
  });

  it('misses no half that the titles do not promise', async () => {
    const source = await read([
      'size count type redop root time algbw busbw',
      '1048576 16384 float none -1 131.9 7.95 7.45',
      '1073741824 16777216 float none -1 3310.1 324.38 304.11',
    ]);
    const [tests] = source.documents as NcclTests[];
    expect(tests!.rows.map((r) => [r.root, r.outOfPlace?.busbw, r.inPlace])).toEqual([
      [-1, 7.45, undefined],
      [-1, 304.11, undefined],
    ]);
    expect(notesOf(source).join()).not.toContain('this row is cut');
  });

  it('says when a table is cut', async () => {
    const result = await read(modern.slice(0, 13).map((line, i) => (i === 12 ? line.slice(0, 90) : line)));
    expect((result.documents[0] as NcclTests).complete).toBe(false);
    expect(notesOf(result)).toEqual([
      '13: this row is cut: one of its halves (out-of-place, in-place) is missing',
      '13: the table ends at line 13 without its average; the run died or the text is cut',
    ]);
  });

  it('keeps a failed bound and an error', async () => {
    const tests = await table([
      ...modern.slice(0, 13),
      '# Out of bounds values : 4 FAILED',
      '# Avg bus bandwidth    : 1 ',
      '# error: remote process exited',
    ]);
    expect(tests.outOfBounds).toMatchObject({ count: 4, ok: false });
    expect(tests.errors).toMatchObject([{ text: 'remote process exited' }]);
  });

  it('declines with a reason', async () => {
    expect(declinedOf(await read([options]))['nccl-tests']).toMatch(/no row of column titles/);
    expect(declinedOf(await read([...modern.slice(0, 4), ...modern.slice(7, 11)]))['nccl-tests']).toMatch(
      /no row of results/,
    );
  });

  it('knows both countings of NCCL versions', () => {
    expect([2803, 20903, 22707, 23102, 12, Number.NaN].map(versionOfCode)).toEqual([
      '2.8.3',
      '2.9.3',
      '2.27.7',
      '2.31.2',
      undefined,
      undefined,
    ]);
  });
});

describe('the JSON report of nccl-tests', () => {
  const report = {
    version: 2,
    start_time: '2025-11-03 08:15:42',
    args: ['/opt/bin/sendrecv_perf', '-b', '8'],
    env: ['__proto__=1', 'A={"'],
    nccl_version: 22805,
    config: {
      nthreads: 1,
      ngpus: 1,
      minimum_bytes: 8,
      maximum_bytes: 64,
      step_factor: 2,
      warmup_iters: 1,
      iterations: 20,
      aggregated_iterations: 1,
      validation: 0,
      graph: 0,
      devices: [
        { rank: 0, group: 0, pid: 9, hostname: 'birch', device: 0, device_hex: '0000:1b:00', device_info: 'NVIDIA L4' },
      ],
    },
    results: [
      {
        size: 64,
        count: 16,
        type: 'float',
        redop: 'none',
        root: '    -1',
        out_of_place: { time: 9.5, alg_bw: 0.5, bus_bw: 0.5, nwrong: null },
        in_place: { time: 9.25, alg_bw: 0.5, bus_bw: 0.5, nwrong: 0 },
      },
    ],
    out_of_bounds: { count: 0, okay: 'true' },
    average_bus_bandwidth: { bandwidth: 0.5, okay: 'unchecked' },
  };

  it.each([
    ['on one line', JSON.stringify(report)],
    ['indented', JSON.stringify(report, null, 2)],
    ['quoted', JSON.stringify(report, null, 2).replace(/^/gm, '> ')],
  ])('is read %s', async (_what, text) => {
    const tests = await expectRead(text.split('\n'), 'nccl-tests');
    expect(tests).toMatchObject({
      from: 'json',
      collective: 'sendrecv',
      ncclVersion: '2.28.5',
      options: { nGpus: 1, validation: false, stepKind: 'factor' },
      ranks: [{ host: 'birch', busId: '0000:1b:00', product: 'NVIDIA L4' }],
      rows: [{ bytes: 64, root: -1, outOfPlace: { timeUs: 9.5, wrong: 'N/A' }, inPlace: { wrong: 0 } }],
      averageBusbw: { value: 0.5 },
      complete: true,
    });
  });

  it.each([
    ['cut', JSON.stringify(report).slice(0, 400), /not closed/],
    ['broken', JSON.stringify(report).replace('"args":', '"args"'), /not valid JSON/],
    ['of another kind', '{"config": {}, "results": 3}', /without a list/],
    ['too deep', `{"results": ${'['.repeat(5000)}`, /nested too deep/],
  ])('is refused when %s', async (_what, text, reason) => {
    const result = await read([text]);
    expect(result.documents).toEqual([]);
    expect(declinedOf(result)['nccl-tests-json']).toMatch(reason);
  });
});
