import { fail, ok, type Result } from '../base/result.ts';
import type { Status } from '../wire/rc/work.ts';
import type { DeviceFault, Region } from './memory.ts';
import type { Drive } from './movers.ts';

/** A ring that two sides share: one puts in, the other takes out. One slot stays empty, or full would look like empty. */
export class Ring<T> {
  private readonly slots: (T | undefined)[];
  private head = 0;
  private tail = 0;

  constructor(readonly depth: number) {
    this.slots = Array.from({ length: depth }, () => undefined);
  }

  get length(): number {
    return (this.tail - this.head + this.depth) % this.depth;
  }

  put(item: T): Result<undefined, DeviceFault> {
    if (this.length === this.depth - 1) return fail('queue-full');
    this.slots[this.tail] = item;
    this.tail = (this.tail + 1) % this.depth;
    return ok(undefined);
  }

  take(): T | undefined {
    if (this.head === this.tail) return undefined;
    const item = this.slots[this.head];
    this.head = (this.head + 1) % this.depth;
    return item;
  }
}

export interface NvmeCommand {
  readonly kind: 'read' | 'write';
  readonly block: number;
  readonly blocks: number;
  /** Where the data goes to or comes from. */
  readonly region: Region;
  readonly at: number;
}

export interface NvmeCompletion {
  readonly id: number;
  /** Nothing when all went well. */
  readonly fault?: DeviceFault;
}

/**
 * A pair of NVMe queues (NVM Express base specification 2.0, 3.3): commands go in by the host's doorbell, the drive fetches them, moves
 * the data by its own DMA and puts completions into a ring that the host must empty. No command is fetched that has no room
 * for its completion.
 */
export class NvmeQueuePair {
  private readonly submissions: Ring<NvmeCommand & { readonly id: number }>;
  private readonly completions: Ring<NvmeCompletion>;
  private next = 0;

  constructor(
    private readonly drive: Drive,
    depth = 64,
  ) {
    this.submissions = new Ring(depth);
    this.completions = new Ring(depth);
  }

  /** @returns the command's id; its completion carries it */
  submit(command: NvmeCommand): Result<number, DeviceFault> {
    const id = this.next;
    const put = this.submissions.put({ ...command, id });
    if (!put.ok) return put;
    this.next = (this.next + 1) & 0xffff;
    return ok(id);
  }

  /** The drive's part: fetches what was submitted and does it. */
  work(): void {
    while (this.completions.length < this.completions.depth - 1) {
      const command = this.submissions.take();
      if (!command) return;
      const done = this.carryOut(command);
      this.completions.put({ id: command.id, ...(done.ok ? {} : { fault: done.error }) });
    }
  }

  reap(): NvmeCompletion | undefined {
    return this.completions.take();
  }

  private carryOut(c: NvmeCommand): Result<undefined, DeviceFault> {
    if (c.kind === 'read') return this.drive.read(c.block, c.blocks, c.region, c.at);
    const fetched = this.drive.fetch(c.blocks, c.region, c.at);
    return fetched.ok ? this.drive.commit(c.block, fetched.value) : fetched;
  }
}

/** How a work request of a NIC ended. */
export interface WorkCompletion {
  readonly id: number;
  readonly bytes: number;
  /** Of a queue pair's work: how it ended, and which of its queues held it. */
  readonly status?: Status;
  readonly side?: 'send' | 'receive';
}

/** Where a NIC reports what is done. An application that does not poll loses its queue pairs: there is no room to wait in. */
export class CompletionQueue {
  private readonly ring: Ring<WorkCompletion>;

  constructor(depth = 128) {
    this.ring = new Ring(depth);
  }

  add(completion: WorkCompletion): Result<undefined, DeviceFault> {
    return this.ring.put(completion);
  }

  poll(): WorkCompletion | undefined {
    return this.ring.take();
  }
}
