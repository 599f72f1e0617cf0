import { spread } from '../../collective/share.ts';
import type { Collective } from '../../nccl/tuning/model.ts';
import { chainTime } from './chain.ts';
import type { CollectiveGround } from './ground.ts';
import type { Launch } from './hop.ts';
import { nvlsTime, nvlsTreeTime } from './nvls.ts';
import { patTime, ringTime } from './ring.ts';
import type { Speeds } from './speeds.ts';
import { treeTime } from './tree.ts';

/** µs of one call, out of place, launched as `l` says. */
export function collectiveTime(g: CollectiveGround, s: Speeds, coll: Collective, l: Launch, bytes: number): number {
  const perByte = coll === 'AllReduce' ? 2 : 1;
  const [used, traffic] = spread(bytes * perByte, l.protocol, l.nChannels);
  return timeOn(g, s, coll, used < l.nChannels ? { ...l, nChannels: used } : l, traffic / perByte);
}

function timeOn(g: CollectiveGround, s: Speeds, coll: Collective, l: Launch, bytes: number): number {
  switch (l.algorithm) {
    case 'PAT':
      return patTime(g, s, l, bytes);
    case 'Ring':
      return coll === 'Broadcast' || coll === 'Reduce'
        ? chainTime(g, s, coll, l, bytes)
        : ringTime(g, s, coll, l, bytes);
    case 'Tree':
      return treeTime(g, s, l, bytes);
    case 'NVLS':
      return nvlsTime(g, s, coll, l, bytes);
    case 'NVLSTree':
      return nvlsTreeTime(g, s, l, bytes);
  }
}
