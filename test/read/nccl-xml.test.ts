import { describe, expect, it } from 'vitest';
import type { NcclTopoXml } from '../../src/read/nccl-topo-xml.ts';
import type { XmlElement } from '../../src/read/xml.ts';
import { xmlTree } from '../../src/read/xml-tree.ts';
import { declinedOf, expectRead, notesOf, read } from './expect-read.ts';

const system = [
  '<system version="1">',
  '  <cpu numaid="0" affinity="ff" arch="x86_64" vendor="AuthenticAMD" familyid="25" modelid="17">',
  '    <pci busid="0000:a1:00.0" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="16">',
  '      <gpu dev="0" sm="90" rank="0" gdr="1"/>',
  '    </pci>',
  '  </cpu>',
  '</system>',
];

const names = (element: XmlElement): string => `${element.name}(${element.children.map(names).join(' ')})`;

describe('NCCL topology XML', () => {
  it('keeps elements, attributes and lines', async () => {
    const { root, version, complete } = await expectRead(system, 'nccl-topo-xml');
    expect([version, complete, names(root)]).toEqual(['1', true, 'system(cpu(pci(gpu())))']);
    const pci = root.children[0]!.children[0]!;
    expect(pci.line).toBe(3);
    expect([...pci.attributes]).toContainEqual(['link_speed', '32.0 GT/s PCIe']);
  });

  it.each([
    ['a fence in prose', ['What is wrong here?', '```xml', ...system, '```', 'Thanks']],
    ['an XML declaration and a comment', ['<?xml version="1.0"?>', '<!-- made by hand, with > and < -->', ...system]],
    ['quote marks', system.map((line) => `> ${line}`)],
    ['changing timestamps', system.map((line, i) => `2025-11-03 08:15:4${i} ${line}`)],
    ['mpirun', system.map((line) => `[1,0]<stdout>:${line}`)],
    ['one line', [system.map((line) => line.trim()).join('')]],
    [
      'a tag over several lines',
      [system[0]!, '<cpu', '  numaid="0"', '  affinity="ff"><pci busid="0000:a1:00.0"/></cpu>', '</system>'],
    ],
  ])('is read behind %s', async (_what, lines) => {
    const { root } = await expectRead(lines, 'nccl-topo-xml');
    expect(names(root)).toMatch(/^system\(cpu\(pci\(/);
  });

  it('steps over log lines in between', async () => {
    const log = 'ash:1:2 [0] NCCL INFO NET/Socket : Using [0]eth0:192.0.2.1<0>';
    const result = await read(system.flatMap((line) => [line, log, 'progress: 3 < 4 & going']));
    expect(result.documents.map(({ kind }) => kind)).toEqual(['nccl-topo-xml', 'nccl-log']);
    expect(notesOf(result)).toEqual([]);
  });

  it('reads several documents', async () => {
    const result = await read([...system, ...system]);
    expect(result.documents).toHaveLength(2);
  });

  it('gives what stands before a cut, and says where it is', async () => {
    const result = await read(system.slice(0, 4));
    const document = result.documents[0] as NcclTopoXml;
    expect([document.complete, names(document.root)]).toEqual([false, 'system(cpu(pci(gpu())))']);
    expect(notesOf(result)).toEqual(['4: cut at line 4, before </system>; what came before it was read']);
  });

  it('ends a cut document where the next begins', async () => {
    const result = await read([...system.slice(0, 3), ...system]);
    expect(result.documents.map((document) => (document as NcclTopoXml).complete)).toEqual([false, true]);
  });

  it('uses the first of two equal attributes, with a remark', async () => {
    const result = await read(['<system version="1">', '<cpu numaid="3" numaid="4"/>', '</system>']);
    expect((result.documents[0] as NcclTopoXml).root.children[0]!.attributes.get('numaid')).toBe('3');
    expect(notesOf(result)).toEqual([
      '2: attribute "numaid" is given twice; the first value "3" is used, as NCCL does',
    ]);
  });

  it('takes hostile names for names', async () => {
    const { root } = await expectRead(
      ['<system>', '<cpu __proto__="a" constructor="b"><__proto__ toString="c"/></cpu>', '</system>'],
      'nccl-topo-xml',
    );
    const cpu = root.children[0]!;
    expect([cpu.attributes.get('__proto__'), cpu.attributes.get('constructor'), cpu.children[0]!.name]).toEqual([
      'a',
      'b',
      '__proto__',
    ]);
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });

  it.each([
    ['entities', ['<system>', '<cpu numaid="&boom;"/>', '</system>'], /XML entity/],
    ['a DOCTYPE', ['<system>', '<!DOCTYPE x [<!ENTITY a "aaaa">]>', '<cpu/>', '</system>'], /DOCTYPE/],
    ['depth', ['<system>', ...Array.from({ length: 200 }, () => '<cpu>')], /deeper than 64/],
    ['a value without end', ['<system>', `<cpu numaid="${'7'.repeat(300_000)}`], /longer than/],
    [
      'too many attributes',
      ['<system>', `<cpu ${Array.from({ length: 300 }, (_, i) => `a${i}="1"`).join(' ')}/>`, '</system>'],
      /more than 256 attributes/,
    ],
    ['another <system>', ['<system>', '<property name="x"/>', '</system>'], /holds no <cpu>/],
    ['a bare beginning', ['<system version="1">'], /text ends before/],
    ['nothing', ['no xml'], /no element <system> opens/],
  ])('refuses %s with a reason', async (_what, lines, reason) => {
    const result = await read(lines);
    expect(result.documents).toEqual([]);
    expect(declinedOf(result)['nccl-topo-xml']).toMatch(reason);
  });

  it('keeps what stands before a syntax error', async () => {
    const result = await read(['<system>', '<cpu><pci busid="1"/>', '</pci>', '</cpu></system>']);
    expect((result.documents[0] as NcclTopoXml).complete).toBe(false);
    expect(notesOf(result)).toEqual(['3: read only up to this line, because of malformed XML: unexpected close tag']);
  });

  it('stops at the limit of elements', () => {
    const tree = xmlTree(() => {}, { depth: 8, elements: 100, attributes: 8, length: 1000 });
    tree.push('<system>', 1);
    for (let i = 2; i < 500 && tree.state === 'open'; i++) tree.push('<cpu/>', i);
    expect(tree.state).toBe('refused');
    expect(tree.reason?.line).toBe(101);
  });
});

describe('NCCL graph XML', () => {
  const graphs = [
    '<graphs version="1">',
    '  <graph id="0" pattern="4" crossnic="1" nchannels="2" speedintra="24" speedinter="12.5" latencyinter="0" typeintra="NVL" typeinter="PXB" samechannels="0">',
    '    <channel><net dev="3"/><gpu dev="2"/><gpu dev="0"/><net dev="3"/></channel>',
    '    <channel>',
    '      <gpu dev="1"/>',
    '    </channel>',
    '  </graph>',
    '</graphs>',
  ];

  it('reads graphs and channels', async () => {
    const document = await expectRead(graphs, 'nccl-graph-xml');
    expect(document.graphs).toMatchObject([
      {
        id: 0,
        pattern: 4,
        crossNic: 1,
        speedInter: 12.5,
        latencyInter: 0,
        typeIntra: 'NVL',
        typeInter: 'PXB',
        sameChannels: 0,
        line: 2,
      },
    ]);
    expect(document.graphs[0]!.channels[0]!.items.map(({ kind, dev }) => kind + dev)).toEqual([
      'net3',
      'gpu2',
      'gpu0',
      'net3',
    ]);
  });

  it('says when a number is none and when channels are missing', async () => {
    const result = await read(['<graphs>', '<graph id="0" nchannels="2" speedintra="NaN"/>', '</graphs>']);
    expect(notesOf(result)).toEqual([
      '2: this graph announces 2 channels but lists 0',
      '2: attribute "speedintra" is not a number: "NaN"',
    ]);
  });

  it('declines with a reason', async () => {
    expect(declinedOf(await read(['<graphs version="1">', '</graphs>']))['nccl-graph-xml']).toMatch(/holds no <graph>/);
  });
});
