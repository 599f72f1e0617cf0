import type { HopKind, Wires } from '../../collective/clock/wires.ts';
import type { LinkType } from '../../nccl/system/node.ts';

/** For how long a byte to every peer keeps a wire busy, by the ways whose messages cross it: µs. */
export type WireLoad = Readonly<Record<HopKind, number>>;

export interface Traffic {
  /** The wires that can be the most crowded one, whichever way is the slower. */
  readonly loads: readonly WireLoad[];
  /** Ways that messages take. */
  readonly kinds: ReadonlySet<HopKind>;
  /** Parts of messages that the busiest channel of a rank has to send, or to receive. */
  readonly most: number;
}

const all = ['nvlink', 'pci', 'shm', 'net'] as const;

/** Messages of equal size, laid onto links. */
export class Laid {
  private readonly load = new Map<number, Record<HopKind, number>>();
  private readonly kinds = new Set<HopKind>();

  constructor(private readonly wires: Wires) {}

  /**
   * A message from rank to rank, for many alike: on the links of the sending host `atSender` of them, on the other's `atReceiver`.
   * `channels`: those that its parts take, of all whom it stands for.
   */
  add(from: number, to: number, channels: readonly number[], atSender: number, atReceiver: number): void {
    const on = new Map<number, number>();
    for (const channel of channels) on.set(channel, (on.get(channel) ?? 0) + 1 / channels.length);
    for (const [channel, part] of on) {
      const { kind, links, into } = this.wires.way(from, to, channel, 'Direct');
      this.kinds.add(kind);
      links.forEach((link, k) => {
        const load = this.load.get(link) ?? { nvlink: 0, pci: 0, shm: 0, net: 0 };
        load[kind] += part * (into !== undefined && k >= into ? atReceiver : atSender);
        this.load.set(link, load);
      });
    }
  }

  /** `shares`: of the links' rates, what they carry. */
  traffic(shares: Readonly<Partial<Record<LinkType, number>>>, most: number): Traffic {
    const { links, type } = this.wires;
    const loads: WireLoad[] = [];
    for (const [link, load] of this.load) {
      const carried = (links[link]!.rate * (shares[type[link]!] ?? 1)) / 1e6;
      const busy = { nvlink: 0, pci: 0, shm: 0, net: 0 };
      for (const kind of all) busy[kind] = load[kind] / carried;
      if (loads.some((other) => covers(other, busy))) continue;
      const kept = loads.filter((other) => !covers(busy, other));
      loads.splice(0, loads.length, ...kept, busy);
    }
    return { loads, kinds: this.kinds, most };
  }
}

/** Never less busy; sums of the same loads in another order count as equal. */
const covers = (a: WireLoad, b: WireLoad): boolean => all.every((kind) => a[kind] >= b[kind] * (1 - 1e-9));
