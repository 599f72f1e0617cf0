import { atLeast, type Release } from '../release.ts';
import { numberRead } from './variable.ts';

/** Words that a variable takes and nothing else, and what becomes of another one where that is known. */
interface Words {
  readonly names: readonly string[];
  /** Their case counts, too. */
  readonly exact?: true;
  /** Several may be joined by this; before them, `^` turns the list around. */
  readonly joined?: ',' | '|';
  readonly other?: 'ignored' | 'default';
}

/** src/debug.cc, src/misc/socket.cc, src/init.cc, src/graph/topo.cc. */
const words: Readonly<Record<string, Words>> = {
  NCCL_DEBUG: { names: ['VERSION', 'WARN', 'INFO', 'ABORT', 'TRACE', 'NONE'], other: 'ignored' },
  NCCL_LAUNCH_MODE: { names: ['GROUP', 'PARALLEL'], other: 'ignored' },
  NCCL_SOCKET_FAMILY: { names: ['AF_INET', 'AF_INET6'], exact: true, other: 'ignored' },
  NCCL_IB_ADDR_FAMILY: { names: ['AF_INET', 'AF_INET6'], exact: true },
  NCCL_CHECK_MODE: { names: ['DEBUG_LOCAL', 'DEBUG_GLOBAL'] },
  NCCL_NET_MERGE_LEVEL: { names: ['LOC', 'PORT', 'PIX', 'PXB', 'P2C', 'PXN', 'PHB', 'SYS'] },
  NCCL_NET_MERGE_POLICY: { names: ['ALL', 'RAIL'] },
  NCCL_DEBUG_TIMESTAMP_LEVELS: { names: ['VERSION', 'WARN', 'INFO', 'ABORT', 'TRACE', 'ALL'], joined: ',' },
};

/** Subsystems of the log, and since when there are such (src/debug.cc). */
const subsystems: readonly (readonly [string, readonly string[]])[] = [
  ['2.3.5', ['INIT', 'COLL', 'P2P', 'SHM', 'NET', 'ALL']],
  ['2.5.6', ['GRAPH', 'TUNING']],
  ['2.7.3', ['ENV']],
  ['2.9.9', ['ALLOC']],
  ['2.13.4', ['CALL']],
  ['2.17.1', ['NVLS']],
  ['2.18.1', ['PROXY']],
  ['2.21.5', ['BOOTSTRAP', 'REG']],
  ['2.22.3', ['PROFILE']],
  ['2.24.3', ['RAS']],
  ['2.30.3', ['DESTROY']],
  ['2.30.7', ['ALLOC_HOST']],
];

/** Variables that 2.30.7 reads by its new rules of yes and no, all others as numbers. */
const yesOrNo: ReadonlySet<string> = new Set(['NCCL_SET_THREAD_NAME', 'NCCL_WARN_ENABLE_DEBUG_INFO']);
const yesAndNo: Words = { names: ['1', 'T', 'TRUE', '0', 'F', 'FALSE'], other: 'default' };

/** The words that a variable takes in a release; undefined where it takes any text, or numbers alone. */
function wordsOf(name: string, release: Release): Words | undefined {
  if (name === 'NCCL_PARAM_DUMP_ALL' || (yesOrNo.has(name) && atLeast(release, '2.30.7'))) return yesAndNo;
  if (name === 'NCCL_CTA_POLICY' && atLeast(release, '2.29.2'))
    return { names: ['0', '1', '2', 'DEFAULT', 'EFFICIENCY', 'ZERO'], joined: '|' };
  if (name === 'NCCL_DEBUG_SUBSYS') {
    const names = subsystems.flatMap(([from, those]) => (atLeast(release, from) ? those : []));
    return { names, joined: ',', other: 'ignored' };
  }
  return Object.hasOwn(words, name) ? words[name] : undefined;
}

/** Does a variable take words in this release, and if none of them is the value, what then? */
export function wordsMissed(
  name: string,
  value: string,
  release: Release,
): { readonly names: readonly string[]; readonly missed?: string; readonly other?: Words['other'] } | undefined {
  const known = wordsOf(name, release);
  if (!known) return undefined;
  const same = (word: string, text: string): boolean => (known.exact ? word === text : word === text.toUpperCase());
  // NCCL cuts at the mark alone: a blank beside it belongs to the word, and nothing between two marks is no word.
  const texts = known.joined
    ? value
        .replace(/^\^/, '')
        .split(known.joined)
        .filter((t) => t !== '')
    : [value];
  const missed = texts.find((text) => !known.names.some((word) => same(word, text)));
  return {
    names: known.names,
    ...(missed === undefined ? {} : { missed }),
    ...(known.other ? { other: known.other } : {}),
  };
}

/** Texts that must have a form, and that form, as placeholders of no language. */
const forms: Readonly<Record<string, readonly [RegExp, string]>> = {
  // Marks stand once, before the whole list (src/misc/utils.cc: parseStringList); a port stands behind a colon.
  NCCL_IB_HCA: [/^\^?=?[^^=/]*$/, '^=mlx5_0,mlx5_1:1'],
  NCCL_SOCKET_IFNAME: [/^\^?=?[^^=]*$/, '^docker,lo'],
  NCCL_COMM_ID: [/^(?:\[[^\]]+\]|[^:]+):\d+$/, 'HOST:PORT'],
  NCCL_RAS_ADDR: [/^(?:\[[^\]]+\]|[^:]+):\d+$/, 'HOST:PORT'],
  NCCL_IB_ADDR_RANGE: [/^[\da-fA-F.:]+\/\d{1,3}$/, '10.0.0.0/8'],
  // Numbers of processors; of a range only the first is read (src/include/cpuset.h: ncclStrListToCpuset).
  NCCL_PROXY_CPUSET: [/^ *(?:0x[\da-f]+|\d+)(?:, *(?:0x[\da-f]+|\d+))*$/i, '0,1,2,16'],
  NCCL_NETDEVS_POLICY: [/^(?:AUTO|ALL|MAX:0*[1-9]\d*)$/i, 'AUTO, ALL, MAX:2'],
};

/** The form that a value has not; undefined where it has it, or where any would do. */
export function formMissed(name: string, value: string): string | undefined {
  const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
  return form === undefined || form[0].test(value) ? undefined : form[1];
}

/** How many of the six numbers of NCCL_THREAD_THRESHOLDS NCCL reads: to the first word that is none (sscanf). */
export function thresholdsRead(value: string): number {
  const given = value.trim().split(/\s+/).map(numberRead);
  const end = given.findIndex((n) => n === undefined || !n.clean);
  return Math.min(6, end < 0 ? given.length : end);
}

/** Variables that name a file which must be there when NCCL starts. */
export const fileVariables: ReadonlySet<string> = new Set(['NCCL_TOPO_FILE', 'NCCL_GRAPH_FILE', 'NCCL_CONF_FILE']);
