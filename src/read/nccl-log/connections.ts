import type { Where } from '../../fact/fact.ts';
import { own } from '../own.ts';
import type { CommState } from './communicators.ts';
import type { Connection, ConnectionEnd } from './types.ts';
import type { Thread } from './who.ts';

/** All ways together. Rings and trees of 1024 ranks have some 6000; an all-to-all among 512 has 262,144, of which the first count. */
const connectionLimit = 60_000;
/** Up to here each communicator has its own ways; communicators that come later share one set, without their number. */
const exactLimit = 20_000;

/** One way while it is counted; the channel numbers are bits, for there are at most 64. */
interface Way {
  readonly text: string;
  readonly line: number;
  readonly host: string;
  count: number;
  low: number;
  high: number;
}

const ways = (): Map<string, Way> => new Map();

/**
 * The channel lines (logs sheet §6): by far most lines of most logs. The text from the connection index on is the key, so a
 * repeated way costs one lookup; it is taken apart once, at the end.
 */
export class Connections {
  dropped = 0;
  #size = 0;
  readonly #byComm = new Map<CommState | undefined, Map<string, Way>>();
  #lastComm: CommState | undefined;
  #last = ways();

  constructor() {
    this.#byComm.set(undefined, this.#last);
  }

  /**
   * Takes `Channel 07/0 : 3[3] -> 4[4] via …`, `Ring 00 : …` and `CollNet 00/0 : …`, whose number begins at `digits`.
   * False when it is no such line (a ring, for one).
   */
  take(line: string, digits: number, end: number, thread: Thread, number: number): boolean {
    let i = digits;
    let channel = 0;
    let code = line.charCodeAt(i);
    while (code >= 48 && code <= 57 && channel < 100_000) {
      channel = channel * 10 + code - 48;
      code = line.charCodeAt(++i);
    }
    if (i === digits || channel > 63) return false;
    const key = end === line.length ? line.slice(i) : line.slice(i, end);
    if (thread.comm !== this.#lastComm) {
      this.#lastComm = thread.comm;
      this.#last = this.#waysOf(thread.comm);
    }
    let way = this.#last.get(key);
    if (way === undefined) {
      if (!key.includes(' via ')) return false;
      if (this.#size >= connectionLimit) {
        this.dropped++;
        return true;
      }
      way = this.#add(key, thread, number);
      if (!way) return false;
    }
    way.count++;
    if (channel < 32) way.low |= 1 << channel;
    else way.high |= 1 << (channel - 32);
    return true;
  }

  /** As `take`, but only for a way that has been seen: the line may be cut. */
  again(line: string, digits: number, thread: Thread, number: number): boolean {
    const map = this.#byComm.get(thread.comm);
    return (
      map?.has(line.slice(digits).replace(/^\d+/, '')) === true && this.take(line, digits, line.length, thread, number)
    );
  }

  #waysOf(comm: CommState | undefined): Map<string, Way> {
    const known = this.#byComm.get(comm);
    if (known) return known;
    if (this.#size > exactLimit) return this.#byComm.get(undefined)!;
    const map = ways();
    this.#byComm.set(comm, map);
    return map;
  }

  #add(key: string, thread: Thread, number: number): Way | undefined {
    // RCCL ends the line with the communicator, which would make each of them another way.
    const plain = key.replace(/ comm 0x[0-9a-f]+.*$/, '').trimEnd();
    let way = this.#last.get(plain);
    if (!way) {
      if (!pattern.test(plain)) return undefined;
      const text = own(plain);
      way = { text, line: number, host: thread.host.name, count: 0, low: 0, high: 0 };
      this.#last.set(text, way);
      this.#size++;
    }
    if (plain !== key) {
      this.#last.set(own(key), way);
      this.#size++;
    }
    return way;
  }

  result(at: (line: number) => Where): Connection[] {
    const list: Connection[] = [];
    const transports = new Map<string, Transport>();
    const channels = new Map<string, number[]>();
    for (const [comm, map] of this.#byComm) {
      for (const [key, way] of map) {
        const parsed = key === way.text ? parseWay(way.text, transports) : undefined;
        if (!parsed) continue;
        const connection = Object.assign(parsed, {
          channels: channelsOf(way, channels),
          count: way.count,
          host: way.host,
          at: at(way.line),
        }) as Mutable<Connection>;
        if (comm) connection.communicator = comm.index;
        list.push(connection);
      }
    }
    this.#byComm.clear();
    return list.sort((a, b) => a.at.line - b.at.line);
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The channel numbers of a way; most ways have the same few sets, which are shared. */
function channelsOf({ low, high }: Way, known: Map<string, number[]>): number[] {
  const key = `${low} ${high}`;
  let channels = known.get(key);
  if (!channels) {
    channels = Array.from({ length: 64 }, (_, i) => i).filter((i) => ((i < 32 ? low : high) >>> (i & 31)) & 1);
    known.set(key, channels);
  }
  return channels;
}

const pattern =
  /^(?:\/(\d{1,15}))?\s*: (\d{1,15})(?:\[([0-9a-fA-F]{1,16})\])?(?: -> (\d{1,15})(?:\[([0-9a-fA-F]{1,16})\])?)? (?:\[(send|receive)\] )?via (.+)$/;

type Parsed = Omit<Connection, 'communicator' | 'channels' | 'count' | 'host' | 'at'>;
type Transport = Omit<Parsed, 'from' | 'to' | 'direction' | 'connIndex'>;

/** Takes apart the text behind the channel number. There are few transports among many ways, so each is read once. */
export function parseWay(text: string, transports: Map<string, Transport>): Parsed | undefined {
  const found = pattern.exec(text);
  if (!found) return undefined;
  const [, conn, from, fromDevice, to, toDevice, side, rest] = found;
  // Bus ids are hexadecimal (`1b000`, `1e0` on a virtual bus 0); device numbers are small decimals.
  const busIds = [fromDevice, toDevice].some(
    (device) => device !== undefined && (/[a-f]/i.test(device) || Number(device) > 63),
  );
  let transport = transports.get(rest!);
  if (!transport) {
    transport = transportOf(rest!);
    transports.set(rest!, transport);
  }
  // Written out, for objects made by spreading take three times the memory and there can be many.
  const { kind, gdr, read, copyEngine, shared, pciMode, method, network, via } = transport;
  const way: Mutable<Parsed> = {
    from: endOf(from!, fromDevice, busIds),
    // CollNet lines name one rank: the other end is the network itself.
    to: to === undefined ? { rank: -1 } : endOf(to, toDevice, busIds),
    direction: (side as 'send' | 'receive' | undefined) ?? 'both',
    kind,
    text: transport.text,
    gdr,
    read,
    copyEngine,
    shared,
    pciMode,
  };
  if (method !== undefined) way.method = method;
  if (network !== undefined) way.network = network;
  if (via !== undefined) way.via = via;
  if (conn !== undefined) way.connIndex = Number(conn);
  return way;
}

function endOf(rank: string, device: string | undefined, busIds: boolean): ConnectionEnd {
  if (device === undefined) return { rank: Number(rank) };
  return busIds ? { rank: Number(rank), busId: device.toLowerCase() } : { rank: Number(rank), device: Number(device) };
}

function transportOf(text: string): Transport {
  const flags = {
    text: own(text),
    gdr: text.includes('/GDRDMA'),
    read: /\/read\b/.test(text),
    copyEngine: /\/CE\b/.test(text),
    shared: /\/Shared\b/.test(text),
    pciMode: text.includes('(PCI)'),
  };
  const net = /^(NET|COLLNET)\/(.+?)\/(\d{1,15})(?:\((\d{1,15})\))?(?=\/|\(|\s|$)/.exec(text);
  if (net) {
    const proxyRank = net[4] === undefined ? {} : { proxyRank: Number(net[4]) };
    return {
      kind: net[1] as 'NET' | 'COLLNET',
      network: { name: net[2]!, dev: Number(net[3]), ...proxyRank },
      ...flags,
    };
  }
  if (text.startsWith('P2P/')) {
    const indirect = /^P2P\/indirect\/(\d{1,15})/.exec(text);
    if (indirect) return { kind: 'P2P', method: 'indirect', via: indirect[1]!, ...flags };
    const method = text
      .slice(4)
      .replace(/(?:\/read|\/CE)+$/, '')
      .trim();
    return { kind: 'P2P', method, ...flags };
  }
  if (text.startsWith('SHM')) return { kind: 'SHM', method: text.slice(4) || 'direct', ...flags };
  if (text.startsWith('direct shared memory')) return { kind: 'SHM', method: 'direct', ...flags };
  return { kind: 'other', ...flags };
}
