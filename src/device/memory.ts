import { fail, ok, type Result } from '../base/result.ts';

/** Why a device refused. Real reasons, as the software of such a device would give them. */
export type DeviceFault =
  | 'out-of-memory'
  | 'out-of-bounds'
  | 'freed'
  | 'not-addressable'
  | 'not-pinned'
  | 'wrong-key'
  | 'no-permission'
  | 'not-registered'
  | 'no-peermem'
  | 'gpu-unsupported'
  | 'bar1-full'
  | 'memlock'
  | 'device-lost'
  | 'no-space'
  | 'queue-full'
  | 'no-frame';

/** A piece of a memory; bytes are reached only through its memory's ports. */
export interface Region {
  readonly memory: Memory;
  readonly offset: number;
  readonly length: number;
}

/** What passed a memory's ports, in bytes. */
export interface Traffic {
  read: number;
  written: number;
}

/**
 * Memory with real bytes, allocated in pages of its own size (host 4 KiB, GPU 64 KiB). All reads and writes pass `read` and
 * `write`, which count: whatever moves bytes without them is not in this house.
 */
export class Memory {
  readonly traffic: Traffic = { read: 0, written: 0 };
  private readonly chunks = new Map<number, Uint8Array>();
  private free: { offset: number; length: number }[];
  private readonly taken = new Map<number, number>();
  private lost = false;

  constructor(
    readonly name: string,
    readonly kind: 'host' | 'gpu',
    readonly size: number,
    readonly pageBytes: number,
    /** The kernel may move its pages away: no engine reaches them, only a core. */
    readonly pageable = false,
  ) {
    this.free = [{ offset: 0, length: size }];
  }

  /** First fit, in whole pages. */
  allocate(length: number): Result<Region, DeviceFault> {
    if (this.lost) return fail('device-lost');
    const need = Math.max(1, Math.ceil(length / this.pageBytes)) * this.pageBytes;
    const i = this.free.findIndex((f) => f.length >= need);
    if (i < 0) return fail('out-of-memory');
    const hole = this.free[i]!;
    this.taken.set(hole.offset, need);
    const region = { memory: this, offset: hole.offset, length };
    if (hole.length === need) this.free.splice(i, 1);
    else this.free[i] = { offset: hole.offset + need, length: hole.length - need };
    return ok(region);
  }

  release(region: Region): Result<undefined, DeviceFault> {
    const length = this.taken.get(region.offset);
    if (length === undefined) return fail('freed');
    this.taken.delete(region.offset);
    for (let at = region.offset; at < region.offset + length; at += this.pageBytes) this.chunks.delete(at);
    this.free.push({ offset: region.offset, length });
    this.free.sort((a, b) => a.offset - b.offset);
    this.free = this.free.reduce<{ offset: number; length: number }[]>((list, f) => {
      const last = list[list.length - 1];
      if (last && last.offset + last.length === f.offset) last.length += f.length;
      else list.push({ ...f });
      return list;
    }, []);
    return ok(undefined);
  }

  /** Bytes of a region from `at`; a page never written reads as zero. */
  read(region: Region, at: number, length: number): Result<Uint8Array, DeviceFault> {
    const fault = this.faultOf(region, at, length);
    if (fault) return fail(fault);
    const out = new Uint8Array(length);
    this.eachPage(region.offset + at, length, false, (page, from, to, done) => {
      if (page) out.set(page.subarray(from, to), done);
    });
    this.traffic.read += length;
    return ok(out);
  }

  write(region: Region, at: number, bytes: Uint8Array): Result<undefined, DeviceFault> {
    const fault = this.faultOf(region, at, bytes.length);
    if (fault) return fail(fault);
    this.eachPage(region.offset + at, bytes.length, true, (page, from, to, done) => {
      page!.set(bytes.subarray(done, done + to - from), from);
    });
    this.traffic.written += bytes.length;
    return ok(undefined);
  }

  /** The device falls off the bus: everything after fails. */
  lose(): void {
    this.lost = true;
  }

  /** Why a span of a region cannot be reached; nothing when it can. */
  faultOf(region: Region, at: number, length: number): DeviceFault | undefined {
    if (this.lost) return 'device-lost';
    if (region.memory !== this || !this.taken.has(region.offset)) return 'freed';
    if (!Number.isInteger(at) || at < 0 || length < 0 || at + length > region.length) return 'out-of-bounds';
    return undefined;
  }

  private eachPage(
    start: number,
    length: number,
    make: boolean,
    use: (page: Uint8Array | undefined, from: number, to: number, done: number) => void,
  ): void {
    for (let done = 0; done < length; ) {
      const address = start + done;
      const base = address - (address % this.pageBytes);
      const from = address - base;
      const to = Math.min(this.pageBytes, from + length - done);
      let page = this.chunks.get(base);
      if (!page && make) {
        page = new Uint8Array(this.pageBytes);
        this.chunks.set(base, page);
      }
      use(page, from, to, done);
      done += to - from;
    }
  }
}

/** Memory of a NUMA node, pinned unless said otherwise. */
export const hostMemory = (name: string, size: number, pageable = false): Memory =>
  new Memory(name, 'host', size, 4096, pageable);
/** Memory of a GPU: what other devices see of it is mapped in pages of 64 KiB (GPUDirect RDMA documentation, NVIDIA). */
export const gpuMemory = (name: string, size: number): Memory => new Memory(name, 'gpu', size, 65536);
