import { Gunzip, Unzip, UnzipInflate } from 'fflate';
import { type Message, say } from '../words/message.ts';
import { safePath } from './paths.ts';
import type { Source } from './source.ts';
import { isTarHeader, tarReader } from './tar.ts';

/** Takes the bytes of one file. */
export interface ByteSink {
  push(chunk: Uint8Array): void;
  note(message: Message): void;
  /** Is nothing of what still comes of any use? A device without an end must not be read to it. */
  done?(): boolean;
  /** `look` says what the file is when it gave no bytes of its own (an archive with nothing readable). */
  end(look?: Message): void;
}

export interface ExpandLimits {
  /** Archives within archives; `.tar.gz` counts as two. */
  readonly depth: number;
  readonly entries: number;
  /** Bytes after unpacking, all files together. */
  readonly bytes: number;
  /** Unpacked to packed bytes, once `ratioFrom` bytes have been unpacked. DEFLATE itself cannot exceed 1032. */
  readonly ratio: number;
  readonly ratioFrom: number;
}

export const expandLimits: ExpandLimits = {
  depth: 4,
  entries: 10_000,
  bytes: 16 * 2 ** 30,
  ratio: 200,
  ratioFrom: 64 * 2 ** 20,
};

/** Packed bytes given to fflate at a time: what comes out of one step is then at most 8 MiB. */
const slice = 8192;
/** Notes of one archive about single members. */
const memberNotes = 20;

/** Takes the members of an archive that are a saved tree of /sys and /proc: tens of thousands of small files, and links between them. */
export interface TreeSink {
  /** By the path inside the archive. */
  wants(path: string): boolean;
  open(archive: string, path: string): ByteSink;
  link(archive: string, path: string, target: string): void;
}

/** Files of saved trees, which count apart: a host has tens of thousands. */
const treeEntries = 300_000;

interface Budget {
  packed: number;
  unpacked: number;
  entries: number;
  treeEntries: number;
  /** Set when a limit was reached: nothing more is taken. */
  stopped: Message | undefined;
}

interface Inner {
  push(chunk: Uint8Array): void;
  end(): void;
}

/**
 * Gives every file of a source to `open`, unpacking gzip, tar and zip by their first bytes (never by name), one inside the
 * other to a small depth. Nothing is written and no link is followed. Rejects only when the source itself does.
 */
export async function expand(
  source: Source,
  limits: ExpandLimits,
  open: (name: string) => ByteSink,
  tree?: TreeSink,
): Promise<void> {
  const budget: Budget = { packed: 0, unpacked: 0, entries: 0, treeEntries: 0, stopped: undefined };
  let whole: ByteSink | undefined;
  const opened = (name: string): ByteSink => {
    const sink = open(name);
    if (name === source.name) whole = sink;
    return sink;
  };
  const root = sniff(source.name, 0, { budget, limits, open: opened, ...(tree ? { tree } : {}) });
  for await (const chunk of source.stream()) {
    budget.packed += chunk.length;
    root.push(chunk);
    if (budget.stopped || whole?.done?.()) break;
  }
  root.end();
}

interface Context {
  readonly budget: Budget;
  readonly limits: ExpandLimits;
  readonly open: (name: string) => ByteSink;
  readonly tree?: TreeSink;
}

type Kind = 'gzip' | 'zip' | 'tar' | 'xz' | 'zstd' | 'bzip2' | 'plain';

function kindOf(head: Uint8Array): Kind {
  if (head[0] === 0x1f && head[1] === 0x8b && head[2] === 8) return 'gzip';
  if (head[0] === 0x50 && head[1] === 0x4b && ((head[2] === 3 && head[3] === 4) || (head[2] === 5 && head[3] === 6))) {
    return 'zip';
  }
  if (head[0] === 0xfd && head[1] === 0x37 && head[2] === 0x7a && head[3] === 0x58 && head[4] === 0x5a) return 'xz';
  if (head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd) return 'zstd';
  // `BZh`, a digit, and the first bits of pi.
  if (head[0] === 0x42 && head[1] === 0x5a && head[2] === 0x68 && head[4] === 0x31 && head[5] === 0x41) return 'bzip2';
  return isTarHeader(head) ? 'tar' : 'plain';
}

/** Holds back the first 512 bytes, then hands all of them to what they turn out to be. */
function sniff(name: string, depth: number, context: Context): Inner {
  let head: Uint8Array | undefined = new Uint8Array(0);
  let inner: Inner | undefined;
  const decide = (): Inner => {
    const first = head!;
    head = undefined;
    const kind = kindOf(first);
    if (kind === 'plain') inner = plain(name, context);
    else if (kind === 'xz' || kind === 'zstd' || kind === 'bzip2')
      inner = refused(name, say('input.archive.packing', { kind, command: `${kind} -d` }), context);
    else if (depth >= context.limits.depth)
      inner = refused(name, say('input.archive.depth', { limit: depth }), context);
    else if (kind === 'gzip') inner = gzip(name, depth, context);
    else if (kind === 'tar') inner = tar(name, depth, context);
    else inner = zip(name, depth, context);
    if (first.length > 0) inner.push(first);
    return inner;
  };
  return {
    push(chunk) {
      if (inner) return inner.push(chunk);
      const joined = new Uint8Array(head!.length + chunk.length);
      joined.set(head!);
      joined.set(chunk, head!.length);
      head = joined;
      if (head.length >= 512) decide();
    },
    end() {
      (inner ?? decide()).end();
    },
  };
}

function plain(name: string, { open }: Context): Inner {
  const sink = open(name);
  return { push: (chunk) => sink.push(chunk), end: () => sink.end() };
}

function refused(name: string, reason: Message, { open }: Context): Inner {
  const sink = open(name);
  sink.note(reason);
  return { push: () => {}, end: () => sink.end(say('input.looks.archive')) };
}

/** Counts unpacked bytes; false when a limit is reached. */
function within({ budget, limits }: Context, bytes: number): boolean {
  if (budget.stopped) return false;
  budget.unpacked += bytes;
  if (budget.unpacked > limits.bytes) {
    budget.stopped = say('input.archive.bytes', { limit: Math.round(limits.bytes / 2 ** 20) });
  } else if (budget.unpacked > limits.ratioFrom && budget.unpacked > budget.packed * limits.ratio) {
    budget.stopped = say('input.archive.ratio', { limit: limits.ratio });
  }
  return budget.stopped === undefined;
}

/** Feeds packed bytes to an unpacker in slices, until a limit is reached or the bytes make no sense. */
function feeder(
  stream: { push(chunk: Uint8Array, final: boolean): void },
  { budget }: Context,
  note: (message: Message) => void,
): { push(chunk: Uint8Array): void; end(): void } {
  let dead = false;
  const feed = (chunk: Uint8Array, final: boolean): void => {
    if (dead || budget.stopped) return;
    try {
      stream.push(chunk, final);
    } catch (error) {
      dead = true;
      note(say('input.archive.corrupt', { reason: error instanceof Error ? error.message : String(error) }));
    }
  };
  return {
    push(chunk) {
      for (let from = 0; from < chunk.length; from += slice) feed(chunk.subarray(from, from + slice), false);
    },
    end: () => feed(new Uint8Array(0), true),
  };
}

function gzip(name: string, depth: number, context: Context): Inner {
  const notes: Message[] = [];
  const inner = sniff(name, depth + 1, {
    ...context,
    open: (file) => {
      const sink = context.open(file);
      // What went wrong with the packed bytes is said where the unpacked ones are listed.
      return {
        ...sink,
        end: (look) => {
          for (const message of notes.splice(0)) sink.note(message);
          sink.end(look);
        },
      };
    },
  });
  const stream = new Gunzip((chunk) => {
    if (within(context, chunk.length)) inner.push(chunk);
  });
  const feed = feeder(stream, context, (message) => notes.push(message));
  return {
    push: feed.push,
    end() {
      feed.end();
      if (context.budget.stopped) notes.push(context.budget.stopped);
      inner.end();
    },
  };
}

/** What an archive itself has to say is listed under its own name, and only when there is something. */
function archiveNotes(name: string, { open, budget }: Context) {
  const notes: Message[] = [];
  let dropped = 0;
  let members = 0;
  return {
    member: () => members++,
    note(message: Message): void {
      if (notes.length < memberNotes) notes.push(message);
      else dropped++;
    },
    end(): void {
      if (budget.stopped) notes.push(budget.stopped);
      if (dropped > 0) notes.push(say('input.moreNotes', { count: dropped }));
      if (members === 0) notes.push(say('input.archive.empty'));
      if (notes.length === 0) return;
      const sink = open(name);
      for (const message of notes) sink.note(message);
      sink.end(say('input.looks.archive'));
    },
  };
}

/** The place for the next member, or undefined when there are too many. */
function member(
  archive: string,
  name: string,
  depth: number,
  context: Context,
  note: (message: Message) => void,
): Inner | undefined {
  const { budget, limits, tree } = context;
  if (budget.stopped) return undefined;
  const inTree = safePath(name);
  if (tree?.wants(inTree.path)) {
    if (++budget.treeEntries > treeEntries) return undefined;
    const sink = tree.open(archive, inTree.path);
    return { push: (chunk) => sink.push(chunk), end: () => sink.end() };
  }
  if (++budget.entries > limits.entries) {
    budget.stopped = say('input.archive.entries', { limit: limits.entries });
    return undefined;
  }
  const { path, escaped } = safePath(name);
  if (escaped) note(say('input.archive.escape', { name: name.slice(0, 200), path }));
  return sniff(`${archive}!${path}`, depth + 1, context);
}

function tar(name: string, depth: number, context: Context): Inner {
  const own = archiveNotes(name, context);
  const reader = tarReader({
    file(path, size) {
      const inner = member(name, path, depth, context, own.note);
      if (!inner) return undefined;
      own.member();
      let got = 0;
      return {
        push(chunk) {
          got += chunk.length;
          inner.push(chunk);
        },
        end(complete) {
          if (!complete) own.note(say('input.archive.cut', { name: safePath(path).path, got, size }));
          inner.end();
        },
      };
    },
    skipped(path, why, target) {
      const { path: name_ } = safePath(path);
      if (why === 'link' && context.tree?.wants(name_)) context.tree.link(name, name_, target);
      else own.note(say(why === 'link' ? 'input.archive.link' : 'input.archive.special', { name: name_ }));
    },
    corrupt: () => own.note(say('input.archive.corrupt', { reason: 'tar header' })),
  });
  return {
    push: (chunk) => reader.push(chunk),
    end() {
      reader.end();
      own.end();
    },
  };
}

function zip(name: string, depth: number, context: Context): Inner {
  const own = archiveNotes(name, context);
  const openMembers = new Set<Inner>();
  const stream = new Unzip((file) => {
    const inner = file.name.endsWith('/') ? undefined : member(name, file.name, depth, context, own.note);
    if (inner) {
      own.member();
      openMembers.add(inner);
    }
    file.ondata = (error, chunk, final) => {
      if (error) own.note(say('input.archive.member', { name: safePath(file.name).path, reason: error.message }));
      if (!inner || !openMembers.has(inner)) return;
      if (chunk && within(context, chunk.length)) inner.push(chunk);
      if (error || final) {
        openMembers.delete(inner);
        inner.end();
      }
    };
    // Always started: fflate would keep the bytes of a member that nobody asked for.
    try {
      file.start();
    } catch {
      // An unknown compression method; `ondata` has said so.
    }
  });
  stream.register(UnzipInflate);
  const feed = feeder(stream, context, (message) => own.note(message));
  return {
    push: feed.push,
    end() {
      feed.end();
      for (const inner of openMembers) inner.end();
      openMembers.clear();
      own.end();
    },
  };
}
