import { describe, expect, it } from 'vitest';
import { answerGraph, type GraphAnswer } from '../../src/answer/graph.ts';
import type { NcclGraphXml } from '../../src/read/nccl-graph-xml.ts';
import { readText } from '../../src/read/read-source.ts';
import { ncclGraphXml, noGraphFile } from '../../src/tell/nccl-graph-xml.ts';
import { tunerCsv } from '../../src/tell/tuner-csv.ts';
import { render } from '../../src/words/render.ts';
import { system } from '../support/machines.ts';

function graphs(id: string, nodes: number, nccl?: string): GraphAnswer {
  const answer = answerGraph(system(id, nodes), nccl === undefined ? {} : { nccl });
  if (!answer.ok) throw new Error(render(answer.error.reason, 'en'));
  return answer.value;
}

const machines = [
  ['dgx-h100', 2, undefined],
  ['dgx-1v', 1, '2.18.3'],
  ['hgx-b200', 4, '2.27.7'],
  ['gb200-nvl72', 2, undefined],
  ['pcie-a40-8', 1, undefined],
] as const;

describe('NCCL_GRAPH_FILE', () => {
  it.each(machines)('of %s × %s under %s reads back as what was found', (id, nodes, nccl) => {
    const answer = graphs(id, nodes, nccl);
    const document = readText('graph.xml', ncclGraphXml(answer.communicator)).documents[0] as NcclGraphXml;
    expect(document.kind).toBe('nccl-graph-xml');
    expect(document.graphs.map((g) => g.id)).toEqual(answer.graphs.length === 3 ? [0, 1, 3] : [0, 1]);
    answer.graphs.forEach(([, want], i) => {
      const got = document.graphs[i]!;
      expect([got.nChannels, got.speedIntra, got.speedInter, got.typeIntra, got.typeInter, got.sameChannels]).toEqual([
        want.nChannels,
        want.bwIntra,
        want.bwInter,
        want.typeIntra,
        want.typeInter,
        want.sameChannels,
      ]);
      const gpus = got.channels.map((c) => c.items.filter((x) => x.kind === 'gpu').length);
      expect(gpus).toEqual(want.channels.map((c) => c.intra.length));
      const nets = got.channels.map((c) => c.items.filter((x) => x.kind === 'net').length);
      expect(nets).toEqual(want.channels.map((c) => c.inter?.length ?? 0));
    });
  });

  it('is not written where ranks would stop at GPUs of another group', () => {
    const why = machines.map(([id, nodes, nccl]) => noGraphFile(graphs(id, nodes, nccl).communicator)?.code);
    expect(why).toEqual([undefined, undefined, undefined, undefined, 'graph.apart']);
  });

  it('numbers devices as the release that reads it does', () => {
    expect(ncclGraphXml(graphs('dgx-h100', 2, '2.18.3').communicator)).toContain('<gpu dev="7"/>');
    expect(ncclGraphXml(graphs('dgx-h100', 2).communicator)).toContain('<gpu dev="0x7"/>');
  });
});

describe('the configuration of the tuner plugin', () => {
  it.each(machines)('of %s × %s under %s says for each size what NCCL chooses', (id, nodes, nccl) => {
    const answer = graphs(id, nodes, nccl);
    const rows = tunerCsv(answer.communicator)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.split(','));
    for (const [coll, choices] of Object.entries(answer.choices)) {
      const mine = rows.filter((r) => r[0] === coll.toLowerCase());
      mine.forEach((r, i) => {
        // Ranges follow each other without a gap.
        expect(Number(r[1])).toBe(i === 0 ? 0 : Number(mine[i - 1]![2]) + 1);
        expect(r.length).toBe(10);
      });
      for (const choice of choices) {
        if (choice.bytes > 4294967295) continue;
        const row = mine.find((r) => Number(r[1]) <= choice.bytes && choice.bytes <= Number(r[2]))!;
        expect(row[3]!.replace('_', '')).toBe(choice.algorithm.toLowerCase());
        expect(row[4]).toBe(choice.protocol.toLowerCase());
        if (row[5] !== '-1') expect(Number(row[5])).toBe(choice.nChannels);
      }
    }
  });
});
