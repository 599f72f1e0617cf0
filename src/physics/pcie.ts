import { type BytesPerSecond, bytesPerSecond } from '../base/units.ts';
import { calibration } from '../catalogue/calibration.ts';
import type { PcieLink } from '../machine/host.ts';
import { pcieGeneration, pcieRate } from './link-rate.ts';

/** A memory write TLP: 4 DW header (64-bit address), 4 bytes of framing with the sequence number, 4 of LCRC (PCIe base spec §2.2, §3.6). */
const headerBytes = 16 + 4 + 4;

/**
 * Largest payload of a TLP that hosts of a generation are found with: 128 bytes on hosts of Gen3 days, 256 since
 * (`lspci -vvv`, DevCtl MaxPayload).
 */
export const usualMaxPayload = (generation: number): number => (generation <= 3 ? 128 : 256);

/** Share of a link's bytes that is payload, for large transfers. */
export function pciePayloadShare(maxPayload: number): number {
  return maxPayload / (maxPayload + headerBytes + calibration.linkLayerBytes.value);
}

/** What a link carries of payload in one direction; `undefined` where its rate is not known. */
export function pciePayloadRate(link: PcieLink): BytesPerSecond | undefined {
  const raw = pcieRate(link);
  const generation = pcieGeneration(link);
  if (raw === undefined || generation === undefined) return undefined;
  return bytesPerSecond(raw * pciePayloadShare(usualMaxPayload(generation)));
}
