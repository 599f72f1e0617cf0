import type { Where } from '../../fact/fact.ts';
import { Bounded, own } from '../own.ts';
import type { Milestone, MnnvlLine, NvlsLine, P2pLine } from './types.ts';
import type { Thread } from './who.ts';

type Counting<T extends { readonly count: number }> = Omit<T, 'count'> & { count: number };
type Reached = Omit<Milestone, 'count' | 'hosts' | 'pxn' | 'gdr'> & {
  count: number;
  readonly hosts: Set<string>;
  pxn?: boolean;
  gdr?: boolean;
};

/** Single lines about NVLink SHARP, multi-node NVLink, peer access and how far the set-up got (logs sheet §6, §9). */
export class Remarks {
  readonly #nvls = new Bounded<Counting<NvlsLine>>(4096);
  readonly #mnnvl = new Bounded<Counting<MnnvlLine>>(4096);
  readonly #p2p = new Bounded<Counting<P2pLine>>(4096);
  readonly #reached = new Map<Milestone['kind'], Reached>();
  readonly #at: (line: number) => Where;

  constructor(at: (line: number) => Where) {
    this.#at = at;
  }

  nvls(message: string, thread: Thread, number: number): boolean {
    if (!message.startsWith('NVLS ')) return false;
    // `NVLS comm 0x… headRank …` and the like name a pointer, so each is another text; one of them a host is enough.
    const found = /^NVLS multicast support is (not )?available on dev (\d{1,15})/.exec(message);
    const key = found ? message : message.replace(/0x[0-9a-f]+|\d{1,15}/g, '#');
    const entry = this.#nvls.take(`${thread.host.name} ${key}`, () => ({
      kind: found ? (found[1] === undefined ? 'available' : 'unavailable') : 'other',
      host: thread.host.name,
      ...(found ? { dev: Number(found[2]) } : {}),
      text: own(message.slice(0, 256)),
      count: 0,
      at: this.#at(number),
    }));
    if (entry) entry.count++;
    return true;
  }

  mnnvl(message: string, thread: Thread, number: number): boolean {
    if (!message.startsWith('MNNVL ')) return false;
    const fabric =
      /^MNNVL busId 0x([0-9a-f]+) fabric UUID ([0-9a-f.]+) cliqueId 0x([0-9a-f]+) state (\d{1,15})(?: healthMask 0x([0-9a-f]+))?/.exec(
        message,
      );
    const clique = /^MNNVL \d{1,15} cliqueId ([0-9a-f]+) cliqueSize (\d{1,15})/.exec(message);
    const entry = this.#mnnvl.take(`${thread.host.name} ${message}`, () => ({
      host: thread.host.name,
      ...(fabric
        ? {
            busId: own(fabric[1]!),
            fabric: own(fabric[2]!),
            cliqueId: own(fabric[3]!),
            state: Number(fabric[4]),
            ...(fabric[5] === undefined ? {} : { healthMask: own(fabric[5]) }),
          }
        : {}),
      ...(clique ? { cliqueId: own(clique[1]!), cliqueSize: Number(clique[2]) } : {}),
      text: own(message.slice(0, 256)),
      count: 0,
      at: this.#at(number),
    }));
    if (entry) entry.count++;
    return true;
  }

  p2p(message: string, thread: Thread, number: number): boolean {
    const kind = p2pKind(message);
    if (!kind) return false;
    const entry = this.#p2p.take(`${thread.host.name} ${message}`, () => ({
      kind,
      host: thread.host.name,
      devices: [...message.matchAll(/(?:dev|GPUs|and) (\d{1,15})(?=\(|\s|\.|,|$)/g)]
        .map(([, dev]) => Number(dev))
        .slice(0, 2),
      text: own(message.slice(0, 256)),
      count: 0,
      at: this.#at(number),
    }));
    if (entry) entry.count++;
    return true;
  }

  milestone(message: string, thread: Thread, number: number): boolean {
    const kind = milestoneKind(message);
    if (!kind) return false;
    let entry = this.#reached.get(kind);
    if (!entry) {
      entry = { kind, hosts: new Set(), count: 0, at: this.#at(number) };
      this.#reached.set(kind, entry);
    }
    entry.count++;
    if (entry.hosts.size < 4096) entry.hosts.add(thread.host.name);
    const use = /use ring PXN (\d) GDR (\d)/.exec(message);
    if (use) {
      entry.pxn = use[1] === '1';
      entry.gdr = use[2] === '1';
    }
    return true;
  }

  result(): { nvls: NvlsLine[]; mnnvl: MnnvlLine[]; p2p: P2pLine[]; milestones: Milestone[] } {
    return {
      nvls: this.#nvls.values(),
      mnnvl: this.#mnnvl.values(),
      p2p: this.#p2p.values(),
      milestones: [...this.#reached.values()].map(({ hosts, ...entry }) => ({ ...entry, hosts: [...hosts] })),
    };
  }
}

function p2pKind(message: string): P2pLine['kind'] | undefined {
  if (message.startsWith('Could not enable P2P')) return 'refused';
  if (message.startsWith('P2P is disabled between')) return 'disabled';
  if (message.startsWith('peer query failed')) return 'query-failed';
  if (message.startsWith('Legacy IPC not supported')) return 'legacy-ipc';
  if (message.startsWith('Check P2P Type')) return 'check';
  return undefined;
}

function milestoneKind(message: string): Milestone['kind'] | undefined {
  if (message.startsWith('Connected all rings')) return 'rings';
  if (message.startsWith('Connected all trees')) return 'trees';
  if (message.startsWith('Connected binomial trees')) return 'binomial-trees';
  if (message.startsWith('Connected NVLS tree')) return 'nvls-tree';
  return /^(?:Connected collnet|rank \d{1,15} Connected CollNet)/.test(message) ? 'collnet' : undefined;
}
