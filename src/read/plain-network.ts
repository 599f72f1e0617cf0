import { fail, ok, type Result } from '../base/result.ts';
import { type BytesPerSecond, bytesPerSecond, type Seconds, seconds } from '../base/units.ts';
import type { Where } from '../fact/fact.ts';
import { say } from '../words/message.ts';
import type { ClusterProblem } from './cluster-yaml/types.ts';
import type { Section } from './cluster-yaml/values.ts';

/** How the GPUs of a plain network are joined: each to one switch, each to the next, or each to every other. */
export const plainShapes = ['switch', 'ring', 'full-mesh'] as const;
export type PlainShape = (typeof plainShapes)[number];

/**
 * A network without a machine, as simulators are given one: so many GPUs, links that are all alike, and what software takes
 * for a message.
 */
export interface PlainNetwork {
  readonly kind: 'plain-network';
  readonly file: string;
  readonly gpus: number;
  readonly shape: PlainShape;
  /** One link and direction. */
  readonly rate: BytesPerSecond;
  /** Of one link. */
  readonly latency: Seconds;
  /** Software, for each message that is sent. */
  readonly send: Seconds;
  readonly at: Where;
}

/** Reads the map under `plain:`. */
export function readPlainNetwork(
  top: Section,
  file: string,
  problems: readonly ClusterProblem[],
): Result<PlainNetwork, readonly ClusterProblem[]> {
  const s = top.section('plain');
  const gpus = s?.number('gpus', 2, 65_536);
  const shape = s?.choice('shape', plainShapes);
  const rate = s && measure(s, 'rate', rates, '2880Gb/s');
  const latency = s && measure(s, 'latency', times, '25ns');
  const send = s && measure(s, 'send', times, '3us');
  for (const key of ['gpus', 'rate'] as const) if (s && !s.has(key)) s.missing(key);
  s?.finish();
  top.finish();
  if (problems.length > 0) return fail(problems);
  if (!s || gpus === undefined || rate === undefined)
    return fail([{ message: say('cluster.missing', { key: 'plain' }), at: top.at }]);
  return ok({
    kind: 'plain-network',
    file,
    gpus: gpus.value,
    shape: shape?.value ?? 'switch',
    rate: bytesPerSecond(rate),
    latency: seconds(latency ?? 0),
    send: seconds(send ?? 0),
    at: top.where('plain'),
  });
}

/** Bytes per second of a unit. */
const rates: Readonly<Record<string, number>> = { 'gb/s': 1e9 / 8, 'tb/s': 1e12 / 8, 'mb/s': 1e6 / 8 };
const bytesRates: Readonly<Record<string, number>> = { 'GB/s': 1e9, 'TB/s': 1e12, 'MB/s': 1e6 };
const times: Readonly<Record<string, number>> = { ns: 1e-9, us: 1e-6, µs: 1e-6, ms: 1e-3, s: 1 };

/** A number with its unit; bits and bytes are told apart by the letter's case, as everywhere. */
function measure(s: Section, key: string, units: Readonly<Record<string, number>>, form: string): number | undefined {
  const text = s.text(key);
  if (text === undefined) return undefined;
  const found = /^(\d{1,12}(?:\.\d{1,9})?)\s*([a-zA-Zµ/]+)$/.exec(text.value.trim());
  const unit = found?.[2] ?? '';
  const each =
    Object.hasOwn(bytesRates, unit) && units === rates
      ? bytesRates[unit]
      : units[Object.hasOwn(units, unit) ? unit : unit.toLowerCase()];
  // A link may take no time, but nothing crosses one of no rate.
  if (!found || each === undefined || (units === rates && Number(found[1]) === 0)) {
    return s.problem(say('plain.form', { key: `plain.${key}`, value: text.value.slice(0, 40), form }), text.at[0]);
  }
  return Number(found[1]) * each;
}
