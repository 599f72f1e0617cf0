import type { AcsControl, Lspci, PciDevice } from '../read/pci/types.ts';
import { isGpu, isRdmaNic } from './facts.ts';

/** A bridge with ACS control bits, and what hangs below it as far as the inputs show. */
export interface AcsBridge {
  readonly address: string;
  readonly acs: AcsControl;
  /** `unknown`: nothing shows what is below. */
  readonly carries: 'gpu-or-nic' | 'other' | 'unknown';
}

const busOf = (address: string): string => address.slice(0, address.lastIndexOf(':'));
const number = (bus: string): number => Number.parseInt(bus.slice(bus.lastIndexOf(':') + 1), 16);

export function bridgesOf(documents: readonly Lspci[]): readonly AcsBridge[] {
  const devices = documents.flatMap((d) => d.devices);
  const byBus = new Map<string, PciDevice[]>();
  for (const d of devices) {
    const bus = busOf(d.address);
    const known = byBus.get(bus);
    if (known) known.push(d);
    else byBus.set(bus, [d]);
  }
  const { behind, sure } = busesBehind(documents, devices, byBus);
  const cards = devices.some((d) => isGpu(d) || isRdmaNic(d));
  return devices
    .filter((d) => d.acs)
    .map((d) => {
      // On an end device the bits rule what passes between its own functions.
      if (!/bridge/i.test(d.className) || isBmc(d))
        return { address: d.address, acs: d.acs!, carries: 'other' as const };
      const buses = behind.get(d.address);
      const below = (buses ?? []).flatMap((b) => byBus.get(b) ?? []);
      const matters = below.some((b) => isGpu(b) || isRdmaNic(b));
      // Only end devices show that a bridge carries something else: bridges alone leave it open.
      const seen = below.some((b) => !/bridge/i.test(b.className) || isNvSwitch(b));
      // Where the buses are told and all cards hang elsewhere, what is below needs no name.
      const elsewhere = sure && cards && buses !== undefined;
      return {
        address: d.address,
        acs: d.acs!,
        carries: matters ? 'gpu-or-nic' : seen || elsewhere ? 'other' : 'unknown',
      };
    });
}

/** The bridge inside a board management controller. */
const isBmc = (d: PciDevice): boolean => /ASPEED|AST1150/.test(d.name);

/** NVSwitch shows itself as a bridge of NVIDIA without buses behind it; only its management goes over PCIe. */
const isNvSwitch = (d: PciDevice): boolean => /^Bridge/.test(d.className) && /NVIDIA/.test(d.name);

/** All buses below each bridge: as the verbose form says, as the tree draws, else by the order in which firmware numbers them. */
function busesBehind(
  documents: readonly Lspci[],
  devices: readonly PciDevice[],
  byBus: ReadonlyMap<string, readonly PciDevice[]>,
): { readonly behind: ReadonlyMap<string, readonly string[]>; readonly sure: boolean } {
  const behind = new Map<string, string[]>();
  const drawn = new Map<string, string[]>();
  for (const edge of documents.flatMap((d) => d.tree)) {
    drawn.set(edge.bridge, [...(drawn.get(edge.bridge) ?? []), edge.bus]);
  }
  const bridgesOn = new Map<string, string[]>();
  for (const bridge of drawn.keys()) {
    const bus = busOf(bridge);
    bridgesOn.set(bus, [...(bridgesOn.get(bus) ?? []), bridge]);
  }
  for (const bridge of drawn.keys()) {
    const found: string[] = [];
    const queue = [...drawn.get(bridge)!];
    while (queue.length > 0 && found.length < 512) {
      const bus = queue.shift()!;
      if (found.includes(bus)) continue;
      found.push(bus);
      for (const below of bridgesOn.get(bus) ?? []) queue.push(...drawn.get(below)!);
    }
    behind.set(bridge, found);
  }
  const domains = new Map<string, { bus: string; n: number }[]>();
  for (const bus of byBus.keys()) {
    const domain = bus.slice(0, bus.indexOf(':') + 1);
    const known = domains.get(domain);
    if (known) known.push({ bus, n: number(bus) });
    else domains.set(domain, [{ bus, n: number(bus) }]);
  }
  for (const d of devices) {
    if (!d.below || behind.has(d.address)) continue;
    const { from, to } = d.below;
    const buses = domains.get(d.address.slice(0, d.address.indexOf(':') + 1)) ?? [];
    behind.set(
      d.address,
      buses.filter(({ n }) => n >= from && n <= to).map(({ bus }) => bus),
    );
  }
  if (behind.size > 0) return { behind, sure: true };
  guess(devices, byBus, behind);
  return { behind, sure: false };
}

/**
 * Buses are numbered depth first, in the order of the bridges: with neither tree nor bus numbers at hand, a bridge gets the
 * next bus that has devices, and the bridges there go before its neighbours.
 */
function guess(
  devices: readonly PciDevice[],
  byBus: ReadonlyMap<string, readonly PciDevice[]>,
  behind: Map<string, string[]>,
): void {
  const bridges = devices
    .filter((d) => /^PCI bridge/.test(d.className))
    .sort((a, b) => (a.address < b.address ? -1 : 1));
  const buses = [...byBus.keys()].sort();
  const taken = new Set<string>();
  const roots = buses.filter((bus) => bridges.some((b) => busOf(b.address) === bus));
  for (const root of roots) {
    if (taken.has(root)) continue;
    taken.add(root);
    const path: string[] = [];
    const queue = bridges.filter((b) => busOf(b.address) === root).map((b) => ({ bridge: b, depth: 0 }));
    while (queue.length > 0) {
      const { bridge, depth } = queue.shift()!;
      path.length = depth;
      const domain = bridge.address.slice(0, bridge.address.indexOf(':') + 1);
      const own = number(busOf(bridge.address));
      const next = buses.find((b) => !taken.has(b) && b.startsWith(domain) && number(b) > own);
      if (next === undefined) continue;
      taken.add(next);
      path.push(bridge.address);
      for (const above of path) behind.set(above, [...(behind.get(above) ?? []), next]);
      queue.unshift(...bridges.filter((b) => busOf(b.address) === next).map((b) => ({ bridge: b, depth: depth + 1 })));
    }
  }
}
