/** Columns of terminals and of windows of tmux, at which a copy from the screen breaks a line. */
const widths: ReadonlySet<number> = new Set([80, 100, 120, 132, 160, 200, 240]);
const narrowest = 80;
const mostParts = 12;
/** Lines over which a record longer than the screen speaks for the log around it: the next paste may come from another terminal. */
const around = 100;
/** A record is told by its beginning. */
const beginning = 200;

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
/** Rows of tables stand alone, and so does what a test, a program's own logger or a prompt prints. */
const another =
  /^\s*(?:#|$)|^\s{4,}[\d|]|^\S{0,80}[$#] |^\s{0,8}GPU\d{1,3}\s|^(?:NCCL version |Traceback |\[rank\d|[IWEF]\d{4} |(?:INFO|WARNING|ERROR|DEBUG)\b)/;
/** A console that is copied as a rectangle fills its lines up with blanks: those are whole. */
const filledUp = /\s\s$/;

/**
 * Puts records of a log together again that a terminal has broken at its last column. Only a record that fills the screen to the last
 * column is held back, and only where none nearby is longer; what follows it is given by itself as well: a line that was none of its
 * own is lost to nobody.
 */
export function rejoiner(give: (line: string) => void): { line(text: string): void; end(): void } {
  let parts: string[] = [];
  const longest = longestRecord();
  const end = (broken = true): void => {
    const [first, ...rest] = parts;
    parts = [];
    if (first === undefined) return;
    give(broken ? [first, ...rest].join('') : first);
    for (const part of rest) give(part);
  };
  return {
    line(text) {
      longest.line(text);
      const width = parts[0]?.length;
      if (width !== undefined) {
        const goesOn = parts.length < mostParts && text.length <= width && !record.test(text) && !another.test(text);
        if (goesOn) {
          parts.push(text);
          if (text.length < width) end();
          return;
        }
        end(longest.found() <= width);
      }
      const full = widths.has(text.length) && text.length >= longest.found();
      if (full && !filledUp.test(text.slice(-2)) && record.test(text)) parts = [text];
      else give(text);
    },
    end: () => end(),
  };
}

/** How long the longest record of the lines before was: no screen breaks one that is longer than its own width. */
function longestRecord() {
  let lines = 0;
  let now = 0;
  let before = 0;
  return {
    line(text: string): void {
      if (lines++ === around) [lines, before, now] = [1, now, 0];
      if (text.length > Math.max(now, narrowest) && record.test(text.slice(0, beginning))) now = text.length;
    },
    found: (): number => Math.max(now, before),
  };
}
