import { hostFromPci, isGpu } from '../../assemble/from-pci-tree.ts';
import { functionsOf } from '../../machine/pci-tree.ts';
import { ofProbe } from '../../read/nccl-topo-xml.ts';
import { lspciText } from '../../tell/lspci-text.ts';
import { ncclXml } from '../../tell/nccl-xml.ts';
import type { Tree } from './files.ts';
import { readPciTree } from './pci.ts';
import { readRdma } from './rdma.ts';
import { readCpu, readSystem } from './system.ts';

export interface Gathered {
  /** By name of file, in the words of the tools that print the same. */
  readonly texts: Map<string, string>;
  readonly gpus: number;
}

/** What a tree of /sys and /proc tells of its host, as texts that every verb reads. */
export function gather(files: Tree): Gathered {
  const tree = readPciTree(files);
  const rdma = readRdma(files);
  const host = hostFromPci(tree, readCpu(files), rdma.ports);
  const texts = readSystem(files);
  texts.set('lspci.txt', lspciText(tree));
  const functions = [...functionsOf(tree)];
  if (functions.some((f) => isGpu(f) || f.rdma.length > 0)) texts.set('topology.xml', ncclXml(host, ofProbe));
  if (rdma.ibstatus !== '') texts.set('ibstatus.txt', rdma.ibstatus);
  if (rdma.gids !== '') texts.set('show_gids.txt', rdma.gids);
  return { texts, gpus: functions.filter(isGpu).length };
}
