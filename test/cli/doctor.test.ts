import { describe, expect, it } from 'vitest';
import { crowfly } from './run.ts';

const sick = 'test/cli/fixtures/sick-host';

describe('doctor', () => {
  it('ends with 1 on an error, unless told otherwise, and with 0 when all is well', () => {
    expect(crowfly(['doctor', sick]).status).toBe(1);
    expect(crowfly(['doctor', sick, '--fail-on', 'never']).status).toBe(0);
    const well = crowfly(['doctor', '-'], {
      input: 'Module                  Size  Used by\nnvidia_peermem         16384  0\n',
    });
    expect([well.status, well.out.trim()]).toEqual([0, 'Nothing found that is wrong.']);
  });

  it('counts warnings when asked to', () => {
    const input = 'NCCL_P2P_DISABLE=1\n';
    expect(crowfly(['doctor', '-'], { input }).status).toBe(0);
    expect(crowfly(['doctor', '-', '--fail-on', 'warning'], { input }).status).toBe(1);
  });

  it('has no answer where nothing can be read', () => {
    expect(crowfly(['doctor', '-'], { input: 'hello\n' }).status).toBe(2);
    expect(crowfly(['doctor']).status).toBe(2);
    const bare = crowfly(['doctor', '--system', 'hgx-h100']);
    expect([bare.status, bare.err]).toEqual([
      2,
      expect.stringContaining('finds nothing in a machine of the catalogue'),
    ]);
    const wrong = crowfly(['doctor', sick, '--report', 'pdf']);
    expect([wrong.status, wrong.err]).toEqual([2, expect.stringContaining('md, html, sarif, junit, prometheus')]);
  });

  it('gives JSON with the exact lines, and answers about each input', () => {
    const json = JSON.parse(crowfly(['doctor', sick, '--json']).out) as {
      inputs: { file: string; formats?: string[]; declined?: string }[];
      findings: { id: string; evidence: { file: string; line: number; text: string }[] }[];
    };
    expect(json.inputs.map((i) => i.formats ?? i.declined)).toEqual([
      ['lsmod'],
      ['nccl-log'],
      'plain text of another kind',
    ]);
    expect(json.findings[0]!.evidence[0]).toEqual({
      file: `${sick}/nccl.log`,
      line: 2,
      text: "birch:31:77 [0] NCCL INFO NET/IB : GPU Direct RDMA Disabled for HCA 0 'mlx5_4'",
    });
  });

  it('speaks Chinese', () => {
    expect(crowfly(['doctor', sick, '--lang', 'zh-CN']).out).toMatch(/没有组件向网卡注册显存/);
    expect(crowfly(['explain', 'acs-enabled', '--lang', 'zh-CN']).out).toMatch(/根端口/);
  });

  it('gives forms to pass on', () => {
    expect(crowfly(['doctor', sick, '--report', 'md']).out).toMatch(/^## Findings of crowfly/);
    expect(crowfly(['doctor', sick, '--report', 'md']).out).not.toContain('birch');
    const sarif = crowfly(['doctor', sick, '--report', 'sarif', '--env', 'NCCL_IB_HCA=mlx5_4']).out;
    expect(() => JSON.parse(sarif)).not.toThrow();
    for (const [form, start] of [
      ['html', '<!doctype html>'],
      ['sarif', '{'],
      ['junit', '<?xml'],
      ['prometheus', '# HELP'],
    ]) {
      expect(crowfly(['doctor', sick, '--report', form!]).out.startsWith(start!)).toBe(true);
    }
  });
});
