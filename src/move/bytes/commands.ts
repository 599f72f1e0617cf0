import { fail, ok, type Result } from '../../base/result.ts';
import type { DeviceFault, Region } from '../../device/memory.ts';
import type { BenchNode } from './bench.ts';

/** Blocks of 4 KiB in one command of a drive: 128 KiB, a usual limit (MDTS). */
const commandBlocks = 32;

/** Blocks from 0 on between a drive and a region, through the drive's queues, as many commands at a time as these hold. */
export function commanded(
  { queues, drive }: BenchNode,
  kind: 'read' | 'write',
  blocks: number,
  region: Region,
): Result<undefined, DeviceFault> {
  for (let block = 0; block < blocks; ) {
    const count = Math.min(commandBlocks, blocks - block);
    const put = queues.submit({ kind, block, blocks: count, region, at: block * drive.blockBytes });
    if (put.ok) block += count;
    else if (put.error !== 'queue-full') return put;
    if (put.ok && block < blocks) continue;
    queues.work();
    for (let done = queues.reap(); done; done = queues.reap()) if (done.fault) return fail(done.fault);
  }
  return ok(undefined);
}
