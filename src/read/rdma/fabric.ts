import type { Where } from '../../fact/fact.ts';
import { lineFormat } from '../kit/lines.ts';
import { own } from '../own.ts';

/** Links of an InfiniBand fabric, from ibnetdiscover or iblinkinfo. */
export interface FabricLinks {
  readonly kind: 'fabric-links';
  readonly file: string;
  readonly switches: readonly { readonly name: string; readonly guid: string; readonly at: Where }[];
  readonly links: readonly FabricLink[];
}

export interface FabricLink {
  /** What is at the far end, as named by the fabric. */
  readonly peer: string;
  /** As printed: `4xNDR`; empty when the tool says none. */
  readonly rate: string;
  readonly down: boolean;
  /** What both ends could, as iblinkinfo has it: `4X`, `NDR`. */
  readonly could?: string;
  readonly at: Where;
}

type Entry = { switch: { name: string; guid: string; at: Where } } | { link: FabricLink };

export const fabricLinks = lineFormat<Entry>({
  id: 'ib-fabric',
  example: 'Switch 65 "S-0000000000000002"  # "leaf20" enhanced port 0 lid 73 lmc 0',
  hints: ['"S-', '"H-', '==('],
  limit: 200_000,
  entry: (line, at) => {
    const node = /^\s*Switch\s+\d{1,4} "S-([0-9a-f]{16})"\s+# "([^"]{0,120})"/.exec(line);
    if (node) return { switch: { guid: own(node[1]!), name: own(node[2]!), at } };
    const link =
      /^\s*\[\d{1,4}\](?:\([0-9a-f]+\))?\s+"[SH]-[0-9a-f]{16}"\[.{0,40}# "([^"]{0,120})".{0,40}?(\d{1,2}x\w{2,6})?\s*$/.exec(
        line,
      );
    if (link) return { link: { peer: own(link[1]!), rate: own(link[2] ?? ''), down: false, at } };
    const info = /==\(\s*(.{0,60}?)\s*\)==>.{0,80}"([^"]{0,120})"/.exec(line);
    if (!info) return undefined;
    const could = /\(\s*(Could be [^()]{1,60}?)\s*\)/.exec(line);
    const link_ = { peer: own(info[2]!), rate: own(info[1]!), down: /Down/.test(info[1]!), at };
    return { link: could ? { ...link_, could: own(could[1]!) } : link_ };
  },
  build: (entries, { file }) => ({
    kind: 'fabric-links',
    file,
    switches: entries.flatMap((e) => ('switch' in e ? [e.switch] : [])),
    links: entries.flatMap((e) => ('link' in e ? [e.link] : [])),
  }),
});
