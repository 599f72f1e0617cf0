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

/** Bytes that a device asks for at once (`lspci -vvv`, DevCtl MaxReadReq): what firmware and Linux leave most devices at. */
export const usualMaxReadRequest = 512;

/**
 * What is left of a link's payload when it is read and written at the same time, both ways together, against twice one way: requests
 * to read travel with the writes, a TLP without payload for each piece asked for.
 */
export function readWriteShare(generation: number): number {
  const requests = (headerBytes + calibration.linkLayerBytes.value) / usualMaxReadRequest;
  const written = 1 / (1 + requests * pciePayloadShare(usualMaxPayload(generation)));
  return (1 + written) / 2;
}

/** What a link carries of payload in one direction; `undefined` where its rate is not known. */
export function pciePayloadRate(link: PcieLink): BytesPerSecond | undefined {
  const raw = pcieRate(link);
  const generation = pcieGeneration(link);
  if (raw === undefined || generation === undefined) return undefined;
  return bytesPerSecond(raw * pciePayloadShare(usualMaxPayload(generation)));
}
