import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { random } from '../../src/base/random.ts';
import { buildProgram } from '../../src/collective/build.ts';
import type { Numbers } from '../../src/collective/expected.ts';
import { checkOutputs, interpret } from '../../src/collective/interpret.ts';
import { algorithmNames, bufferSizes, collectiveNames } from '../../src/collective/kinds.ts';
import { type Program, stepsOf } from '../../src/collective/program.ts';
import { shares } from '../../src/collective/share.ts';
import { taskOf, tuned, waysOf } from '../../src/collective/ways.ts';
import { communicator } from '../../src/nccl/communicator.ts';
import { situationOf } from '../../src/nccl/of-machine.ts';
import { choose } from '../../src/nccl/tuning/choice.ts';
import { render } from '../../src/words/render.ts';
import { system } from '../support/machines.ts';
import { type Case, cases, waysFor } from './random-ways.ts';

function programOf({ task, ways }: Pick<Case, 'task' | 'ways'>): Program {
  const built = buildProgram(task, ways);
  if (!built.ok) throw new Error(render(built.error, 'en'));
  return built.value;
}

/** Small whole numbers (products: 1 or 2): every order of reduction gives the same. */
function inputsFor(program: Program, seed: number, prod = false): Float64Array[] {
  const rng = random(seed);
  const { collective, count } = program.task;
  const { input } = bufferSizes(collective, count, program.ranks);
  return Array.from({ length: program.ranks }, () =>
    Float64Array.from({ length: input }, () => (prod ? 1 + rng.below(2) : rng.below(1000) - 300)),
  );
}

function outcome(c: Case, without?: { worker: number; step: number }, shuffle = false): string | undefined {
  const program = programOf(c);
  const inputs = inputsFor(program, c.seed, c.reduction === 'prod');
  const done = interpret(program, inputs, {
    reduction: c.reduction,
    ...(without ? { without } : {}),
    ...(shuffle ? { order: random(c.seed + 1) } : {}),
  });
  if (!done.ok) return render(done.error, 'en');
  const wrong = checkOutputs(program, inputs, done.value.outputs, c.reduction);
  return wrong && render(wrong, 'en');
}

describe('programs of collectives, on real data', () => {
  it('give every rank what the collective is defined to give', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(cases(), (c) => {
        seen.add(`${c.task.collective} ${c.task.algorithm}`);
        expect(outcome(c)).toBeUndefined();
      }),
      { numRuns: 800 },
    );
    expect(seen.size).toBe(5 + 1 + 3 + 1 + 2 + 4);
  });

  it('do so whoever goes first', () => {
    fc.assert(
      fc.property(cases(), (c) => {
        expect(outcome(c, undefined, true)).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });

  it('are wrong when any one step is left out', () => {
    fc.assert(
      fc.property(cases(), fc.nat(), fc.nat(), (c, w, s) => {
        const program = programOf(c);
        if (program.workers.count === 0) return;
        const worker = w % program.workers.count;
        const steps = stepsOf(program, worker);
        if (steps.length === 0) return;
        const step = s % steps.length;
        // A missing term is not noticed by a maximum, nor a factor that may be 1; sums of small numbers may agree by chance.
        const noticed = { ...c, reduction: 'sum' as const };
        const program2 = programOf(noticed);
        const inputs = inputsFor(program2, c.seed).map((x) => x.map((v, i) => v * 1e6 + i + 1));
        const done = interpret(program2, inputs, { without: { worker, step } });
        expect(done.ok && checkOutputs(program2, inputs, done.value.outputs) === undefined).toBe(false);
      }),
      { numRuns: 600 },
    );
  });

  it('leave every rank with the very same bits, also where sums are rounded', () => {
    fc.assert(
      fc.property(
        cases().filter((c) => c.task.collective === 'all_reduce'),
        (c) => {
          const program = programOf(c);
          const rng = random(c.seed);
          const inputs = Array.from({ length: program.ranks }, () =>
            Float32Array.from({ length: c.task.count }, () => rng.next() - 0.5),
          );
          const done = interpret(program, inputs);
          if (!done.ok) throw new Error(render(done.error, 'en'));
          const first = done.value.outputs[0]!;
          for (const output of done.value.outputs) expect(output.every((x, i) => Object.is(x, first[i]))).toBe(true);
          expect(checkOutputs(program, inputs, done.value.outputs, 'sum', 1e-5)).toBeUndefined();
        },
      ),
      { numRuns: 200 },
    );
  });

  it('send over each connection of a ring what the algorithm is known to send', () => {
    const ways = waysFor(2, 4, 2, 7);
    const sentBy = (collective: 'all_reduce' | 'all_gather' | 'broadcast', count: number): number => {
      const program = programOf({
        ways,
        task: {
          collective,
          algorithm: 'Ring',
          protocol: 'Simple',
          count,
          elementBytes: 4,
          root: 0,
          channels: 2,
          chunkBytes: 4096,
        },
      });
      const done = interpret(program, inputsFor(program, 1));
      if (!done.ok) throw new Error(render(done.error, 'en'));
      return done.value.sent.reduce((a, b) => a + b, 0);
    };
    // 2(n − 1) times the vector for all ranks together; n(n − 1) parts; n − 1 times the vector.
    expect(sentBy('all_reduce', 65536)).toBe(2 * 7 * 65536);
    expect(sentBy('all_gather', 8192)).toBe(8 * 7 * 8192);
    expect(sentBy('broadcast', 65536)).toBe(7 * 65536);
  });

  it('on machines of the catalogue, as NCCL chooses for each size', () => {
    for (const [id, nodes] of [
      ['dgx-h100', 1],
      ['dgx-h100', 2],
      ['dgx-a100-40g', 3],
      ['dgx-1v', 1],
    ] as const) {
      const made = communicator(situationOf(system(id, nodes), 0));
      if (!made.ok) throw new Error(id);
      const c = made.value;
      const ways = waysOf(c);
      for (const collective of ['all_reduce', 'all_gather', 'reduce_scatter', 'broadcast', 'reduce'] as const) {
        const coll = tuned[collective]!;
        for (const vector of [4 * c.ranks, 4096 * c.ranks, 2 ** 18 * 3]) {
          const count = vector / 4 / (collective === 'all_gather' || collective === 'reduce_scatter' ? c.ranks : 1);
          const choice = choose(c.facts, c.launch, c.model[coll], coll, vector)!;
          const task = taskOf(choice, collective, count, 4);
          expect(outcome({ ways, task, reduction: 'sum', seed: 3 })).toBeUndefined();
        }
      }
    }
  });

  it('are refused, with the reason, where there is no such way', () => {
    const ways = waysFor(2, 4, 1, 1);
    const task = { count: 8, elementBytes: 4, root: 0, channels: 1, chunkBytes: 64 } as const;
    let refused = 0;
    for (const collective of collectiveNames) {
      for (const algorithm of algorithmNames) {
        const built = buildProgram({ ...task, collective, algorithm, protocol: 'LL' }, ways);
        if (!built.ok) refused++;
      }
    }
    expect(refused).toBe(9 * 6 - 5 - 1 - 4);
    const bad = [{ root: 8 }, { count: -1 }, { count: 0.5 }, { channels: 0 }, { chunkBytes: Number.NaN }];
    for (const b of bad) {
      const full = { ...task, collective: 'all_reduce', algorithm: 'Ring', protocol: 'LL', ...b } as const;
      expect(buildProgram(full, ways).ok).toBe(false);
    }
  });
});

describe('shares of channels', () => {
  it('cover every element once, in order, and leave no channel that is used too little to do', () => {
    fc.assert(
      fc.property(cases(), fc.integer({ min: 0, max: 2 ** 34 }), (c, count) => {
        const task = { ...c.task, count, channels: c.task.channels * 8 };
        const parts = shares(task, c.ways.ranks);
        let at = 0;
        for (const p of parts) {
          expect(p.offset).toBe(at);
          expect(p.count).toBeGreaterThan(0);
          at += p.count;
        }
        expect(at).toBe(count);
        expect(parts.length).toBeLessThanOrEqual(task.channels);
        const sizes = parts.map((p) => p.count);
        // All but the last alike, and the last no larger.
        expect(new Set(sizes.slice(0, -1)).size).toBeLessThanOrEqual(1);
        if (sizes.length > 1) expect(sizes[sizes.length - 1]!).toBeLessThanOrEqual(sizes[0]!);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the interpreter', () => {
  it('notices a circle in which everyone waits for the other', () => {
    const program = programOf({
      ways: waysFor(1, 3, 1, 5),
      task: {
        collective: 'all_reduce',
        algorithm: 'Ring',
        protocol: 'LL',
        count: 30,
        elementBytes: 4,
        root: 0,
        channels: 1,
        chunkBytes: 64,
      },
    });
    // Without its first send nobody's neighbour ever hears anything.
    const silent: Program = {
      ...program,
      tell: (worker, sink) => {
        const steps = stepsOf(program, worker);
        for (let i = 1; i < steps.length; i++) {
          sink.step(steps.from[i]!, steps.to[i]!, 1, steps.sourceAt[i]!, 2, steps.targetAt[i]!, steps.count[i]!);
        }
      },
    };
    const inputs: Numbers[] = inputsFor(program, 1);
    const done = interpret(silent, inputs);
    expect(!done.ok && done.error.code).toBe('collective.fault.stuck');
  });
});
