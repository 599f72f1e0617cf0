import { fail, ok, type Result } from '../../base/result.ts';
import { type Message, say } from '../../words/message.ts';
import { atLeast, type Release } from '../release.ts';
import { parseInteger } from '../settings.ts';
import { asWritten } from '../variables/variable.ts';
import type { Algorithm, Collective, Protocol } from './model.ts';

/** What NCCL_ALGO and NCCL_PROTO leave of one collective; absent: not restricted. */
export interface Restriction {
  readonly algorithms?: readonly Algorithm[];
  /** LL128, which is otherwise used only where it is safe, is used wherever it is listed. */
  readonly protocols?: readonly Protocol[];
}

export type Restrictions = Readonly<Record<Collective, Restriction>>;

const functions = ['Broadcast', 'Reduce', 'AllGather', 'ReduceScatter', 'AllReduce'] as const;
/** NCCL's names, and from which release to which; also of those not modelled here: they may be listed all the same. */
const algorithms: readonly (readonly [name: string, since: string, before?: string])[] = [
  ['Tree', '2.5.6'],
  ['Ring', '2.5.6'],
  ['CollNet', '2.6.4', '2.14.3'],
  ['CollNetDirect', '2.14.3'],
  ['CollNetChain', '2.14.3'],
  ['NVLS', '2.17.1'],
  ['NVLSTree', '2.18.1'],
  ['PAT', '2.23.4'],
];
const algorithmTokens = (release: Release): string[] =>
  algorithms.flatMap(([name, since, before]) =>
    atLeast(release, since) && !(before !== undefined && atLeast(release, before)) ? [name] : [],
  );
const protocolTokens = ['LL', 'LL128', 'Simple'];

/**
 * NCCL_ALGO and NCCL_PROTO (src/graph/tuning.cc: parseList). Up to 2.23 one list for all collectives, `^` excluding what follows,
 * unknown names ignored. From 2.24.3 lists by collective too, `ring;allreduce:^tree,nvls`, of which only the first may lack a
 * name, and an unknown name ends NCCL's start.
 */
export function restrictionsOf(env: ReadonlyMap<string, string>, release: Release): Result<Restrictions, Message> {
  const algorithmLists = lists('NCCL_ALGO', env, algorithmTokens(release), release);
  if (!algorithmLists.ok) return algorithmLists;
  const protocols = lists('NCCL_PROTO', env, protocolTokens, release);
  if (!protocols.ok) return protocols;
  return ok(
    Object.fromEntries(
      functions.map((f) => {
        const a = algorithmLists.value.get(f) as readonly Algorithm[] | undefined;
        const p = protocols.value.get(f) as readonly Protocol[] | undefined;
        return [f, { ...(a ? { algorithms: a } : {}), ...(p ? { protocols: p } : {}) }];
      }),
    ) as unknown as Restrictions,
  );
}

/** What is wrong with a list of algorithms or protocols: a name that NCCL ignores, or one that ends its start. */
export function unlistedIn(name: string, value: string, release: Release): Message | undefined {
  const tokens = { NCCL_ALGO: algorithmTokens(release), NCCL_PROTO: protocolTokens }[name];
  if (!tokens) return undefined;
  if (atLeast(release, '2.24.3')) {
    const read = lists(name, new Map([[name, value]]), tokens, release);
    if (read.ok) return undefined;
    const { token } = read.error.args;
    if (read.error.code !== 'graph.env.token' || typeof token !== 'string') return read.error;
    return say('env.stops', { token: asWritten(token), names: tokens.join(', ') });
  }
  const { unknown } = listed(value, tokens);
  return unknown === undefined ? undefined : say('env.token', { token: asWritten(unknown), names: tokens.join(', ') });
}

type Lists = Map<Collective, readonly string[]>;

function lists(
  name: string,
  env: ReadonlyMap<string, string>,
  tokens: readonly string[],
  release: Release,
): Result<Lists, Message> {
  const found: Lists = new Map();
  const text = env.get(name);
  if (text === undefined) return ok(found);
  if (!atLeast(release, '2.24.3')) {
    for (const f of functions) found.set(f, listed(text, tokens).list);
    return ok(found);
  }
  const entries = text.split(';').filter((x) => x !== '');
  for (const [i, entry] of entries.entries()) {
    const [head, list] = entry.split(':').filter((x) => x !== '');
    if (head === undefined) continue;
    if (list === undefined && i > 0) return fail(say('graph.env.prefix', { name, text }));
    const whose = list === undefined ? functions : functions.filter((f) => f.toLowerCase() === head.toLowerCase());
    if (whose.length === 0) return fail(say('graph.env.collective', { name, text, token: head }));
    const { list: names, unknown } = listed(list ?? head, tokens);
    if (unknown !== undefined) return fail(say('graph.env.token', { name, text, token: unknown }));
    for (const f of whose) found.set(f, names);
  }
  return ok(found);
}

/** `a,b` lists what stays, `^a,b` what goes. */
function listed(text: string, tokens: readonly string[]): { list: string[]; unknown?: string } {
  const without = text.startsWith('^');
  const named = (without ? text.slice(1) : text).split(',').filter((x) => x !== '');
  const lower = named.map((x) => x.toLowerCase());
  const unknown = named.find((x) => !tokens.some((t) => t.toLowerCase() === x.toLowerCase()));
  const list = tokens.filter((t) => lower.includes(t.toLowerCase()) !== without);
  return unknown === undefined ? { list } : { list, unknown };
}

/** Whether an algorithm stays in use for a collective. */
export function keepsAlgorithm(r: Restrictions | undefined, release: Release, coll: Collective, a: Algorithm): boolean {
  const list = r?.[coll].algorithms;
  if (list === undefined || list.includes(a)) return true;
  if (coll === 'AllReduce' || atLeast(release, '2.19.1')) return false;
  // Jobs with NCCL_ALGO=Tree were to run all the same: other collectives had nothing but rings.
  return a === 'Ring' || !atLeast(release, '2.17.1');
}

/** Whether a protocol stays in use; undefined: nobody said. */
export const keepsProtocol = (r: Restrictions | undefined, coll: Collective, p: Protocol): boolean | undefined =>
  r?.[coll].protocols?.includes(p);

/** Threads of a block and bytes of a buffer, as set or by default. */
export interface BlockFacts {
  /** Most threads of LL and Simple; absent: NCCL's default, which looks at the bandwidth. */
  readonly threads?: number;
  readonly ll128Threads: number;
  readonly bufferBytes: Readonly<Record<Protocol, number>>;
  /** NCCL_THREAD_THRESHOLDS: bytes a thread must have to do before more are used; absent ones by default. */
  readonly thresholds?: Readonly<Partial<Record<'Tree' | 'Ring', Readonly<Partial<Record<Protocol, number>>>>>>;
}

/** Sizes of the buffers between two GPUs unless set (src/init.cc: computeBuffSizes). */
const defaultBuffers: Readonly<Record<Protocol, number>> = { LL: 524288, LL128: 4915200, Simple: 4194304 };

/** Buffers are cut into eight slots; less than one line a slot moves nothing. */
const leastBuffer = 8 * 1024;

/** Since when each protocol's buffer can be told, and below how many bytes NCCL makes chunks of none and divides by zero. */
const bufferNames = [
  ['NCCL_LL_BUFFSIZE', '2.7.3', 256],
  ['NCCL_LL128_BUFFSIZE', '2.7.3', 16 * 1024],
  ['NCCL_BUFFSIZE', '2.6.4', 4 * 1024],
] as const;

/** A buffer of which NCCL makes nothing (`crashes`), or smaller chunks than are reckoned with here. */
export interface SmallBuffer {
  readonly name: string;
  readonly bytes: number;
  readonly crashes: boolean;
}

export function smallBuffers(env: ReadonlyMap<string, string>, release: Release): SmallBuffer[] {
  return bufferNames.flatMap(([name, from, least]) => {
    const bytes = atLeast(release, from) ? parseInteger(env.get(name)) : undefined;
    if (bytes === undefined || bytes < 0 || bytes >= Math.max(least, leastBuffer)) return [];
    return [{ name, bytes, crashes: bytes < least }];
  });
}

/** NCCL_NTHREADS, NCCL_LL128_NTHREADS and NCCL_*BUFFSIZE; what is out of range is set to the nearest bound, as NCCL does. */
export function blockFacts(env: ReadonlyMap<string, string>, release: Release, arch: string): BlockFacts {
  const set = (name: string): number | undefined => {
    const n = parseInteger(env.get(name));
    return n === undefined || n === -2 ? undefined : n;
  };
  const threads = threadsWithin(set('NCCL_NTHREADS'), 64, 512);
  const ll128Threads = threadsWithin(set('NCCL_LL128_NTHREADS'), 160, 640);
  const smallArm = arch === 'arm64' && !atLeast(release, '2.19.1');
  const size = (name: string, from: string, fallback: number): number => {
    const n = atLeast(release, from) ? set(name) : undefined;
    return n === undefined ? fallback : Math.max(n, leastBuffer);
  };
  const thresholds = thresholdsOf(env.get('NCCL_THREAD_THRESHOLDS'));
  return {
    ...(thresholds === undefined ? {} : { thresholds }),
    ...(threads === undefined ? {} : { threads }),
    ll128Threads: ll128Threads ?? 640,
    bufferBytes: {
      LL: size('NCCL_LL_BUFFSIZE', '2.7.3', defaultBuffers.LL),
      LL128: size('NCCL_LL128_BUFFSIZE', '2.7.3', defaultBuffers.LL128),
      Simple: size('NCCL_BUFFSIZE', '2.6.4', smallArm ? 1 << 20 : defaultBuffers.Simple),
    },
  };
}

/** Not a multiple of a warp, or too many: the most (src/graph/tuning.cc: getNthreads). Nothing positive: unset. */
function threadsWithin(n: number | undefined, least: number, most: number): number | undefined {
  if (n === undefined || n <= 0) return undefined;
  if (n % 32 !== 0 || n > most) return most;
  return Math.max(n, least);
}

/** Six numbers, for trees and rings by LL, LL128 and Simple; a negative one, or none, leaves the default. */
function thresholdsOf(text: string | undefined): BlockFacts['thresholds'] {
  if (text === undefined) return undefined;
  const numbers: number[] = [];
  for (const word of text.trim().split(/\s+/)) {
    const n = /^[+-]?\d{1,15}/.exec(word);
    if (!n) break;
    numbers.push(Number(n[0]));
    // What follows a number within a word ends the reading, as sscanf does.
    if (n[0] !== word) break;
  }
  const three = (at: number): Partial<Record<Protocol, number>> =>
    Object.fromEntries(
      (['LL', 'LL128', 'Simple'] as const).flatMap((p, i) => {
        const n = numbers[at + i];
        return n === undefined || n < 0 ? [] : [[p, n] as const];
      }),
    );
  return { Tree: three(0), Ring: three(3) };
}
