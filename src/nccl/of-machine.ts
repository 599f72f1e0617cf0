import { foldDomain } from '../machine/fold.ts';
import type { Machine } from '../machine/machine.ts';
import type { DriverP2p } from './decide/p2p.ts';
import { newest, type Release, releaseFor } from './release.ts';
import type { Situation } from './situation.ts';

/** How NCCL is asked about a machine: release and variables from the inputs, unless the caller says otherwise. */
export interface Ask {
  readonly nccl?: string;
  readonly env?: ReadonlyMap<string, string>;
}

export function releaseOf(machine: Machine, ask: Ask = {}): Release {
  return releaseFor(ask.nccl ?? machine.software.nccl?.value ?? newest) ?? releaseFor(newest)!;
}

/**
 * The situation of one host of a machine. A large domain of equal hosts is folded; `keep` names hosts (by `hostHash`) that
 * must stay.
 */
export function situationOf(machine: Machine, host: number, ask: Ask = {}, keep?: ReadonlySet<string>): Situation {
  const env = new Map<string, string>();
  for (const [name, fact] of machine.software.env) env.set(name, fact.value);
  for (const [name, value] of ask.env ?? []) env.set(name, value);
  const status = machine.software.p2pStatus?.value;
  const p2pStatus: DriverP2p = status === undefined ? 'unknown' : status ? 'ok' : 'bad';
  return {
    host: foldDomain(machine.hosts[host]!, keep).host,
    nodes: machine.nodes,
    release: releaseOf(machine, ask),
    env,
    p2pStatus,
    gdrWhenUnknown: false,
  };
}
