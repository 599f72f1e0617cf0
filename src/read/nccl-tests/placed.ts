import type { NcclTests } from './types.ts';

/** Ranks and where they are, as far as a table's head tells. */
export interface Placed {
  readonly ranks: number;
  readonly hosts: number;
  /** On the host with the most. */
  readonly each: number;
}

/** No run has more; what says so is no number of ranks. */
const believed = 100_000;
const mostOf = (numbers: Iterable<number>): number => {
  let most = 0;
  for (const n of numbers) if (n > most && n <= believed) most = n;
  return most;
};

/** A list of ranks that somebody cut short still has its last rank, and each process says how many GPUs it has. */
export function placed({ ranks, options }: Pick<NcclTests, 'ranks' | 'options'>): Placed {
  const on = new Map<string, { listed: number; device: number; processes: Set<number | undefined> }>();
  for (const { host, device, pid } of ranks) {
    const h = on.get(host) ?? { listed: 0, device: 0, processes: new Set() };
    on.set(host, h);
    h.listed++;
    h.device = Math.max(h.device, device);
    h.processes.add(pid);
  }
  const all = [...on.values()];
  const listed = mostOf(all.map((h) => h.listed));
  const known = Math.max(ranks.length, mostOf(ranks.map((r) => r.rank + 1)));
  const perProcess = (options.nThread ?? 1) * (options.nGpus ?? 1);
  const started = mostOf([all.reduce((sum, h) => sum + h.processes.size * perProcess, 0)]);
  if (known === ranks.length && started <= ranks.length) return { ranks: ranks.length, hosts: on.size, each: listed };
  const each = Math.max(listed, mostOf(all.flatMap((h) => [h.device + 1, h.processes.size * perProcess])));
  const hosts = Math.max(on.size, Math.ceil(known / each));
  return { ranks: Math.max(known, hosts * each), hosts, each };
}
