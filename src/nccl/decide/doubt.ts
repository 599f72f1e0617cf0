import { gpus } from '../../catalogue/gpus.ts';
import type { Answer } from '../../fact/fact.ts';
import { type Message, say } from '../../words/message.ts';
import { NVB } from '../path-type.ts';
import type { GdrDecision } from './gdr.ts';
import type { Decision, GpuPair, NetPair } from './pairs.ts';

/** P2P over PCIe needs the driver's consent, which is open unless an input or the catalogue tells. */
export function p2pDoubt(decision: Decision, pair: GpuPair): boolean {
  if (pair.via !== 'P2P' || pair.type <= NVB) return false;
  if (decision.context.driverP2p(pair.from, pair.to) !== 'unknown') return false;
  return ![pair.from, pair.to].every((node) => {
    const part = node.gpu!.gpu.part;
    return part !== undefined && gpus.get(part)?.p2pPcie?.value === true;
  });
}

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
  p2p: 'nvidia-smi topo -p2p w',
  gdr: 'NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET,GRAPH all_reduce_perf -b 8 -e 8',
  gds: 'gdscheck -p',
} as const;
