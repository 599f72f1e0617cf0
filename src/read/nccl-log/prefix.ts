import { own } from '../own.ts';

export type Level = 'INFO' | 'WARN' | 'CALL' | 'TRACE' | 'ABORT';

/** Finds the next record: the index of `NCCL ` before a level word, or −1. */
export function recordIn(line: string, from = 0): number {
  for (let at = line.indexOf('NCCL ', from); at >= 0; at = line.indexOf('NCCL ', at + 5)) {
    if (levelAt(line, at) !== undefined) return at;
  }
  return -1;
}

/** Releases before 2.3 printed the level alone: `host:pid:tid [dev] INFO …`. Such a line as later releases print it. */
export function modernised(line: string): string | undefined {
  if (!line.includes('INFO ') && !line.includes('WARN ')) return undefined;
  const found =
    /(?:^|[\s:>|])[\w.*-]{1,64}:\d{1,10}:\d{1,10} \[-?\d{1,3}\] (?:\S{1,80}\.(?:cuh?|cc|h):\d{1,6} )?(?=(?:INFO|WARN) )/.exec(
      line.length > 400 ? line.slice(0, 400) : line,
    );
  if (!found) return undefined;
  const at = found.index + found[0].length;
  return `${line.slice(0, at)}NCCL ${line.slice(at)}`;
}

/** The level word after `NCCL `. */
export function levelAt(line: string, at: number): Level | undefined {
  switch (line.charCodeAt(at + 5)) {
    case 73:
      return line.startsWith('INFO', at + 5) ? 'INFO' : undefined;
    case 87:
      return line.startsWith('WARN', at + 5) ? 'WARN' : undefined;
    case 67:
      return line.startsWith('CALL', at + 5) ? 'CALL' : undefined;
    case 84:
      return line.startsWith('TRACE', at + 5) ? 'TRACE' : undefined;
    case 65:
      return line.startsWith('ABORT', at + 5) ? 'ABORT' : undefined;
    default:
      return undefined;
  }
}

/** Letters, digits, `.`, `_` and `-`, and `*` for hidden ones: what a host name before `:pid:tid` may hold. */
const isHostCode = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  code === 45 ||
  code === 46 ||
  code === 95 ||
  code === 42;

/**
 * Where `host:pid:tid [dev]` begins, given the index of its closing bracket; −1 when the text before is not of that form.
 * By hand, because it runs for each of millions of lines.
 */
export function prefixStart(line: string, bracket: number): number {
  let i = bracket - 1;
  let code = line.charCodeAt(i);
  while (code >= 48 && code <= 57) code = line.charCodeAt(--i);
  // A thread without a device prints [-1].
  if (code === 45) code = line.charCodeAt(--i);
  if (code !== 91 || i === bracket - 1 || line.charCodeAt(--i) !== 32) return -1;
  for (let colons = 0; colons < 2; colons++) {
    const digits = i;
    code = line.charCodeAt(--i);
    while (code >= 48 && code <= 57) code = line.charCodeAt(--i);
    if (code !== 58 || digits - i < 2) return -1;
  }
  let start = i;
  // `<hostname>:12:34`, as people write who hide the name.
  if (line.charCodeAt(i - 1) === 62) {
    const open = line.lastIndexOf('<', i - 1);
    return open >= 0 && i - open <= 66 ? open : -1;
  }
  while (start > 0 && isHostCode(line.charCodeAt(start - 1))) start--;
  return start === i ? -1 : start;
}

export interface Prefix {
  readonly host: string;
  readonly pid: number;
  readonly tid: number;
  readonly dev: number;
}

/** Reads `host:pid:tid [dev]`. `before` is the text in front of it, which shows whether a timestamp has run into the host. */
export function parsePrefix(text: string, before: string, known: (host: string) => boolean): Prefix | undefined {
  const found = /^(<[^<>:]{1,64}>|[\w.*-]+):(\d{1,10}):(\d{1,10}) \[(-?\d{1,6})\]$/.exec(text);
  if (!found) return undefined;
  return {
    host: own(cleanHost(found[1]!, before, known)),
    pid: Number(found[2]),
    tid: Number(found[3]),
    dev: Number(found[4]),
  };
}

/** `07:00node1` after `…-07:00` is a time zone that ran into `node1`; `IPCnode1` is the end of another record. */
function cleanHost(raw: string, before: string, known: (host: string) => boolean): string {
  let host = raw;
  if (/\d:$/.test(before)) host = host.replace(/^\d\d(?:\.\d+)?(?=[A-Za-z])/, '');
  // `…T10:00:07.101Znode1`
  if (/\d:$/.test(before)) host = host.replace(/^Z(?=\w)/, '');
  if (known(host) || before === '' || !/[/A-Za-z0-9]$/.test(before)) return host;
  for (let cut = 1; cut < host.length; cut++) {
    if (known(host.slice(cut))) return host.slice(cut);
  }
  return host;
}

export interface WarnHead {
  /** Empty where the record has none. */
  readonly prefix: string;
  readonly before: string;
  /** `transport/net_ib.cc:839`, or what stands there. */
  readonly source: string | undefined;
  readonly function: string | undefined;
}

/** The part before `NCCL WARN`: prefix, then `file:line`, from 2.30.7 with `(function)`. */
export function parseWarnHead(head: string): WarnHead | undefined {
  const found =
    /((?:<[^<>:]{1,64}>|[\w.*-]+):\d{1,10}:\d{1,10} \[-?\d{1,6}\]) ?(?:(\S+?:\d+) )?(?:\(([^)]*)\) )?$/.exec(head);
  if (!found) {
    // Where a launcher or a person has cut the prefix off, the place in the sources still stands there.
    const source = /(?:^|[\s\]])(\S{1,80}\.(?:cc|cuh?|h|cpp):\d{1,6}) $/.exec(head);
    return source ? { prefix: '', before: '', source: shortSource(source[1]!), function: undefined } : undefined;
  }
  return {
    prefix: found[1]!,
    before: head.slice(0, found.index),
    source: found[2] === undefined ? undefined : shortSource(found[2]),
    function: found[3] === undefined ? undefined : own(found[3]),
  };
}

/** The path inside the library's sources, without where it was built. */
const shortSource = (source: string): string => own(source.replace(/^.*\/src\//, ''));

/** What stands before the next record on one line: a divider of two outputs, a prefix of the second, blanks. */
export function withoutTail(message: string): string {
  return message
    .replace(
      /(?:\[\d+,\d+\]<std(?:out|err)>:|\[rank\d+\]: ?|\[?\d{4}-\d\d-\d\d[T ][\d:.,+-]+Z?\]? ?|\s*\|\s*|\s>\s*)+$/,
      '',
    )
    .trimEnd();
}
