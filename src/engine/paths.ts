/**
 * What each flow crosses, as one flat table: flow f crosses `resource[k]` with `factor[k]` for k in `start[f] … start[f + 1] − 1`.
 * A factor is the load a flow puts on the resource per unit of its own rate: 1 on a wire, 2 on host memory that is written and
 * read, 10⁻¹⁰ CPU seconds a byte on a core. Each resource appears at most once per flow; factors are positive.
 */
export interface FlowPaths {
  /** Length flows + 1. */
  readonly start: Int32Array;
  readonly resource: Int32Array;
  readonly factor: Float64Array;
}

/** A table of paths from lists of [resource, factor]: for the few, for tests and examples. */
export function flowPaths(paths: readonly (readonly (readonly [resource: number, factor: number])[])[]): FlowPaths {
  const start = new Int32Array(paths.length + 1);
  paths.forEach((path, f) => {
    start[f + 1] = start[f]! + path.length;
  });
  const hops = paths.flat();
  return {
    start,
    resource: Int32Array.from(hops, (hop) => hop[0]),
    factor: Float64Array.from(hops, (hop) => hop[1]),
  };
}
