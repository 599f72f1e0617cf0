import { fail, type Result } from '../../base/result.ts';
import { bytes as asBytes } from '../../base/units.ts';
import { Clockwork } from '../../collective/clock/clockwork.ts';
import { wireFactors } from '../../collective/clock/costs.ts';
import type { ClockConstants, MessageCost } from '../../collective/clock/machine-costs.ts';
import type { CollectiveTime, TimeOptions } from '../../collective/clock/time.ts';
import type { HopKind } from '../../collective/clock/wires.ts';
import { channelsOf } from '../../collective/p2p.ts';
import type { Task } from '../../collective/program.ts';
import { bufferSlots, shares } from '../../collective/share.ts';
import { taskOf } from '../../collective/ways.ts';
import type { Protocol } from '../../nccl/tuning/model.ts';
import { type Message, say } from '../../words/message.ts';
import { piece } from './chain.ts';
import { type Exchange, exchangeHops, exchangeRate, exchangeStart, messageRate } from './exchange.ts';
import type { CollectiveGround } from './ground.ts';
import { blockOf, exchangeWeights, type Launch, latencyOf, micros, startOf, switchWeights, weightsOf } from './hop.ts';
import type { ByKind } from './laid.ts';
import type { TestName } from './predict.ts';
import { outOfStep, sliceOf } from './ring.ts';
import type { Speeds } from './speeds.ts';
import { treePiece, treeRate } from './tree.ts';
import { gpuLimits, linkShares } from './wire-rates.ts';

/**
 * The catalogue's figures on the engine's clock: every rank does its steps, channels share links, and nothing is averaged. The closed
 * form has the same figures and the same loads of wires, and nothing else in common with it.
 */
export class OnEngine {
  readonly works: Clockwork;
  constructor(
    readonly ground: CollectiveGround,
    readonly speeds: Speeds,
  ) {
    this.works = new Clockwork(ground.made, gpuLimits(ground.machine, ground.made.release));
  }

  /** One call as NCCL would launch it, or as `launch` says; `bytes` as the test's size column has it. */
  time(
    name: TestName,
    bytes: number,
    elementBytes: number,
    options: TimeOptions = {},
    launch?: Launch,
  ): Result<CollectiveTime, Message> {
    const chosen = this.works.task(name, asBytes(bytes), elementBytes);
    if (!chosen) return fail(say('graph.env.nothing', { collective: name }));
    const task = launch ? taskOf(launch, name, chosen.count, elementBytes, 0, chosen.bufferBytes) : chosen;
    const single = options.single ?? this.uneven(task);
    return this.works.time(this.inPieces(task), this.constants(task), { ...options, single });
  }

  /**
   * Whether a chunk's slices are of unequal size, and few enough to be told one by one: a run takes them for equal, but slots are waited
   * for as long as the larger one is on its way.
   */
  private uneven(task: Task): boolean {
    const { ranks } = this.ground;
    if (task.algorithm !== 'Ring' || task.protocol !== 'Simple' || isChain(task)) return false;
    const parts = shares(task, ranks).length;
    const steps = task.collective === 'all_reduce' ? 2 * (ranks - 1) : ranks - 1;
    const chunk = (task.count * task.elementBytes) / (task.collective === 'all_reduce' ? ranks : 1) / parts;
    const part = this.slice(task) / chunk;
    return chunk <= task.chunkBytes && part > 0.51 && part < 0.99 && 2 * steps * ranks * parts <= fewSlices;
  }

  /** What the catalogue's figures are for a task's hops. */
  constants(task: Task): ClockConstants {
    const { ground: g, speeds: s } = this;
    const { protocol: p, algorithm } = task;
    if (g.ranks === 1) return alone(s, task);
    const exchange = algorithm === 'Direct';
    const fabric = algorithm === 'NVLS' || algorithm === 'NVLSTree';
    // In a chain of two a GPU's link through host memory is not read and written at once.
    const both = !isChain(task) || g.ranks > 2;
    // Rings step together; in chains and trees one slice streams behind the other.
    const stepped = algorithm === 'Ring' && !isChain(task);
    const weight = exchange
      ? exchangeWeights(s, task.collective === 'sendrecv')
      : fabric
        ? switchWeights(s)
        : weightsOf(s, both);
    const each = task.count * task.elementBytes;
    const part = each / channelsOf(each, task.channels, g.exchange.ways);
    const hops = exchange && exchangeHops(g.made, s, p, part);
    const slice = this.slice(task);
    const rate = algorithm === 'Tree' ? treeRate(g, s, { protocol: p, nChannels: task.channels }) : undefined;
    const hop = (kind: HopKind): MessageCost => ({
      blockUs: stepped ? blockOf(s, p, kind) : 0,
      latencyUs: hops ? hops[kind] : latencyOf(s, p, kind, slice, { stepped, rate }),
      weight: weight[kind],
    });
    const threads = exchange ? exchangeRate(s, p) : fabric ? s.gpu.dividedChannel : s.gpu.channel[p];
    return {
      hop: { nvlink: hop('nvlink'), pci: hop('pci'), shm: hop('shm'), net: hop('net') },
      share: linkShares(g, this.works.wires),
      freeOutside: !exchange,
      blockRate: threads * 1e9 * wireFactors[p],
      ...(exchange ? { alone: messageShare(g, s, p, part) } : {}),
      startUs: exchange
        ? exchangeStart(g, s, task.collective as Exchange)
        : startOf(s, { protocol: p, nChannels: task.channels }),
      finishUs: this.copied(task),
      outOfStep: stepped && task.collective !== 'all_reduce' && outOfStep(g, shares(task, g.ranks).length),
    };
  }

  /**
   * Channels of a GPU do not keep step as they do on the clock: while some still fill their chunk, others have passed theirs on, so
   * that a chain fills as if in smaller pieces. In trees words with flags do go on piece by piece.
   */
  private inPieces(task: Task): Task {
    const tree = task.algorithm === 'Tree';
    if (!tree && !isChain(task)) return task;
    const chunkBytes = tree
      ? treePiece(task.protocol, task.chunkBytes, this.ground.made.release)
      : Math.min(piece, task.chunkBytes);
    if (chunkBytes >= task.chunkBytes) return task;
    return { ...task, chunkBytes, steps: Math.ceil((bufferSlots * task.chunkBytes) / chunkBytes) };
  }

  /** Bytes of a message. */
  private slice(task: Task): number {
    const { ground: g } = this;
    const { algorithm, chunkBytes } = task;
    const bytes = task.count * task.elementBytes;
    // Small amounts leave channels without a part.
    const channels = shares(task, g.ranks).length;
    if (isChain(task)) return Math.min(bytes / channels, piece);
    if (algorithm === 'Tree') return Math.min(bytes / channels, chunkBytes);
    if (algorithm === 'Ring') {
      const share = (task.collective === 'all_reduce' ? bytes / g.ranks : bytes) / channels;
      return sliceOf(g, task, share / Math.max(1, Math.ceil(share / chunkBytes)));
    }
    return Math.min(bytes / channels / (g.made.facts.nvls?.nChannels ?? 1), chunkBytes);
  }

  /** A rank's own part, copied once by the GPU; rings hide a part of it. */
  private copied(task: Task): number {
    if (task.algorithm !== 'Ring' || task.collective === 'broadcast' || task.collective === 'reduce') return 0;
    const { speeds: s, ground: g } = this;
    const share = (task.count * task.elementBytes) / (task.collective === 'all_reduce' ? g.ranks : 1);
    const loop = task.channels * task.chunkBytes;
    return micros(Math.min(share, loop) + s.copyShare * Math.max(0, share - loop), s.gpu.localCopy);
  }
}

/** So many slices take about half a second one by one. */
const fewSlices = 50_000;

/** Of what a channel's threads pass on in an exchange, what one message can have. */
function messageShare(g: CollectiveGround, s: Speeds, protocol: Protocol, part: number): ByKind {
  const { nvlink, pci, shm, net } = messageRate(g.made, s, protocol, part);
  const all = exchangeRate(s, protocol);
  return { nvlink: nvlink / all, pci: pci / all, shm: shm / all, net: net / all };
}

const isChain = ({ collective, algorithm }: Task): boolean =>
  algorithm === 'Ring' && (collective === 'broadcast' || collective === 'reduce');

/** One GPU has nothing to do but to copy. */
const alone = (s: Speeds, { count, elementBytes }: Task): ClockConstants => {
  const none = { blockUs: 0, latencyUs: 0 };
  return {
    hop: { nvlink: none, pci: none, shm: none, net: none },
    startUs: s.gpu.start,
    finishUs: micros(count * elementBytes, s.gpu.localCopy),
  };
};
