import { fail, type Result } from '../../base/result.ts';
import { bytes as asBytes } from '../../base/units.ts';
import { Clockwork } from '../../collective/clock/clockwork.ts';
import { wireFactors } from '../../collective/clock/costs.ts';
import type { ClockConstants, MessageCost } from '../../collective/clock/machine-costs.ts';
import type { CollectiveTime, TimeOptions } from '../../collective/clock/time.ts';
import type { HopKind } from '../../collective/clock/wires.ts';
import { channelsOf } from '../../collective/p2p.ts';
import type { Task } from '../../collective/program.ts';
import { bufferSlots } from '../../collective/share.ts';
import { taskOf } from '../../collective/ways.ts';
import { type Message, say } from '../../words/message.ts';
import { hostMemory, pciePayload } from './crossing.ts';
import { type Exchange, exchangeHops, exchangeRate, exchangeStart } from './exchange.ts';
import { linkShares, wireWeights } from './exchange-wires.ts';
import type { CollectiveGround } from './ground.ts';
import { inside, type Launch, micros, shareOf, startOf } from './hop.ts';
import type { TestName } from './predict.ts';
import { piece } from './ring.ts';
import type { Speeds } from './speeds.ts';

/**
 * The closed form's figures on the engine's clock: every rank does its steps, channels share links, and nothing is averaged. What
 * a hop of a ring takes is taken over from the closed form (`unhidden`): there the two agree by construction, and only steps, waits
 * and wires are the engine's own. Trees, chains, NVLS and exchanges are held against each other by constants alone.
 */
export class OnEngine {
  readonly works: Clockwork;

  constructor(
    readonly ground: CollectiveGround,
    readonly speeds: Speeds,
  ) {
    this.works = new Clockwork(ground.made, hostMemory(ground.machine, ground.made.release));
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
    return this.works.time(isChain(task) ? inPieces(task) : task, this.constants(task), options);
  }

  /** What the closed form's figures are for a task's hops. */
  constants(task: Task): ClockConstants {
    const { ground: g, speeds: s } = this;
    const { protocol: p, algorithm } = task;
    if (g.ranks === 1) return alone(s, task);
    if (algorithm === 'Direct') return this.exchange(task);
    const links = linkShares(g, this.works.wires);
    const fabric = algorithm === 'NVLS' || algorithm === 'NVLSTree';
    const empty = p === 'Simple' ? s.gpu.slice : s.gpu.hop;
    const nvlink = (fabric ? s.gpu.nvlsShare : shareOf(s, { ...g.ring, via: 'nvlink' })) * (links.NVL ?? 1);
    // In chains a GPU's link through host memory is not read and written at once.
    const staged = shareOf(s, isChain(task) ? { ...g.ring, duplex: false } : g.ring);
    const pcie = pciePayload * (g.ring.via === 'shm' ? staged : 1);
    const launch = { algorithm: 'Ring', protocol: p, nChannels: task.channels, chunkBytes: task.chunkBytes } as const;
    // What a chain's hop costs it pays once: behind the first piece the others stream. Both slices of a ring's chunk cost, but
    // while one is waited for the other is on its way, and channels do not keep step as they would on the clock.
    const slices = p === 'Simple' && algorithm === 'Ring' && !isChain(task) ? 2 : 1;
    const passes = slices === 2 || isChain(task);
    const near = (us: number) => (passes ? { blockUs: 0, latencyUs: slices * us } : { blockUs: us, latencyUs: 0 });
    const ringStep =
      algorithm === 'Ring' && !isChain(task) ? { blockUs: 0, latencyUs: this.unhidden(task, slices) } : undefined;
    return {
      hop: {
        nvlink: ringStep ?? near(empty),
        pci: ringStep ?? near(empty * s.slowHop),
        shm: ringStep ?? near(empty * s.slowHop),
        net: { blockUs: 0, latencyUs: s.net.hop[p], proxyUs: 0 },
      },
      share: { NVL: nvlink, PCI: pcie, NET: (links.NET ?? 1) * this.netShare() },
      freeOutside: true,
      blockRate: s.gpu.channel[p] * 1e9 * wireFactors[p],
      startUs: startOf(s, launch),
      finishUs: this.copied(task),
    };
  }

  /** Messages go side by side, each once over its way: what a hop takes it pays once, and wires lose what its way wastes. */
  private exchange({ collective, protocol: p, count, elementBytes, channels }: Task): ClockConstants {
    const { ground: g, speeds: s } = this;
    const weight = wireWeights(s);
    const bytes = count * elementBytes;
    const hops = exchangeHops(g.made, s, p, bytes / channelsOf(bytes, channels, this.works.ways.p2p));
    const hop = (kind: HopKind): MessageCost => ({ blockUs: 0, latencyUs: hops[kind], weight: weight[kind] });
    return {
      hop: { nvlink: hop('nvlink'), pci: hop('pci'), shm: hop('shm'), net: hop('net') },
      share: linkShares(g, this.works.wires),
      blockRate: exchangeRate(s, p) * 1e9 * wireFactors[p],
      startUs: exchangeStart(g, s, collective as Exchange, p),
      finishUs: 0,
    };
  }

  /** Without GPUDirect RDMA the GPUs' links to host memory hold the ports back. */
  private netShare(): number {
    const { ground: g, speeds: s } = this;
    return g.netTotal === 0 ? 1 : Math.min(1, g.staged.all / g.netTotal) * s.net.share;
  }

  /**
   * What of a ring's hop other channels do not hide, µs. On the clock all channels of a GPU keep step, so that its wire is
   * busy and idle by turns; real ones do not, and pass data on while others wait.
   */
  private unhidden(task: Task, slices: number): number {
    const { ground: g, speeds: s } = this;
    const p = task.protocol;
    const share = (task.count * task.elementBytes) / (task.collective === 'all_reduce' ? g.ranks : 1);
    const loops = Math.max(1, Math.ceil(share / (task.channels * task.chunkBytes)));
    const chunk = share / loops / task.channels;
    const l = { algorithm: 'Ring', protocol: p, nChannels: task.channels, chunkBytes: task.chunkBytes } as const;
    const { latency, busy } = inside(s, g.ring, l, chunk, 2);
    const moved = Math.max(micros(chunk, s.gpu.channel[p]), busy);
    if (slices === 1) return latency - moved;
    // Two slices follow each other: each step waits for one, and only the last step for both.
    const steps = loops * (task.collective === 'all_reduce' ? 2 : 1) * (g.ranks - 1);
    const one = moved / 2;
    return latency - moved <= one / steps ? steps * (latency - moved) : latency - one - one / steps;
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

const isChain = ({ collective, algorithm }: Task): boolean =>
  algorithm === 'Ring' && (collective === 'broadcast' || collective === 'reduce');

/**
 * Channels of a GPU do not keep step as they do on the clock: while some still fill their chunk, others have passed theirs on, so
 * that a chain fills as if in smaller pieces.
 */
const inPieces = (task: Task): Task => {
  const chunkBytes = Math.min(task.chunkBytes, piece);
  return { ...task, chunkBytes, steps: Math.ceil((bufferSlots * task.chunkBytes) / chunkBytes) };
};

/** One GPU has nothing to do but to copy. */
const alone = (s: Speeds, { count, elementBytes }: Task): ClockConstants => {
  const none = { blockUs: 0, latencyUs: 0 };
  return {
    hop: { nvlink: none, pci: none, shm: none, net: none },
    startUs: s.gpu.start,
    finishUs: micros(count * elementBytes, s.gpu.localCopy),
  };
};
