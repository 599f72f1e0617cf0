import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerDoctor } from '../../src/answer/doctor.ts';
import { KeptLines } from '../../src/read/kept-lines.ts';
import { readText } from '../../src/read/read-source.ts';
import { xmlTree } from '../../src/read/xml-tree.ts';
import { redactor } from '../../src/tell/redact.ts';
import { doctorHtml } from '../../src/tell/reports/html.ts';
import { doctorJunit } from '../../src/tell/reports/junit.ts';
import { doctorMarkdown } from '../../src/tell/reports/markdown.ts';
import { doctorPrometheus } from '../../src/tell/reports/prometheus.ts';
import { doctorSarif } from '../../src/tell/reports/sarif.ts';

const log = [
  'birch:31:31 [0] NCCL INFO Bootstrap : Using ens1:192.0.2.11<0>',
  "birch:31:77 [0] NCCL INFO NET/IB : GPU Direct RDMA Disabled for HCA 0 'mlx5_4'",
  'birch:31:77 [0] NCCL INFO Using network IB ```',
];

function answer() {
  const lines = new KeptLines();
  for (const line of log) lines.add('a "b"/<nccl>.log', line);
  return answerDoctor([readText('a "b"/<nccl>.log', log.join('\n'))], lines);
}

describe('redaction', () => {
  it('goes by whole words', () => {
    const redact = redactor(['b', 'gpu1'], ['b']);
    expect(redact('Motherboard of b on gpu1, gpu12')).toBe('Motherboard of HOST-1 on HOST-2, gpu12');
  });

  it('gives the same thing the same name, and others another', () => {
    const redact = redactor();
    expect(redact('192.0.2.7 198.51.100.7 192.0.2.7')).toBe('ADDRESS-1 ADDRESS-2 ADDRESS-1');
    expect(redact('fe80::ff:fe00:7 and /home/jo/x')).toBe('fe80::ADDRESS-3 and /home/USER-1/x');
    // A GID that holds an IPv4 address stays recognisable as one, and as the same one.
    expect(redact('0000:0000:0000:0000:0000:ffff:c000:0207 192.0.2.7')).toBe('::ffff:ADDRESS-1 ADDRESS-1');
    expect(redact('Port GUID: 0x0c42a10300b21d3e')).toBe('Port GUID: GUID-1');
    expect(redact('(UUID: GPU-11111111-2222-3333-4444-555555555555)')).toBe('(UUID: UUID-1)');
  });

  it('leaves what tells nobody anything: versions, PCI addresses, times', () => {
    const text = 'GDS release version: 1.15.1.6 at 0000:17:00.0, 550.54.15, 12:30:45, 127.0.0.1, NCCL 2.21.5';
    expect(redactor()(text)).toBe(text);
  });

  it('never lets a known host through', () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9-]{2,12}[a-z0-9]$/);
    fc.assert(
      fc.property(word, fc.array(word), (host, others) => {
        const text = [...others, host, ...others].join(' ');
        expect(redactor([host])(text).split(' ')).not.toContain(host);
      }),
      { seed: 2025, numRuns: 300 },
    );
  });
});

describe('forms to pass on', () => {
  it('Markdown has no host and no address, and no fence of the input closes it', () => {
    const text = doctorMarkdown(answer(), 'en', redactor(answer().hosts));
    expect(text).toContain('gdr-disabled-peermem-missing');
    expect(text).not.toMatch(/birch|192\.0\.2/);
    expect(text).toContain('HOST-1');
    expect((text.match(/^`{3,}/gm) ?? []).length % 2).toBe(0);
    expect(doctorMarkdown(answer(), 'zh-CN', redactor())).toMatch(/[\u4e00-\u9fff]/);
  });

  it('set marks and gaps as their language does', () => {
    const chinese = doctorMarkdown(answer(), 'zh-CN', redactor());
    expect(chinese).toContain('**设备**：`mlx5_4`');
    expect(chinese).not.toMatch(/。 |[\u4e00-\u9fff]:$/m);
    expect(doctorMarkdown(answer(), 'en', redactor())).toContain('**devices**: `mlx5_4`');
    const message = (language: 'en' | 'zh-CN') =>
      (
        JSON.parse(doctorSarif(answer(), language, '1', redactor())) as {
          runs: { results: { message: { text: string } }[] }[];
        }
      ).runs[0]!.results[0]!.message.text;
    expect(message('en')).toMatch(/with the NIC\. Load/);
    expect(message('zh-CN')).toMatch(/。\S/);
  });

  it('keep no name of a host, whatever the form', () => {
    const redact = redactor(['birch']);
    for (const text of [
      doctorSarif(answer(), 'en', '1', redact),
      doctorHtml(answer(), 'en', redact),
      doctorJunit(answer(), 'en', redact),
      doctorPrometheus(answer()),
    ]) {
      expect(text).not.toMatch(/birch|192\.0\.2/);
    }
  });

  it('HTML is a page of its own: nothing is loaded or run, and no line of an input becomes markup', () => {
    const nasty = new KeptLines();
    const file = '<img src=x onerror=alert(1)>.log';
    const line = `birch:31:77 [0] NCCL INFO NET/IB : GPU Direct RDMA Disabled for HCA 0 '</pre><script>'`;
    nasty.add(file, line);
    const told = answerDoctor([readText(file, line)], nasty);
    for (const language of ['en', 'zh-CN'] as const) {
      const text = doctorHtml(told, language, redactor(['birch']));
      expect(text).toContain(`<html lang="${language}">`);
      expect(text).toContain("default-src 'none'");
      expect(text).not.toMatch(/<(?:script|img|link|iframe)|birch/i);
      expect(text.match(/<article/g)).toHaveLength(told.findings.length);
      expect(text).toContain(told.findings[0]!.id);
    }
  });

  it('SARIF points at lines', () => {
    const sarif = JSON.parse(doctorSarif(answer(), 'en', '1.0.0', redactor())) as {
      version: string;
      runs: {
        results: {
          ruleId: string;
          locations: { physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } } }[];
        }[];
      }[];
    };
    expect(sarif.version).toBe('2.1.0');
    const [result] = sarif.runs[0]!.results;
    expect(result!.locations[0]!.physicalLocation.region.startLine).toBe(2);
    expect(result!.locations[0]!.physicalLocation.artifactLocation.uri).toBe('a%20%22b%22/%3Cnccl%3E.log');
  });

  it('JUnit is well-formed XML', () => {
    const text = doctorJunit(answer(), 'en', redactor());
    const tree = xmlTree(() => {});
    for (const [i, line] of text.split('\n').slice(1).entries()) tree.push(line, i + 2);
    expect(tree.state).toBe('closed');
    expect(tree.root?.attributes.get('failures')).toBe('1');
  });

  it('Prometheus has one series a finding', () => {
    const text = doctorPrometheus(answer());
    expect(text).toContain('crowfly_finding{id="gdr-disabled-peermem-missing",severity="error"} 0.7');
    for (const line of text.trimEnd().split('\n'))
      expect(line).toMatch(/^# |^crowfly_\w+(?:\{(?:\w+="[^"]*",?)*\})? [\d.]+$/);
  });
});
