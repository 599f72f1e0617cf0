import type { Where } from '../../fact/fact.ts';
import { blockFormat } from '../kit/block.ts';
import { notFound } from '../kit/locale.ts';
import { own } from '../own.ts';

/** Who is registered under /sys/kernel/mm/memory_peers (the peer memory clients of ib_core), and who is not. */
export interface PeerClients {
  readonly kind: 'peer-clients';
  readonly file: string;
  readonly clients: readonly { readonly name: string; readonly there: boolean; readonly at: Where }[];
}

const path = /memory_peers(?:\/([\w-]{1,40}))?/;
/** A line of the folder's listing: a name alone, or the row of `ls -l`. A command that ends in such a name is none. */
const row = /^\s*(?:d[rwx-]{9}[.+@]?\s.{1,60}\s)?(nv_mem(?:_nc)?|nvidia-peermem)\/?\s*$/;
/** What `ls -la` prints beside them. */
const beside = /^\s*(?:total \d{1,9}|d[rwx-]{9}[.+@]?\s.{1,60}\s\.{1,2})\s*$/;
const clientLimit = 100;

export const peerClients = blockFormat({
  id: 'memory-peers',
  example: '/sys/kernel/mm/memory_peers/nv_mem/version:1.3',
  hints: ['memory_peers', 'nvidia-peermem', 'nv_mem'],
  starts: new RegExp(
    `(?:[$#%❯] ?)?(?:sudo )?\\b(?:ls|cat|grep|find|head|tree)\\b.{0,80}${path.source}|(?:/sys/kernel/mm/)?${path.source}|${row.source}`,
  ),
  patience: 40,
  open: (context) => {
    const clients: PeerClients['clients'][number][] = [];
    const add = (name: string, there: boolean, number: number): true => {
      // The folder itself says something only where it is missing.
      if ((name !== '' || !there) && clients.length < clientLimit)
        clients.push({ name: own(name), there, at: context.at(number) });
      return true;
    };
    return {
      take(line, number) {
        const found = path.exec(line);
        if (found) return add(found[1] ?? '', !notFound.test(line) && !/cannot access/.test(line), number);
        const name = row.exec(line);
        if (name) return add(name[1]!, true, number);
        return beside.test(line);
      },
      close: () => (clients.length === 0 ? undefined : { kind: 'peer-clients', file: context.file, clients }),
    };
  },
});
