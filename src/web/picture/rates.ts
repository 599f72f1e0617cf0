import type { PictureBox } from '../../tell/picture/model.ts';

/** GB/s of a lane and direction by PCIe generation, line code taken off; only for how thick a line is. */
const lane = [0, 0.25, 0.5, 0.985, 1.969, 3.938, 7.563];

/** GB/s of the link above a box, as far as its text tells. */
export function rateOf(box: PictureBox): number | undefined {
  const found = /PCIe (\d)\.\d ×(\d+)/.exec(box.link ?? '');
  return found ? (lane[Number(found[1])] ?? 0) * Number(found[2]) : undefined;
}

/** Pixels for a rate: thicker with the root, so that 4 and 64 GB/s can stand in one picture. */
export const thickness = (gbps: number | undefined): number =>
  gbps === undefined ? 1 : Math.max(1, Math.min(9, Math.sqrt(gbps)));
