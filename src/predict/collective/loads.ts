/** A wire that channels share: what it is, and between which devices. */
export interface Wire {
  readonly kind: 'nvlink' | 'pcie' | 'socket' | 'port';
  /** `gpu0–nvswitch`, `nic0`. */
  readonly of: string;
}

/**
 * What shared wires carry: each user adds its load, and the rate of one unit of load is what the most crowded wire leaves.
 */
export class Loads {
  private readonly wires = new Map<string, { readonly wire: Wire; readonly capacity: number; load: number }>();

  /** `capacity` in GB/s, one direction; `key` tells directions and hosts apart. */
  add(key: string, wire: Wire, capacity: number): void {
    const known = this.wires.get(key);
    if (known) known.load += 1;
    else this.wires.set(key, { wire, capacity, load: 1 });
  }

  /** GB/s that every unit of load gets where all take the same share; unbounded when nothing was added. */
  get share(): number {
    let least = Number.POSITIVE_INFINITY;
    for (const { capacity, load } of this.wires.values()) least = Math.min(least, capacity / load);
    return least;
  }

  /** The wire that sets the share. */
  get tightest(): Wire | undefined {
    let found: Wire | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const { wire, capacity, load } of this.wires.values()) {
      if (capacity / load < least) {
        least = capacity / load;
        found = wire;
      }
    }
    return found;
  }
}
