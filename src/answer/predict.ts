import { fail, ok, type Result } from '../base/result.ts';
import { channelsOf } from '../collective/p2p.ts';
import type { Machine } from '../machine/machine.ts';
import { gpusOf, portsOf } from '../machine/names.ts';
import { redirects } from '../move/ends.ts';
import type { Communicator } from '../nccl/communicator.ts';
import { typeAllowed, typeSince } from '../nccl/element-type.ts';
import { type Ask, jobOf, nodesPerDomain, overChosenNetwork, socketsBy } from '../nccl/of-machine.ts';
import type { Refusal } from '../nccl/system/build.ts';
import type { Algorithm, Protocol } from '../nccl/tuning/model.ts';
import { smallBuffers } from '../nccl/tuning/restrict.ts';
import { partOf } from '../physics/usual-rates.ts';
import { asUsual, between } from '../predict/as-usual.ts';
import { speedsFor } from '../predict/collective/catalogued.ts';
import type { Clock } from '../predict/collective/clocked.ts';
import type { Exchange } from '../predict/collective/exchange.ts';
import { type CollectiveGround, groundOf } from '../predict/collective/ground.ts';
import { exchangeWeights, switchWeights, weightsOf } from '../predict/collective/hop.ts';
import { launchFloor } from '../predict/collective/in-turn.ts';
import { type ByKind, type Traffic, tightest } from '../predict/collective/laid.ts';
import { type Limit, limitAt } from '../predict/collective/limits.ts';
import {
  busFactor,
  type Datatype,
  datatypes,
  ncclName,
  Predictor,
  reduces,
  type TestName,
} from '../predict/collective/predict.ts';
import type { Speeds } from '../predict/collective/speeds.ts';
import { spreadOf } from '../predict/collective/spread.ts';
import type { Wire } from '../predict/collective/wire-name.ts';
import { type Message, say } from '../words/message.ts';

export interface PredictAsk {
  readonly name: TestName;
  readonly datatype: Datatype;
  readonly sizes: readonly number[];
  /** Sizes of a table, which were rounded by the test that printed it. */
  readonly exact?: boolean;
}

export interface PredictedRow {
  readonly bytes: number;
  readonly timeUs: number;
  readonly timeLowUs: number;
  readonly timeHighUs: number;
  readonly algbwGBps: number;
  readonly busbwGBps: number;
  readonly algorithm: Algorithm | 'P2P';
  readonly protocol: Protocol;
  readonly channels: number;
  readonly limit: Limit;
}

export interface Bottleneck {
  readonly limit: Limit;
  /** The link or port, where it is one. */
  readonly of?: string;
  readonly why: Message;
}

export interface PredictAnswer {
  readonly ask: PredictAsk;
  readonly ground: CollectiveGround;
  readonly rows: readonly PredictedRow[];
  /** What the times are: of a run on the engine, or the closed form's, which agrees with it within some per cent. */
  readonly timedBy: 'engine' | 'closed-form';
  readonly bottleneck: Bottleneck;
  readonly assumptions: readonly Message[];
}

/** Made of sends and receives, whatever NCCL_ALGO says. */
const exchanges: ReadonlySet<TestName> = new Set<Exchange>(['alltoall', 'sendrecv', 'gather', 'scatter']);
const isExchange = (name: TestName): name is Exchange => exchanges.has(name);

/** The table that nccl-tests should print on a machine, out of place. */
export function answerPredict(
  told: Machine,
  ask: Ask,
  what: PredictAsk,
  /** Runs every size on the engine; without it, or where that takes more than moments, the closed form is asked. */
  clock?: Clock,
): Result<PredictAnswer, Refusal> {
  const { machine, assumed } = asUsual(overChosenNetwork(told, ask), ask.env);
  const made = groundOf(machine, ask);
  if (!made.ok) return made;
  const ground = made.value;
  if (isExchange(what.name) && ground.ranks > 1 && ground.exchange.ways.leastPart < 1) {
    const { chunkFrom: name, chunkBytes: bytes } = ground.made.p2p;
    return fail({ reason: say('predict.chunk', { name, bytes }), at: [] });
  }
  const type = typeSaid(told, ground, what);
  if (type?.refuses) return fail({ reason: type.message, at: [] });
  const speeds = speedsFor(ground);
  const predictor = new Predictor(ground, speeds, what.name, what.datatype);
  const factor = busFactor(what.name, ground.ranks);
  const sizes = what.exact ? what.sizes : wholeSizes(what, ground.ranks);
  if (sizes.length === 0) {
    const [least = 0] = what.sizes;
    return fail({ reason: say('predict.small', { bytes: least, ranks: ground.ranks, type: what.datatype }), at: [] });
  }
  const floor = launchFloor(machine);
  const clocked = clock?.(predictor, what.datatype, sizes);
  const rows = sizes.map((bytes, i): PredictedRow => {
    const formed = predictor.at(bytes);
    const { limit } = limitAt(predictor, formed, bytes);
    const planned = { ...formed, timeUs: Math.max(floor, clocked?.[i] ?? formed.timeUs) };
    const { low, high } = spreadOf(ground, bytes, planned.timeUs);
    const algbw = bytes / (1000 * planned.timeUs);
    return {
      bytes,
      timeUs: planned.timeUs,
      timeLowUs: low,
      timeHighUs: high,
      algbwGBps: algbw,
      busbwGBps: algbw * factor,
      algorithm: planned.algorithm,
      protocol: planned.protocol,
      channels: planned.channels,
      limit: planned.timeUs > floor ? limit : 'start',
    };
  });
  // Sends and receives are no way of a collective that NCCL has an algorithm for: then the variables left none.
  if (ground.ranks > 1 && !isExchange(what.name) && rows.some((r) => r.algorithm === 'P2P')) {
    return fail({ reason: say('graph.env.nothing', { collective: what.name }), at: [] });
  }
  return ok({
    ask: what,
    ground,
    rows,
    timedBy: clocked ? 'engine' : 'closed-form',
    bottleneck: bottleneckOf(what.name, ground, speeds, rows),
    assumptions: [
      ...machine.notes.flatMap((n) => (n.message.code === 'usual.system' ? [n.message] : [])),
      ...assumed.filter((a) => ground.nodes > 1 || !between.has(a.code)),
      ...assumptionsOf(machine, ask, ground),
      ...(type ? [type.message] : []),
      ...(clock && !clocked ? [say('predict.form', { ranks: ground.ranks })] : []),
      ...(sizes.length < what.sizes.length ? [say('predict.sizes', { bytes: sizes[0] ?? 0 })] : []),
    ],
  });
}

/**
 * Of a type that this release, or these GPUs, have not: no table would come out. One that was measured is compared all the same,
 * and what no input tells forbids nothing.
 */
function typeSaid(
  told: Machine,
  { made }: CollectiveGround,
  { name, datatype: type, exact }: PredictAsk,
): { readonly refuses: boolean; readonly message: Message } | undefined {
  const { release } = made;
  const version = release.name;
  const since = typeSince(type, release);
  const refuses = exact !== true;
  if (since !== undefined) {
    return {
      refuses,
      message: say(refuses ? 'predict.type.early' : 'predict.type.early-seen', { version, type, since }),
    };
  }
  const coll = ncclName(name);
  if (coll === undefined) return undefined;
  const sms = told.hosts.flatMap((h) => gpusOf(h).map((g) => g.sm ?? partOf(g)?.sm?.value));
  const least = Math.min(...sms.map((sm) => sm ?? Number.POSITIVE_INFINITY));
  const allowed = typeAllowed(type, reduces(coll), least, release);
  const sm = (least / 10).toFixed(1);
  if (allowed === 'no') {
    return { refuses, message: say(refuses ? 'predict.type.sm' : 'predict.type.sm-seen', { type, sm }) };
  }
  if (allowed === 'unknown') return { refuses: false, message: say('predict.type.moved', { type, sm, version }) };
  const open = sms.includes(undefined) && typeAllowed(type, reduces(coll), 0, release) === 'no';
  return open ? { refuses: false, message: say('predict.type.open', { type }) } : undefined;
}

/** Of these each rank has a part of its own, in steps of 16 bytes; of the others all have the whole. */
const inParts: ReadonlySet<TestName> = new Set(['all_gather', 'reduce_scatter', 'alltoall', 'gather', 'scatter']);

/** Sizes as nccl-tests makes them of those asked for: whole elements, and the same part for every rank (`GetCollByteCount`). */
function wholeSizes({ name, datatype, sizes }: PredictAsk, ranks: number): number[] {
  const element = datatypes[datatype];
  const step = inParts.has(name) ? ranks * Math.max(16, element) : element;
  return [...new Set(sizes.map((bytes) => Math.floor(bytes / step) * step))].filter((bytes) => bytes > 0);
}

function bottleneckOf(name: TestName, g: CollectiveGround, speeds: Speeds, rows: readonly PredictedRow[]): Bottleneck {
  const last = rows[rows.length - 1];
  if (!last) return { limit: 'start', why: say('predict.limit.start') };
  const { limit } = last;
  if (limit === 'inside' || limit === 'outside') {
    const wire = crowded(name, g, speeds, last, limit === 'outside');
    const of = wire?.of ?? (limit === 'outside' ? 'network' : g.nvlink > 0 ? 'nvlink' : 'pcie');
    if (wire === undefined) return { limit, of, why: say(`predict.limit.${limit}`) };
    return { limit, of, why: say(`predict.wire.${wire.kind}`, { of }) };
  }
  return { limit, why: say(`predict.limit.${limit}`) };
}

/** The wire that holds a row back, of those within nodes or of those between them. */
function crowded(
  name: TestName,
  g: CollectiveGround,
  s: Speeds,
  row: PredictedRow,
  between: boolean,
): Wire | undefined {
  // One rank moves nothing.
  if (row.algorithm === 'P2P' && !isExchange(name)) return undefined;
  // What switches reduce within a node has its own limit; only what nodes send is laid onto wires.
  if (row.algorithm === 'NVLSTree')
    return tightest(g.loads.nvls(row.channels, true, true).between, switchWeights(s), between);
  const [traffic, weight] = laid(name, g, s, row);
  // Where messages of both kinds share every wire there is none of the one kind alone.
  return tightest(traffic, weight, between) ?? tightest(traffic, weight, !between);
}

/** What a row's messages lay onto the wires, and what their bytes cost them. */
function laid(name: TestName, g: CollectiveGround, s: Speeds, row: PredictedRow): readonly [Traffic, ByKind] {
  if (isExchange(name)) {
    const each = name === 'sendrecv' ? row.bytes : row.bytes / g.ranks;
    const parts = channelsOf(each, g.made.p2p.channels, g.exchange.ways);
    return [g.exchange.of(name, parts), exchangeWeights(s, name === 'sendrecv')];
  }
  const { traffic } = row.algorithm === 'Tree' ? g.loads.tree(row.channels) : g.loads.ring(row.channels);
  return [traffic, weightsOf(s, true)];
}

function assumptionsOf(machine: Machine, ask: Ask, g: CollectiveGround): Message[] {
  const out: Message[] = [];
  const { release } = g.made;
  if (ask.nccl === undefined && machine.software.nccl === undefined) {
    out.push(say('predict.assume.nccl', { version: release.name }));
  } else if (release.asked !== undefined) {
    out.push(say('predict.assume.nearest', { version: release.name, asked: release.asked }));
  }
  const { launch } = machine;
  const inTurn = launchFloor(machine);
  if (inTurn > 0) out.push(say('predict.launch', { gpus: launch?.gpusPerThread ?? 1, us: Math.round(inTurn) }));
  else if (launch?.gpusPerThread === undefined && (launch?.mode ?? 'unknown') === 'unknown') {
    out.push(say('predict.assume.launch'));
  }
  if (machine.nodes > 1 && machine.fabric.transport === undefined) out.push(say('predict.assume.network'));
  const sockets = machine.nodes > 1 ? socketsBy(machine, ask) : undefined;
  if (sockets !== undefined) out.push(say('predict.assume.sockets', { name: sockets }));
  if (machine.nodes > 1) out.push(...hcaSaid(machine, ask, g));
  if (machine.software.acs === undefined && redirects(machine)) out.push(say('predict.assume.acs'));
  out.push(say('predict.assume.place'), ...domainsOf(machine, g.made), ...cardsOf(machine, g.made));
  out.push(...smallSaid(machine, ask, g.made));
  return out;
}

/** Buffers too small for NCCL, or for what is told of its chunks. */
export function smallSaid(machine: Machine, ask: Ask, { release }: Communicator): Message[] {
  return smallBuffers(jobOf(machine, 0, ask).env, release).map(({ name, bytes, crashes }) =>
    say(crashes ? 'graph.buffer-none' : 'graph.buffer-small', { name, bytes }),
  );
}

/** How many NICs the job's NCCL_IB_HCA leaves: a list that was left from another machine costs the most and is seen the least. */
function hcaSaid(machine: Machine, ask: Ask, g: CollectiveGround): Message[] {
  const value = jobOf(machine, 0, ask).env.get('NCCL_IB_HCA')?.trim();
  if (!value) return [];
  const all = portsOf(machine.hosts[0]!).length;
  const left = g.made.decision.topology.whole.system.nodes.NET.reduce((n, { net }) => n + (net!.port.joined ?? 1), 0);
  if (left < all) return [say('predict.hca', { value, left, all })];
  return value.startsWith('^') ? [] : [say('predict.hca-none', { value })];
}

/** That NCCL joins the ports of a card. */
export function cardsOf({ fabric }: Machine, { nodes, decision }: Communicator): Message[] {
  if (nodes === 1 || fabric.transport?.value === 'efa') return [];
  const cards = decision.topology.whole.system.nodes.NET.flatMap(({ net }) => (net!.port.joined ? [net!] : []));
  return cards.length === 0 ? [] : [say('predict.cards', { cards: cards.length, rate: Math.round(cards[0]!.bw * 8) })];
}

/** That NCCL counts NVLink domains where people count nodes. */
export function domainsOf(machine: Machine, c: Communicator): Message[] {
  const per = machine.hosts[0] ? Math.min(machine.nodes, nodesPerDomain(machine, machine.hosts[0])) : 1;
  if (per === 1) return [];
  const rest = machine.nodes % per;
  return [
    rest === 0 ? say('predict.domains', { count: c.hosts }) : say('predict.domains.rest', { count: c.hosts, rest }),
  ];
}
