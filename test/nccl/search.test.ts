import { describe, expect, it } from 'vitest';
import { answerGraph } from '../../src/answer/graph.ts';
import { type Communicator, rowOf } from '../../src/nccl/communicator.ts';
import type { Ask } from '../../src/nccl/of-machine.ts';
import { DIS, PIX, SYS } from '../../src/nccl/path-type.ts';
import { splitNvlink } from '../../src/nccl/search/flow.ts';
import { render } from '../../src/words/render.ts';
import { pasted } from '../support/machines.ts';

interface Slot {
  readonly gpu?: number;
  readonly nic?: number;
  readonly lanes?: number;
  /** Numbers of GPUs on the other end of NVLinks, or a switch. */
  readonly nvlinks?: readonly number[] | 'switch';
  readonly rail?: number;
  readonly plane?: number;
  readonly guid?: string;
}
interface Switch {
  readonly cpu?: number;
  readonly lanes?: number;
  readonly slots: readonly Slot[];
}

const bus = (kind: number, n: number): string => `0000:${(kind + n).toString(16).padStart(2, '0')}:00.0`;
const gen4 = 'link_speed="16.0 GT/s PCIe"';

function slotText(slot: Slot, sm: number): string {
  const lanes = `${gen4} link_width="${slot.lanes ?? 16}"`;
  if (slot.gpu !== undefined) {
    const links =
      slot.nvlinks === 'switch'
        ? '<nvlink target="fffffff:ff:ff.0" count="12" tclass="0x068000"/>'
        : (slot.nvlinks ?? []).map((g) => `<nvlink target="${bus(0x10, g)}" count="4" tclass="0x030200"/>`).join('');
    return `<pci busid="${bus(0x10, slot.gpu)}" class="0x030200" ${lanes}>
<gpu dev="${slot.gpu}" sm="${sm}" rank="${slot.gpu}" gdr="1">${links}</gpu></pci>`;
  }
  const n = slot.nic!;
  const more = [
    slot.rail === undefined ? '' : `rail="${slot.rail}"`,
    slot.plane === undefined ? '' : `plane="${slot.plane}"`,
  ].join(' ');
  return `<pci busid="${bus(0x40, n)}" class="0x020700" ${lanes}>
<nic><net name="mlx5_${n}" dev="${n}" speed="200000" port="1" guid="${slot.guid ?? `0x${(n + 1).toString(16)}`}" gdr="1" ${more}/></nic></pci>`;
}

/** A machine of PCIe switches, each on its CPU. */
function boxOf(switches: readonly Switch[], sm: number): string {
  const cpus = [...new Set(switches.map((s) => s.cpu ?? 0))];
  const cpu = (numa: number): string =>
    switches
      .map((s, i) =>
        (s.cpu ?? 0) !== numa
          ? ''
          : `<pci busid="${bus(0x80, i)}" class="0x060400" ${gen4} link_width="${s.lanes ?? 16}">
${s.slots.map((slot) => slotText(slot, sm)).join('\n')}</pci>`,
      )
      .join('\n');
  return `<system version="1">
${cpus
  .map(
    (numa) => `<cpu numaid="${numa}" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="106">
${cpu(numa)}
</cpu>`,
  )
  .join('\n')}
</system>
`;
}

function told(text: string, nodes = 1, ask: Ask = {}): Communicator {
  const answer = answerGraph({ ...pasted(text), nodes }, ask);
  if (!answer.ok) throw new Error(render(answer.error.reason, 'en'));
  return answer.value.communicator;
}
const env = (...pairs: [string, string][]): Ask => ({ env: new Map(pairs) });

const pairs = (...linked: (readonly [number, number])[]): Switch[] => {
  const gpus = [...new Set(linked.flat())].sort((a, b) => a - b);
  const ends = (g: number): number[] =>
    linked.filter((p) => p[0] !== p[1] && p.includes(g)).map(([a, b]) => (a === g ? b : a));
  return [{ slots: gpus.map((gpu) => ({ gpu, nvlinks: ends(gpu) })) }];
};
const isSplit = (switches: Switch[]): boolean => splitNvlink(told(boxOf(switches, 80)).perDomain[0]!.ground.paths);

describe('groups on NVLink', () => {
  it('are two also where further GPUs have no NVLink', () => {
    expect(isSplit(pairs([0, 1], [2, 3]))).toBe(true);
    expect(isSplit(pairs([0, 1], [2, 3], [4, 4]))).toBe(true);
    expect(isSplit(pairs([0, 1], [2, 3], [4, 5]))).toBe(false);
    expect(isSplit(pairs([0, 1], [2, 2], [3, 3]))).toBe(false);
  });
});

describe('what NCCL stops at', () => {
  it('is an NVLink that only one of its ends has', () => {
    const lone = boxOf([{ slots: [{ gpu: 0, nvlinks: [1] }, { gpu: 1 }] }], 80);
    const answer = answerGraph(pasted(lone));
    expect(answer.ok ? '' : render(answer.error.reason, 'en')).toContain('from gpu0 to gpu1 and none back');
  });

  it('is a GPU that reaches no NIC where other nodes take part: it is told with the graph', () => {
    const box = boxOf(pairs([0, 1]), 80);
    const notes = (nodes: number): string[] => {
      const answer = answerGraph({ ...pasted(box), nodes });
      return answer.ok ? answer.value.notes.map((n) => n.code) : [];
    };
    expect([notes(1).includes('graph.no-net'), notes(2).includes('graph.no-net')]).toEqual([false, true]);
  });
});

describe('lanes that no link has', () => {
  it("count for NCCL as they are written: the kernel's 255 for a width that it does not know", () => {
    const box = (width: number): string =>
      boxOf(pairs([0, 1]), 80).replaceAll('link_width="16"', `link_width="${width}"`);
    const bw = (width: number): number => {
      const { paths } = told(box(width)).perDomain[0]!.ground;
      const { GPU, CPU } = paths.system.nodes;
      return paths.bwOf(GPU[0]!, CPU[0]!);
    };
    expect([16, 63, 255].map(bw)).toEqual([24, 94.5, 382.5]);
    expect(bw(1000)).toBe(24);
  });
});

describe('a search begins', () => {
  it('at the bandwidth of the wires, where devices are nodes of their own, and else at that of the detours', () => {
    // Switches with four lanes up: without P2P the way between their GPUs leads through those.
    const narrow = boxOf([{ lanes: 4, slots: [{ gpu: 0 }, { gpu: 1 }] }], 80);
    const off = env(['NCCL_P2P_DISABLE', '1']);
    expect(told(narrow, 1, off).perDomain[0]!.ground).toMatchObject({ maxBw: 24, totalBw: 24 });
    expect(told(narrow, 1, { ...off, nccl: '2.27.7' }).perDomain[0]!.ground).toMatchObject({ maxBw: 6, totalBw: 24 });
  });

  it('with all devices, those too whose ranks the network takes', () => {
    // Each socket's GPU has a faster way to its NIC than to the other.
    const apart = boxOf(
      [0, 1].map((i) => ({ cpu: i, slots: [{ gpu: i, lanes: i === 0 ? 16 : 8 }, { nic: i }] })),
      80,
    );
    const split = told(apart);
    expect(split.perDomain.map((d) => [d.ground.gpus, d.ground.devices, d.ground.totalBw])).toEqual([
      [1, 2, 24],
      [1, 2, 24],
    ]);
  });
});

describe('heads of NVLS', () => {
  it('end at the first NET that brings a new one, though it serves none', () => {
    const slow = { lanes: 1, slots: [{ gpu: 0, nvlinks: 'switch', lanes: 1 } as const, { nic: 0, lanes: 1 }] };
    const fast = [1, 2, 3].map((i) => ({ slots: [{ gpu: i, nvlinks: 'switch' } as const, { nic: i }] }));
    const alone = env(['NCCL_PXN_DISABLE', '1']);
    const { nvls } = told(boxOf([slow, ...fast], 90), 2, alone).perDomain[0]!;
    expect(nvls!.bwInter).toBeLessThan(1.5);
  });
});

describe('where nothing fits', () => {
  it('a channel has no NET where there is none, and before 2.29.2 still a figure', () => {
    const alone = boxOf([{ slots: [{ gpu: 0 }, { gpu: 1 }] }], 80);
    const now = told(alone, 2).perDomain[0]!.ring;
    expect(now).toMatchObject({ nChannels: 1, bwInter: 0, typeIntra: SYS, typeInter: DIS });
    expect([...now.inter.subarray(0, 2)]).toEqual([-1, -1]);
    // Without NETs that release searched as inside one node.
    const before = told(alone, 2, { nccl: '2.27.7' }).perDomain[0]!;
    expect(before.ring.bwInter).toBeGreaterThan(1);
    expect(rowOf(before, before.ring, 0)).toHaveLength(2);
  });
});

describe('a channel comes back', () => {
  const two = (one: Partial<Slot>, other: Partial<Slot>): string =>
    boxOf(
      [one, other].map((more, i) => ({
        cpu: i,
        slots: [
          { gpu: i, nvlinks: [1 - i] },
          { nic: i, ...more },
        ],
      })),
      90,
    );
  const ends = (text: string, ask: Ask): number[] => [...told(text, 2, ask).perDomain[0]!.ring.inter.subarray(0, 2)];

  it('to another NIC of its rail, where the file names rails', () => {
    const never = env(['NCCL_CROSS_NIC', '0']);
    const crossed = ends(two({ rail: 3 }, { rail: 3 }), never);
    expect(crossed[0]).not.toBe(crossed[1]);
    const own = ends(two({ rail: 3 }, { rail: 4 }), never);
    expect(own[0]).toBe(own[1]);
    const early = ends(two({ rail: 3 }, { rail: 3 }), { ...never, nccl: '2.30.4' });
    expect(early[0]).toBe(early[1]);
  });

  it('never into another plane', () => {
    const always = env(['NCCL_CROSS_NIC', '1']);
    const free = ends(two({}, {}), always);
    expect(free[0]).not.toBe(free[1]);
    const planes = ends(two({ plane: 0 }, { plane: 1 }), always);
    expect(planes[0]).toBe(planes[1]);
  });

  it('by any card of its GUID, on whatever host of an NVLink domain', () => {
    const one = boxOf([{ slots: [{ gpu: 0, nvlinks: 'switch' }, { nic: 0 }] }], 90);
    const host = (hash: string, rank: number): string =>
      one
        .replace('<cpu ', `<cpu host_hash="${hash}" `)
        .replace('rank="0"', `rank="${rank}"`)
        .replace(/<\/?system[^>]*>\n/g, '');
    const { NET } = told(`<system version="1">\n${host('0x1', 0)}${host('0x2', 1)}</system>\n`, 2).perDomain[0]!.ground
      .paths.system.nodes;
    expect(NET.map((n) => n.net!.port.guid)).toEqual(['0x1', '0x1']);
    expect(new Set(NET.map((n) => n.net!.asic)).size).toBe(1);
  });
});

describe('two ranks on one GPU', () => {
  it('share its NVLinks', () => {
    const text = boxOf(
      [
        {
          slots: [
            { gpu: 0, nvlinks: [1] },
            { gpu: 1, nvlinks: [0] },
          ],
        },
      ],
      80,
    );
    const gpu = /<gpu dev="0".*?<\/gpu>/s.exec(text)![0];
    const doubled = text.replace(gpu, gpu + gpu.replace('rank="0"', 'rank="2"'));
    const { DEV } = told(doubled).perDomain[0]!.ground.paths.system.nodes;
    expect(DEV.map((d) => d.links.find((l) => l.type === 'NVL')?.bw)).toEqual([80, 80]);
  });
});

describe('channels of sends and receives', () => {
  const lone = boxOf([{ slots: [{ gpu: 0 }, { nic: 0 }] }], 80);
  const plan = (nodes: number, ask: Ask = {}) => told(lone, nodes, ask).p2p;

  it('are so many to another node as fill its NIC, in one round to all ranks where that can be', () => {
    expect(plan(2)).toMatchObject({ channels: 2, perPeer: 2 });
    expect(plan(8)).toMatchObject({ channels: 2, perPeer: 2 });
    expect(plan(9)).toMatchObject({ channels: 2, perPeer: 1 });
    expect(plan(9, env(['NCCL_P2P_MAX_PEERS', '8']))).toMatchObject({ perPeer: 2 });
    expect(plan(9, env(['NCCL_NCHANNELS_PER_NET_PEER', '16']))).toMatchObject({ channels: 2, perPeer: 2 });
  });

  it('are two for each NVLink of the fewest, as floats divide', () => {
    const box = boxOf([{ slots: [0, 1, 2].map((gpu) => ({ gpu, nvlinks: 'switch' as const })) }], 103);
    // Two links of 40.1 GB/s: as doubles 80.2 of a float is a little less than two of them.
    const few = told(box.replace('count="12"', 'count="2"'));
    expect(few.p2p.perPeer).toBe(4);
  });
});

describe('ranks', () => {
  it('that are part of a larger job, or given twice, are numbered anew in their order', () => {
    const text = (...ranks: number[]): string =>
      ranks.reduce(
        (xml, rank, gpu) => xml.replace(`dev="${gpu}" sm="80" rank="${gpu}"`, `dev="${gpu}" sm="80" rank="${rank}"`),
        boxOf([{ slots: [...ranks.map((_, gpu) => ({ gpu })), { nic: 0 }] }], 80),
      );
    const plain = told(text(0, 1, 2), 2).channels;
    expect(told(text(8, 9, 10), 2).channels).toEqual(plain);
    expect(told(text(3, 3, 40), 2).channels).toEqual(plain);
    expect(told(text(9, 8, 10), 2).channels).toEqual(told(text(1, 0, 2), 2).channels);
  });
});

describe('a domain of many hosts', () => {
  it('is searched without thousands of calls in each other', () => {
    const host = boxOf(
      [{ slots: [0, 1, 2, 3].flatMap((i) => [{ gpu: i, nvlinks: 'switch' as const }, { nic: i }]) }],
      100,
    );
    const hosts = Array.from({ length: 18 }, (_, h) =>
      host
        .replace('<cpu ', `<cpu host_hash="0x${h + 1}" `)
        .replace(/rank="(\d)"/g, (_m, r: string) => `rank="${Number(r) + 4 * h}"`)
        .replace(/guid="0x/g, `guid="0x${(h + 1).toString(16)}00`)
        .replace(/<\/?system[^>]*>\n/g, ''),
    );
    const c = told(`<system version="1">\n${hosts.join('')}</system>\n`, 2);
    expect(c.perDomain[0]!.ring.nChannels).toBeGreaterThan(16);
    expect(c.channels[0]!.ring).toHaveLength(144);
  }, 60_000);
});

describe('a communicator', () => {
  it('uses as many channels for rings as it found for trees, where those are fewer', () => {
    const thin = boxOf(
      [
        {
          lanes: 8,
          slots: [
            { gpu: 1, lanes: 1 },
            { nic: 0, lanes: 1 },
            { nic: 1, lanes: 1 },
          ],
        },
        { lanes: 8, slots: [{ gpu: 0, lanes: 4 }] },
      ],
      70,
    );
    const c = told(thin, 2);
    const { ring, tree } = c.perDomain[0]!;
    expect(ring.nChannels).toBeGreaterThan(tree.nChannels);
    expect([c.facts.ring.nChannels, c.facts.tree.nChannels, c.collChannels]).toEqual([1, 1, 2]);
  });
});

describe('NETs that a file repeats under every CPU', () => {
  it('are reached by the nearest of their places, which stands with the first', () => {
    const two = boxOf(
      [
        { cpu: 0, slots: [{ gpu: 0, nvlinks: [1] }, { nic: 0 }] },
        { cpu: 1, slots: [{ gpu: 1, nvlinks: [0] }, { nic: 1 }] },
      ],
      80,
    );
    const { paths } = told(two.replace('name="mlx5_1" dev="1"', 'name="mlx5_0" dev="0"'), 2).perDomain[0]!.ground;
    const { GPU, NET } = paths.system.nodes;
    expect(NET.map((n) => n.id)).toEqual(['NET/0-0', 'NET/0-0']);
    expect(GPU.map((g) => paths.typeOf(g, NET[0]!))).toEqual([PIX, PIX]);
    expect(GPU.map((g) => paths.typeOf(g, NET[1]!))).toEqual([DIS, DIS]);
  });
});
