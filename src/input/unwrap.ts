import { plainBlanks, withoutEscapes } from './clean.ts';

/** A line of a log inside what somebody's collector, browser or editor made of it. */
export interface Unwrapped {
  /** The lines that stood in it: one, or those of a record that holds several. */
  readonly lines: readonly string[];
  /** As a program wrote them: no terminal has broken what a collector kept. */
  readonly whole?: true;
}

/** Names under which collectors of logs keep the line: Docker and CRI, structured loggers, journald, Google Cloud. */
const textKeys = ['log', 'message', 'msg', 'MESSAGE', 'textPayload', 'line', 'text'] as const;
/** What stands beside it in a record of a log, and beside nothing that another reader knows. */
const besideIt =
  /^(?:stream|time|timestamp|date|ts|t|@timestamp|asctime|level|levelname|lvl|severity|logger|name|host|hostname|container|container_name|pod|kubernetes|stdtype|source|tag|_HOSTNAME|insertId|rank|labels|record)$/;
/** A prefix that a container runtime puts before the record of the program. */
const prefixLimit = 120;
const longest = 65_536;

/** The text of a record such as `{"log":"…\n","stream":"stderr","time":"…"}`; of other JSON nothing, because readers know it as it is. */
function textOfRecord(line: string): string | undefined {
  const from = line.indexOf('{"') >= 0 ? line.indexOf('{"') : line.indexOf('{ "');
  if (from < 0 || from > prefixLimit || line.length > longest || !/\}\s*$/.test(line.slice(-8))) return undefined;
  if (!textKeys.some((key) => line.includes(`"${key}"`))) return undefined;
  let record: unknown;
  try {
    record = JSON.parse(line.slice(from));
  } catch {
    return undefined;
  }
  if (typeof record !== 'object' || record === null) return undefined;
  const fields = new Map(Object.entries(record));
  if (![...fields.keys()].some((key) => besideIt.test(key))) return undefined;
  for (const key of textKeys) {
    const text: unknown = fields.get(key);
    if (typeof text === 'string') return text;
  }
  return undefined;
}

/** An element of a list of lines, as Ansible prints what a command said: `        "mlx5_0 …",`. */
function textOfElement(line: string): string | undefined {
  const bare = line.trim();
  if (!bare.startsWith('"') || bare.length > longest || !/",?$/.test(bare)) return undefined;
  try {
    const text: unknown = JSON.parse(bare.endsWith(',') ? bare.slice(0, -1) : bare);
    // A lone word is a value of somebody's settings.
    return typeof text === 'string' && /\s/.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Lists of texts in a report that is read as a whole: those of nccl-tests. */
const listOfReport = /^\s{0,200}"(?:args|errors)"\s{0,8}:\s{0,8}\[\s*$/;

/** Colours whose escape character was lost on the way, or spelled out: `[0m`, `^[[31m`, `\x1b[1;32m`, `#033[0m`. */
const spelled = /(?:\^\[|\\x1[bB]|\\u001[bB]|\\0?33|\\e|#033|\u241b)\[[0-9;]{0,20}[mK]/g;
/** Only a numbered one tells: `[K` and `[m` alone are somebody's text. */
const bareColour = /\[\d{1,3}(?:;\d{1,3}){0,4}m/;
const bareColours = /\[(?:\d{1,3}(?:;\d{1,3}){0,4})?[mK]/g;

function withoutColours(line: string): string {
  const shown = line.includes('\u001b') ? withoutEscapes(line) : line;
  const text = /[\\^#\u241b]/.test(shown) ? shown.replace(spelled, '') : shown;
  return bareColour.test(text) ? text.replace(bareColours, '') : text;
}

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  '#39': "'",
  '#34': '"',
  '#x27': "'",
};
const entity = /&(lt|gt|amp|quot|apos|nbsp|#39|#34|#x27);/g;
/** What encloses a log on a web page or in a post. */
const tags =
  'pre|code|br|table|tbody|thead|tr|th|td|div|p|span|samp|ul|ol|li|details|summary|blockquote|strong|em|font|h[1-6]';
const markup = new RegExp(`</?(?:${tags})(?:\\s[^<>]{0,300})?/?>`, 'gi');
/** Cells of a table stay apart. */
const cell = /<\/t[dh]>\s*<t[dh](?:\s[^<>]{0,300})?>/gi;
const ofPages = /^\s*<(?:!doctype html|html|head|body|title|meta|script|style|link|img)\b/i;

/** Backslashes that an editor of Markdown put before what would be markup; two of them are an escape of some other language. */
const escapedMark = /\\([\\_*<>[\]`~])/g;

/**
 * Takes lines of a log out of what they were passed on in: records of JSON, pages of HTML, Markdown with its marks escaped, colours
 * without their escape character. One for each file, because XML is told by what came before.
 */
export function unwrapper(): (line: string) => Unwrapped | undefined {
  let xml = false;
  let ofReport = false;
  return (line) => {
    // The first character that any of them needs; most lines have none.
    if (!/["&<[\\]/.test(line)) return undefined;
    if (line.includes('{') || line.includes('"')) {
      if (/^\s*"\w+"\s*:/.test(line)) ofReport = listOfReport.test(line);
      const text = textOfRecord(line) ?? (ofReport ? undefined : textOfElement(line));
      if (text !== undefined) {
        const lines = text.replace(/\r?\n$/, '').split(/\r\n|\n|\r/);
        return { lines: lines.map((one) => withoutColours(plainBlanks(one))), whole: true };
      }
    }
    if (line.length > longest) return undefined;
    let text = line;
    // Where elements of XML stand as such, its entities belong to its own text.
    if (!xml && (text.includes('<') || text.includes('&'))) {
      if (text.includes('<')) text = text.replace(cell, '\t').replace(markup, '');
      xml = /^\s*<[?!A-Za-z]/.test(text) && !ofPages.test(text);
      if (!xml && text.includes('&')) text = text.replace(entity, (whole, name: string) => entities[name] ?? whole);
    }
    if (text.includes('\\')) text = text.replace(escapedMark, (whole, mark: string) => (mark === '\\' ? whole : mark));
    text = withoutColours(text);
    return text === line ? undefined : { lines: [text] };
  };
}
