import { nearest } from '../base/nearest.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { assumed } from '../fact/fact.ts';
import { editHost } from '../machine/edit.ts';
import type { Machine, Software } from '../machine/machine.ts';
import { type Message, say } from '../words/message.ts';

/** `--assume FACT=VALUE`: a fact the inputs lack or get wrong. */
export interface Assumption {
  readonly fact: 'gdr' | 'p2p' | 'acs' | 'iommu' | 'peermem' | 'dmabuf';
  readonly on: boolean;
}

const facts = ['gdr', 'p2p', 'acs', 'iommu', 'peermem', 'dmabuf'] as const;
const on = new Set(['on', 'yes', 'true', '1']);
const off = new Set(['off', 'no', 'false', '0']);

export function parseAssumption(text: string): Result<Assumption, Message> {
  const i = text.indexOf('=');
  const name = i < 0 ? text : text.slice(0, i);
  const value = i < 0 ? '' : text.slice(i + 1).toLowerCase();
  const fact = facts.find((f) => f === name);
  if (fact === undefined) {
    const near = nearest(name, facts);
    return fail(
      say(near ? 'assemble.assume.unknown-near' : 'assemble.assume.unknown', {
        name,
        near: near ?? '',
        known: facts.join(', '),
      }),
    );
  }
  if (on.has(value)) return ok({ fact, on: true });
  if (off.has(value)) return ok({ fact, on: false });
  return fail(say('assemble.assume.value', { fact, value }));
}

/** The machine with the assumptions in force; each stays marked as assumed. */
export function assume(machine: Machine, assumptions: readonly Assumption[]): Machine {
  let m = machine;
  for (const a of assumptions) {
    const value = assumed(a.on);
    switch (a.fact) {
      case 'gdr':
        m = {
          ...m,
          software: { ...m.software, gdr: value },
          hosts: m.hosts.map((h) =>
            editHost(h, { gpu: (g) => ({ ...g, gdr: a.on }), port: (p) => ({ ...p, gdr: a.on }) }),
          ),
        };
        break;
      case 'p2p':
        m = { ...m, software: { ...m.software, p2pStatus: value } };
        break;
      default:
        m = { ...m, software: { ...m.software, [a.fact]: value } satisfies Software };
    }
  }
  return m;
}
