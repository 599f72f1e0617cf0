import { gpus } from '../../catalogue/gpus.ts';
import type { Answer } from '../../fact/fact.ts';
import { type Message, say } from '../../words/message.ts';
import { NVB } from '../path-type.ts';
import type { GdrDecision } from './gdr.ts';
import type { Decision, GpuPair, NetPair } from './pairs.ts';

/** Why a GPU pair's transport is open; undefined where it is settled. */
export function p2pDoubt(decision: Decision, pair: GpuPair): P2pDoubt | undefined {
  const ends = [pair.from, pair.to];
  if (ends.some((n) => n.gpu!.gpu.nvlinksUnknown)) return 'nvlinks';
  if (pair.via !== 'P2P' || pair.type <= NVB) return undefined;
  if (decision.context.driverP2p(pair.from, pair.to) !== 'unknown') return undefined;
  const allowed = ends.every((n) => {
    const part = n.gpu!.gpu.part;
    return part !== undefined && gpus.get(part)?.p2pPcie?.value === true;
  });
  return allowed ? undefined : 'driver';
}

/** `driver`: whether the driver allows P2P over PCIe; `nvlinks`: whether NVLinks join the two. */
export type P2pDoubt = 'driver' | 'nvlinks';

export const doubtRule = (doubt: P2pDoubt, rule: Message): Message =>
  say(doubt === 'driver' ? 'rule.p2p.driver-unknown' : 'rule.p2p.nvlinks-unknown', { rule });

export const doubtSettle = (doubt: P2pDoubt): string => (doubt === 'driver' ? settle.p2p : settle.nvlink);

/** A capability that no input tells leaves GPUDirect RDMA open, unless the distance decides anyway. */
export function gdrAnswer(pair: NetPair, decision: GdrDecision): Answer {
  if (decision.mode !== 'Disabled') return 'yes';
  if (decision.rule !== 'nic-cannot' && decision.rule !== 'gpu-cannot') return 'no';
  return pair.from.gpu!.gpu.gdr === false || pair.to.net!.port.gdr === false ? 'no' : 'unknown';
}

/** Whose capability is not known. */
export function openSide(pair: NetPair): Message {
  const gpu = pair.from.gpu!.gpu.gdr === undefined;
  const nic = pair.to.net!.port.gdr === undefined;
  return say(gpu && nic ? 'rule.gdr.both' : gpu ? 'rule.gdr.gpu' : 'rule.gdr.nic');
}

/** What to run to settle a doubt. */
export const settle = {
  fabric: 'nvidia-smi -q | grep -A 4 Fabric; nvidia-imex-ctl -N',
  p2p: 'nvidia-smi topo -p2p w',
  gdr: 'NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET,GRAPH all_reduce_perf -b 8 -e 8',
  gds: 'gdscheck -p',
  nvlink: 'nvidia-smi topo -m',
} as const;
