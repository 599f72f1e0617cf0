/** Characters kept of all files together; what lies beyond is told by its place alone. */
const budget = 64 * 1024 * 1024;
const perLine = 400;

/** The text of lines by file and number, so that evidence can be quoted. Bounded: a log of gigabytes is not held. */
export class KeptLines {
  readonly #files = new Map<string, string[]>();
  #left = budget;

  add(file: string, text: string): void {
    if (this.#left <= 0) return;
    const short = text.length > perLine ? text.slice(0, perLine) : text;
    this.#left -= short.length + 16;
    const lines = this.#files.get(file);
    if (lines) lines.push(short);
    else this.#files.set(file, [short]);
  }

  at(file: string, line: number): string | undefined {
    return this.#files.get(file)?.[line - 1];
  }
}
