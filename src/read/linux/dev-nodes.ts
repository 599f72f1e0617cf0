import type { Where } from '../../fact/fact.ts';
import { blockFormat } from '../kit/block.ts';
import { notFound } from '../kit/locale.ts';
import { own } from '../own.ts';

/** What `ls` says of /dev, of sysfs folders and of links: entries that are there, and those that are not. */
export interface Listing {
  readonly kind: 'listing';
  readonly file: string;
  readonly entries: readonly ListingEntry[];
  /** Folders that were listed, also when empty. */
  readonly folders: readonly { readonly path: string; readonly at: Where }[];
}

export interface ListingEntry {
  /** Whole path where the listing shows it. */
  readonly path: string;
  readonly there: boolean;
  /** The target of a link. */
  readonly target?: string;
  readonly at: Where;
}

const missing = new RegExp(
  `(?:cannot (?:access|open)|(?:cat|ls|stat|head):).{0,60}?['"‘«“\\s](/[\\w./@*-]{2,200}?)(?:['"’»”]|:| for reading).{0,40}${notFound.source}`,
);
const long =
  /^\s*([bcdlps-])[rwxsStT-]{9}[.+@]?\s+\d{1,6}\s+\S{1,40}\s+\S{1,40}\s+(?:\d{1,6},\s*)?\d{1,15}\s+\S{3,10}\s+\d{1,2}\s+[\d:]{4,5}\s+(\S{1,200})(?: -> (\S{1,200}))?\s*$/;

/** `ls FOLDER` (also `ls -1`): the names below it stand alone. */
const short = /(?:^|[\s#$%>:❯])ls(?: -[1aACF]+)? (\/(?:dev|sys|proc)\/[\w./-]{1,120}?)\/?\s*$/;
const names = /^\s*[\w.:-]{2,64}(?:\s+[\w.:-]{2,64}){0,200}\s*$/;

export const listing = blockFormat({
  id: 'ls',
  example: 'crw-rw-rw- 1 root root 231, 192 Apr  1 09:00 /dev/infiniband/uverbs0',
  hints: ['/dev', '/sys', '/proc', 'rw', 'total '],
  starts: new RegExp(`^(?:/(?:dev|sys)/[\\w./-]{1,120}:\\s*$)|${missing.source}|${long.source}|${short.source}`),
  open: (context) => {
    const entries: ListingEntry[] = [];
    const folders: { path: string; at: Where }[] = [];
    let folder = '';
    let bare = false;
    return {
      take(line, number) {
        const at = context.at(number);
        if (entries.length + folders.length > 4000) return false;
        const wasBare = bare;
        bare = false;
        const asked = short.exec(line);
        if (asked) {
          folder = own(asked[1]!);
          bare = true;
          return true;
        }
        const title = /^(\/(?:dev|sys|proc|usr)\/[\w./-]{1,120}):\s*$/.exec(line);
        if (title) {
          folder = own(title[1]!);
          folders.push({ path: folder, at });
          return true;
        }
        const gone = missing.exec(line);
        if (gone) {
          entries.push({ path: own(gone[1]!), there: false, at });
          return true;
        }
        const found = long.exec(line);
        if (found) {
          const name = found[2]!;
          const path = name.startsWith('/') ? name : `${folder}/${name}`;
          entries.push({
            path: own(path),
            there: true,
            ...(found[3] === undefined ? {} : { target: own(found[3]) }),
            at,
          });
          return true;
        }
        if (/^total \d{1,12}\s*$/.test(line)) return true;
        if (!wasBare || !names.test(line)) return false;
        bare = true;
        for (const name of line.trim().split(/\s+/)) entries.push({ path: own(`${folder}/${name}`), there: true, at });
        return true;
      },
      close: () =>
        entries.length + folders.length === 0 ? undefined : { kind: 'listing', file: context.file, entries, folders },
    };
  },
});
