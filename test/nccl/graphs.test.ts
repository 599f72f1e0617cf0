import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerGraph, type GraphAnswer } from '../../src/answer/graph.ts';
import { hostFromXml } from '../../src/assemble/from-nccl-xml.ts';
import { editHost } from '../../src/machine/edit.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { choicesOf, communicator } from '../../src/nccl/communicator.ts';
import { connectNodes } from '../../src/nccl/connect/connect.ts';
import type { Ask } from '../../src/nccl/of-machine.ts';
import { pathTypes } from '../../src/nccl/path-type.ts';
import { releaseFor } from '../../src/nccl/release.ts';
import { collectives } from '../../src/nccl/tuning/model.ts';
import { readText } from '../../src/read/read-source.ts';
import { render } from '../../src/words/render.ts';
import { pasted, system } from '../support/machines.ts';
import { shared, whyNot } from '../support/shared.ts';

function graphs(machine: Machine, ask: Ask = {}): GraphAnswer {
  const answer = answerGraph(machine, ask);
  if (!answer.ok) throw new Error(render(answer.error.reason, 'en'));
  return answer.value;
}
const found = (answer: GraphAnswer, name: string) => answer.graphs.find(([n]) => n === name)![1];
const onto = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
const sorted = (list: readonly number[]): number[] => [...list].sort((a, b) => a - b);

/** GPUs and NICs on switches of one or two sockets, of Gen3 to Gen5 speed. */
function box(gpus: number, perSwitch: number, nics: number, speed: string, sm: number): string {
  const switches = Math.ceil(gpus / perSwitch);
  const sockets = switches > 1 ? 2 : 1;
  const cpu = (s: number): string =>
    onto(switches)
      .filter((x) => x % sockets === s)
      .map((x) => {
        const inside = onto(gpus)
          .filter((g) => Math.floor(g / perSwitch) === x)
          .map((g) => {
            const bus = (0x10 + x * 16 + (g % perSwitch) + 1).toString(16);
            return `<pci busid="0000:${bus}:00.0" class="0x030000" link_speed="${speed}" link_width="16"><gpu dev="${g}" sm="${sm}" rank="${g}" gdr="1"/></pci>`;
          });
        const nic =
          x < nics
            ? `<pci busid="0000:${(0x1e + x * 16).toString(16)}:00.0" class="0x020000" link_speed="${speed}" link_width="16"><nic><net name="mlx5_${x}" dev="${x}" speed="100000" port="1" guid="0x${x + 1}" maxconn="131072" gdr="1"/></nic></pci>`
            : '';
        return `<pci busid="0000:${(0x10 + x * 16).toString(16)}:00.0" class="0x060400" link_speed="${speed}" link_width="16">${inside.join('')}${nic}</pci>`;
      })
      .join('\n');
  return `<system version="1">${onto(sockets)
    .map(
      (s) =>
        `<cpu numaid="${s}" affinity="f" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="85">\n${cpu(s)}\n</cpu>`,
    )
    .join('\n')}</system>\n`;
}

describe('channels', () => {
  it('send a pair of GPUs one way round and back', () => {
    const ring = found(graphs(pasted(box(2, 2, 0, '16.0 GT/s PCIe', 80))), 'ring');
    expect(ring).toMatchObject({ typeIntra: 'PIX', sameChannels: 1, crossNic: 0 });
    expect(ring.channels.every((c) => sorted(c.intra).join() === '0,1')).toBe(true);
  });

  it('visit each GPU once, hang every rank in one tree, and take no more than the links carry', () => {
    const shape = fc.record({
      gpus: fc.integer({ min: 1, max: 6 }),
      perSwitch: fc.integer({ min: 1, max: 3 }),
      nics: fc.integer({ min: 1, max: 3 }),
      speed: fc.constantFrom('8.0 GT/s PCIe', '16.0 GT/s PCIe', '32.0 GT/s PCIe'),
      sm: fc.constantFrom(70, 80, 86, 90),
      nodes: fc.integer({ min: 1, max: 4 }),
      nccl: fc.constantFrom(
        '2.6.4',
        '2.7.8',
        '2.8.3',
        '2.10.3',
        '2.12.12',
        '2.17.1',
        '2.18.3',
        '2.21.5',
        '2.27.7',
        '2.30.7',
      ),
    });
    fc.assert(
      fc.property(shape, ({ gpus, perSwitch, nics, speed, sm, nodes, nccl }) => {
        const machine = { ...pasted(box(gpus, perSwitch, nics, speed, sm)), nodes };
        const answer = graphs(machine, { nccl });
        const c = answer.communicator;
        for (const channel of c.channels) {
          expect(sorted(channel.ring)).toEqual(onto(gpus * nodes));
          expect(channel.treeUp.filter((p) => p < 0)).toHaveLength(1);
          channel.treeUp.forEach((_, r) => {
            let at = r;
            for (let step = 0; at >= 0; step++) {
              expect(step).toBeLessThan(gpus * nodes + 1);
              at = channel.treeUp[at]!;
            }
          });
        }
        for (const d of c.perDomain) {
          if (d.ring.bwIntra < 0.2) continue;
          const { paths } = d.ground;
          const load = new Map<number, number>();
          for (let k = 0; k < d.ring.nChannels; k++) {
            const row = d.ring.intra.subarray(k * d.ranks.length, (k + 1) * d.ranks.length);
            row.forEach((g, i) => {
              if (i === 0) return;
              const gpus2 = paths.system.nodes.GPU;
              for (const l of paths.links(gpus2[row[i - 1]!]!, gpus2[g]!)) {
                load.set(l.seq, (load.get(l.seq) ?? 0) + d.ring.bwIntra);
              }
            });
          }
          for (const [seq, gbps] of load) expect(gbps).toBeLessThanOrEqual(paths.system.links[seq]!.bw + 0.01);
        }
        for (const coll of collectives) {
          for (const choice of answer.choices[coll]) {
            expect(choice.nChannels).toBeGreaterThan(0);
            expect(choice.nChannels).toBeLessThanOrEqual(Math.max(c.collChannels, c.launch.nvlsChannels));
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('are fewer or more as the variables say', () => {
    const two = { ...system('dgx-a100-40g'), nodes: 2 };
    const usual = graphs(two).communicator.collChannels;
    const env = (name: string, value: string): Ask => ({ env: new Map([[name, value]]) });
    expect(graphs(two, env('NCCL_MAX_NCHANNELS', '4')).communicator.collChannels).toBe(4);
    expect(graphs(two, env('NCCL_MIN_NCHANNELS', '32')).communicator.collChannels).toBe(32);
    expect(usual).toBeGreaterThan(4);
  });

  it('use NVLS behind an NVSwitch from Hopper on, unless it is switched off', () => {
    const hopper = system('hgx-h100');
    const on = graphs(hopper);
    expect(found(on, 'nvls').nChannels).toBe(8);
    expect(on.choices.AllReduce.at(-1)).toMatchObject({ algorithm: 'NVLS', protocol: 'Simple' });
    const off = graphs(hopper, { env: new Map([['NCCL_NVLS_ENABLE', '0']]) });
    expect(off.graphs.some(([name]) => name === 'nvls')).toBe(false);
    expect(off.choices.AllReduce.at(-1)!.algorithm).toBe('Ring');
    expect(graphs(system('dgx-a100-40g')).graphs.some(([name]) => name === 'nvls')).toBe(false);
  });

  it('of more ranks than can be told are refused', () => {
    const answer = answerGraph({ ...system('dgx-1v'), nodes: 1000000 });
    expect(answer.ok ? '' : answer.error.reason.code).toBe('graph.too-many');
  });
});

describe('nodes', () => {
  it('hang in two binary trees, no node inside both except where counts force it', () => {
    for (let count = 2; count <= 33; count++) {
      const nodes = onto(count).map((n) => ({ rings: [[n]], trees: [[n]], treePattern: 3, crossNic: 0 }));
      const [one, two] = connectNodes(nodes, 1, true);
      const inner = (up: readonly number[]): Set<number> => new Set(up.filter((p) => p >= 0));
      const both = [...inner(one!.treeUp)].filter((n) => inner(two!.treeUp).has(n));
      expect(both.length).toBeLessThanOrEqual(2);
      expect(one!.ring).toEqual(onto(count));
    }
  });
});

interface Oracle {
  readonly nNodes: number;
  readonly collChannels: number;
  readonly channels: readonly { readonly ring: readonly number[]; readonly treeUp: readonly number[] }[];
  readonly graphs: Readonly<
    Record<
      string,
      { readonly nHops: number; readonly pattern: number; readonly bwIntra: number; readonly typeIntra: string }
    >
  >;
  readonly tuning: { readonly choices: Readonly<Record<string, readonly { readonly nThreads: number }[]>> };
}

/** What scores do not look at: hop counts, which show that the same solutions were met, and threads. */
describe.skipIf(!shared)(`NCCL's own channels (${shared ? 'scoring data' : whyNot})`, () => {
  for (const [folder, version] of [
    ['oracle', '2.30.7'],
    ['oracle-2.27.7', '2.27.7'],
  ] as const) {
    const dir = join(shared ?? '', 'data/nccl');
    for (const file of shared ? readdirSync(join(dir, folder)) : []) {
      it(`${version} ${file}`, () => {
        const [name, ...tags] = file.slice(0, -5).split('.');
        const oracle = JSON.parse(readFileSync(join(dir, folder, file), 'utf8')) as Oracle;
        const document = readText('topo.xml', readFileSync(join(dir, 'inputs', `${name}.xml`), 'utf8')).documents[0];
        if (document?.kind !== 'nccl-topo-xml') throw new Error('not read');
        const on = tags.includes('gdron');
        const read = hostFromXml(document).host;
        const made = communicator({
          host: on ? editHost(read, { gpu: (g) => ({ ...g, gdr: true }), port: (p) => ({ ...p, gdr: true }) }) : read,
          nodes: oracle.nNodes,
          release: releaseFor(version)!,
          env: new Map(),
          p2pStatus: tags.includes('nop2p') ? 'bad' : 'ok',
          gdrWhenUnknown: on,
        });
        if (!made.ok) throw new Error(made.error.reason.code);
        const c = made.value;
        const first = c.perDomain[0]!;
        for (const kind of ['ring', 'tree', 'nvls'] as const) {
          const want = oracle.graphs[kind];
          if (!want) continue;
          const got = first[kind]!;
          expect([kind, got.pattern, got.nHops, pathTypes[got.typeIntra]]).toEqual([
            kind,
            want.pattern,
            want.nHops,
            want.typeIntra,
          ]);
          expect(got.bwIntra).toBeCloseTo(want.bwIntra, 3);
        }
        expect(c.collChannels).toBe(oracle.collChannels);
        expect(c.channels).toEqual(oracle.channels.map(({ ring, treeUp }) => ({ ring, treeUp })));
        for (const coll of collectives) {
          expect(choicesOf(c, coll).map((x) => x.threads)).toEqual(oracle.tuning.choices[coll]!.map((x) => x.nThreads));
        }
      });
    }
  }
});
