import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answerGraph, type GraphAnswer, short } from '../../src/answer/graph.ts';
import { answerPaths, type PathsAnswer } from '../../src/answer/paths.ts';
import { algorithms, collectives, protocols } from '../../src/nccl/tuning/model.ts';
import { ncclXml } from '../../src/tell/nccl-xml.ts';
import { pasted, system } from '../support/machines.ts';

/** What NCCL's library decides for one machine of the catalogue and a number of nodes. */
interface Decided {
  readonly nodes: number;
  /** How many pairs have which path, GB/s, and transport or GPUDirect RDMA (send/receive). */
  readonly pairs: Readonly<Record<'gpuGpu' | 'gpuNet' | 'gpuCpu', Readonly<Record<string, number>>>>;
  readonly graphs: Readonly<Record<string, object>>;
  readonly collChannels: number;
  /** Channels of sends and receives, and those that one message may take. */
  readonly p2p: readonly [number, number];
  /** SHA-256, cut, of the rings over all ranks and of every rank's parent in the trees. */
  readonly across: string;
  /** GB/s and µs. */
  readonly model: Readonly<Record<string, readonly [number, number]>>;
  /** Bytes from which on, algorithm/protocol channels chunk, µs. */
  readonly choices: Readonly<Record<string, readonly (readonly [number, string, number])[]>>;
}

const near = (x: number): number => Number(x.toPrecision(3));
const count = (keys: readonly string[]): Record<string, number> => {
  const counted: Record<string, number> = {};
  for (const key of [...keys].sort()) counted[key] = (counted[key] ?? 0) + 1;
  return counted;
};

function pairsOf({ pairs, devices, domains }: PathsAnswer): Decided['pairs'] {
  const kind = new Map(devices.map((d) => [d.id, d.kind]));
  const direct = (how: string | undefined): string => (how === 'yes' ? 'direct' : 'staged');
  const of = (to: string): typeof pairs => pairs.filter((p) => kind.get(p.from) === 'gpu' && kind.get(p.to) === to);
  // NICs and CPUs are looked at by rank 0, which sees its own group.
  const own = (to: string): typeof pairs => of(to).filter((p) => domains[0]!.includes(p.from));
  const way = (p: (typeof pairs)[number]): string => `${p.type} ${short(p.bandwidthGBps ?? 0)}`;
  return {
    gpuGpu: count(of('gpu').map((p) => `${way(p)} ${p.p2p?.via}`)),
    gpuNet: count(own('nic').map((p) => `${way(p)} ${direct(p.gdr?.send)}/${direct(p.gdr?.recv)}`)),
    gpuCpu: count(own('cpu').map(way)),
  };
}

/** Choices from the size on from which the library was asked. */
function decidedBy(answer: GraphAnswer, paths: PathsAnswer, { nodes, choices }: Decided): Decided {
  const c = answer.communicator;
  const channel = (x: { readonly intra: readonly number[]; readonly inter?: readonly string[] }): string =>
    `${x.intra.join(' ')}${x.inter ? ` (${x.inter.join(' ')})` : ''}`;
  const across = JSON.stringify(c.channels.map((x) => [x.ring, x.treeUp]));
  const cells = collectives.flatMap((coll) =>
    algorithms.flatMap((a) => protocols.map((p) => [`${coll} ${a}/${p}`, c.model[coll][a][p]] as const)),
  );
  return {
    nodes,
    pairs: pairsOf(paths),
    graphs: Object.fromEntries(
      answer.graphs.map(([name, { pattern: _, ...g }]) => [name, { ...g, channels: g.channels.map(channel) }]),
    ),
    collChannels: c.collChannels,
    p2p: [c.p2p.channels, c.p2p.perPeer],
    across: createHash('sha256').update(across).digest('hex').slice(0, 16),
    model: Object.fromEntries(cells.filter(([, m]) => m.bw > 0).map(([key, m]) => [key, [near(m.bw), near(m.lat)]])),
    choices: Object.fromEntries(
      collectives.map((coll) => {
        const asked = answer.choices[coll].filter((x) => x.bytes >= choices[coll]![0]![0]);
        const rows = asked.map(
          (x) => [x.bytes, `${x.algorithm}/${x.protocol} ${x.nChannels} ${x.chunkBytes}`, near(x.timeUs)] as const,
        );
        return [coll, rows.filter((r, i) => r[1] !== rows[i - 1]?.[1])];
      }),
    ),
  };
}

/**
 * NCCL 2.30.7's released library (nvidia-nccl-cu13 of PyPI) was loaded on a machine without GPUs, and the functions of its
 * src/graph, src/init.cc and src/enqueue.cc called on the file that `crowfly graph --system ID --as topo-xml` writes.
 */
describe('NCCL 2.30.7 itself decides the same for', () => {
  const folder = join(import.meta.dirname, 'fixtures/library');
  for (const file of readdirSync(folder)) {
    const id = basename(file, '.json');
    const { cases } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { readonly cases: readonly Decided[] };
    for (const decided of cases) {
      it(`${decided.nodes} × ${id}`, () => {
        const machine = { ...pasted(ncclXml(system(id).hosts[0]!)), nodes: decided.nodes };
        const graph = answerGraph(machine, { nccl: '2.30.7' });
        const paths = answerPaths(machine, { nccl: '2.30.7' });
        if (!graph.ok || !paths.ok) throw new Error('refused');
        const model = Object.entries(decided.model).map(([key, [bw, lat]]) => [key, [near(bw), near(lat)]]);
        const choices = Object.entries(decided.choices).map(([coll, rows]) => [
          coll,
          rows.map(([bytes, what, us]) => [bytes, what, near(us)]),
        ]);
        expect(decidedBy(graph.value, paths.value, decided)).toEqual({
          ...decided,
          model: Object.fromEntries(model),
          choices: Object.fromEntries(choices),
        });
      });
    }
  }
});
