import { type Sourced, sourced } from './sourced.ts';

const pciSig = 'https://pcisig.com/faq';
const gen6Spec = 'https://pcisig.com/pci-express-6.0-specification';

export type PcieGen = 'gen3' | 'gen4' | 'gen5' | 'gen6';

/** One generation of PCI Express. */
export interface PcieGeneration {
  readonly id: PcieGen;
  /** Signalling rate of a lane and direction. */
  readonly rate: Sourced;
  /** Share of the wire's bits that carry data: 128b/130b line code, or the TLP bytes of gen6's 256-byte flit. */
  readonly encoding: Sourced;
  /** sysfs `max_link_speed` and NCCL's `link_speed`. The kernel spells gen3 and gen4 without `PCIe` up to Linux 5.6. */
  readonly speedText: string;
}

export const pcieGenerations: ReadonlyMap<PcieGen, PcieGeneration> = new Map(
  (
    [
      {
        id: 'gen3',
        rate: sourced(8, 'GT/s per lane and direction', pciSig),
        encoding: sourced(128 / 130, 'data bits per bit on the wire', pciSig),
        speedText: '8.0 GT/s PCIe',
      },
      {
        id: 'gen4',
        rate: sourced(16, 'GT/s per lane and direction', pciSig),
        encoding: sourced(128 / 130, 'data bits per bit on the wire', pciSig),
        speedText: '16.0 GT/s PCIe',
      },
      {
        id: 'gen5',
        rate: sourced(32, 'GT/s per lane and direction', pciSig),
        encoding: sourced(128 / 130, 'data bits per bit on the wire', pciSig),
        speedText: '32.0 GT/s PCIe',
      },
      {
        id: 'gen6',
        rate: sourced(64, 'GT/s per lane and direction', gen6Spec),
        encoding: sourced(236 / 256, 'TLP bytes per byte on the wire', gen6Spec),
        speedText: '64.0 GT/s PCIe',
      },
    ] satisfies PcieGeneration[]
  ).map((g) => [g.id, g]),
);

/** Bytes per second and direction that a link of this generation and width carries above the line code (TLP headers still inside). */
export function pcieBytesPerSecond(gen: PcieGen, lanes: number): number {
  const g = pcieGenerations.get(gen)!;
  return ((g.rate.value * 1e9) / 8) * lanes * g.encoding.value;
}

/** Giga-transfers per second named by a speed text (`16 GT/s`, `32.0 GT/s PCIe`); nothing when it names none. */
export function gigatransfers(text: string | undefined): number | undefined {
  const found = /^\s*(\d{1,3}(?:\.\d+)?)\s*GT\/s/.exec(text ?? '');
  return found === null ? undefined : Number(found[1]);
}

/** The generation's number of a `genN` id: gen5 → 5. */
export const genNumber = (gen: PcieGen): number => Number(gen.slice(3));

export const isPcieGen = (text: string): text is PcieGen => pcieGenerations.has(text as PcieGen);
