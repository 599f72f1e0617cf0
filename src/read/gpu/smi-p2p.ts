import type { Where } from '../../fact/fact.ts';
import type { Format } from '../format.ts';
import { lineFormat } from '../kit/lines.ts';

/**
 * What NVML says of P2P for each pair: `OK`, or why not (`CNS` chipset, `GNS` GPU, `TNS` topology not supported, `NS` not supported,
 * `DR` disabled by a registry key, `U` unknown).
 */
export type P2pStatus = 'X' | 'OK' | 'CNS' | 'GNS' | 'TNS' | 'NS' | 'DR' | 'U';

/** `nvidia-smi topo -p2p r` (or w, p): which of them, the output does not say. */
export interface P2pStatusTable {
  readonly kind: 'p2p-status';
  readonly file: string;
  readonly rows: readonly { readonly gpu: number; readonly cells: readonly P2pStatus[]; readonly at: Where }[];
}

type Row = P2pStatusTable['rows'][number];

const row = /(?:^|[\s>|:])GPU(\d{1,3})((?:\s+(?:X|OK|CNS|GNS|TNS|NS|DR|U)){2,64})\s*$/;

/** The command above a table tells what it is about: NVLink (n) and atomics (a) are refused on many a machine that does P2P. */
const command = /\btopo\s+(?:--p2p_\w+|-p2p)\s+([rwnap])\b/;

const entryOf = (line: string, at: Where): Row | { readonly asked: string } | undefined => {
  const asked = command.exec(line)?.[1];
  if (asked !== undefined) return { asked };
  const found = row.exec(line);
  if (!found) return undefined;
  const cells = found[2]!.trim().split(/\s+/) as P2pStatus[];
  return cells.some((c) => c !== 'X') ? { gpu: Number(found[1]), cells, at } : undefined;
};

const lines = lineFormat<Row | { readonly asked: string }>({
  id: 'nvidia-smi-topo-p2p',
  example: 'GPU0   X   OK   OK   CNS',
  hints: ['GPU', 'topo'],
  patience: 3,
  limit: 64,
  entry: entryOf,
  build: (entries, { file }) => {
    let asked = '';
    const rows: Row[] = [];
    for (const e of entries) {
      if ('asked' in e) asked = e.asked;
      else if (asked !== 'n' && asked !== 'a') rows.push(e);
    }
    return rows.length === 0 ? undefined : { kind: 'p2p-status', file, rows };
  },
});

/** The header is that of `topo -m`; the rows are no one else's. */
export const smiP2p: Format = { ...lines, claims: (line) => line.length < 1024 && row.test(line) };
