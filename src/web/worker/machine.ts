import { assume, parseAssumption } from '../../assemble/assume.ts';
import type { Machine } from '../../machine/machine.ts';
import type { Ask } from '../../nccl/of-machine.ts';
import { releaseCode } from '../../nccl/release.ts';
import { say } from '../../words/message.ts';
import type { View } from '../protocol.ts';
import { NoAnswer } from './no-answer.ts';

/** The release and variables that a view asks for. */
export function askOf(view: View): Ask {
  if (view.nccl !== undefined && releaseCode(view.nccl) === undefined)
    throw new NoAnswer(say('cli.nccl', { text: view.nccl }));
  return { ...(view.nccl === undefined ? {} : { nccl: view.nccl }), env: new Map(view.env) };
}

/** Machines by what is assumed of them: decisions about a machine are kept with it, so a switch flipped back costs nothing. */
export class Views {
  readonly #made = new Map<string, Machine>();

  constructor(private readonly base: Machine) {}

  of(view: View): Machine {
    const key = JSON.stringify([view.assume, view.nodes]);
    const known = this.#made.get(key);
    if (known) return known;
    const wide = view.nodes === undefined ? this.base : { ...this.base, nodes: view.nodes };
    const assumptions = view.assume.map((text) => {
      const parsed = parseAssumption(text);
      if (!parsed.ok) throw new NoAnswer(parsed.error);
      return parsed.value;
    });
    const made = assume(wide, assumptions);
    if (!made.ok) throw new NoAnswer(made.error);
    if (this.#made.size >= most) this.#made.delete(this.#made.keys().next().value!);
    this.#made.set(key, made.value);
    return made.value;
  }

  /** As `of`, where a question needs a machine with a topology. */
  whole(view: View): Machine {
    const machine = this.of(view);
    if (machine.hosts.length === 0) throw new NoAnswer(say('assemble.no-topology'));
    return machine;
  }
}

const most = 32;
