import type { Where } from '../../fact/fact.ts';
import { lineFormat } from '../kit/lines.ts';
import { own } from '../own.ts';

/** Who is registered under /sys/kernel/mm/memory_peers (the peer memory clients of ib_core), and who is not. */
export interface PeerClients {
  readonly kind: 'peer-clients';
  readonly file: string;
  readonly clients: readonly { readonly name: string; readonly there: boolean; readonly at: Where }[];
}

export const peerClients = lineFormat<PeerClients['clients'][number]>({
  id: 'memory-peers',
  example: '/sys/kernel/mm/memory_peers/nv_mem/version:1.3',
  hints: ['memory_peers', 'nvidia-peermem', 'nv_mem'],
  limit: 100,
  entry: (line, at) => {
    const found = /memory_peers(?:\/([\w-]{1,40}))?/.exec(line);
    if (found) return { name: own(found[1] ?? ''), there: !/No such file|cannot access/.test(line), at };
    // The listing of the folder: one name a line, or `ls -l`.
    const name = /^(?:d[rwx-]{9}.{1,60})?\s*(nv_mem(?:_nc)?|nvidia-peermem)\/?\s*$/.exec(line);
    return name ? { name: own(name[1]!), there: true, at } : undefined;
  },
  build: (clients, { file }) => ({
    kind: 'peer-clients',
    file,
    clients: clients.filter((c) => c.name !== '' || !c.there),
  }),
});
