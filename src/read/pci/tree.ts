import { own } from '../own.ts';

/** A bridge and the bus behind it: `03.1-[61]--` on the row of a root `[0000:60]`. */
export interface TreeEdge {
  readonly bridge: string;
  readonly bus: string;
}

/** The device at the end of a row, as far as it is written: `-t` alone leaves numbers. */
export interface TreeLeaf {
  readonly address: string;
  readonly name?: string;
  /** `10de:2330`, from `-tnn`. */
  readonly ids?: string;
}

/** What one row adds. */
export interface TreeRow {
  readonly root?: string;
  readonly edges: readonly TreeEdge[];
  readonly leaf?: TreeLeaf;
}

/** Reads rows of `lspci -t`: which bus hangs on which bridge, and what is at its end. Columns tell the depth, so it keeps the open buses by column. */
export function treeReader() {
  const open: { column: number; bus: string }[] = [];
  return (line: string): TreeRow => {
    const edges: TreeEdge[] = [];
    // A bridge at the end of a row may be described as well; only what stands before a description is the tree.
    const drawn = line.replace(/([0-9a-f\]-]) {2}\S.*$/, '$1');
    let root: string | undefined;
    let leaf: TreeLeaf | undefined;
    const token =
      /\[([0-9a-f]{4,8}):([0-9a-f]{2})(?:-[0-9a-f]{2})?\]|([0-9a-f]{2})\.([0-7])(?:-\[([0-9a-f]{2})(?:-[0-9a-f]{2})?\])?/g;
    for (let found = token.exec(drawn); found; found = token.exec(drawn)) {
      const column = found.index;
      while (open.length > 0 && open.at(-1)!.column >= column) open.pop();
      if (found[1] !== undefined) {
        root = own(`${found[1]}:${found[2]}`);
        open.length = 0;
        open.push({ column, bus: root });
        continue;
      }
      const parent = open.at(-1);
      if (!parent) break;
      const address = own(`${parent.bus}:${found[3]}.${found[4]}`);
      // A description may hold anything: the first device without a bus behind it ends the row.
      if (found[5] === undefined) {
        leaf = { address, ...described(line.slice(token.lastIndex)) };
        break;
      }
      const bus = `${parent.bus.slice(0, parent.bus.lastIndexOf(':'))}:${found[5]}`;
      edges.push({ bridge: address, bus: own(bus) });
      open.push({ column: column + 1, bus });
    }
    return { ...(root === undefined ? {} : { root }), edges, ...(leaf ? { leaf } : {}) };
  };
}

/** `  NVIDIA Corporation GH100 [H100 SXM5 80GB] [10de:2330]` */
function described(text: string): { name?: string; ids?: string } {
  const found = /^ {1,4}(\S.{0,200}?)(?: \[([0-9a-f]{4}:[0-9a-f]{4})\])?\s*$/.exec(text);
  if (!found) return {};
  return { name: own(found[1]!), ...(found[2] === undefined ? {} : { ids: own(found[2]) }) };
}
