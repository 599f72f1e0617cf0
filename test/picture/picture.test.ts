import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { systemMachine } from '../../src/assemble/build/machine.ts';
import { systems } from '../../src/catalogue/systems.ts';
import type { PciDevice } from '../../src/machine/host.ts';
import type { Machine } from '../../src/machine/machine.ts';
import {
  drawDot,
  drawHtml,
  drawMermaid,
  drawSvg,
  drawText,
  picture,
  pictureJson,
} from '../../src/tell/picture/index.ts';
import { foldNames } from '../../src/tell/picture/nvlink.ts';
import { en } from '../../src/words/en/index.ts';
import { render } from '../../src/words/render.ts';
import { cpu, gpu, host, machineOf, nic, pci, sw } from './machines.ts';

const notes = (machine: Machine): string[] => picture(machine).notes.map((n) => `${n.mark} ${render(n.message, 'en')}`);
const widest = (text: string): number => Math.max(...text.split('\n').map((line) => stringWidth(line)));

describe('the picture of a machine', () => {
  it('shows who sits with whom on an HGX H100', () => {
    expect(drawText(picture(systemMachine('hgx-h100', 2)!))).toMatchInlineSnapshot(`
      "2 nodes × 8 × H100 80GB HBM3 · NICs: 8 × 400 Gb/s

      ┌─ node0 × 2 ─────────────────────────────────────────────────────┐
      │ ┌─ cpu0 · Intel ──────────────┐ ┌─ cpu1 · Intel ──────────────┐ │
      │ │ ┌─ switch0 ─┐ ┌─ switch1 ─┐ │ │ ┌─ switch4 ─┐ ┌─ switch5 ─┐ │ │
      │ │ │ gpu0═     │ │ gpu1═     │ │ │ │ gpu4═     │ │ gpu5═     │ │ │
      │ │ │ nic0 400G │ │ nic1 400G │ │ │ │ nic4 400G │ │ nic5 400G │ │ │
      │ │ └───────────┘ └───────────┘ │ │ └───────────┘ └───────────┘ │ │
      │ │ ┌─ switch2 ─┐ ┌─ switch3 ─┐ │ │ ┌─ switch6 ─┐ ┌─ switch7 ─┐ │ │
      │ │ │ gpu2═     │ │ gpu3═     │ │ │ │ gpu6═     │ │ gpu7═     │ │ │
      │ │ │ nic2 400G │ │ nic3 400G │ │ │ │ nic6 400G │ │ nic7 400G │ │ │
      │ │ └───────────┘ └───────────┘ │ │ └───────────┘ └───────────┘ │ │
      │ └─────────────────────────────┘ └─────────────────────────────┘ │
      │ ═ 4 NVSwitches: 18 NVLinks from every GPU, 450 GB/s each way ══ │
      └─────────────────────────────────────────────────────────────────┘

      PCIe 5.0 ×16: switches 8, GPUs 8, NICs 8
      network between nodes: infiniband, 400 Gb/s a port
      "
    `);
  });

  it('tells a cube mesh by numbers, not by a tangle', () => {
    expect(drawText(picture(systemMachine('dgx-1v')!))).toMatchInlineSnapshot(`
      "8 × Tesla V100-SXM2-32GB · NICs: 4 × 100 Gb/s

      ┌─ cpu0 · Intel ────────────────────┐ ┌─ cpu1 · Intel ────────────────────┐
      │ ┌─ switch0 ────┐ ┌─ switch1 ────┐ │ │ ┌─ switch2 ────┐ ┌─ switch3 ────┐ │
      │ │ gpu0═  gpu1═ │ │ gpu2═  gpu3═ │ │ │ │ gpu4═  gpu5═ │ │ gpu6═  gpu7═ │ │
      │ │ nic0 100G    │ │ nic1 100G    │ │ │ │ nic2 100G    │ │ nic3 100G    │ │
      │ └──────────────┘ └──────────────┘ │ │ └──────────────┘ └──────────────┘ │
      └───────────────────────────────────┘ └───────────────────────────────────┘
      NVLinks from GPU to GPU
           0 1 2 3 4 5 6 7
      gpu0 - 1 1 2 2 · · ·
      gpu1 1 - 2 1 · 2 · ·
      gpu2 1 2 - 2 · · 1 ·
      gpu3 2 1 2 - · · · 1
      gpu4 2 · · · - 1 1 2
      gpu5 · 2 · · 1 - 2 1
      gpu6 · · 1 · 1 2 - 2
      gpu7 · · · 1 2 1 2 -

      PCIe 3.0 ×16: switches 4, GPUs 8, NICs 4
      "
    `);
  });

  it.each([...systems.keys()])('fits 80 columns, in both languages and in ASCII: %s', (id) => {
    const drawn = picture(systemMachine(id, 2)!);
    expect(widest(drawText(drawn))).toBeLessThanOrEqual(80);
    expect(widest(drawText(drawn, { language: 'zh-CN' }))).toBeLessThanOrEqual(80);
    expect(widest(drawText(drawn, { width: 120 }))).toBeLessThanOrEqual(120);
    expect(drawText(drawn, { ascii: true })).toMatch(/^[\x20-\x7e\n]*$/);
  });

  it('has every GPU, NIC and switch in every rendering', () => {
    const drawn = picture(systemMachine('dgx-2')!);
    const all = [drawText(drawn), drawSvg(drawn), drawDot(drawn), drawMermaid(drawn), drawHtml(drawn)];
    for (const text of all) {
      for (let i = 0; i < 16; i++) expect(text).toMatch(new RegExp(`\\bgpu${i}\\b`));
      for (let i = 0; i < 8; i++) expect(text).toMatch(new RegExp(`\\bnic${i}\\b`));
      for (let i = 0; i < 8; i++) expect(text).toMatch(new RegExp(`\\bswitch${i}\\b`));
    }
    const json = pictureJson(drawn);
    expect(json.devices.filter((d) => d.kind === 'gpu').map((d) => d.parent)).toContain('switch7');
    expect(new Set(json.devices.map((d) => d.id)).size).toBe(json.devices.length);
  });

  it('colours only through the styler', () => {
    const drawn = picture(systemMachine('hgx-h100')!);
    expect(drawText(drawn)).not.toContain('\u001b');
    const seen = new Set<string>();
    const marked = drawText(drawn, {
      color: (ink, text) => {
        seen.add(ink);
        return `<${text}>`;
      },
    });
    expect(seen.has('gpu') && seen.has('nvlink') && seen.has('title')).toBe(true);
    expect(marked.replace(/[<>]/g, '')).toBe(drawText(drawn));
  });

  it('folds a 576-GPU NVLink domain by node, quickly', () => {
    const cpus = Array.from({ length: 144 }, (_, node) =>
      [0, 1].map((numa) =>
        cpu(
          numa,
          [0, 1].map((i) =>
            sw(
              gpu(numa * 2 + i, {
                nvlinks: [{ target: 'fffffff:ff:ff.0', to: 'nvswitch', count: 18, targetClass: '0x068000', at: [] }],
              }),
            ),
          ),
          { hostHash: `0x${node.toString(16)}` },
        ),
      ),
    ).flat();
    const began = performance.now();
    const drawn = picture(machineOf([host(cpus)], { nodes: 144 }));
    const text = drawText(drawn);
    expect(performance.now() - began).toBeLessThan(1500);
    expect(drawn.hosts).toHaveLength(1);
    expect(drawn.hosts[0]!.count).toBe(144);
    expect(text).toContain('node0 × 144');
    expect(text).toContain('NVLink domain of 576 GPUs');
  });

  it('stands different hosts side by side and counts equal ones', () => {
    const small = (gpus: number) =>
      host(
        [
          cpu(
            0,
            Array.from({ length: gpus }, (_, i) => gpu(i)),
          ),
        ],
        { names: [`h${gpus}`] },
      );
    const drawn = picture(machineOf([small(1), small(2), small(2)]));
    expect(drawn.hosts.map((h) => h.count)).toEqual([1, 2]);
    const first = drawText(drawn)
      .split('\n')
      .find((line) => line.includes('node0'));
    expect(first).toContain('node1');
    const many = picture(machineOf(Array.from({ length: 12 }, (_, i) => small(i + 1))));
    expect(many.hosts).toHaveLength(8);
    expect(many.hidden).toBe(4);
    expect(drawText(many)).toContain('not drawn: 4 more nodes');
  });

  it('folds long rows of equal devices', () => {
    const drawn = picture(
      machineOf([
        host([
          cpu(
            0,
            Array.from({ length: 40 }, (_, i) => nic(i)),
          ),
        ]),
      ]),
    );
    expect(drawText(drawn)).toContain('nic0…nic39 ×40');
    const whole = picture(
      machineOf([
        host([
          cpu(
            0,
            Array.from({ length: 40 }, (_, i) => nic(i)),
          ),
        ]),
      ]),
      { unfolded: true },
    );
    expect(drawText(whole)).toContain('nic17');
  });

  it('draws nothing when there is nothing', () => {
    for (const machine of [machineOf([]), machineOf([host([])])]) {
      expect(drawText(picture(machine))).toContain('nothing to draw');
      expect(drawSvg(picture(machine))).toContain('</svg>');
    }
  });
});

describe('what is slow or broken is marked', () => {
  const link = (speed: string, width: number, more = {}): Partial<PciDevice> => ({ link: { speed, width, ...more } });

  it('a link slower than those of the same device', () => {
    const machine = machineOf([
      host([cpu(0, [gpu(0), gpu(1), gpu(2, {}, link('16.0 GT/s PCIe', 16)), gpu(3, {}, link('32.0 GT/s PCIe', 8))])]),
    ]);
    expect(notes(machine)).toEqual([
      'bad gpu2: link is PCIe 4.0 ×16; the same device elsewhere has PCIe 5.0 ×16',
      'bad gpu3: link is PCIe 5.0 ×8; the same device elsewhere has PCIe 5.0 ×16',
    ]);
    expect(drawText(picture(machine))).toContain('gpu2!');
  });

  it('fewer lanes in use than there are; a lower speed only as worth a look, for it drops when idle', () => {
    const machine = machineOf([
      host([
        cpu(0, [
          gpu(0, {}, link('32.0 GT/s PCIe', 16, { currentWidth: 4, currentSpeed: '2.5 GT/s' })),
          gpu(1, {}, link('32.0 GT/s PCIe', 16, { currentWidth: 16, currentSpeed: '2.5 GT/s' })),
        ]),
      ]),
    ]);
    expect(notes(machine)).toEqual([
      'bad gpu0: 4 of 16 PCIe lanes in use',
      'look gpu1: PCIe at 2.5 of 32 GT/s; normal when idle, look again under load',
    ]);
  });

  it('a slot that gives less than the device can do', () => {
    const machine = machineOf([host([cpu(0, [gpu(0, { part: 'h100-sxm5-80g' }, link('16.0 GT/s PCIe', 16))])])]);
    expect(notes(machine)).toEqual(['look gpu0: link is PCIe 4.0 ×16; the device can do PCIe 5.0 ×16']);
  });

  it('a rate nobody tells, where others are told', () => {
    const machine = machineOf([host([cpu(0, [gpu(0), gpu(1, {}, { link: {} })])])]);
    expect(notes(machine)).toEqual(['unknown gpu1: PCIe link rate not known']);
    const none = machineOf([host([cpu(0, [gpu(0, {}, { link: {} }), gpu(1, {}, { link: {} })])])]);
    expect(notes(none)).toEqual([]);
    expect(drawText(picture(none))).toContain('PCIe link rates: no input tells them');
  });

  it('missing NVLinks, and more than there can be', () => {
    const links = (count: number) => [{ target: 's', to: 'nvswitch' as const, count, targetClass: '0x068000', at: [] }];
    const machine = (a: number, b: number): Machine =>
      machineOf([
        host([
          cpu(0, [
            gpu(0, { part: 'h100-sxm5-80g', nvlinks: links(a) }),
            gpu(1, { part: 'h100-sxm5-80g', nvlinks: links(b) }),
          ]),
        ]),
      ]);
    expect(notes(machine(18, 18))).toEqual([]);
    expect(notes(machine(18, 16))).toEqual(['bad gpu1: 16 of 18 NVLinks']);
    expect(notes(machine(16, 16))).toHaveLength(1);
    expect(notes(machine(126, 126))).toEqual(['look gpu0, gpu1: 126 NVLinks listed, but the device has 18']);
  });

  it('nothing on any system of the catalogue, except where a cloud gives less', () => {
    const marked = [...systems.keys()].filter((id) => notes(systemMachine(id)!).some((n) => n.startsWith('bad')));
    expect(marked).toEqual([]);
  });
});

const hostile = [
  '"><script>alert(1)</script>',
  "' onload='alert(1)",
  '</title></svg><img src=x onerror=alert(1)>',
  ']]>&lt;&#60;',
  '\u001b[31mred\u001b[0m\u0007',
  '\u202egpj.exe\u2066',
  '"; } digraph x { a [label="',
  '"]\n  click n1 href "javascript:alert(1)"\n  end',
  '`rm -rf`\\"\\',
  '__proto__',
  '显卡零号',
  '👩‍💻 e\u0301',
  '\ud800 half',
  'x'.repeat(100_000),
  '%%{init: {"securityLevel":"loose"}}%%',
  '---\ntitle: x',
  '',
];

describe('names from inputs are harmless in every rendering', () => {
  it.each(hostile.map((name, i) => [i, name] as const))('%i', (_i, name) => {
    const machine = machineOf([
      host(
        [
          cpu(0, [sw(gpu(0, { product: name }, { busId: name })), nic(0, { name }, { busId: name })], {
            affinity: name,
          }),
        ],
        { names: [name] },
      ),
      host([cpu(0, [gpu(0)])], { names: [`${name}2`] }),
    ]);
    const drawn = picture(machine);
    const text = drawText(drawn);
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    const svg = drawSvg(drawn);
    const html = drawHtml(drawn);
    for (const markup of [svg, html]) {
      expect(markup).not.toMatch(/<script|<img|onload='|onerror=alert\(1\)>|[\u0000-\u0008\u001b\u202e]/);
      expect(markup.length).toBeLessThan(60_000);
      expect(Buffer.from(markup).toString()).toBe(markup);
    }
    // Every tag in the SVG is one of ours.
    const tags = new Set([...svg.matchAll(/<\/?([A-Za-z!][\w-]*)/g)].map((m) => m[1]));
    expect([...tags].filter((t) => !['svg', 'title', 'desc', 'style', 'rect', 'text', 'g'].includes(t!))).toEqual([]);
    expect(html).toContain("default-src 'none'");
    for (const dot of [drawDot(drawn)]) {
      const outside = dot.replace(/"(?:[^"\\]|\\.)*"/g, '""');
      expect(outside).not.toMatch(/digraph|script|rm -rf/);
      expect(dot.length).toBeLessThan(20_000);
    }
    const mermaid = drawMermaid(drawn).split('---\n').slice(2).join('---\n');
    for (const line of mermaid.split('\n')) {
      expect(line.replace(/"[^"]*"/g, '""')).toMatch(
        /^\s*(?:flowchart TB|subgraph \w+\[""\]|end|n\w+\[""\]|nvs\w+\[\[""\]\]|classDef .*|class .*|.* === \w+|)$/,
      );
    }
    const json = JSON.parse(JSON.stringify(pictureJson(drawn))) as { devices: unknown[] };
    expect(json.devices.length).toBe(6);
  });
});

describe('any tree can be drawn', () => {
  const device: fc.Arbitrary<PciDevice> = fc.letrec<{ device: PciDevice }>((tie) => ({
    device: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.record({ dev: fc.nat(40), name: fc.string() }).map(({ dev, name }) => gpu(dev, { product: name })),
      fc.record({ dev: fc.nat(40), name: fc.string() }).map(({ dev, name }) => nic(dev, { name })),
      fc.array(tie('device'), { maxLength: 12 }).map((children) => sw(...children)),
      fc.constantFrom<PciDevice['role']>('nvme', 'bridge', 'other', 'nvswitch', 'port').map((role) => pci(role)),
    ),
  })).device;
  const machine = fc
    .array(fc.tuple(fc.integer({ min: -1, max: 9 }), fc.array(device, { maxLength: 10 })), { maxLength: 4 })
    .map((cpus) => machineOf([host(cpus.map(([numa, devices]) => cpu(numa, devices)))]));

  it('in every form, without a throw', () => {
    fc.assert(
      fc.property(machine, fc.constantFrom(40, 80, 132), (m, width) => {
        const drawn = picture(m);
        for (const language of ['en', 'zh-CN'] as const) {
          drawText(drawn, { width, language });
          drawSvg(drawn, { language });
          drawHtml(drawn, language);
        }
        drawDot(drawn);
        drawMermaid(drawn);
        pictureJson(drawn);
      }),
      { numRuns: 150 },
    );
  });

  it('however bushy, in bounded time', () => {
    let n = 0;
    const bush = (depth: number): PciDevice =>
      depth === 0 ? gpu(n++, { product: `p${n}` }) : sw(bush(depth - 1), bush(depth - 1));
    const drawn = picture(machineOf([host([cpu(0, [bush(11)])])]));
    const began = performance.now();
    drawText(drawn);
    drawSvg(drawn);
    expect(performance.now() - began).toBeLessThan(4000);
  });

  it('however deep', () => {
    let deep = gpu(0);
    for (let i = 0; i < 64; i++) deep = i % 5 === 0 ? sw(deep, nic(i)) : sw(deep);
    const drawn = picture(machineOf([host([cpu(0, [deep])])]));
    expect(drawText(drawn)).toContain('gpu0');
    expect(drawSvg(drawn)).toContain('gpu0');
  });
});

describe('helpers', () => {
  it('fold names into ranges', () => {
    expect(foldNames(['gpu0', 'gpu1', 'gpu2', 'gpu5'])).toBe('gpu0–gpu2, gpu5');
    expect(foldNames(['gpu0', 'gpu1'])).toBe('gpu0, gpu1');
    expect(foldNames([])).toBe('');
    expect(foldNames(Array.from({ length: 20 }, (_, i) => `gpu${i * 2}`))).toMatch(/\+14$/);
  });

  it('every message of the drawings exists', () => {
    expect(Object.keys(en).filter((code) => code.startsWith('show.')).length).toBeGreaterThan(40);
  });
});
