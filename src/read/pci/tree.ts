import { own } from '../own.ts';

/** A bridge and the bus behind it: `03.1-[61]--` on the row of a root `[0000:60]`. */
export interface TreeEdge {
  readonly bridge: string;
  readonly bus: string;
}

/** Reads rows of `lspci -t`: which bus hangs on which bridge. Columns tell the depth, so it keeps the open buses by column. */
export function treeReader() {
  const open: { column: number; bus: string }[] = [];
  return (line: string): TreeEdge[] => {
    const edges: TreeEdge[] = [];
    const token =
      /\[([0-9a-f]{4}):([0-9a-f]{2})(?:-[0-9a-f]{2})?\]|([0-9a-f]{2})\.([0-7])(?:-\[([0-9a-f]{2})(?:-[0-9a-f]{2})?\])?/g;
    let domain = open[0]?.bus.slice(0, 4) ?? '0000';
    for (let found = token.exec(line); found; found = token.exec(line)) {
      const column = found.index;
      while (open.length > 0 && open.at(-1)!.column >= column) open.pop();
      if (found[1] !== undefined) {
        domain = found[1];
        open.length = 0;
        open.push({ column, bus: `${domain}:${found[2]}` });
        continue;
      }
      // A description may hold anything: the first device without a bus behind it ends the row.
      const parent = open.at(-1);
      if (found[5] === undefined || !parent) break;
      const bus = `${parent.bus.slice(0, 4)}:${found[5]}`;
      edges.push({ bridge: own(`${parent.bus}:${found[3]}.${found[4]}`), bus: own(bus) });
      open.push({ column: column + 1, bus });
    }
    return edges;
  };
}
