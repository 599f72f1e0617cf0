import { atLeast, type Release } from './release.ts';

/**
 * Types of elements that NCCL has not always had, with the first release that has them
 * (https://docs.nvidia.com/deeplearning/nccl/release-notes/rel_2-10-3.html and rel_2-24-3.html).
 */
const firstRelease: Readonly<Record<string, string>> = { bfloat16: '2.10.3', f8e4m3: '2.24.3', f8e5m2: '2.24.3' };

/** The release that brought a type which this one has not; undefined: it has it. */
export function typeSince(type: string, release: Release): string | undefined {
  const since = Object.hasOwn(firstRelease, type) ? firstRelease[type] : undefined;
  return since === undefined || atLeast(release, since) ? undefined : since;
}

const eightBit: ReadonlySet<string> = new Set(['f8e4m3', 'f8e5m2']);

/** Compute capability from which NCCL reduces 8-bit floating point. */
export const eightBitSm = 90;

/**
 * Whether NCCL takes a type for a collective on GPUs of this capability (src/enqueue.cc, taskAppend): it reduces 8-bit floating
 * point from 9.0 on. What only moves bytes is let through by 2.28.3 and later; of earlier ones some were seen to refuse that, too
 * (https://github.com/openxla/xla/pull/36158).
 */
export function typeAllowed(type: string, reduces: boolean, sm: number, release: Release): 'yes' | 'no' | 'unknown' {
  if (!eightBit.has(type) || sm >= eightBitSm) return 'yes';
  if (reduces) return 'no';
  return atLeast(release, '2.28.3') ? 'yes' : 'unknown';
}
