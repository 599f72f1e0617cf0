import type { NamedDevice } from '../machine/names.ts';
import { settle } from '../nccl/decide/doubt.ts';
import { say } from '../words/message.ts';
import type { Judged } from './judged.ts';
import { type End, Stages } from './stages.ts';

/**
 * GPUs of two nodes that one NVLink domain of so many GPUs joins: NCCL takes NVLink when the fabric manager and IMEX have made
 * one clique of them, which no description tells; else the network, as `network` says. Undefined where no domain spans the two.
 */
export function domainDoubt(
  domain: number | undefined,
  devices: readonly NamedDevice[],
  a: NamedDevice,
  nodeA: number,
  b: NamedDevice,
  nodeB: number,
  network: () => Judged,
  end: (device: NamedDevice, node: number) => End,
): Judged | undefined {
  if (domain === undefined || a.kind !== 'gpu' || b.kind !== 'gpu') return undefined;
  const own = devices.filter((d) => d.kind === 'gpu' && d.host === a.host && d.node === a.node).length;
  const nodes = Math.floor(domain / own);
  if (nodes < 2 || Math.floor(nodeA / nodes) !== Math.floor(nodeB / nodes)) return undefined;
  const over = network();
  const stages = new Stages();
  stages.nvlink(end(a, nodeA), a, b, end(b, nodeB));
  return {
    direct: 'unknown',
    ways: [stages.way('nvlink'), ...over.ways],
    rule: say('rule.domain.open'),
    evidence: [],
    settle: settle.fabric,
    network: over,
  };
}
