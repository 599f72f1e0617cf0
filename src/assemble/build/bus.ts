/** Deals out bus numbers upwards, into further PCI domains when one is full: deterministic and unique. */
export class BusNumbers {
  private domain: number;
  private bus: number;

  constructor(
    firstDomain: number,
    firstBus: number,
    private readonly domainStep: number,
  ) {
    this.domain = firstDomain;
    this.bus = firstBus;
  }

  /** The next bus, as `domain:bus`. */
  next(): string {
    if (this.bus > 0xff) {
      this.domain += this.domainStep;
      this.bus = 0;
    }
    const text = `${this.domain.toString(16).padStart(4, '0')}:${this.bus.toString(16).padStart(2, '0')}`;
    this.bus++;
    return text;
  }
}

/**
 * Where each NUMA node's buses begin. x86 boards share one domain and split its 256 buses; Grace gives each root port a
 * domain; a node too large for one domain gets one per NUMA node.
 */
export function busLayout(numaCount: number, busesNeeded: number, largestSlotCount: number, perPort: boolean) {
  if (perPort) {
    const stride = Math.max(16, largestSlotCount + 8);
    return (numaIndex: number, slot: number): BusNumbers =>
      new BusNumbers(numaIndex * stride + 8 + slot, 0, numaCount * stride);
  }
  const share = Math.floor(256 / numaCount);
  const shared = busesNeeded < share;
  const domains = Math.floor(busesNeeded / 256) + 1;
  const begin = Array.from({ length: numaCount }, (_, i) =>
    shared ? new BusNumbers(0, i * share + 1, numaCount) : new BusNumbers(i * domains, 1, 1),
  );
  return (numaIndex: number, _slot: number): BusNumbers => begin[numaIndex]!;
}
