import type { Host } from '../machine/host.ts';
import type { DriverP2p, P2pContext } from './decide/p2p.ts';
import type { Release } from './release.ts';
import { parseSettings } from './settings.ts';
import type { TopoNode } from './system/node.ts';

/**
 * Everything NCCL's decisions about one node depend on. Plain data: "what would flip it" is the same decision on an
 * edited situation.
 */
export interface Situation {
  /** One host, or the hosts fused into an NVLink domain. */
  readonly host: Host;
  /** Equal nodes (or domains) that take part in the job. */
  readonly nodes: number;
  /** One more node that has less: the nodes of an NVLink domain that is not used whole. */
  readonly rest?: Host;
  readonly release: Release;
  /** The job's environment. */
  readonly env: ReadonlyMap<string, string>;
  /** What NVML reports of P2P between two GPUs that are not on NVLink. */
  readonly p2pStatus: DriverP2p;
  /** Status by pair of device numbers (`a b`), where an input tells; wins over `p2pStatus`. */
  readonly p2pStatusOf?: ReadonlyMap<string, DriverP2p>;
  /** For GPUs and NICs whose GPUDirect RDMA capability no input tells: NCCL reads a missing attribute as no. */
  readonly gdrWhenUnknown: boolean;
}

export function contextOf(situation: Situation): P2pContext {
  return {
    release: situation.release,
    settings: parseSettings(situation.env, situation.release),
    driverP2p: (a: TopoNode, b: TopoNode): DriverP2p =>
      situation.p2pStatusOf?.get(`${a.gpu!.dev} ${b.gpu!.dev}`) ?? situation.p2pStatus,
    gdrWhenUnknown: situation.gdrWhenUnknown,
  };
}
