import highsModule from 'highs';

/** What is used of HiGHS; its own types describe the CommonJS build, and Node loads the other. */
interface Highs {
  solve(
    problem: string,
    options: Record<string, number>,
  ): { readonly Status: string; readonly Columns: Record<string, { readonly Primal?: number }> };
}
const loadHighs = highsModule as unknown as () => Promise<Highs>;

/**
 * Max-min fair rates by linear programs alone: raise the smallest rate as far as it goes; find the flows that cannot go beyond
 * (each by a program of its own); fix those; repeat. Slow and plain, and nothing of it is shared with the solver.
 */
export async function maxMinByLp(): Promise<(capacity: number[], paths: [number, number][][]) => number[]> {
  const highs = await loadHighs();
  const text = (x: number): string => x.toPrecision(17).replace(/e\+/, 'e');
  return (capacity, paths) => {
    const fixed = new Map<number, number>();
    const solve = (goal: string, floor: (f: number) => string | undefined, level: boolean): Map<string, number> => {
      const lines = ['Maximize', ` obj: ${goal}`, 'Subject To'];
      capacity.forEach((c, r) => {
        const terms = paths.flatMap((path, f) => path.filter(([x]) => x === r).map(([, a]) => `${text(a)} x${f}`));
        if (terms.length > 0) lines.push(` r${r}: ${terms.join(' + ')} <= ${text(c)}`);
      });
      if (level) for (const f of paths.keys()) if (!fixed.has(f)) lines.push(` l${f}: x${f} - t >= 0`);
      lines.push('Bounds');
      paths.forEach((_, f) => {
        const known = fixed.get(f);
        lines.push(known === undefined ? ` x${f} >= ${floor(f) ?? 0}` : ` x${f} = ${text(known)}`);
      });
      lines.push('End');
      const out = highs.solve(lines.join('\n'), {
        primal_feasibility_tolerance: 1e-10,
        dual_feasibility_tolerance: 1e-10,
      });
      if (out.Status !== 'Optimal') throw new Error(`${out.Status}: ${lines.join('\n')}`);
      return new Map(Object.entries(out.Columns).map(([name, { Primal = Number.NaN }]) => [name, Primal]));
    };
    while (fixed.size < paths.length) {
      const t = solve('t', () => undefined, true).get('t')!;
      const slack = 1e-7 * t;
      const stuck = paths.flatMap((_, f) => {
        if (fixed.has(f)) return [];
        const most = solve(`x${f}`, () => text(t * (1 - 1e-11)), false).get(`x${f}`)!;
        return most <= t + slack ? [f] : [];
      });
      if (stuck.length === 0) throw new Error('no flow is stuck');
      for (const f of stuck) fixed.set(f, t * (1 - 1e-12));
    }
    return paths.map((_, f) => fixed.get(f)!);
  };
}
