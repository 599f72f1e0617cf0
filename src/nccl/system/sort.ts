import type { System, TopoNode } from './node.ts';

/** Puts each PCI device's upward link last (ncclTopoSortSystem), so that ways down and NVLinks are tried first. */
export function sortSystem(system: System): void {
  for (const cpu of system.nodes.CPU) {
    const seen = new Set<TopoNode>([cpu]);
    const stack: { node: TopoNode; up: TopoNode | undefined }[] = [{ node: cpu, up: undefined }];
    while (stack.length > 0) {
      const { node, up } = stack.pop()!;
      if (up) {
        const i = node.links.findIndex((l) => l.to === up);
        if (i >= 0) node.links.push(...node.links.splice(i, 1));
      }
      for (const link of node.links) {
        if (link.type !== 'PCI' || link.to === up || seen.has(link.to)) continue;
        seen.add(link.to);
        stack.push({ node: link.to, up: node });
      }
    }
  }
}
