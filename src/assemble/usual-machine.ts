import { type GpuPart, gpuByProduct, gpus } from '../catalogue/gpus.ts';
import { type SystemEntry, systems } from '../catalogue/systems.ts';
import type { Fact, Where } from '../fact/fact.ts';
import type { Machine } from '../machine/machine.ts';
import type { Document } from '../read/documents.ts';
import { placed } from '../read/nccl-tests/placed.ts';
import { say } from '../words/message.ts';
import { buildMachine } from './build/machine.ts';

/**
 * The machine that a table of nccl-tests was most likely made on, where no input shows one: the system of the catalogue with the
 * GPUs that its head names, as many of them on each host as ranks. `machine` keeps what other inputs tell (variables, NCCL's
 * release). Undefined where a topology is at hand, or no table names GPUs that a system has.
 */
export function usualMachine(machine: Machine, documents: readonly Document[]): Machine | undefined {
  if (machine.hosts.length > 0) return undefined;
  const table = documents.flatMap((d) => (d.kind === 'nccl-tests' ? [d] : [])).find((d) => d.ranks.length > 0);
  const first = table?.ranks[0];
  const part = first && gpuByProduct(first.product);
  if (!table || !first || !part) return undefined;
  const { hosts, each } = placed(table);
  const system = systemWith(part, each);
  if (!system) return undefined;
  const at: Where[] = [first.at];
  const inferred = <T>(value: T): Fact<T> => ({ value, at, by: 'inferred' });
  const made = buildMachine({
    node: { kind: 'system', system: system.id, at: first.at },
    nodes: inferred(hosts),
    ...(each < system.parts.gpus ? { gpusPerNode: inferred(each) } : {}),
    network: {},
    software: { env: new Map() },
  });
  const note = { message: say('usual.system', { system: system.name, id: system.id }), at };
  return {
    ...made,
    fabric: { ...made.fabric, ...machine.fabric },
    nodes: Math.max(made.nodes, machine.nodes),
    software: { ...made.software, ...machine.software },
    conflicts: machine.conflicts,
    notes: [...machine.notes.filter((n) => n.message.code !== 'assemble.no-topology'), ...made.notes, note],
  };
}

/** With the GPU itself, else with one of its generation and as many NVLinks; as many as are used, else the least that are enough. */
function systemWith(part: GpuPart, each: number): SystemEntry | undefined {
  const enough = [...systems.values()].filter((s) => s.parts.gpus >= each);
  const alike = (s: SystemEntry): boolean => {
    const its = gpus.get(s.parts.gpu);
    return its?.sm?.value === part.sm?.value && its?.nvlink?.links.value === part.nvlink?.links.value;
  };
  const own = enough.filter((s) => s.parts.gpu === part.id);
  const fit = own.length > 0 ? own : enough.filter(alike);
  return fit.sort((a, b) => a.parts.gpus - b.parts.gpus)[0];
}
