import { say } from '../../words/message.ts';
import type { Format, ReadContext, Session, Took } from '../format.ts';
import { own } from '../own.ts';
import { Communicators } from './communicators.ts';
import { Connections } from './connections.ts';
import { Environment } from './environment.ts';
import { Gdr } from './gdr.ts';
import { Graphs } from './graphs.ts';
import { Networks } from './network.ts';
import { levelAt, modernised, parseWarnHead, prefixStart, recordIn, withoutTail } from './prefix.ts';
import { Remarks } from './remarks.ts';
import { Shapes } from './shapes.ts';
import { Systems } from './system.ts';
import { Tuning } from './tuning.ts';
import type { Counted, NcclLog } from './types.ts';
import { namesLibrary, Versions } from './versions.ts';
import { infoWarning } from './warning-kinds.ts';
import { Warnings } from './warnings.ts';
import { type Thread, Who } from './who.ts';

/** Lines of kinds that are not evaluated which are kept to show. */
const sampleLimit = 24;

/** Error texts that applications repeat without NCCL's prefix. */
const bareWarning =
  /^\W*(?:Failed to bind NVLink SHARP|Cuda failure|ncclUnhandledCudaError|ncclSystemError|ncclInternalError|ncclRemoteError|ncclInvalidUsage|socket\w+: |Call to ibv_\w+ failed|Error: failed to extend|Error while creating shared memory)/;

/**
 * A log under NCCL_DEBUG_SUBSYS=ALL is mostly lines that no family takes. After so many of one beginning, and never one that
 * meant something, the rest is only counted.
 */
const strangerLimit = 64;
const stemLimit = 4096;

/** The beginning of a message up to its first digit, where that is long enough to tell kinds apart; else nothing. */
function stemOf(message: string): string {
  const most = Math.min(message.length, 28);
  let i = 0;
  while (i < most) {
    const code = message.charCodeAt(i);
    if (code >= 48 && code <= 57) break;
    i++;
  }
  return i < 12 ? '' : message.slice(0, i);
}

class LogSession implements Session {
  readonly #context: ReadContext;
  readonly #who: Who;
  readonly #versions: Versions;
  readonly #networks: Networks;
  readonly #environment: Environment;
  readonly #gdr: Gdr;
  readonly #communicators: Communicators;
  readonly #connections = new Connections();
  readonly #shapes: Shapes;
  readonly #systems: Systems;
  readonly #graphs: Graphs;
  readonly #tuning: Tuning;
  readonly #remarks: Remarks;
  readonly #warnings: Warnings;
  readonly #records = { info: 0, warn: 0, call: 0, trace: 0 };
  /** Beginnings of messages and how often nobody knew them; −1 for those that somebody did. */
  readonly #stems = new Map<string, number>();
  readonly #samples: Counted[] = [];
  #other = 0;
  #first = 0;

  constructor(context: ReadContext) {
    const at = (line: number) => context.at(line);
    this.#context = context;
    this.#who = new Who(at);
    this.#versions = new Versions(at);
    this.#networks = new Networks(at);
    this.#environment = new Environment(at);
    this.#gdr = new Gdr(at);
    this.#communicators = new Communicators(at);
    this.#shapes = new Shapes(at);
    this.#systems = new Systems(at);
    this.#graphs = new Graphs(at);
    this.#tuning = new Tuning(at);
    this.#remarks = new Remarks(at);
    this.#warnings = new Warnings(at);
  }

  line(text: string, number: number): Took {
    const at = recordIn(text);
    if (at < 0) {
      const modern = modernised(text);
      return modern === undefined ? this.#bare(text, number) : this.line(modern, number);
    }
    if (this.#first === 0) this.#first = number;
    const next = recordIn(text, at + 9);
    if (next < 0) this.#record(text, at, text.length, number);
    else this.#several(text, at, next, number);
    return 'took';
  }

  /** Two outputs side by side, or two records that two writers glued together. */
  #several(text: string, first: number, second: number, number: number): void {
    let at = first;
    let next = second;
    let from = 0;
    while (at >= 0) {
      // The next record begins with its prefix, somewhere before its mark.
      const head =
        next < 0
          ? undefined
          : /[\w.-]+:\d{1,10}:\d{1,10} (?:\[-?\d+\] )?(?:\S+:\d+ )?(?:\([^)]*\) )?$/.exec(text.slice(at + 9, next));
      let end = next < 0 ? text.length : head ? at + 9 + head.index : next;
      const known = head ? /^[\w.-]+/.exec(head[0])![0] : '';
      // `…via P2P/IPCnode1:…`: the host is the longest known name that ends there.
      for (const host of this.#who.hosts.keys()) {
        if (known.length > host.length && known.endsWith(host) && next >= 0) {
          end += known.length - host.length;
          break;
        }
      }
      const raw = text.slice(from, end);
      const piece = withoutTail(raw);
      const mark = recordIn(piece);
      // Right before another record, without even a blank between: it may have been cut anywhere.
      const whole = next < 0 || piece.length < raw.length || /[\s)\]>]$/.test(raw);
      if (mark >= 0 && whole) this.#record(piece, mark, piece.length, number);
      else if (mark >= 0) this.#cut(piece, mark, number);
      from = end;
      at = next;
      next = at < 0 ? -1 : recordIn(text, at + 9);
    }
  }

  /** The beginning of a record whose rest stands elsewhere: only a channel of a way that is known already is believed. */
  #cut(piece: string, at: number, number: number): void {
    if (levelAt(piece, at) !== 'INFO') return;
    this.#records.info++;
    const start = piece.charCodeAt(at - 2) === 93 ? prefixStart(piece, at - 2) : -1;
    const thread = start < 0 ? undefined : this.#who.thread(piece, start, at - 1, number);
    const known =
      thread && piece.startsWith('Channel ', at + 10) && this.#connections.again(piece, at + 18, thread, number);
    if (!known) this.#other++;
  }

  #record(line: string, at: number, end: number, number: number): void {
    const level = levelAt(line, at);
    if (level === 'INFO') {
      this.#records.info++;
      // `host:pid:tid [dev] NCCL INFO `: the bracket stands two characters before the mark.
      const start = at >= 2 && line.charCodeAt(at - 2) === 93 ? prefixStart(line, at - 2) : -1;
      const thread = start < 0 ? undefined : this.#who.thread(line, start, at - 1, number);
      this.#info(line, at + 10, end, thread ?? this.#who.anonymous(number), number);
      return;
    }
    if (level === 'CALL') {
      this.#records.call++;
      return;
    }
    if (level === 'TRACE') {
      this.#records.trace++;
      return;
    }
    this.#records.warn++;
    const head = parseWarnHead(line.slice(Math.max(0, at - 400), at));
    const text = line.slice(at + 10, end);
    const thread =
      head && head.prefix !== '' ? this.#who.thread(head.prefix, 0, head.prefix.length, number) : undefined;
    this.#warnings.add(text, 'WARN', number, {
      host: thread?.host.name,
      source: head?.source,
      function: head?.function,
    });
    // Some releases warn where others inform; what the line says about the network stays true.
    if (thread && /libibverbs|P2P is disabled/.test(text)) this.#message(text, thread, number);
  }

  #info(line: string, from: number, end: number, thread: Thread, number: number): void {
    const { pending } = thread;
    if (pending) {
      if (pending.line(line.slice(from, end), number)) return;
      thread.pending = undefined;
      pending.close();
    }
    // The two kinds that fill logs are recognised in place, without a copy of the message.
    switch (line.charCodeAt(from)) {
      case 67:
        if (line.startsWith('Channel ', from) && this.#connections.take(line, from + 8, end, thread, number)) return;
        break;
      case 82:
        if (line.startsWith('Ring ', from) && this.#connections.take(line, from + 5, end, thread, number)) return;
        break;
    }
    const colon = line.indexOf(': opCount ', from);
    if (colon > 0 && colon - from < 24 && this.#tuning.call(line, from, colon, number)) return;
    this.#message(line.slice(from, end), thread, number);
  }

  #message(message: string, thread: Thread, number: number): void {
    const stem = stemOf(message);
    const strange = stem === '' ? 0 : (this.#stems.get(stem) ?? 0);
    if (strange > strangerLimit) {
      this.#other++;
      return;
    }
    const known = this.#known(message, thread, number);
    if (!known) this.#unknown(message, number);
    // A stem that has meant something once is always looked at.
    if (stem !== '' && strange >= 0 && (strange > 0 || this.#stems.size < stemLimit)) {
      this.#stems.set(strange > 0 ? stem : own(stem), known ? -1 : strange + 1);
    }
  }

  /** By first letter, so that a line meets only the few families that can begin so. */
  #known(message: string, thread: Thread, number: number): boolean {
    switch (message.charCodeAt(0)) {
      case 61: // =
        return this.#begin(thread, this.#systems.begin(message, thread, number));
      case 65: // A: Algorithm |, AllReduce: … Bytes
        if (this.#begin(thread, this.#tuning.begin(message, thread, number))) return true;
        return this.#tuning.choice(message, number) || this.#networks.line(message, thread, number);
      case 67: // C
        if (message.startsWith('CollNet ')) return this.#connections.take(message, 8, message.length, thread, number);
        if (message.startsWith('Coll ')) return this.#connections.take(message, 5, message.length, thread, number);
        if (message.startsWith('Channel ')) return this.#shapes.ring(message, thread, number);
        if (message.startsWith('Connected ')) return this.#remarks.milestone(message, thread, number);
        if (message.startsWith('Could not enable') || message.startsWith('Check P2P'))
          return this.#remarks.p2p(message, thread, number);
        break;
      case 71: // G
        if (message.startsWith('GPU')) return this.#gdr.line(message, thread, number);
        break;
      case 73: // I
        if (message.startsWith('Invalid value')) return this.#environment.line(message, thread, number);
        if (message.startsWith('Init timings')) return this.#communicators.line(message, thread, number);
        break;
      case 76: // L
        if (message.startsWith('Latency/')) return this.#begin(thread, this.#tuning.begin(message, thread, number));
        if (message.startsWith('Legacy IPC')) return this.#remarks.p2p(message, thread, number);
        break;
      case 77: // M
        if (message.startsWith('MNNVL')) {
          // `MNNVL … is available but not working` is a fault told as information since 2.27.
          if (infoWarning.test(message)) return this.#warned(message, thread, number);
          return this.#remarks.mnnvl(message, thread, number);
        }
        break;
      case 78: // N
        if (message.startsWith('NVLS')) return this.#remarks.nvls(message, thread, number);
        if (message.startsWith('NCCL_')) {
          const isSetting = this.#environment.line(message, thread, number);
          if (/^NCCL_\w+_PLUGIN/.test(message)) this.#networks.line(message, thread, number);
          return isSetting;
        }
        if (message.startsWith('NCCL version')) return this.#versions.line(message, number);
        if (message.startsWith('NET/')) {
          if (message.includes('GPU Direct RDMA') && this.#gdr.line(message, thread, number)) return true;
          if (this.#networks.line(message, thread, number)) return true;
        }
        break;
      case 80: // P
        if (message.startsWith('Pattern ')) return this.#begin(thread, this.#graphs.begin(message, thread, number));
        if (message.startsWith('P2P is')) return this.#remarks.p2p(message, thread, number);
        break;
      case 82: // R
        if (message.startsWith('Ring ')) return this.#shapes.ring(message, thread, number);
        if (message.startsWith('RCCL version')) return this.#versions.line(message, number);
        break;
      case 84: // T
        if (message.startsWith('Tree')) return this.#shapes.tree(message, thread, number);
        break;
      case 99: // c
        if (message.startsWith('cudaDriverVersion ')) return this.#driver(message, thread, number);
        break;
      case 112: // p
        if (message.startsWith('peer query failed')) return this.#remarks.p2p(message, thread, number);
        break;
      case 114: // r
        if (message.startsWith('rank ')) return this.#remarks.milestone(message, thread, number);
        break;
      case 32:
        if (this.#begin(thread, this.#tuning.begin(message, thread, number))) return true;
        break;
    }
    return this.#uncommon(message, thread, number);
  }

  #uncommon(message: string, thread: Thread, number: number): boolean {
    const first = message.charCodeAt(0);
    if (first >= 48 && first <= 57) {
      if (this.#shapes.count(message, thread, number) || this.#tuning.choice(message, number)) return true;
    }
    if (message.includes('comm 0x') && this.#communicators.line(message, thread, number)) return true;
    if (this.#environment.line(message, thread, number)) return true;
    if (this.#warnings.returned(message, number)) return true;
    if (this.#networks.line(message, thread, number)) return true;
    if (this.#tuning.choice(message, number)) return true;
    if (this.#versions.below(message, number)) return true;
    return this.#warned(message, thread, number);
  }

  #warned(message: string, thread: Thread, number: number): boolean {
    if (!infoWarning.test(message)) return false;
    this.#warnings.add(message, 'INFO', number, { host: thread.host.name });
    return true;
  }

  #begin(thread: Thread, pending: Thread['pending']): boolean {
    if (!pending) return false;
    thread.pending = pending;
    return true;
  }

  #driver(message: string, thread: Thread, number: number): boolean {
    const value = Number.parseInt(message.slice(18), 10);
    if (!(value > 0)) return false;
    thread.host.driver ??= { value, at: this.#context.at(number) };
    return true;
  }

  #unknown(message: string, number: number): void {
    this.#other++;
    if (this.#samples.length >= sampleLimit) return;
    const text = message.trim().slice(0, 200);
    if (text !== '' && !this.#samples.some((sample) => sample.text.slice(0, 12) === text.slice(0, 12))) {
      this.#samples.push({ text: own(text), count: 1, at: this.#context.at(number) });
    }
  }

  /** Lines without a record: the version banner, RCCL's block below it, error texts that an application repeats. */
  #bare(text: string, number: number): Took {
    if (text === '') return 'passed';
    if ((text.includes('CCL version') || namesLibrary(text)) && this.#versions.line(text, number)) {
      if (this.#first === 0) this.#first = number;
      // Two outputs side by side print the banner twice on a line; once is enough.
      return 'took';
    }
    if (this.#first === 0) return 'ended';
    if (text.includes('version') || text.includes('Hostname') || text.includes('ibrccl')) {
      if (this.#versions.below(text, number)) return 'took';
    }
    if (text.includes('libfabric:')) {
      const host = this.#who.last?.host.name;
      if (host !== undefined) {
        this.#networks.libfabric(text, host, number);
        return 'took';
      }
    }
    if (text.length < 2048 && bareWarning.test(text)) {
      this.#warnings.add(text, 'bare', number, {});
      return 'took';
    }
    return 'passed';
  }

  close(): NcclLog | undefined {
    if (this.#first === 0) return undefined;
    this.#who.close();
    const systems = this.#systems.result();
    for (const system of systems) {
      if (!system.indented) this.#context.note(say('input.log.flatTree'), system.at.line);
    }
    this.#overflow();
    return {
      kind: 'nccl-log',
      file: this.#context.file,
      line: this.#first,
      records: this.#records,
      versions: this.#versions.result(),
      hosts: this.#who.result(),
      environment: this.#environment.result(),
      networks: this.#networks.result(),
      gdr: this.#gdr.result(this.#versions.main),
      communicators: this.#communicators.result(),
      connections: this.#connections.result((line) => this.#context.at(line)),
      rings: this.#shapes.rings.values(),
      trees: this.#shapes.trees(),
      channelCounts: this.#shapes.counts.values(),
      systems,
      graphs: this.#graphs.result(),
      tuning: this.#tuning.tables,
      choices: this.#tuning.choices(),
      calls: this.#tuning.calls(),
      ...this.#remarks.result(),
      warnings: this.#warnings.result(),
      returns: this.#warnings.returns(),
      other: { count: this.#other, samples: this.#samples },
    };
  }

  /** Says what was left out because there was too much of it. */
  #overflow(): void {
    const dropped = {
      connections: this.#connections.dropped,
      communicators: this.#communicators.dropped,
      shapes: this.#shapes.dropped,
      systems: this.#systems.dropped + this.#graphs.dropped,
      calls: this.#tuning.dropped,
      decisions: this.#gdr.dropped,
      warnings: this.#warnings.dropped,
    };
    for (const [what, count] of Object.entries(dropped)) {
      if (count > 0) this.#context.note(say('input.log.dropped', { count, what }));
    }
  }
}

export const ncclLog: Format = {
  id: 'nccl-log',
  claims: (line) => recordIn(line) >= 0,
  match: (line) =>
    recordIn(line) >= 0 ||
    modernised(line) !== undefined ||
    namesLibrary(line) ||
    (line.includes('CCL version') && /\b[NR]CCL version ?:? ?\d+\.\d/.test(line)),
  marks: ['NCCL INFO', 'NCCL WARN', 'NCCL version', 'NET/IB', 'via P2P', 'via NET', 'Bootstrap : Using'],
  missing: say('input.log.missing'),
  open: (context) => new LogSession(context),
};
