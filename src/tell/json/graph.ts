import { type GraphAnswer, short } from '../../answer/graph.ts';
import { algorithms, collectives, protocols } from '../../nccl/tuning/model.ts';

/** `crowfly/graph@1`. */
export function graphJson(answer: GraphAnswer, assumptions: readonly string[]): string {
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
    nodes: c.hosts,
    ncclNodes: c.nodes,
    ranks: c.ranks,
    collChannels: c.collChannels,
    channels: c.channels,
    graphs: Object.fromEntries(answer.graphs),
    tuning,
  };
  return `${JSON.stringify(head)}\n`;
}
