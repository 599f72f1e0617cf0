import { fail, ok, type Result } from '../../base/result.ts';
import type { DeviceFault, Memory, Region } from '../../device/memory.ts';
import type { DataPathModel, MoveStage } from '../model.ts';
import {
  type BenchNode,
  type BenchOptions,
  benchNode,
  difference,
  generous,
  gpuOf,
  hostOf,
  type Tally,
  tally,
} from './bench.ts';
import { commanded } from './commands.ts';
import { nodeOf, type Place, type RunEnds, type RunFault } from './place.ts';
import { postSend, receiveInto } from './verbs.ts';

export interface ByteRun {
  /** What arrived, read back from the target's memory. */
  readonly received: Uint8Array;
  readonly tally: Tally;
}

const chunkBytes = 1 << 16;

/**
 * Runs a data path with real bytes, stage by stage as its model lists them. Each stage finds the bytes where the one before
 * left them and moves them on through a device; take a stage away, and they do not arrive.
 */
export function runBytes(
  model: DataPathModel,
  ends: RunEnds,
  payload: Uint8Array,
  options: BenchOptions = generous,
): Result<ByteRun, RunFault> {
  return new Runner(ends, payload, options, model).run(model);
}

/** Ways on which the NICs' queue pairs carry the bytes; TCPX leaves the transport to the kernels. */
const byQueuePairs = ({ path, stages }: DataPathModel): boolean =>
  /^(?:gpudirect|host|host-staged)-rdma$/.test(path) && !stages.some((s) => s.name.code.endsWith('-split'));

class Runner {
  private readonly near: BenchNode;
  private readonly far: BenchNode;
  /** Whatever it does, it does with memory and cores that are not this machine's: nothing of it is counted. */
  private readonly client: BenchNode;
  private held: Region | undefined;
  /** Is the host memory at an end of it what programs usually have, not pinned? */
  private readonly pageable: boolean;
  private readonly verbs: boolean;

  constructor(
    private readonly ends: RunEnds,
    private readonly payload: Uint8Array,
    private readonly options: BenchOptions,
    model: DataPathModel,
  ) {
    this.pageable = model.path === 'memcpy-pageable';
    this.verbs = byQueuePairs(model);
    this.near = benchNode('near', options);
    this.far = ends.apart ? benchNode('far', options) : this.near;
    this.client = benchNode('client', options);
  }

  run(model: DataPathModel): Result<ByteRun, RunFault> {
    const start = this.start();
    if (!start.ok) return start;
    let place = start.value;
    // Putting the payload there is not part of the movement.
    const before = tally(this.nodes());
    for (let i = 0; i < model.stages.length; i++) {
      const next = this.step(place, model.stages[i]!, model.stages.slice(i + 1));
      if (!next.ok) return next;
      place = next.value;
    }
    const after = tally(this.nodes());
    if (this.ends.to === 'drive') {
      if (place.kind !== 'stored') return fail('lost');
      return ok({ received: this.stored(), tally: difference(after, before) });
    }
    if (place.kind !== 'memory' || place.region.memory !== this.target()) return fail('lost');
    const received = place.region.memory.read(place.region, 0, this.payload.length);
    if (!received.ok) return received;
    return ok({ received: received.value, tally: difference(after, before) });
  }

  private nodes(): BenchNode[] {
    return this.far === this.near ? [this.near] : [this.near, this.far];
  }

  private target(): Memory {
    const node = this.far;
    if (this.ends.to === 'client') return hostOf(this.client, 'client', this.options);
    if (this.ends.to === 'host') return hostOf(node, 'target host', this.options, this.pageable);
    return gpuOf(node, 'target gpu', this.options);
  }

  private start(): Result<Place, RunFault> {
    if (this.ends.from === 'capture') {
      this.near.card.capture(this.payload);
      return ok({ kind: 'card', node: this.near });
    }
    if (this.ends.from === 'client') return ok({ kind: 'client', node: this.client });
    if (this.ends.from === 'drive') {
      const { drive } = this.near;
      for (let at = 0, b = 0; at < this.payload.length; at += drive.blockBytes, b++) {
        const block = new Uint8Array(drive.blockBytes);
        block.set(this.payload.subarray(at, at + drive.blockBytes));
        drive.fill(b, block);
      }
      // What the kernel holds of the file; only a path that asks the page cache looks there.
      const held = this.put(hostOf(this.near, 'page cache', this.options, true));
      if (!held.ok) return held;
      this.held = held.value;
      return ok({ kind: 'drive', node: this.near });
    }
    const memory =
      this.ends.from === 'gpu'
        ? gpuOf(this.near, 'source gpu', this.options)
        : hostOf(this.near, 'source host', this.options, this.pageable);
    const region = this.put(memory);
    if (!region.ok) return region;
    return ok({ kind: 'memory', region: region.value, node: this.near });
  }

  private put(memory: Memory): Result<Region, RunFault> {
    const region = this.room(memory);
    if (!region.ok) return region;
    const put = memory.write(region.value, 0, this.payload);
    return put.ok ? region : put;
  }

  /** Room for the payload, up to the end of its last block: drives take whole blocks. */
  private room(memory: Memory): Result<Region, DeviceFault> {
    return memory.allocate(this.blocks() * this.near.drive.blockBytes);
  }

  private blocks(): number {
    return Math.ceil(this.payload.length / this.near.drive.blockBytes);
  }

  private stored(): Uint8Array {
    const { drive } = this.near;
    const out = new Uint8Array(this.blocks() * drive.blockBytes);
    for (let b = 0; b < this.blocks(); b++) out.set(drive.block(b), b * drive.blockBytes);
    return out.subarray(0, this.payload.length);
  }

  private step(place: Place, stage: MoveStage, rest: readonly MoveStage[]): Result<Place, RunFault> {
    switch (stage.name.code) {
      case 'move.stage.to-host':
        return this.byEngine(place, () => hostOf(nodeOf(place, this.near), 'staging', this.options));
      case 'move.stage.from-host':
      case 'move.stage.copy-engine':
      case 'move.stage.c2c':
        return this.byEngine(place, () =>
          rest.length > 0 ? hostOf(this.near, 'pinned buffer', this.options) : this.target(),
        );
      case 'move.stage.peer':
        return this.byEngine(place, () =>
          rest.length > 0 ? gpuOf(this.near, 'gpu between', this.options) : this.target(),
        );
      case 'move.stage.nvlink':
        return this.byEngine(place, () =>
          rest.length > 0 ? gpuOf(this.near, 'gpu between', this.options) : this.target(),
        );
      case 'move.stage.core':
        return this.byCore(place, rest.length > 0 ? hostOf(this.near, 'pinned buffer', this.options) : this.target());
      case 'move.stage.kernel-send':
        return this.byCore(place, hostOf(this.near, 'kernel', this.options));
      case 'move.stage.kernel-receive':
        return this.byCore(
          place,
          rest.length > 0 ? hostOf(this.far, 'staging', this.options) : hostOf(this.far, 'target host', this.options),
        );
      case 'move.stage.nic-read-split':
      case 'move.stage.nic-read':
        return this.nicRead(place);
      case 'move.stage.wire':
        return (place.kind === 'wire' || place.kind === 'posted') && place.side === 'near'
          ? ok({ ...place, side: 'far' })
          : fail('lost');
      case 'move.stage.nic-write':
        return this.nicWrite(place, rest);
      case 'move.stage.client-sends':
        return place.kind === 'client' ? this.clientSends() : fail('lost');
      case 'move.stage.client-takes':
        if (place.kind === 'posted') return this.received(place, this.client, this.target());
        return place.kind === 'wire' && place.side === 'far' ? this.taken(place.frames) : fail('lost');
      case 'move.stage.nic-write-split':
        return this.pagesWritten(place);
      case 'move.stage.unpack':
        return place.kind === 'pages' ? this.unpacked(place) : fail('lost');
      case 'move.stage.card-to-host':
        return this.frameTaken(place, hostOf(this.near, 'capture buffer', this.options));
      case 'move.stage.card-to-gpu':
        return this.frameTaken(place, this.target());
      case 'move.stage.drives':
        if (rest[0]?.name.code === 'move.stage.wire') return this.served(place);
        if (rest[0]?.name.code === 'move.stage.drive-write-near') {
          return this.drivesRead(place, gpuOf(this.near, 'gpu between', this.options));
        }
        return this.drivesRead(place, rest[0]?.name.code === 'move.stage.drive-write' ? this.target() : undefined);
      case 'move.stage.drive-write-near':
        return place.kind === 'memory' && place.region.memory.name === 'gpu between' ? ok(place) : fail('lost');
      case 'move.stage.drive-read':
        return place.kind === 'memory' && place.region.memory.kind === 'gpu' ? this.fetched(place) : fail('lost');
      case 'move.stage.drive-read-near':
        return place.kind === 'memory' && place.region.memory.name === 'gpu between'
          ? this.fetched(place)
          : fail('lost');
      case 'move.stage.drives-from-host': {
        if (place.kind !== 'memory' || place.region.memory.kind !== 'host') return fail('lost');
        const buffered = this.fetched(place);
        return buffered.ok ? this.committed(buffered.value) : buffered;
      }
      case 'move.stage.drives-write':
        return this.committed(place);
      case 'move.stage.page-cache':
        if (place.kind !== 'drive' || !this.held) return fail('lost');
        return this.byCore(
          { kind: 'memory', region: this.held, node: place.node },
          hostOf(this.near, 'staging', this.options),
        );
      case 'move.stage.drives-to-host':
        return this.drivesRead(place, hostOf(this.near, 'staging', this.options));
      case 'move.stage.drive-write':
        // The drives' own DMA put the bytes there; this stage is the link they came over.
        return place.kind === 'memory' && place.region.memory.kind === 'gpu' ? ok(place) : fail('lost');
      default:
        return fail('lost');
    }
  }

  private onWire(bytes: Uint8Array): Place {
    const frames: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += chunkBytes) frames.push(bytes.slice(at, at + chunkBytes));
    return { kind: 'wire', frames, side: 'near' };
  }

  private taken(frames: readonly Uint8Array[]): Result<Place, RunFault> {
    const memory = this.target();
    const region = memory.allocate(this.payload.length);
    if (!region.ok) return region;
    let at = 0;
    for (const frame of frames) {
      const put = memory.write(region.value, at, frame);
      if (!put.ok) return put;
      at += frame.length;
    }
    return ok({ kind: 'memory', region: region.value, node: this.client });
  }

  /** A storage server reads its drives and puts the blocks on the wire; its memory and cores are not this machine's. */
  private served(place: Place): Result<Place, RunFault> {
    if (place.kind !== 'drive') return fail('lost');
    const server = benchNode('server', this.options);
    const memory = hostOf(server, 'server', this.options);
    const blocks = Math.ceil(this.payload.length / this.near.drive.blockBytes);
    const region = memory.allocate(blocks * this.near.drive.blockBytes);
    if (!region.ok) return region;
    const read = commanded(this.near, 'read', blocks, region.value);
    if (!read.ok) return read;
    const frames: Uint8Array[] = [];
    for (let at = 0; at < this.payload.length; at += chunkBytes) {
      const frame = memory.read(region.value, at, Math.min(chunkBytes, this.payload.length - at));
      if (!frame.ok) return frame;
      frames.push(frame.value);
    }
    return ok({ kind: 'wire', frames, side: 'near' });
  }

  private byEngine(place: Place, to: () => Memory): Result<Place, RunFault> {
    if (place.kind !== 'memory') return fail('lost');
    const memory = to();
    const node = place.node;
    const gpu = [place.region.memory, memory].find((m) => m.kind === 'gpu');
    const engine = gpu && (node.engines.get(gpu.name) ?? this.far.engines.get(gpu.name));
    // A copy engine belongs to a GPU: without one at either end there is nothing that could copy.
    if (!engine) return fail('lost');
    return this.copied(place, memory, (region, at, length) => engine.copy(place.region, at, region, at, length));
  }

  private byCore(place: Place, memory: Memory): Result<Place, RunFault> {
    if (place.kind !== 'memory' || place.region.memory.kind !== 'host') return fail('lost');
    const { core } = place.node;
    return this.copied(place, memory, (region, at, length) => core.copy(place.region, at, region, at, length));
  }

  private copied(
    place: Extract<Place, { kind: 'memory' }>,
    memory: Memory,
    copy: (region: Region, at: number, length: number) => Result<undefined, DeviceFault>,
  ): Result<Place, RunFault> {
    const region = this.room(memory);
    if (!region.ok) return region;
    for (let at = 0; at < this.payload.length; at += chunkBytes) {
      const done = copy(region.value, at, Math.min(chunkBytes, this.payload.length - at));
      if (!done.ok) return done;
    }
    return ok({ kind: 'memory', region: region.value, node: place.node });
  }

  private nicRead(place: Place): Result<Place, RunFault> {
    if (place.kind !== 'memory') return fail('lost');
    if (this.verbs) return this.posted(this.near, place.region);
    const { nic } = this.near;
    const mr = nic.registrar.register(place.region, { write: false, read: true });
    if (!mr.ok) return mr;
    const frames: Uint8Array[] = [];
    for (let at = 0; at < this.payload.length; at += chunkBytes) {
      const bytes = nic.gather(mr.value.key, at, Math.min(chunkBytes, this.payload.length - at));
      if (!bytes.ok) return bytes;
      nic.completions.poll();
      frames.push(bytes.value);
    }
    return ok({ kind: 'wire', frames, side: 'near' });
  }

  private posted(from: BenchNode, region: Region): Result<Place, RunFault> {
    const sender = postSend(from.nic, this.far.nic, region, this.payload.length);
    return sender.ok ? ok({ kind: 'posted', sender: sender.value, side: 'near' }) : sender;
  }

  private received(place: Extract<Place, { kind: 'posted' }>, to: BenchNode, memory: Memory): Result<Place, RunFault> {
    if (place.side !== 'far') return fail('lost');
    const region = memory.allocate(this.payload.length);
    if (!region.ok) return region;
    const done = receiveInto(place.sender, to.nic, region.value, this.payload.length);
    return done.ok ? ok({ kind: 'memory', region: region.value, node: to }) : done;
  }

  /** What a client does inside is not counted; on the wire it speaks as any other. */
  private clientSends(): Result<Place, RunFault> {
    if (!this.verbs) return ok(this.onWire(this.payload));
    const region = this.put(hostOf(this.client, 'client', this.options));
    if (!region.ok) return region;
    return this.posted(this.client, region.value);
  }

  private nicWrite(place: Place, rest: readonly MoveStage[]): Result<Place, RunFault> {
    if (place.kind !== 'wire' && place.kind !== 'posted') return fail('lost');
    if (place.side !== 'far') return fail('lost');
    const next = rest[0]?.name.code;
    const memory =
      next === 'move.stage.kernel-receive'
        ? hostOf(this.far, 'kernel', this.options)
        : next === 'move.stage.from-host'
          ? hostOf(this.far, 'staging', this.options)
          : this.target();
    if (place.kind === 'posted') return this.received(place, this.far, memory);
    const region = memory.allocate(this.payload.length);
    if (!region.ok) return region;
    const { nic } = this.far;
    const mr = nic.registrar.register(region.value, { write: true, read: false });
    if (!mr.ok) return mr;
    let at = 0;
    for (const frame of place.frames) {
      const done = nic.scatter(mr.value.key, at, frame);
      if (!done.ok) return done;
      nic.completions.poll();
      at += frame.length;
    }
    return ok({ kind: 'memory', region: region.value, node: this.far });
  }

  /** Each packet's payload goes into whatever page of GPU memory is free. */
  private pagesWritten(place: Place): Result<Place, RunFault> {
    if (place.kind !== 'wire' || place.side !== 'far') return fail('lost');
    const { nic } = this.far;
    const pages: Region[] = [];
    for (const frame of place.frames) {
      const page = this.target().allocate(frame.length);
      if (!page.ok) return page;
      const mr = nic.registrar.register(page.value, { write: true, read: false });
      if (!mr.ok) return mr;
      const done = nic.scatter(mr.value.key, 0, frame);
      if (!done.ok) return done;
      nic.completions.poll();
      pages.push(page.value);
    }
    return ok({ kind: 'pages', pages, node: this.far });
  }

  /** The GPU itself puts pages into their order. */
  private unpacked(place: Extract<Place, { kind: 'pages' }>): Result<Place, RunFault> {
    const memory = this.target();
    const region = this.room(memory);
    if (!region.ok) return region;
    let at = 0;
    for (const page of place.pages) {
      const length = Math.min(page.length, this.payload.length - at);
      const bytes = memory.read(page, 0, length);
      if (!bytes.ok) return bytes;
      const done = memory.write(region.value, at, bytes.value);
      if (!done.ok) return done;
      at += length;
    }
    return ok({ kind: 'memory', region: region.value, node: this.far });
  }

  /** The drives' own DMA brings the payload into their buffers. */
  private fetched(place: Extract<Place, { kind: 'memory' }>): Result<Place, RunFault> {
    const blocks = this.near.drive.fetch(this.blocks(), place.region, 0);
    return blocks.ok ? ok({ kind: 'buffered', blocks: blocks.value, node: this.near }) : blocks;
  }

  /** From a drive's buffer, or off the wire into a storage server, to where it stays. */
  private committed(place: Place): Result<Place, RunFault> {
    const { drive } = this.near;
    if (place.kind === 'buffered') {
      const kept = drive.commit(0, place.blocks);
      return kept.ok ? ok({ kind: 'stored', node: this.near }) : kept;
    }
    if (place.kind !== 'wire' || place.side !== 'far') return fail('lost');
    const server = hostOf(benchNode('server', this.options), 'server', this.options);
    const region = this.room(server);
    if (!region.ok) return region;
    let at = 0;
    for (const frame of place.frames) {
      const put = server.write(region.value, at, frame);
      if (!put.ok) return put;
      at += frame.length;
    }
    const written = commanded(this.near, 'write', this.blocks(), region.value);
    return written.ok ? ok({ kind: 'stored', node: this.near }) : written;
  }

  /** A drive puts blocks where it is told by its own DMA. */
  private drivesRead(place: Place, memory: Memory | undefined): Result<Place, RunFault> {
    if (place.kind !== 'drive' || !memory) return fail('lost');
    const { drive } = this.near;
    const blocks = Math.ceil(this.payload.length / drive.blockBytes);
    const region = memory.allocate(blocks * drive.blockBytes);
    if (!region.ok) return region;
    const done = commanded(this.near, 'read', blocks, region.value);
    if (!done.ok) return done;
    return ok({ kind: 'memory', region: { ...region.value, length: blocks * drive.blockBytes }, node: this.near });
  }

  private frameTaken(place: Place, memory: Memory): Result<Place, RunFault> {
    if (place.kind !== 'card') return fail('lost');
    const region = this.room(memory);
    if (!region.ok) return region;
    const done = this.near.card.deliver(region.value, 0);
    return done.ok ? ok({ kind: 'memory', region: region.value, node: this.near }) : done;
  }
}
