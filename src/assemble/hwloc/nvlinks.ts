import { nvlinkGenerations } from '../../catalogue/nvlink.ts';
import type { NvLink } from '../../machine/host.ts';
import type { HwlocXml } from '../../read/pci/hwloc-xml.ts';
import type { XmlElement } from '../../read/xml.ts';

/** What a link leads to, by hwloc's name of the object (`OSDev:802`, `PCIDev:461`, `Package:3`). */
export type EndOf = (object: string) => { readonly to: NvLink['to']; readonly busId?: string } | undefined;

/** Objects of the largest matrix that is read: sixteen GPUs and twelve NVSwitches are 28. */
const most = 1024;

/**
 * The matrix of NVLink bandwidth that hwloc keeps beside its tree, MB/s from each GPU to GPUs, NVSwitches and CPUs: links by the address of
 * the GPU they leave. Undefined where there is none, or where it is cut.
 */
export function nvlinksOf(
  document: HwlocXml,
  endOf: EndOf,
  perLink: (busId: string) => number | undefined,
): ReadonlyMap<string, NvLink[]> | undefined {
  const matrix = document.root.children.find(
    (c) => /^distances2/.test(c.name) && c.attributes.get('name') === 'NVLinkBandwidth',
  );
  if (!matrix) return undefined;
  const objects = objectsOf(matrix);
  const values = listOf(matrix, 'u64values').map(Number);
  const n = objects.length;
  if (n === 0 || n > most || values.length !== n * n) return undefined;
  const at = [{ file: document.file, line: matrix.line }];
  const links = new Map<string, NvLink[]>();
  objects.forEach((object, i) => {
    const from = endOf(object);
    if (from?.to !== 'gpu' || from.busId === undefined) return;
    const own: NvLink[] = [];
    let switched = 0;
    objects.forEach((other, j) => {
      const rate = values[i * n + j]!;
      const end = i === j || !(rate > 0) ? undefined : endOf(other);
      const count = end && countOf(rate, perLink(from.busId!));
      if (!end || !count) return;
      if (end.to === 'nvswitch') switched += count;
      else if (end.to === 'gpu') own.push({ target: end.busId!, to: 'gpu', count, targetClass: '0x030200', at });
      else own.push({ to: 'cpu', count, targetClass: '0x068001', at });
    });
    // NCCL takes all switches for one.
    if (switched > 0)
      own.push({ target: 'fffffff:ff:ff.0', to: 'nvswitch', count: switched, targetClass: '0x068000', at });
    links.set(from.busId, own);
  });
  return links;
}

/** Of objects of several types each is named with its own; of one type the matrix names it, and `indexing` what their numbers are. */
function objectsOf(matrix: XmlElement): string[] {
  const type = matrix.attributes.get('type');
  const listed = listOf(matrix, 'indexes');
  if (type === undefined) return listed;
  return matrix.attributes.get('indexing') === 'gp' ? listed.map((number) => `${type}:${number}`) : [];
}

const listOf = (matrix: XmlElement, name: string): string[] =>
  matrix.children.filter((c) => c.name === name).flatMap((c) => (c.text ?? '').split(/\s+/).filter(Boolean));

/** Links of so many MB/s: by the GPU's own, else by the slowest generation that goes into it. */
function countOf(rate: number, gbps: number | undefined): number {
  if (gbps !== undefined) return Math.max(1, Math.round(rate / (gbps * 1000)));
  const fits = nvlinkGenerations.map((g) => rate / (g.perLink.value * 1000)).find((links) => Number.isInteger(links));
  return fits ?? 0;
}
