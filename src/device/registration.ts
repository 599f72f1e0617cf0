import { fail, ok, type Result } from '../base/result.ts';
import { calibration } from '../catalogue/calibration.ts';
import type { DeviceFault, Region } from './memory.ts';

/** What a host offers a NIC for registering memory. */
export interface RegistrationSupport {
  /** nvidia_peermem loaded and registered. */
  readonly peermem: boolean;
  /** The driver exports GPU memory as DMA-BUF. */
  readonly dmabuf: boolean;
  /** The GPU supports GPUDirect RDMA. */
  readonly gpu: boolean;
  /** Bytes that a user may pin of host memory (ulimit -l). */
  readonly memlock: number;
}

export interface MemoryKey {
  readonly key: number;
  readonly region: Region;
  readonly remoteWrite: boolean;
  readonly remoteRead: boolean;
}

/** The window through which other PCIe devices see a GPU's memory. */
export class Bar1 {
  private used = 0;
  constructor(readonly size: number) {}

  pin(bytes: number): boolean {
    if (this.used + bytes > this.size) return false;
    this.used += bytes;
    return true;
  }

  unpin(bytes: number): void {
    this.used -= bytes;
  }

  get inUse(): number {
    return this.used;
  }
}

/**
 * A NIC's table of registered memory. Registering pins pages one by one, costs time by page, fails for its real reasons, and is
 * remembered: the same region again is a look-up. GPU memory goes through peermem or DMA-BUF and takes BAR1 space.
 */
export class Registrar {
  private readonly byKey = new Map<number, MemoryKey>();
  private readonly cache = new Map<string, MemoryKey>();
  private next = 1;
  private pinned = 0;
  /** Seconds spent registering, calls that pinned, and calls that the cache answered. */
  seconds = 0;
  registrations = 0;
  hits = 0;

  constructor(
    private readonly support: RegistrationSupport,
    private readonly bar1Of: (region: Region) => Bar1 | undefined,
  ) {}

  register(
    region: Region,
    access: { readonly write: boolean; readonly read: boolean },
  ): Result<MemoryKey, DeviceFault> {
    const id = `${region.memory.name} ${region.offset} ${region.length} ${access.write} ${access.read}`;
    const known = this.cache.get(id);
    if (known) {
      this.hits++;
      this.seconds += calibration.registerHit.value * 1e-6;
      return ok(known);
    }
    const pages = Math.ceil(region.length / region.memory.pageBytes);
    const bytes = pages * region.memory.pageBytes;
    const fault = this.pin(region, bytes);
    if (fault) return fail(fault);
    this.registrations++;
    this.seconds += (calibration.registerCall.value + calibration.registerPage.value * pages) * 1e-6;
    // Keys look random, so that a stale or guessed one is not another's.
    const key = ((this.next * 0x9e3779b1) ^ 0x5bd1) >>> 0;
    this.next++;
    const mr = { key, region, remoteWrite: access.write, remoteRead: access.read };
    this.byKey.set(key, mr);
    this.cache.set(id, mr);
    return ok(mr);
  }

  find(key: number): MemoryKey | undefined {
    return this.byKey.get(key);
  }

  /** The region behind a key, within bounds and with the right asked for; the owner reads what it registered without one. */
  resolve(key: number, at: number, length: number, access?: 'write' | 'read'): Result<MemoryKey, DeviceFault> {
    const mr = this.byKey.get(key);
    if (!mr) return fail('wrong-key');
    const allowed = access === undefined || (access === 'write' ? mr.remoteWrite : mr.remoteRead);
    if (!allowed) return fail('no-permission');
    if (at < 0 || length < 0 || at + length > mr.region.length) return fail('out-of-bounds');
    return ok(mr);
  }

  deregister(mr: MemoryKey): Result<undefined, DeviceFault> {
    if (!this.byKey.delete(mr.key)) return fail('not-registered');
    for (const [id, known] of this.cache) if (known === mr) this.cache.delete(id);
    const bytes = Math.ceil(mr.region.length / mr.region.memory.pageBytes) * mr.region.memory.pageBytes;
    if (mr.region.memory.kind === 'gpu') this.bar1Of(mr.region)?.unpin(bytes);
    else this.pinned -= bytes;
    return ok(undefined);
  }

  private pin(region: Region, bytes: number): DeviceFault | undefined {
    if (region.memory.kind === 'host') {
      if (this.pinned + bytes > this.support.memlock) return 'memlock';
      this.pinned += bytes;
      return undefined;
    }
    if (!this.support.gpu) return 'gpu-unsupported';
    if (!this.support.peermem && !this.support.dmabuf) return 'no-peermem';
    const bar1 = this.bar1Of(region);
    if (bar1 && !bar1.pin(bytes)) return 'bar1-full';
    return undefined;
  }
}
