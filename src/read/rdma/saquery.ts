import type { Where } from '../../fact/fact.ts';
import { blockFormat } from '../kit/block.ts';
import { own } from '../own.ts';

/** `saquery`: what the subnet administrator holds of nodes, ports and links (infiniband-diags). */
export interface SaRecords {
  readonly kind: 'sa-records';
  readonly file: string;
  readonly records: readonly SaRecord[];
}

export interface SaRecord {
  /** As printed before `dump`: `NodeRecord`, `PortInfoRecord`, `LinkRecord`. */
  readonly type: string;
  readonly at: Where;
  /** As printed: `lid`, `node_type`, `NodeDescription`, `EndPortLid`, `FromLID`. */
  readonly fields: ReadonlyMap<string, string>;
}

const head = /\b(\w{2,30}Record)(?: group)? dump:\s*$/;
const field = /^\s*([A-Za-z][\w /]{0,40}?)\.{2,}\s*(\S.{0,200}?)\s*$/;
/** Records of a fabric of thousands of ports. */
const recordLimit = 50_000;

export const saquery = blockFormat({
  id: 'saquery',
  example: 'NodeRecord dump:',
  hints: ['Record dump:', 'Record group dump:'],
  starts: head,
  open: (context) => {
    const records: { type: string; at: Where; fields: Map<string, string> }[] = [];
    let full = false;
    return {
      take(line, number) {
        const begun = head.exec(line);
        if (begun) {
          full = records.length >= recordLimit;
          if (!full) records.push({ type: own(begun[1]!), at: context.at(number), fields: new Map() });
          return true;
        }
        const found = field.exec(line);
        if (!found) return /^\s*(?:RID:?|PortInfo dump:)\s*$/.test(line);
        const fields = records.at(-1)!.fields;
        const name = own(found[1]!);
        if (!full && fields.size < 80 && !fields.has(name)) fields.set(name, own(found[2]!));
        return true;
      },
      close: () => {
        const told = records.filter((r) => r.fields.size > 0);
        return told.length === 0 ? undefined : { kind: 'sa-records', file: context.file, records: told };
      },
    };
  },
});
