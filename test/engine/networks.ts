import fc from 'fast-check';

/** A small random network: capacities and, for each flow, the resources it crosses with their factors. */
export interface Network {
  readonly capacity: number[];
  readonly paths: [resource: number, factor: number][][];
}

/** Few distinct capacities and factors, so that ties and equal bottlenecks are common. */
export const networks = (maxResources = 8, maxFlows = 16): fc.Arbitrary<Network> =>
  fc
    .record({
      capacity: fc.array(fc.oneof(fc.constantFrom(1, 2, 10, 12.5), fc.double({ min: 0.1, max: 100, noNaN: true })), {
        minLength: 1,
        maxLength: maxResources,
      }),
      seeds: fc.array(
        fc.uniqueArray(
          fc.tuple(fc.nat(1000), fc.oneof(fc.constantFrom(1, 1, 2, 0.5), fc.double({ min: 0.1, max: 4, noNaN: true }))),
          { minLength: 1, maxLength: 5, selector: ([r]) => r },
        ),
        { minLength: 1, maxLength: maxFlows },
      ),
    })
    .map(({ capacity, seeds }) => ({
      capacity,
      paths: seeds.map((hops) => {
        const path = new Map<number, number>();
        for (const [r, factor] of hops) path.set(r % capacity.length, factor);
        return [...path.entries()];
      }),
    }));
