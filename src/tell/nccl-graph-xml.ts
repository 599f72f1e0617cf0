import type { Communicator, NodeGraphs } from '../nccl/communicator.ts';
import { pathTypes } from '../nccl/path-type.ts';
import { atLeast } from '../nccl/release.ts';
import { type Graph, pattern } from '../nccl/search/graph.ts';
import type { TopoNode } from '../nccl/system/node.ts';
import { type Message, say } from '../words/message.ts';

/**
 * What NCCL found, as the file that NCCL_GRAPH_FILE makes it read instead of searching (version 1, as src/graph/search.cc of
 * https://github.com/NVIDIA/nccl writes it for NCCL_GRAPH_DUMP_FILE): of the node that rank 0 belongs to. CollNet's graphs are
 * not modelled, so NCCL searches them itself.
 */
export function ncclGraphXml(c: Communicator): string {
  const first = c.perDomain.find((d) => d.ranks.includes(0)) ?? c.perDomain[0]!;
  // Since hosts can share an NVLink domain, numbers are hexadecimal and carry the host in their highest byte.
  const long = atLeast(c.release, '2.20.3');
  const out = ['<graphs version="1">'];
  writeGraph(out, 0, first, first.ring, long);
  writeGraph(out, 1, first, first.tree, long);
  if (first.nvls) writeGraph(out, 3, first, first.nvls, long);
  out.push('</graphs>');
  return `${out.join('\n')}\n`;
}

/** Why NCCL could not read such a file here: every rank reads the same one, which names GPUs by their devices alone. */
export function noGraphFile(c: Communicator): Message | undefined {
  // A rank stops at GPUs that its own group has not.
  if (c.perDomain.length > 1) return say('graph.apart');
  const gpus = c.perDomain[0]!.ground.paths.system.nodes.GPU;
  return new Set(gpus.map((g) => g.pci)).size < gpus.length ? say('graph.shared') : undefined;
}

function writeGraph(out: string[], id: number, { ground }: NodeGraphs, g: Graph, long: boolean): void {
  const { GPU, NET } = ground.paths.system.nodes;
  out.push(
    `  <graph id="${id}" pattern="${g.pattern}" crossnic="${g.crossNic}" nchannels="${g.nChannels}" speedintra="${float(g.bwIntra)}" speedinter="${float(g.bwInter)}" latencyinter="${float(g.latencyInter)}" typeintra="${pathTypes[g.typeIntra]}" typeinter="${pathTypes[g.typeInter]}" samechannels="${g.sameChannels}">`,
  );
  const many = g.pattern === pattern.NVLS ? 1 : GPU.length;
  for (let c = 0; c < g.nChannels; c++) {
    const net = (end: number): void => {
      const node = NET[g.inter[2 * c + end]!];
      if (ground.inter && node) out.push(`      <net dev="${deviceNumber(node, node.net!.dev, long)}"/>`);
    };
    out.push('    <channel>');
    net(0);
    for (let k = 0; k < many; k++) {
      const node = GPU[g.intra[c * GPU.length + k]!]!;
      out.push(`      <gpu dev="${deviceNumber(node, node.gpu!.dev, long)}"/>`);
    }
    net(1);
    out.push('    </channel>');
  }
  out.push('  </graph>');
}

function deviceNumber(node: TopoNode, dev: number, long: boolean): string {
  if (!long) return String(dev);
  const whole = (BigInt(node.host) << 56n) + BigInt(dev);
  return whole === 0n ? '0' : `0x${whole.toString(16)}`;
}

/** As %g prints it. */
const float = (x: number): string => String(Number(x.toPrecision(6)));
