import { type Assumption, assume } from '../../src/assemble/assume.ts';
import type { Machine } from '../../src/machine/machine.ts';

/** The machine with assumptions that it must accept. */
export function assuming(machine: Machine, assumptions: readonly Assumption[]): Machine {
  const made = assume(machine, assumptions);
  if (!made.ok) throw new Error(made.error.code);
  return made.value;
}
