import type { FlowPaths } from './paths.ts';

/**
 * Leaves out the hops that can never hold a flow: a resource is dominated when every flow that may cross it also crosses one
 * particular other resource which fills no later (in a chain of PCIe link, NIC and cable only the slowest counts). Rates are
 * the same without it, and most of a long path is of this kind.
 */
export function withoutDominated(capacity: Float64Array, paths: FlowPaths): FlowPaths {
  const { start, resource, factor } = paths;
  const flows = start.length - 1;
  const resources = capacity.length;
  const first = new Int32Array(resources + 1);
  for (let k = 0; k < resource.length; k++) first[resource[k]! + 1]!++;
  for (let r = 0; r < resources; r++) first[r + 1]! += first[r]!;
  const at = first.slice(0, resources);
  const crossing = new Int32Array(resource.length);
  for (let f = 0; f < flows; f++) for (let k = start[f]!; k < start[f + 1]!; k++) crossing[at[resource[k]!]!++] = f;

  /** How full the resource is per unit of the flow's rate; −1 when the flow does not cross it. */
  const share = (flow: number, r: number): number => {
    for (let k = start[flow]!; k < start[flow + 1]!; k++) if (resource[k] === r) return factor[k]! / capacity[r]!;
    return -1;
  };
  const isDominated = (r: number): boolean => {
    if (first[r] === first[r + 1]) return false;
    const sample = crossing[first[r]!]!;
    next: for (let k = start[sample]!; k < start[sample + 1]!; k++) {
      const other = resource[k]!;
      if (other === r) continue;
      // Of two that are equal for every flow the first stays.
      let earlier = other < r;
      for (let i = first[r]!; i < first[r + 1]!; i++) {
        const mine = share(crossing[i]!, r);
        const theirs = share(crossing[i]!, other);
        if (!(theirs >= mine)) continue next;
        if (theirs > mine) earlier = true;
      }
      // `other` may serve more flows and be fuller still; equal shares of more flows also come first.
      if (earlier || first[other + 1]! - first[other]! > first[r + 1]! - first[r]!) return true;
    }
    return false;
  };

  const out = new Uint8Array(resources);
  let any = false;
  for (let r = 0; r < resources; r++) {
    if (!isDominated(r)) continue;
    out[r] = 1;
    any = true;
  }
  if (!any) return paths;
  const keptStart = new Int32Array(flows + 1);
  for (let f = 0; f < flows; f++) {
    let n = keptStart[f]!;
    for (let k = start[f]!; k < start[f + 1]!; k++) if (out[resource[k]!] === 0) n++;
    keptStart[f + 1] = n;
  }
  const keptResource = new Int32Array(keptStart[flows]!);
  const keptFactor = new Float64Array(keptStart[flows]!);
  let n = 0;
  for (let k = 0; k < resource.length; k++) {
    if (out[resource[k]!] === 1) continue;
    keptResource[n] = resource[k]!;
    keptFactor[n++] = factor[k]!;
  }
  return { start: keptStart, resource: keptResource, factor: keptFactor };
}
