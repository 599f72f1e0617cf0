import type { Communicator } from '../nccl/communicator.ts';
import { type Choice, choose } from '../nccl/tuning/choice.ts';
import { type Algorithm, type Collective, collectives } from '../nccl/tuning/model.ts';

const names: Readonly<Record<Algorithm, string>> = {
  Tree: 'tree',
  Ring: 'ring',
  NVLS: 'nvls',
  NVLSTree: 'nvls_tree',
  PAT: 'pat',
};

/** Largest size that the plugin's manual gives for a range. */
const most = 4294967295;

/**
 * NCCL's choices as the configuration of its example tuner plugin (plugins/tuner/example/README.md of
 * https://github.com/NVIDIA/nccl): one row for each range of sizes, its ends exact to the byte. Channels are given where the
 * range has one count, else left to NCCL (-1).
 */
export function tunerCsv(c: Communicator): string {
  const out = ['# collective_type,min_bytes,max_bytes,algorithm,protocol,channels,nNodes,nRanks,numPipeOps,regBuff'];
  for (const coll of collectives) {
    for (const r of ranges(c, coll)) {
      const { algorithm, protocol } = r.choice;
      out.push(
        [
          coll.toLowerCase(),
          r.from,
          r.to,
          names[algorithm],
          protocol.toLowerCase(),
          r.channels,
          c.nodes,
          c.ranks,
          -1,
          -1,
        ].join(','),
      );
    }
  }
  return `${out.join('\n')}\n`;
}

interface Range {
  readonly from: number;
  to: number;
  readonly choice: Choice;
  channels: number;
}

function ranges(c: Communicator, coll: Collective): Range[] {
  const at = (bytes: number): Choice | undefined => choose(c.facts, c.launch, c.model[coll], coll, bytes);
  const same = (a: Choice | undefined, b: Choice | undefined): boolean =>
    a?.algorithm === b?.algorithm && a?.protocol === b?.protocol;
  const out: Range[] = [];
  let size = 8;
  let choice = at(size);
  if (!choice) return out;
  let range: Range = { from: 0, to: most, choice, channels: choice.nChannels };
  out.push(range);
  while (size < most) {
    const next = Math.min(most, size * 2);
    const then = at(next)!;
    if (same(choice, then)) {
      if (then.nChannels !== range.channels) range.channels = -1;
      size = next;
      continue;
    }
    // Somewhere between the two powers it changes: the first byte at which it has.
    let low = size;
    let high = next;
    while (high - low > 1) {
      const mid = Math.floor((low + high) / 2);
      if (same(choice, at(mid))) low = mid;
      else high = mid;
    }
    if (at(low)!.nChannels !== range.channels) range.channels = -1;
    range.to = high - 1;
    choice = at(high)!;
    range = { from: high, to: most, choice, channels: choice.nChannels };
    out.push(range);
    size = high;
  }
  return out;
}
