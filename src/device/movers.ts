import { fail, ok, type Result } from '../base/result.ts';
import type { DeviceFault, Region } from './memory.ts';
import { CompletionQueue } from './queues.ts';
import type { Registrar } from './registration.ts';

/** What moved bytes, in bytes: copies by engines and cores, DMA by NICs and drives. */
export interface MoverCount {
  bytes: number;
  operations: number;
}

const count = (): MoverCount => ({ bytes: 0, operations: 0 });

/** Whatever copies from memory to memory by itself, and counts what it moved. */
class Copier {
  readonly moved = count();
  constructor(readonly name: string) {}

  copy(from: Region, fromAt: number, to: Region, toAt: number, length: number): Result<undefined, DeviceFault> {
    const bytes = from.memory.read(from, fromAt, length);
    if (!bytes.ok) return bytes;
    const done = to.memory.write(to, toAt, bytes.value);
    if (!done.ok) return done;
    this.moved.bytes += length;
    this.moved.operations++;
    return ok(undefined);
  }
}

/** A GPU's copy engine: moves between memories that it can address, of host memory what is pinned. */
export class CopyEngine extends Copier {
  override copy(
    from: Region,
    fromAt: number,
    to: Region,
    toAt: number,
    length: number,
  ): Result<undefined, DeviceFault> {
    if (from.memory.pageable || to.memory.pageable) return fail('not-pinned');
    return super.copy(from, fromAt, to, toAt, length);
  }
}

/** A CPU core: copies between host memories only, and is busy for every byte. */
export class Core extends Copier {
  override copy(
    from: Region,
    fromAt: number,
    to: Region,
    toAt: number,
    length: number,
  ): Result<undefined, DeviceFault> {
    if (from.memory.kind !== 'host' || to.memory.kind !== 'host') return fail('not-addressable');
    return super.copy(from, fromAt, to, toAt, length);
  }
}

/** A NIC's DMA engine: reaches registered memory only, by key. */
export class NicDma {
  private lost = false;
  readonly moved = count();
  /** Each piece of work ends up here, and waits to be polled. */
  readonly completions: CompletionQueue;
  constructor(
    readonly name: string,
    readonly registrar: Registrar,
    depth?: number,
  ) {
    this.completions = new CompletionQueue(depth);
  }

  /** The card falls off the bus: it does nothing any more, and says nothing either. */
  lose(): void {
    this.lost = true;
  }

  get isLost(): boolean {
    return this.lost;
  }

  gather(key: number, at: number, length: number): Result<Uint8Array, DeviceFault> {
    if (this.lost) return fail('device-lost');
    const mr = this.registrar.resolve(key, at, length, 'read');
    if (!mr.ok) return mr;
    const bytes = mr.value.region.memory.read(mr.value.region, at, length);
    if (!bytes.ok) return bytes;
    const told = this.count(length);
    return told.ok ? bytes : told;
  }

  scatter(key: number, at: number, bytes: Uint8Array): Result<undefined, DeviceFault> {
    if (this.lost) return fail('device-lost');
    const mr = this.registrar.resolve(key, at, bytes.length, 'write');
    if (!mr.ok) return mr;
    const done = mr.value.region.memory.write(mr.value.region, at, bytes);
    return done.ok ? this.count(bytes.length) : done;
  }

  private count(length: number): Result<undefined, DeviceFault> {
    this.moved.bytes += length;
    return this.completions.add({ id: this.moved.operations++, bytes: length });
  }
}

/** A drive: blocks with real bytes, moved by the drive's own DMA. */
export class Drive {
  readonly moved = count();
  private readonly blocks = new Map<number, Uint8Array>();

  constructor(
    readonly name: string,
    readonly blockBytes = 4096,
    /** Blocks that it holds. */
    readonly capacity = Number.POSITIVE_INFINITY,
  ) {}

  fill(block: number, bytes: Uint8Array): void {
    this.blocks.set(block, bytes.slice(0, this.blockBytes));
  }

  /** What lies in a block; zeros where nothing was ever written. */
  block(block: number): Uint8Array {
    return this.blocks.get(block) ?? new Uint8Array(this.blockBytes);
  }

  /** Fetches whole blocks from a region into the drive's buffer; `commit` puts them where they belong. */
  fetch(blocks: number, from: Region, at: number): Result<readonly Uint8Array[], DeviceFault> {
    const fetched: Uint8Array[] = [];
    for (let i = 0; i < blocks; i++) {
      const bytes = from.memory.read(from, at + i * this.blockBytes, this.blockBytes);
      if (!bytes.ok) return bytes;
      fetched.push(bytes.value);
    }
    this.moved.bytes += blocks * this.blockBytes;
    this.moved.operations++;
    return ok(fetched);
  }

  commit(block: number, buffered: readonly Uint8Array[]): Result<undefined, DeviceFault> {
    if (block + buffered.length > this.capacity) return fail('no-space');
    buffered.forEach((bytes, i) => {
      this.fill(block + i, bytes);
    });
    return ok(undefined);
  }

  /** Reads whole blocks into a region. */
  read(block: number, blocks: number, to: Region, at: number): Result<undefined, DeviceFault> {
    for (let i = 0; i < blocks; i++) {
      const bytes = this.block(block + i);
      const done = to.memory.write(to, at + i * this.blockBytes, bytes);
      if (!done.ok) return done;
    }
    this.moved.bytes += blocks * this.blockBytes;
    this.moved.operations++;
    return ok(undefined);
  }
}
