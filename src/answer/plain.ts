import { fail, ok, type Result } from '../base/result.ts';
import { runFolded } from '../engine/run-folded.ts';
import { busFactor } from '../predict/collective/predict.ts';
import { type PlainCollective, plainCollectives, plainSchedule } from '../predict/plain/schedule.ts';
import type { PlainNetwork } from '../read/plain-network.ts';
import { type Message, say } from '../words/message.ts';

export interface PlainRow {
  readonly bytes: number;
  readonly timeUs: number;
  readonly algbwGBps: number;
  readonly busbwGBps: number;
}

export interface PlainAnswer {
  readonly network: PlainNetwork;
  readonly collective: PlainCollective;
  readonly rows: readonly PlainRow[];
}

/** Messages of an alltoall are operations of their own; more than these take too long. */
const mostOperations = 300_000;

/** Runs a collective on a plain network, size by size, on the engine. */
export function answerPlain(
  network: PlainNetwork,
  name: string,
  sizes: readonly number[],
): Result<PlainAnswer, Message> {
  const collective = plainCollectives.find((c) => c === name);
  if (!collective) return fail(say('plain.collective', { name, known: plainCollectives.join(', ') }));
  if (collective === 'alltoall' && network.gpus ** 2 > mostOperations) {
    return fail(say('plain.too-many', { gpus: network.gpus }));
  }
  const rows: PlainRow[] = [];
  for (const bytes of sizes) {
    const schedule = plainSchedule(network, collective, bytes);
    if (!schedule.ok) return fail(say(schedule.error.code, schedule.error.args));
    const { time } = runFolded(schedule.value, {});
    const algbw = bytes / time / 1e9;
    rows.push({
      bytes,
      timeUs: time * 1e6,
      algbwGBps: algbw,
      busbwGBps: algbw * busFactor(collective, network.gpus),
    });
  }
  return ok({ network, collective, rows });
}
