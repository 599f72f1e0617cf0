import { type GraphAnswer, short } from '../../answer/graph.ts';
import type { Shape, ShapesAnswer } from '../../answer/shapes.ts';
import { algorithms, collectives, protocols } from '../../nccl/tuning/model.ts';

/** `crowfly/graph@1`. */
export function graphJson(answer: GraphAnswer, assumptions: readonly string[], shapes?: ShapesAnswer): string {
  const c = answer.communicator;
  const tuning = Object.fromEntries(
    collectives.map((coll) => {
      const model = Object.fromEntries(
        algorithms.map((a) => [
          a,
          Object.fromEntries(
            protocols.map((p) => {
              const { bw, lat } = c.model[coll][a][p];
              return [p, bw === 0 ? { bw: 0 } : { bw: short(bw), lat: short(lat) }];
            }),
          ),
        ]),
      );
      const choices = answer.choices[coll].map((x) => ({
        bytes: x.bytes,
        algorithm: x.algorithm,
        protocol: x.protocol,
        timeUs: Number(x.timeUs.toPrecision(7)),
        nChannels: x.nChannels,
        chunkBytes: x.chunkBytes,
      }));
      return [coll, { model, choices }];
    }),
  );
  const head = {
    schema: 'crowfly/graph@1',
    ncclVersion: c.release.name,
    ...(c.release.asked === undefined ? {} : { ncclAsked: c.release.asked }),
    assumptions,
    nodes: answer.nodes,
    ncclNodes: c.nodes,
    ranks: c.ranks,
    collChannels: c.collChannels,
    channels: c.channels,
    graphs: Object.fromEntries(answer.graphs),
    tuning,
    ...(shapes && shapes.seen.length > 0 ? { observed: observed(shapes) } : {}),
  };
  return `${JSON.stringify(head)}\n`;
}

/** How rings and trees of a log compare with those expected. */
function observed({ same, differences, otherRanks }: ShapesAnswer): object {
  const told = (s: Shape): object => (s.ring ? { ring: s.ring } : { treeUp: Object.fromEntries(s.up!) });
  return {
    ...(otherRanks === undefined ? {} : { otherRanks }),
    same,
    differences: differences.map((d) => ({
      kind: d.kind,
      channels: d.channels,
      ...(d.expected ? { expected: told(d.expected) } : {}),
      seen: told(d.seen),
    })),
  };
}
