import { effect, signal } from '@preact/signals';
import type { InputFile } from '../protocol.ts';
import { files, packed as inLink } from './state.ts';

/**
 * Files and pastes over a reload. They lie in the storage of this tab, on this machine, and are gone with the tab or when they are
 * taken away; no server ever sees them. What is too large is not kept, nor half of it: half the inputs would be another machine.
 */

const place = 'crowfly-files';
/** Which of them are still on the page: written at once, while packing the rest anew takes a moment. */
const present = 'crowfly-names';
/** Bytes of all files together, and characters of what is stored: browsers give a page about five million. */
const most = { bytes: 32 * 2 ** 20, stored: 4_000_000 };

/** Whether what lies on the page would be there after a reload; undefined while that is not known. */
export const kept = signal<boolean | undefined>(undefined);

/** Puts back what was there before a reload, then keeps what comes. `leave`: files that come again by themselves. */
export async function keepFiles(leave: (file: InputFile) => boolean): Promise<void> {
  // A link that brings its inputs wins over what lay there.
  const before = inLink.peek() === undefined ? await stored() : [];
  const now = new Set(files.peek().map((f) => f.name));
  if (before.length > 0) files.value = [...before.filter((f) => !now.has(f.name)), ...files.peek()];
  let number = 0;
  effect(() => {
    const list = inLink.value === undefined ? files.value.filter((f) => !leave(f)) : [];
    const mine = ++number;
    kept.value = undefined;
    if (list.length === 0) return drop();
    const end = (lasts: boolean): void => {
      if (mine !== number) return;
      kept.value = lasts;
      if (!lasts) drop();
    };
    // What was taken away must not come back, and what was not must, however soon the reload.
    if (!put(present, JSON.stringify(list.map(nameOf)))) return end(false);
    void pack(list).then(
      (text) => end(mine === number && text !== undefined && put(place, text)),
      () => end(false),
    );
  });
}

/** Lengths and names, then the bytes one after the other, deflated, in letters: storage takes nothing but text. */
async function pack(list: readonly InputFile[]): Promise<string | undefined> {
  if (list.reduce((sum, f) => sum + f.content.size, 0) > most.bytes) return undefined;
  const head = new TextEncoder().encode(JSON.stringify(list.map((f) => [f.name, f.content.size])));
  const whole = new Blob([Uint32Array.of(head.length), head, ...list.map((f) => f.content)]);
  const bytes = await bytesOf(whole.stream().pipeThrough(new CompressionStream('deflate-raw')));
  if (bytes.length * 1.34 > most.stored) return undefined;
  const parts: string[] = [];
  for (let i = 0; i < bytes.length; i += 8192) parts.push(String.fromCharCode(...bytes.subarray(i, i + 8192)));
  return btoa(parts.join(''));
}

/** What lies in storage; nothing where there is none, or where it is not what was put there. */
async function stored(): Promise<InputFile[]> {
  try {
    const text = sessionStorage.getItem(place);
    if (text === null) return [];
    const deflated = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const bytes = await bytesOf(new Blob([deflated]).stream().pipeThrough(new DecompressionStream('deflate-raw')));
    let at = 4 + new DataView(bytes.buffer).getUint32(0, true);
    const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, at))) as [string, number][];
    const still = new Set(JSON.parse(sessionStorage.getItem(present) ?? '[]') as string[]);
    return head
      .map(([name, size]) => {
        const content = new Blob([bytes.slice(at, at + size)]);
        at += size;
        return { name, content };
      })
      .filter((file) => still.has(nameOf(file)));
  } catch {
    drop();
    return [];
  }
}

/** Another file of the same name is most often of another size. */
const nameOf = ({ name, content }: InputFile): string => `${content.size} ${name}`;

const bytesOf = async (stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());

/** A browser may forbid storage, or have no room left: then the page goes on without. */
function put(at: string, text: string): boolean {
  try {
    sessionStorage.setItem(at, text);
    return true;
  } catch {
    return false;
  }
}

function drop(): void {
  try {
    sessionStorage.removeItem(place);
    sessionStorage.removeItem(present);
  } catch {
    // Nothing was put there either.
  }
}
