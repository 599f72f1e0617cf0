import { hybridCubeMesh } from '../../catalogue/cube-mesh.ts';
import type { GpuPart } from '../../catalogue/gpus.ts';
import type { NodeParts } from '../../catalogue/node.ts';
import type { Where } from '../../fact/fact.ts';
import type { NvLink } from '../../machine/host.ts';

/** The other end of a link to an NVSwitch fabric, as NCCL writes it when the switch itself is invisible. */
export const invisibleSwitch = 'fffffff:ff:ff.0';
const switchClass = '0x068000';

/** How many NVLinks join GPU a and GPU b of a described node (not counting those to a switch). */
export function linksBetween(parts: NodeParts, gpu: GpuPart, a: number, b: number): number {
  const links = gpu.nvlink?.links.value ?? 0;
  if (a === b || links === 0) return 0;
  switch (parts.link) {
    case 'nvlink-hybrid-cube-mesh':
      return hybridCubeMesh[a]?.[b] ?? 0;
    case 'nvlink-all-to-all':
      return parts.nvlinksPerPair ?? Math.floor(links / Math.max(1, parts.gpus - 1));
    case 'nvlink-pairs':
      return (a ^ 1) === b ? (parts.nvlinksPerPair ?? links) : 0;
    default:
      return 0;
  }
}

/** The NVLinks of GPU `dev`; `busIds` are those of all GPUs of the node, by device number. */
export function nvlinksOf(
  parts: NodeParts,
  gpu: GpuPart,
  dev: number,
  busIds: readonly string[],
  at: readonly Where[],
): NvLink[] {
  if (parts.link === 'nvswitch') {
    const count = gpu.nvlink?.links.value ?? 0;
    return count === 0 ? [] : [{ target: invisibleSwitch, to: 'nvswitch', count, targetClass: switchClass, at }];
  }
  const links: NvLink[] = [];
  busIds.forEach((target, other) => {
    const count = linksBetween(parts, gpu, dev, other);
    if (count > 0) links.push({ target, to: 'gpu', count, targetClass: gpu.classCode, at });
  });
  return links;
}
