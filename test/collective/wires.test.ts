import { describe, expect, it } from 'vitest';
import { bytes } from '../../src/base/units.ts';
import { buildProgram } from '../../src/collective/build.ts';
import { Clockwork } from '../../src/collective/clock/clockwork.ts';
import { type ClockConstants, machineCosts } from '../../src/collective/clock/machine-costs.ts';
import { timeCollective } from '../../src/collective/clock/time.ts';
import { type Wires, wiresOf } from '../../src/collective/clock/wires.ts';
import { collectiveNames } from '../../src/collective/kinds.ts';
import type { Program, Task } from '../../src/collective/program.ts';
import { treeThreads } from '../../src/collective/tree.ts';
import { directTaskOf, taskOf, tuned, waysOf } from '../../src/collective/ways.ts';
import { type Communicator, communicator } from '../../src/nccl/communicator.ts';
import { situationOf } from '../../src/nccl/of-machine.ts';
import { releaseFor } from '../../src/nccl/release.ts';
import { choose } from '../../src/nccl/tuning/choice.ts';
import { system } from '../support/machines.ts';

function made(id: string, nodes: number, env: Record<string, string> = {}): Communicator {
  const found = communicator(situationOf(system(id, nodes), 0, { env: new Map(Object.entries(env)) }));
  if (!found.ok) throw new Error(found.error.reason.code);
  return found.value;
}

const constants: ClockConstants = {
  hop: {
    nvlink: { blockUs: 1, latencyUs: 1 },
    pci: { blockUs: 1, latencyUs: 1 },
    shm: { blockUs: 1, latencyUs: 1 },
    net: { blockUs: 1, latencyUs: 4, proxyUs: 1 },
  },
  startUs: 5,
  finishUs: 2,
};

function program(c: Communicator, task: Task): Program {
  const built = buildProgram(task, waysOf(c));
  if (!built.ok) throw new Error(built.error.code);
  return built.value;
}

function chosen(c: Communicator, collective: 'all_reduce' | 'all_gather', vector: number): Task {
  const coll = tuned[collective]!;
  const count = vector / 4 / (collective === 'all_gather' ? c.ranks : 1);
  return taskOf(choose(c.facts, c.launch, c.model[coll], coll, vector)!, collective, count, 4);
}

function seconds(p: Program, wires: Wires, more: Partial<ClockConstants> = {}): number {
  const timed = timeCollective(p, machineCosts(p, wires, { ...constants, ...more }));
  if (!timed.ok) throw new Error(timed.error.code);
  expect(timed.value.run.stuck).toEqual([]);
  return timed.value.time;
}

describe('the wires of a machine', () => {
  it('are crossed by every hop: NVLinks within a node, the channel’s NICs between nodes', () => {
    const c = made('dgx-h100', 2);
    const wires = wiresOf(c);
    const inside = wires.way(0, 7, 0, 'Ring');
    expect(inside.kind).toBe('nvlink');
    expect(inside.links.map((l) => wires.type[l])).toEqual(['NVL', 'NVL']);
    const ring = c.channels[3]!.ring;
    const i = ring.findIndex((r, k) => r < 8 && ring[k + 1]! >= 8);
    const between = wires.way(ring[i]!, ring[i + 1]!, 3, 'Ring');
    expect(between.kind).toBe('net');
    const ports = between.links.filter((l) => wires.type[l] === 'NET').map((l) => wires.links[l]!.name);
    // Out by one port of node 0 and in by one of node 1, each by the GPU's own NIC.
    expect(ports[0]).toMatch(/^node0 .*→ NET/);
    expect(ports[1]).toMatch(/^node1 NET.*→/);
    expect(new Set(between.links).size).toBe(between.links.length);
    const switches = wires.way(0, c.ranks, 0, 'NVLS');
    expect(switches.links.length).toBe(1);
  });

  it('are the host’s own where it falls apart into several nodes for NCCL', () => {
    const c = made('pcie-l40s-8', 1);
    expect(c.nodes).toBeGreaterThan(1);
    const wires = wiresOf(c);
    const names = wires.links.map((l) => l.name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('never let a collective go faster than a NIC or NVLink port allows', () => {
    for (const [id, nodes] of [
      ['dgx-h100', 2],
      ['dgx-a100-80g', 4],
      ['dgx-1v', 2],
      ['pcie-l40s-8', 1],
    ] as const) {
      const c = made(id, nodes, { NCCL_ALGO: 'Ring', NCCL_PROTO: 'Simple' });
      const wires = wiresOf(c);
      const vector = 2 ** 30;
      const p = program(c, chosen(c, 'all_reduce', vector));
      const time = seconds(p, wires);
      const costs = machineCosts(p, wires, constants);
      // Bytes over each link, from what the program sends over each connection.
      const sent = (2 * (c.ranks - 1) * vector) / c.ranks;
      const load = new Float64Array(costs.links.length);
      const channels = new Set(p.connections.channel).size;
      costs.hops.forEach((hop) => {
        for (const l of hop.links) load[l]! += sent / channels;
      });
      const bound = Math.max(...load.map((bytes, l) => bytes / costs.links[l]!.rate));
      expect(time).toBeGreaterThan(bound);
      expect(time).toBeLessThan(1.25 * bound);
    }
  });

  it('tell channels that share a link apart from those that do not', () => {
    const c = made('dgx-a100-80g', 2);
    const wires = wiresOf(c);
    const p = program(c, {
      ...chosen(c, 'all_reduce', 2 ** 28),
      algorithm: 'Ring',
      protocol: 'Simple',
      chunkBytes: 2 ** 21,
    });
    const whole = seconds(p, wires);
    // Half the rate of every NIC port shows, half the rate of NVLink does not.
    expect(seconds(p, wires, { share: { NET: 0.5 } })).toBeGreaterThan(1.5 * whole);
    expect(seconds(p, wires, { share: { NVL: 0.75 } })).toBeLessThan(1.2 * whole);
    expect(seconds(p, wires, { blockRate: 1e9 })).toBeGreaterThan(1.5 * whole);
  });

  it('let a tree hand down with the fewer of its threads, and those set its pace', () => {
    const c = made('dgx-a100-80g', 2);
    const wires = wiresOf(c);
    const rate = 1e9;
    for (const [protocol, down, wireFactor] of [
      ['Simple', 256 / 512, 1],
      ['LL128', 192 / 640, 128 / 120],
    ] as const) {
      const chunkBytes = 1920 * 8;
      const task = { ...chosen(c, 'all_reduce', 2 ** 28), algorithm: 'Tree', protocol, chunkBytes } as const;
      const p = program(c, task);
      const none = { blockUs: 0, latencyUs: 0 };
      const hop = { nvlink: none, pci: none, shm: none, net: none };
      const time = seconds(p, wires, { hop, blockRate: rate, startUs: 0, finishUs: 0 });
      const stream = (2 ** 28 / task.channels / rate) * (wireFactor / down);
      expect(time / stream).toBeGreaterThan(1);
      expect(time / stream).toBeLessThan(1.05);
      // Whoever reduces has more threads than whoever hands down, and a root all of them.
      const { up, root } = treeThreads(protocol, c.release);
      expect([up > down, root]).toEqual([true, up + down]);
    }
    // Before 2.11.4 a tree by LL used all of them for one after the other.
    expect(treeThreads('LL', releaseFor('2.8.4')!).down).toBe(1);
    expect(treeThreads('LL', releaseFor('2.12.12')!).down).toBe(192 / 512);
  });

  it('carry every collective to its end at every size', () => {
    for (const id of ['dgx-h100', 'gb200-nvl72', 'pcie-l40s-8']) {
      for (const nodes of [1, 3]) {
        const c = made(id, nodes);
        const wires = wiresOf(c);
        let before = 0;
        for (const vector of [c.ranks * 4, c.ranks * 65536, c.ranks * 2 ** 22]) {
          for (const collective of ['all_reduce', 'all_gather'] as const)
            seconds(program(c, chosen(c, collective, vector)), wires);
          const direct: Task = {
            collective: 'alltoall',
            algorithm: 'Direct',
            protocol: 'Simple',
            count: vector / c.ranks / 4,
            elementBytes: 4,
            root: 0,
            channels: 4,
            chunkBytes: 131072,
          };
          const time = seconds(program(c, direct), wires);
          expect(time).toBeGreaterThanOrEqual(before);
          before = time;
        }
      }
    }
  });

  it('keep a message on the rail of its receiver, through the GPU whose rail it is (PXN)', () => {
    const on = wiresOf(made('dgx-h100', 2)).way(0, 8 + 3, 0, 'Direct');
    const off = wiresOf(made('dgx-h100', 2, { NCCL_PXN_DISABLE: '1' })).way(0, 8 + 3, 0, 'Direct');
    const wires = wiresOf(made('dgx-h100', 2));
    const kinds = (links: readonly number[]): string[] => links.map((l) => wires.type[l]!);
    expect(kinds(on.links)).toContain('NVL');
    expect(kinds(off.links)).not.toContain('NVL');
    const ports = on.links.filter((l) => wires.type[l] === 'NET').map((l) => wires.links[l]!.name);
    expect(ports.map((name) => /NET\/0-3/.test(name))).toEqual([true, true]);
  });
});

describe('sends and receives', () => {
  it('take the channels that NCCL prints', () => {
    // A public log of eight A100s says 24 coll channels, 32 p2p channels, 32 p2p channels per peer.
    const c = made('dgx-a100-80g', 1);
    expect([c.collChannels, c.p2p.channels, c.p2p.perPeer, c.p2p.chunkBytes]).toEqual([24, 32, 32, 524288]);
    expect(made('pcie-l40s-8', 1).p2p).toMatchObject({ perPeer: 2, chunkBytes: 131072 });
    const many = made('dgx-h100', 32);
    expect(many.p2p.perPeer).toBeLessThanOrEqual(many.p2p.channels);
    expect(many.p2p.chunkBytes).toBe(131072);
  });

  it('go by LL while small, and are carried out as such', () => {
    const c = made('dgx-h100', 2);
    expect(directTaskOf(c, 'alltoall', 16, 4).protocol).toBe('LL');
    expect(directTaskOf(c, 'alltoall', 2 ** 20, 4).protocol).toBe('Simple');
    const wires = wiresOf(c);
    const at = (collective: 'alltoall' | 'sendrecv' | 'gather' | 'scatter', bytes: number): number =>
      seconds(program(c, directTaskOf(c, collective, bytes / 4, 4)), wires);
    // Everyone sends 15 times as much as with one neighbour; one root's ports hold gather and scatter back.
    expect(at('alltoall', 2 ** 22)).toBeGreaterThan(4 * at('sendrecv', 2 ** 22));
    expect(at('gather', 2 ** 22)).toBeGreaterThan(at('sendrecv', 2 ** 22));
    expect(at('scatter', 64)).toBeLessThan(1e-3);
  });
});

describe('a clockwork', () => {
  it('times every collective at every size, growing at most as fast as the data', () => {
    const works = new Clockwork(made('dgx-h100', 2));
    for (const collective of collectiveNames) {
      let before: { task: Task; time: number } | undefined;
      for (let e = 3; e <= 28; e++) {
        const task = works.task(collective, bytes(2 ** e), 4)!;
        const timed = works.time(task, constants);
        if (!timed.ok) throw new Error(timed.error.code);
        const { time } = timed.value;
        const { count: _, ...now } = task;
        const { count: __, ...then } = before?.task ?? task;
        // Only within one regime: another algorithm, protocol or chunk may be faster or slower.
        if (before && before.task.count > 0 && JSON.stringify(now) === JSON.stringify(then)) {
          expect(time).toBeGreaterThanOrEqual(before.time * 0.98);
          expect(time).toBeLessThanOrEqual(before.time * 2.05);
        }
        before = { task, time };
      }
    }
  });

  it('has nothing to time where variables leave nothing', () => {
    const works = new Clockwork(made('dgx-h100', 2, { NCCL_ALGO: 'broadcast:tree' }));
    expect(works.task('broadcast', bytes(1024), 4)).toBeUndefined();
    expect(works.task('all_reduce', bytes(1024), 4)?.algorithm).toBe('Tree');
  });
});
