import { networkHabits } from '../catalogue/cloud-networks.ts';
import { assumed } from '../fact/fact.ts';
import { editHost } from '../machine/edit.ts';
import type { Gpu, Host, NicPort } from '../machine/host.ts';
import type { Machine } from '../machine/machine.ts';
import { gpusOf } from '../machine/names.ts';
import { isRdma } from '../move/wires.ts';
import { partOf, type Rated, usualRates } from '../physics/usual-rates.ts';
import { type Message, say } from '../words/message.ts';

/**
 * GPUDirect RDMA where no input tells of it, GPUs and network could have it, and a healthy machine would: what a prediction
 * takes for granted, and says.
 */
function withUsualGdr(machine: Machine): Rated {
  const { gdr, peermem, dmabuf } = machine.software;
  const told = gdr !== undefined || peermem?.value === false || dmabuf?.value === false;
  const network = machine.fabric.transport?.value;
  let assumed = false;
  const host = (h: Host): Host => {
    const gpus = gpusOf(h);
    if (!gpus.every((g) => g.gdr ?? partOf(g)?.gdr?.value)) return h;
    const open = (x: { readonly gdr?: boolean }): boolean => x.gdr === undefined;
    let any = false;
    const made = editHost(h, {
      gpu: (g) => (open(g) ? { ...g, gdr: true } : g),
      port: (p) => {
        if (!open(p)) return p;
        any = true;
        return { ...p, gdr: true };
      },
    });
    assumed ||= any;
    return any ? made : h;
  };
  const hosts = told || (network !== undefined && !isRdma(network)) ? machine.hosts : machine.hosts.map(host);
  return assumed ? { machine: { ...machine, hosts }, assumed: [say('usual.gdr')] } : { machine, assumed: [] };
}

/** Assumptions that matter between nodes only. */
export const between: ReadonlySet<string> = new Set(['usual.port', 'usual.port-beside', 'usual.gdr']);

/** Compute capability that stands for GPUs of which no input tells anything. */
const plainSm = 80;

const nameless = (g: Gpu): boolean => g.sm === undefined && partOf(g) === undefined;

function withUsualGpus(machine: Machine): Rated {
  const untold = machine.hosts.some((h) => gpusOf(h).some(nameless));
  if (!untold) return { machine, assumed: [] };
  const gpu = (g: Gpu): Gpu => (nameless(g) ? { ...g, sm: plainSm } : g);
  return {
    machine: { ...machine, hosts: machine.hosts.map((h) => editHost(h, { gpu })) },
    assumed: [say('usual.gpu-unknown')],
  };
}

/** Of what comes with a cloud's network the variables that no input sets, and the plugin's latency. */
function habitsOf(machine: Machine): { readonly set: readonly [string, string][]; readonly latencyUs?: number } {
  const sm = Math.min(...machine.hosts.flatMap((h) => gpusOf(h).map((g) => g.sm ?? partOf(g)?.sm?.value ?? plainSm)));
  const habits = machine.nodes > 1 ? networkHabits(machine.fabric.transport?.value, sm) : undefined;
  const set = Object.entries(habits?.variables ?? {}).filter(([name]) => !machine.software.env.has(name));
  return { set, ...(habits?.latencyUs === undefined ? {} : { latencyUs: habits.latencyUs }) };
}

function habitual(machine: Machine): Machine {
  const { set, latencyUs } = habitsOf(machine);
  if (set.length === 0 && latencyUs === undefined) return machine;
  const port = (p: NicPort): NicPort => (p.latencyUs === undefined && latencyUs ? { ...p, latencyUs } : p);
  const env = new Map([...machine.software.env, ...set.map(([name, value]) => [name, assumed(value)] as const)]);
  return { ...machine, hosts: machine.hosts.map((h) => editHost(h, { port })), software: { ...machine.software, env } };
}

/** Of variables that are assumed the caller's own are none. */
function habitsSaid(told: Machine, asked?: ReadonlyMap<string, string>): Message[] {
  const set = habitsOf(told).set.filter(([name]) => !asked?.has(name));
  if (set.length === 0) return [];
  return [say('usual.habits', { variables: set.map(([name, value]) => `${name}=${value}`).join(' ') })];
}

/** What comes with a cloud's network, where nothing tells that a job did otherwise; `asked` are variables of the caller's. */
export const withHabits = (told: Machine, asked?: ReadonlyMap<string, string>): Rated => ({
  machine: habitual(told),
  assumed: habitsSaid(told, asked),
});

const known = new WeakMap<Machine, Rated>();

/** The machine that a prediction is about: GPUs, rates and GPUDirect RDMA as usual where no input tells them, nor a variable asked for. */
export function asUsual(told: Machine, asked?: ReadonlyMap<string, string>): Rated {
  const { machine, assumed } = usual(told);
  return { machine, assumed: [...assumed, ...habitsSaid(told, asked)] };
}

function usual(told: Machine): Rated {
  const found = known.get(told);
  if (found) return found;
  let made: Rated = { machine: told, assumed: [] };
  for (const step of [usualRates, withUsualGdr, withUsualGpus]) {
    const next = step(made.machine);
    made = { machine: next.machine, assumed: [...made.assumed, ...next.assumed] };
  }
  made = { ...made, machine: habitual(made.machine) };
  known.set(told, made);
  return made;
}
