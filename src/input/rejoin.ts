/** Columns of terminals and of windows of tmux, at which a copy from the screen breaks a line. */
const widths: ReadonlySet<number> = new Set([80, 100, 120, 132, 160, 200, 240]);
const mostParts = 12;

/** How a record of a log begins: with NCCL's level, with a time, with UCX's name, with the process. */
const record = new RegExp(
  [
    'NCCL (?:INFO|WARN) ',
    'UCX {1,2}(?:ERROR|WARN|INFO|DEBUG) ',
    '^[\\w.-]{1,64}:\\d{1,10}:\\d{1,10} \\[',
    '^\\[\\s{0,8}\\d{1,10}\\.\\d{3,9}\\] ',
    '^\\[?(?:[A-Z][a-z]{2} ){1,2}[ \\d]?\\d \\d\\d:\\d\\d:\\d\\d',
    '^\\[?\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d',
    '^\\d{1,3},\\d{1,12},\\d{1,16},[-a-z=,]{1,20};',
  ].join('|'),
);
/** Rows of tables stand alone, and so does what a test or a prompt prints. */
const another = /^\s*(?:#|$)|^\s{4,}[\d|]|^\S{0,80}[$#] /;

/**
 * Puts records of a log together again that a terminal has broken at its last column. Only a record that fills the screen to the last
 * column is held back, and what follows it is given by itself as well: a line that was none of its own is lost to nobody.
 */
export function rejoiner(give: (line: string) => void): { line(text: string): void; end(): void } {
  let parts: string[] = [];
  const end = (): void => {
    const [first, ...rest] = parts;
    parts = [];
    if (first === undefined) return;
    give([first, ...rest].join(''));
    for (const part of rest) give(part);
  };
  return {
    line(text) {
      const width = parts[0]?.length;
      if (width !== undefined) {
        const goesOn = parts.length < mostParts && text.length <= width && !record.test(text) && !another.test(text);
        if (goesOn) {
          parts.push(text);
          if (text.length < width) end();
          return;
        }
        end();
      }
      if (widths.has(text.length) && record.test(text)) parts = [text];
      else give(text);
    },
    end,
  };
}
