import type { InputFile } from '../protocol.ts';

/** Files of a picker, under the path that a folder gives them. */
export const filesOf = (list: Iterable<File>): InputFile[] =>
  [...list].map((f) => ({ name: f.webkitRelativePath === '' ? f.name : f.webkitRelativePath, content: f }));

/** The first name that no other paste has: one that was taken away leaves its name free. */
export function pasteName(taken: readonly string[]): string {
  for (let n = 1; ; n++) {
    const name = `paste${n === 1 ? '' : n}.txt`;
    if (!taken.includes(name)) return name;
  }
}

/** What was dropped: files, and those of folders, in name order and bounded. A text is one more beside those that are `there`. */
export async function filesDropped(data: DataTransfer, there: readonly string[]): Promise<InputFile[]> {
  const entries = [...data.items].flatMap((i) => {
    const entry = i.kind === 'file' ? i.webkitGetAsEntry() : null;
    return entry ? [entry] : [];
  });
  if (entries.length === 0) {
    const text = data.getData('text/plain');
    return text === '' ? filesOf(data.files) : [{ name: pasteName(there), content: new Blob([text]) }];
  }
  const found: InputFile[] = [];
  const queue = [...entries];
  for (let e = queue.shift(); e !== undefined && found.length < most; e = queue.shift()) {
    if (e.isFile) found.push({ name: e.fullPath.replace(/^\//, ''), content: await fileOf(e as FileSystemFileEntry) });
    else queue.push(...(await entriesOf(e as FileSystemDirectoryEntry)));
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const most = 10_000;

const fileOf = (e: FileSystemFileEntry): Promise<File> => new Promise((resolve, reject) => e.file(resolve, reject));

async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  // A reader gives a hundred at a time, and nothing when all are given.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0 || all.length > most) return all;
    all.push(...some);
  }
}
