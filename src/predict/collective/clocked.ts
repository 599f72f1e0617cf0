import type { CollectiveGround } from './ground.ts';
import type { Launch } from './hop.ts';
import { OnEngine } from './on-engine.ts';
import { type Datatype, datatypes, type Predictor, type TestName } from './predict.ts';

/**
 * Connections of all rows of a table together up to which its times are the engine's: about two seconds. Beyond that the closed form
 * speaks, for all rows alike.
 */
const most = 240_000;

/** Times of calls, µs; undefined where telling them would take too long. */
export type Clock = (predictor: Predictor, datatype: Datatype, sizes: readonly number[]) => number[] | undefined;

/** On the engine, which has no answer where a collective cannot be run. */
export const clockedTimes: Clock = (predictor, datatype, sizes) => {
  const { ground, speeds, name } = predictor;
  const launches = sizes.map((bytes) => predictor.launch(bytes));
  let connections = 0;
  for (const launch of launches) connections += connectionsOf(ground, name, launch);
  if (connections > most) return undefined;
  const engine = new OnEngine(ground, speeds);
  const times: number[] = [];
  for (const [i, bytes] of sizes.entries()) {
    const timed = engine.time(name, bytes, datatypes[datatype], { fold: foldFor(name, launches[i]) }, launches[i]);
    if (!timed.ok || timed.value.run.stuck.length > 0) return undefined;
    times.push(timed.value.time * 1e6);
  }
  return times;
};

/**
 * Where ranks step together, a GPU in the middle of a large node is as far behind as the way to it is long: only what is wholly alike is
 * run once.
 */
export function foldFor(name: TestName, launch: Launch | undefined): 'exact' | 'near' {
  const chain = name === 'broadcast' || name === 'reduce';
  return launch?.algorithm === 'Ring' && !chain ? 'exact' : 'near';
}

/** Buffers between GPUs that a call uses: what building and folding its program costs goes by them. */
function connectionsOf(g: CollectiveGround, name: TestName, launch: Launch | undefined): number {
  const { ranks } = g;
  if (!launch) return name === 'alltoall' ? ranks * ranks : ranks;
  const { algorithm, nChannels } = launch;
  if (algorithm === 'Tree') return 2 * ranks * nChannels;
  if (algorithm !== 'NVLS' && algorithm !== 'NVLSTree') return ranks * nChannels;
  const heads = g.made.facts.nvls?.nChannels ?? 1;
  return nChannels * heads * 2 * (ranks + g.nodes);
}
