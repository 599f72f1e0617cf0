import { ok, type Result } from '../base/result.ts';
import type { Machine } from '../machine/machine.ts';
import { type Communicator, choicesOf, communicator, type NodeGraphs, rowOf } from '../nccl/communicator.ts';
import { type Ask, jobOf } from '../nccl/of-machine.ts';
import { pathTypes } from '../nccl/path-type.ts';
import { type Graph, patternName } from '../nccl/search/graph.ts';
import type { Refusal } from '../nccl/system/build.ts';
import type { Choice } from '../nccl/tuning/choice.ts';
import { type Collective, collectives } from '../nccl/tuning/model.ts';
import { asUsual, between, withHabits } from '../predict/as-usual.ts';
import { type Message, say } from '../words/message.ts';
import { cardsOf, domainsOf, smallSaid } from './predict.ts';

export interface GraphAnswer {
  /** As people count them, where NCCL counts NVLink domains. */
  readonly nodes: number;
  readonly notes: readonly Message[];
  readonly communicator: Communicator;
  /** What the group of rank 0 found. */
  readonly graphs: readonly (readonly [name: GraphName, graph: GraphTold])[];
  readonly choices: Readonly<Record<Collective, readonly Choice[]>>;
}

export type GraphName = 'ring' | 'tree' | 'nvls';

export interface GraphTold {
  readonly pattern: string;
  readonly nChannels: number;
  readonly bwIntra: number;
  readonly bwInter: number;
  readonly typeIntra: string;
  readonly typeInter: string;
  readonly crossNic: number;
  readonly sameChannels: number;
  readonly channels: readonly { readonly intra: readonly number[]; readonly inter?: readonly string[] }[];
}

/** NCCL's channels and its choices on a machine, all GPUs in one communicator. */
export function answerGraph(told: Machine, ask: Ask = {}, host = 0): Result<GraphAnswer, Refusal> {
  // A matrix names no rates; what NCCL puts in their place would decide otherwise than the machine that it shows.
  const { machine, assumed } = told.hosts[host]?.ratesUnknown ? asUsual(told, ask.env) : withHabits(told, ask.env);
  const made = communicator(jobOf(machine, host, ask));
  if (!made.ok) return made;
  const c = made.value;
  const first = c.perDomain.find((d) => d.ranks.includes(0)) ?? c.perDomain[0]!;
  return ok({
    nodes: machine.nodes,
    notes: [
      ...assumed.filter((a) => c.nodes > 1 || !between.has(a.code)),
      ...domainsOf(machine, c),
      ...cardsOf(machine, c),
      ...unreached(c),
      ...smallSaid(machine, ask, c),
    ],
    communicator: c,
    graphs: [
      ['ring', tell(first, first.ring)],
      ['tree', tell(first, first.tree)],
      ...(first.nvls ? [['nvls', tell(first, first.nvls)] as const] : []),
    ],
    choices: Object.fromEntries(collectives.map((coll) => [coll, choicesOf(c, coll)])) as Record<Collective, Choice[]>,
  });
}

/** Where others take part and a GPU reaches no NET, NCCL does not start (src/graph/topo.cc: ncclTopoGetLocalNet). */
function unreached(c: Communicator): Message[] {
  const alone = c.perDomain.some(({ ground: { paths, inter } }) => {
    const { GPU } = paths.system.nodes;
    return inter && GPU.some((g) => paths.local(g, 'NET').length === 0);
  });
  return alone ? [say('graph.no-net')] : [];
}

function tell(d: NodeGraphs, g: Graph): GraphTold {
  const nets = d.ground.paths.system.nodes.NET;
  return {
    pattern: patternName(g.pattern),
    nChannels: g.nChannels,
    bwIntra: short(g.bwIntra),
    bwInter: short(g.bwInter),
    typeIntra: pathTypes[g.typeIntra]!,
    typeInter: pathTypes[g.typeInter]!,
    crossNic: g.crossNic,
    sameChannels: g.sameChannels,
    channels: Array.from({ length: g.nChannels }, (_, c) => {
      const ends = [g.inter[c * 2]!, g.inter[c * 2 + 1]!];
      const inter = d.ground.inter ? { inter: ends.map((n) => nets[n]?.id ?? '') } : {};
      return { intra: rowOf(d, g, c), ...inter };
    }),
  };
}

/** 32-bit floats without the noise of their last digits. */
export const short = (x: number): number => Number(x.toPrecision(6));
