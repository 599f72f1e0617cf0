import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { en } from '../../src/words/en/index.ts';
import { say } from '../../src/words/message.ts';
import { render } from '../../src/words/render.ts';
import { findTerm, termIn, terms } from '../../src/words/terms.ts';
import { zh } from '../../src/words/zh/index.ts';

const placeholders = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1]!))].sort();

function sources(folder: string): string[] {
  return readdirSync(folder).flatMap((n) => {
    const path = join(folder, n);
    return statSync(path).isDirectory() ? sources(path) : [readFileSync(path, 'utf8')];
  });
}

describe('both languages', () => {
  it('have the same messages', () => {
    expect(Object.keys(zh).sort()).toEqual(Object.keys(en).sort());
  });

  it('use the same data in each message', () => {
    const differ = Object.entries(en).filter(([code, text]) => {
      const other = zh[code as keyof typeof en];
      return placeholders(text).join() !== placeholders(other).join();
    });
    expect(differ.map(([code]) => code)).toEqual([]);
  });

  it('are really two languages', () => {
    // Unit lists, device names and tags may be the same; a sentence of several English words is not Chinese.
    const untranslated = Object.entries(zh).filter(([code, text]) => {
      const plain = text.replace(/\{\w+\}|[A-Za-z_]+[-_/=.]\S*/g, '');
      return (
        !/[\u4e00-\u9fff]/.test(text) &&
        (plain.match(/[a-z]{3,}/g) ?? []).length > 2 &&
        en[code as keyof typeof en] === text
      );
    });
    expect(untranslated.map(([code]) => code)).toEqual([]);
    const chinese = Object.entries(en).filter(([, text]) => /[\u4e00-\u9fff]/.test(text));
    expect(chinese.map(([code]) => code)).toEqual([]);
  });

  it('set per cents in one way each: `70 %`, and `70%` in Chinese', () => {
    const wrong = (table: Readonly<Record<string, string>>, other: RegExp): string[] =>
      Object.entries(table).flatMap(([code, text]) => (other.test(text) ? [code] : []));
    expect(wrong(zh, /[}\d] %/)).toEqual([]);
    expect(wrong(en, /[}\d]%/)).toEqual([]);
  });

  it('say nothing that nobody says', () => {
    const text = sources('src').join('\n');
    const unused = Object.keys(en).filter((code) => {
      if (text.includes(`'${code}'`) && text.split(`'${code}'`).length > 3) return false;
      // Codes that are put together: `show.legend.${kind}`.
      const stem = code.slice(0, code.lastIndexOf('.') + 1);
      return !text.includes(`\`${stem}\${`);
    });
    expect(unused).toEqual([]);
  });
});

describe('render', () => {
  it('fills in data, messages inside messages too, and leaves what is missing visible', () => {
    const inner = say('rule.gdr.numbers', { distance: 7, limit: 4 });
    const text = render(say('rule.gdr.beyond', { type: 'SYS', level: 'PXB', version: '2.18.3', numbers: inner }), 'en');
    expect(text).toContain('"distance 7 > 4"');
    expect(render(say('rule.path', {}), 'en')).toContain('{type}');
  });

  it('says one node and two nodes', () => {
    const title = (nodes: number, ranks: number): string =>
      render(say('predict.title', { name: 'all_reduce', ranks, nodes, version: '2.27.3' }), 'en');
    expect(title(1, 8)).toContain('8 ranks, 1 node, NCCL');
    expect(title(2, 1)).toContain('1 rank, 2 nodes, NCCL');
    expect(render(say('env.title', { count: 1, version: '2.27.3' }), 'en')).toBe('1 setting, judged for NCCL 2.27.3');
    expect(render(say('graph.same', { list: '0', count: 1 }), 'en')).toBe('channel 0');
    expect(render(say('graph.same', { list: '0–3', count: 4 }), 'en')).toBe('channels 0–3');
  });

  it('has no choice of words that it cannot make out', () => {
    for (const table of [en, zh]) {
      const broken = Object.entries(table).filter(([, text]) =>
        /\{\w+\|/.test(text.replace(/\{\w+\|[^|{}]*\|[^|{}]*\}/g, '')),
      );
      expect(broken.map(([code]) => code)).toEqual([]);
    }
    const domains = (count: number): string => render(say('predict.domains', { count }), 'en');
    expect(domains(1)).toBe('NVLink joins these nodes to 1 domain, which NCCL counts as 1 node');
    expect(domains(2)).toBe('NVLink joins these nodes to 2 domains, which NCCL counts as 2 nodes');
  });

  it('does not read keys of Object', () => {
    expect(render({ code: 'rule.path', args: JSON.parse('{"type":"PIX","__proto__":{"x":1}}') }, 'en')).toBe(
      'path type PIX',
    );
  });
});

describe('terms', () => {
  it('explain each word in both languages, once', () => {
    const names = terms.flatMap((t) => t.names.map((n) => n.toLowerCase()));
    expect(new Set(names).size).toBe(names.length);
    for (const t of terms) {
      expect(t.en.length).toBeGreaterThan(10);
      expect(t['zh-CN']).toMatch(/[\u4e00-\u9fff]/);
    }
  });

  it('are found whatever the spelling', () => {
    expect(findTerm('pix')?.names[0]).toBe('PIX');
    expect(findTerm('NV18')?.names[0]).toBe('NV#');
    expect(findTerm('gpudirect rdma')?.names[0]).toBe('GPUDirect RDMA');
    expect(findTerm('nvidia-peermem')?.names[0]).toBe('nvidia_peermem');
  });

  it('are found in a line that somebody pasted: the last of them', () => {
    const first = (line: string) => termIn(line)?.names[0];
    expect(first('Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0/GDRDMA')).toBe('GPUDirect RDMA');
    expect(first('NCCL INFO Channel 00 : 0 -> 1 [send] via NET/Socket/0')).toBe('TCP');
    expect(first('GPU Direct RDMA Disabled for GPU ca000 / HCA 0 (distance 7 > 4)')).toBe('distance');
    expect(first("NET/IB : GPU Direct RDMA Disabled for HCA 0 'mlx5_0'")).toBe('nvidia_peermem');
    expect(first('what is this')).toBeUndefined();
    expect(first('')).toBeUndefined();
  });
});
