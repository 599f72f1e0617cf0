import type { Release } from '../release.ts';
import { readBy, variableNamed } from './variable.ts';

/** The names under which a release reads what was once called so: those of today, as far as it has them. */
export function namesOfToday(name: string, release: Release): readonly string[] {
  const start = Object.hasOwn(neverRead, name) ? neverRead[name]! : [name];
  return start.map((old) => {
    let now = old;
    for (let next: string | undefined = old; next !== undefined; ) {
      const v = variableNamed(next);
      if (!v || readBy(v, release) === 'early') break;
      now = next;
      next = v.instead;
    }
    return now;
  });
}

/**
 * Names that no open release reads (2.3.5 and later): those of closed ones (https://docs.nvidia.com/deeplearning/nccl/archives/), and
 * such as NCCL's own messages print by mistake; with what does the same, if anything does.
 */
const neverRead: Readonly<Record<string, readonly string[]>> = {
  NCCL_NRINGS: ['NCCL_MIN_NRINGS', 'NCCL_MAX_NRINGS'],
  NCCL_CHECKS_DISABLE: ['NCCL_CHECK_POINTERS'],
  NCCL_SINGLE_RING_THRESHOLD: [],
  NCCL_NET_SHARED_BUFF_COUNT: [],
  NCCL_MAX_P2P_PEERS: ['NCCL_P2P_MAX_PEERS'],
  NCCL_MAX_CGA_CLUSTER_SIZE: ['NCCL_CGA_CLUSTER_SIZE'],
};

export const isNeverRead = (name: string): boolean => Object.hasOwn(neverRead, name);

/** Who reads variables that only look like NCCL's: a plugin, PyTorch, or whoever builds against the library. */
const others: readonly (readonly [RegExp, 'pytorch' | 'build' | 'plugin'])[] = [
  [/^NCCL_(?:ASYNC_ERROR_HANDLING|BLOCKING_WAIT|DESYNC_DEBUG|ENABLE_TIMING)$/, 'pytorch'],
  [/^NCCL_(?:ROOT|ROOT_DIR|INCLUDE_DIR|LIB_DIR|HOME|VERSION)$/, 'build'],
  [/^NCCL_(?:SHARP_|OFI_|GPUDIRECTTCPX_|FASTRAK_|INSPECTOR_|CHECKPOINT_|EP_)/, 'plugin'],
  [/^NCCL_(?:IBEXT_DISABLE|PLUGIN_P2P|TUNER_CONFIG_FILE|PROFILE_(?:EVENT_MASK|DUMP_FILE|[A-Z]+_POOL_SIZE))$/, 'plugin'],
];

export const readByOthers = (name: string): 'pytorch' | 'build' | 'plugin' | undefined =>
  others.find(([names]) => names.test(name))?.[1];

/** The variables that a release reads, and those that are none of NCCL's. */
export function readableBy(env: ReadonlyMap<string, string>, release: Release): Map<string, string> {
  return new Map(
    [...env].filter(([name]) => {
      const v = variableNamed(name);
      return v === undefined || readBy(v, release) === 'yes';
    }),
  );
}
