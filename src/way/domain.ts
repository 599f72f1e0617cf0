import type { NamedDevice } from '../machine/names.ts';
import { settle } from '../nccl/decide/doubt.ts';
import { say } from '../words/message.ts';
import type { Judged } from './judged.ts';

/**
 * GPUs of two nodes that one NVLink domain of so many GPUs joins: NCCL takes NVLink when the fabric manager and IMEX have made
 * one clique of them, which no description tells. Undefined where no domain spans the two.
 */
export function domainDoubt(
  domain: number | undefined,
  devices: readonly NamedDevice[],
  a: NamedDevice,
  nodeA: number,
  b: NamedDevice,
  nodeB: number,
): Judged | undefined {
  if (domain === undefined || a.kind !== 'gpu' || b.kind !== 'gpu') return undefined;
  const own = devices.filter((d) => d.kind === 'gpu' && d.host === a.host && d.node === a.node).length;
  const nodes = Math.floor(domain / own);
  if (nodes < 2 || Math.floor(nodeA / nodes) !== Math.floor(nodeB / nodes)) return undefined;
  return { direct: 'unknown', ways: [], rule: say('rule.domain.open'), evidence: [], settle: settle.fabric };
}
