import { describe, expect, test } from 'vitest';
import { unwrapper } from '../../src/input/unwrap.ts';

const log = 'node-a:77:120 [0] NCCL INFO NET/Socket : Using [0]eth0:10.0.0.1<0>';
const once = (line: string): readonly string[] | undefined => unwrapper()(line)?.lines;

describe('lines in records of JSON', () => {
  test.each([
    ['Docker', JSON.stringify({ log: `${log}\n`, stream: 'stderr', time: '2025-05-01T12:00:00.123456789Z' })],
    ['a structured logger', JSON.stringify({ levelname: 'INFO', asctime: '12:00:00', message: log })],
    ['journald', JSON.stringify({ MESSAGE: log, _HOSTNAME: 'node-a' })],
    ['Google Cloud', JSON.stringify({ textPayload: log, timestamp: '2025-05-01T12:00:00Z', severity: 'INFO' })],
    ['a runtime before it', `2025-05-01T12:00:00.1Z stderr F ${JSON.stringify({ level: 'info', msg: log })}`],
    ['a list of lines', `            ${JSON.stringify(log)},`],
  ])('%s', (_, line) => {
    expect(once(line)).toEqual([log]);
  });
  test('several lines in one record, with colours', () => {
    const text = '\u001b[4mGPU0\u001b[0m\tGPU1\r\nGPU0\t X \n';
    expect(once(JSON.stringify({ log: text, stream: 'stdout' }))).toEqual(['GPU0\tGPU1', 'GPU0\t X ']);
  });
  test('a report of nccl-tests keeps its texts', () => {
    const unwrap = unwrapper();
    expect(unwrap('  "errors": [')).toBeUndefined();
    expect(unwrap('    "Test NCCL failure \\"x\\"",')).toBeUndefined();
    expect(unwrap('  "stdout_lines": [')).toBeUndefined();
    expect(unwrap('    "two words",')?.lines).toEqual(['two words']);
  });
  test('all lines of a long record', () => {
    expect(once(JSON.stringify({ log: 'a\n'.repeat(5000), stream: 'stdout' }))).toHaveLength(5000);
  });
  test.each([
    ['a setting', '    "allow_compat_mode": false,'],
    ['a value', '    "172.16.0.1",'],
    ['another record', '{"size":8,"time":1.5,"busbw":{"line":3}}'],
    ['no record of a log', '{"message":"out of memory","code":2}'],
    ['half a record', '{"log":"NCCL INFO","stream":"std'],
    ['a sentence', 'He said "message" and left'],
  ])('leaves %s', (_, line) => {
    expect(once(line)).toBeUndefined();
  });
});

describe('lines on a page', () => {
  test('entities and elements around them', () => {
    const unwrap = unwrapper();
    expect(unwrap('<details><summary>log</summary><pre><code class="bash">')?.lines).toEqual(['log']);
    expect(unwrap(log.replaceAll('<', '&lt;').replaceAll('>', '&gt;'))?.lines).toEqual([log]);
    expect(unwrap('&quot;a&quot; &amp;&amp; b&nbsp;c</code></pre>')?.lines).toEqual(['"a" && b c']);
  });
  test('XML keeps its own entities', () => {
    const unwrap = unwrapper();
    expect(unwrap('<system version="1">')).toBeUndefined();
    expect(unwrap('  <info name="a" value="b &quot;c&quot; &amp; d"/>')).toBeUndefined();
    expect(unwrap('  value="&lt;unknown&gt;"/>')).toBeUndefined();
  });
  test('XML that was escaped as a whole', () => {
    expect(once('&lt;system version=&quot;1&quot;&gt;')).toEqual(['<system version="1">']);
  });
  test('two backslashes are an escape of some program', () => {
    for (const line of ['"path": "C:\\\\_x",', 're.match("\\\\[a\\\\]")']) expect(once(line)).toBeUndefined();
  });
  test('marks that Markdown would take', () => {
    expect(once('nvidia\\_peermem 16384 0 \\[10.0.0.1\\<0\\>\\]')).toEqual(['nvidia_peermem 16384 0 [10.0.0.1<0>]']);
  });
});

describe('colours without their escape character', () => {
  test.each([
    ['[4mGPU0\tGPU1[0m[K', 'GPU0\tGPU1'],
    ['^[[31mNCCL WARN^[[0m', 'NCCL WARN'],
    ['\\x1b[1;32mok\\u001b[0m #033[0m', 'ok '],
    ['[01;31m[KReqRedir+[m[K', 'ReqRedir+'],
  ])('%s', (line, text) => {
    expect(once(line)).toEqual([text]);
  });
  test.each(['[0]mlx5_0:1/IB [1]mlx5_1:1/IB', 'Trees [0] 1/-1/-1->0->-1', '[K', 'a[0] b[m'])('leaves %s', (line) => {
    expect(once(line)).toBeUndefined();
  });
});

test('hostile lines cost no more than their length', () => {
  const start = performance.now();
  for (const part of ['{"log":"', '<', '&lt', '[1;', '\\', '<p ', '{"', '"a ', '[0m'])
    for (const tail of ['', '"', '}', '",']) once(part.repeat(20_000) + tail);
  expect(performance.now() - start).toBeLessThan(2000);
});
