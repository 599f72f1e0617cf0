import { workDone } from '../../engine/run.ts';
import type { CollectiveGround } from './ground.ts';
import type { Launch } from './hop.ts';
import { OnEngine } from './on-engine.ts';
import { type Datatype, datatypes, type Predictor, type TestName } from './predict.ts';

/**
 * Connections of all rows of a table together up to which its times are the engine's: about two seconds. Beyond that the closed form
 * speaks, for all rows alike.
 */
const most = 240_000;

/** Work of all rows' runs together up to which that holds: where channels drift apart for as long as bytes flow, runs are given up. */
const mostWork = 20_000_000;

/** Times of calls, µs; undefined where telling them would take too long. */
export type Clock = (predictor: Predictor, datatype: Datatype, sizes: readonly number[]) => number[] | undefined;

/** On the engine, which has no answer where a collective cannot be run, or where all runs together are more work than so much. */
export const clockWithin =
  (work: number): Clock =>
  (predictor, datatype, sizes) => {
    const { ground, speeds, name } = predictor;
    const launches = sizes.map((bytes) => predictor.launch(bytes));
    let connections = 0;
    for (const launch of launches) connections += connectionsOf(ground, name, launch);
    if (connections > most) return undefined;
    const engine = new OnEngine(ground, speeds);
    const known = new Map<string, number | undefined>();
    let left = work;
    const run = (bytes: number, launch: Launch | undefined): number | undefined => {
      const { algorithm, protocol, nChannels, chunkBytes }: Partial<Launch> = launch ?? {};
      const key = [bytes, algorithm, protocol, nChannels, chunkBytes].join(' ');
      if (!known.has(key)) {
        const options = { fold: foldFor(name, launch), most: left };
        const timed = engine.time(name, bytes, datatypes[datatype], options, launch);
        const stuck = !timed.ok || timed.value.run.stuck.length > 0;
        if (timed.ok) left -= workDone(timed.value.run.effort);
        known.set(key, stuck ? undefined : timed.value.time * 1e6);
      }
      return known.get(key);
    };
    const times: number[] = [];
    for (const [i, bytes] of sizes.entries()) {
      const launch = launches[i];
      const time =
        isChain(name) && launch?.algorithm === 'Ring' ? chained(run, bytes, launch, ground.ranks) : run(bytes, launch);
      if (time === undefined) return undefined;
      times.push(time);
    }
    return times;
  };

export const clockedTimes: Clock = clockWithin(mostWork);

/** Rounds of all channels after which a chain is full and each further one takes as long as the one before. */
const fewestFilling = 32;

/**
 * A chain's channels meet each other out of step, so that a run never repeats itself and costs as much as the message is long. But
 * once the chain is full its time grows by the round: two short runs of the same rest tell a long one, to 1 part in 100,000.
 */
function chained(
  run: (bytes: number, launch: Launch) => number | undefined,
  bytes: number,
  launch: Launch,
  ranks: number,
): number | undefined {
  const round = launch.nChannels * launch.chunkBytes;
  const rounds = Math.floor(bytes / round);
  const filling = Math.max(fewestFilling, Math.ceil(ranks / 2));
  if (rounds <= 3 * filling) return run(bytes, launch);
  const short = run(bytes - (rounds - filling) * round, launch);
  const long = run(bytes - (rounds - 2 * filling) * round, launch);
  if (short === undefined || long === undefined) return undefined;
  return long + ((rounds - 2 * filling) / filling) * (long - short);
}

const isChain = (name: TestName): boolean => name === 'broadcast' || name === 'reduce';

/**
 * Where ranks step together, a GPU in the middle of a large node is as far behind as the way to it is long: only what is wholly alike is
 * run once.
 */
export function foldFor(name: TestName, launch: Launch | undefined): 'exact' | 'near' {
  return launch?.algorithm === 'Ring' && !isChain(name) ? 'exact' : 'near';
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
