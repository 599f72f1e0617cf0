import { type Message, say } from '../../words/message.ts';
import { numberOf, type PathType, pathTypes } from '../path-type.ts';
import type { Release } from '../release.ts';
import type { GdrDecision } from './gdr.ts';
import type { GpuPair } from './pairs.ts';

const name = (type: number): PathType => pathTypes[type]!;

/** The rule behind a GPU pair's transport, as a sentence. */
export function p2pRule(pair: GpuPair, release: Release): Message {
  const { p2p } = pair;
  const args = { type: name(p2p.wireType), level: name(p2p.level), version: release.name };
  if (p2p.p2p && !p2p.through && pair.netFaster) return say('rule.p2p.net-faster', { bw: round(pair.bw) });
  switch (p2p.rule) {
    case 'disabled':
      return say('rule.p2p.disabled');
    case 'driver':
      return say(p2p.fatal ? 'rule.p2p.driver-fatal' : 'rule.p2p.driver');
    case 'net-faster':
      return say('rule.p2p.net-faster', { bw: round(pair.bw) });
    case 'same-device':
      return say('rule.p2p.same');
    case 'not-connected':
      return say('rule.p2p.none');
    case 'user-level':
      return say(p2p.p2p ? 'rule.p2p.within-user' : 'rule.p2p.beyond-user', args);
    case 'amd-two-gpus':
      return say('rule.p2p.amd', args);
    default:
      return say(p2p.p2p ? 'rule.p2p.within' : 'rule.p2p.beyond', args);
  }
}

/** The rule behind one direction of GPUDirect RDMA, with the numbers that the release would print. `inferred`: of the NIC's side no line tells. */
export function gdrRule(gdr: GdrDecision, release: Release, inferred = false): Message {
  const on = gdr.mode !== 'Disabled';
  const distance = numberOf(name(gdr.distance), release);
  const limit = numberOf(name(gdr.level), release);
  const args = {
    type: name(gdr.wireType),
    level: name(gdr.level),
    version: release.name,
    numbers:
      distance === undefined || limit === undefined
        ? say('rule.gdr.no-numbers')
        : say('rule.gdr.numbers', { distance, limit }),
  };
  switch (gdr.rule) {
    case 'nic-cannot':
      return say(inferred ? 'rule.gdr.seen-staged' : 'rule.gdr.nic-cannot');
    case 'gpu-cannot':
      return say('rule.gdr.gpu-cannot');
    case 'read-off':
      return say('rule.gdr.read-off');
    case 'read-needs-nvlink':
      return say('rule.gdr.read-needs-nvlink', args);
    case 'user-level':
      return say(on ? 'rule.gdr.within-user' : 'rule.gdr.beyond-user', args);
    default:
      return say(on ? 'rule.gdr.within' : 'rule.gdr.beyond', args);
  }
}

/** Three significant digits at most, without trailing zeros. */
export const round = (n: number): number => Number(n.toPrecision(4));
