import { type Assumption, assume } from '../assemble/assume.ts';
import type { Finding } from '../doctor/finding.ts';
import { assumed } from '../fact/fact.ts';
import type { Machine } from '../machine/machine.ts';
import { type Ask, overSockets } from '../nccl/of-machine.ts';
import { type Message, say } from '../words/message.ts';
import { answerPredict } from './predict.ts';

interface Side {
  readonly machine: Machine;
  readonly ask: Ask;
}

/** The machine as the finding says it is, and as it is without it. */
interface Sides {
  readonly sick: Side;
  readonly well: Side;
}

const bytes = 2 ** 30;

/** What AllReduce of 1 GiB loses by a finding, by the same prediction as `predict`; nothing where the finding is no change that it knows. */
export function allReduceCost(machine: Machine, ask: Ask, finding: Finding): Message | undefined {
  const sides = sidesOf(machine, ask, finding);
  if (!sides || machine.hosts.length === 0) return undefined;
  const sick = time(sides.sick);
  const well = sick && time(sides.well);
  if (!sick || !well || sick.ranks < 2 || sick.us < 1.02 * well.us) return undefined;
  const { nodes } = sides.sick.machine;
  const data = {
    ranks: sick.ranks,
    nodes,
    sick: (sick.us / 1000).toPrecision(3),
    well: (well.us / 1000).toPrecision(3),
    share: Math.round(100 * (1 - well.us / sick.us)),
  };
  return nodes > 1 ? say('doctor.cost.all-reduce', data) : say('doctor.cost.all-reduce-node', data);
}

function time({ machine, ask }: Side): { readonly us: number; readonly ranks: number } | undefined {
  const made = answerPredict(machine, ask, { name: 'all_reduce', datatype: 'float', sizes: [bytes] });
  const row = made.ok ? made.value.rows[0] : undefined;
  return made.ok && row && row.timeUs > 0 ? { us: row.timeUs, ranks: made.value.ground.ranks } : undefined;
}

const onSockets = new Set(['tcp', 'ipoib']);

function sidesOf(described: Machine, ask: Ask, finding: Finding): Sides | undefined {
  const machine = { ...described, nodes: Math.max(2, described.nodes) };
  switch (finding.id) {
    case 'gdr-asymmetric-between-nodes':
    case 'gdr-disabled-in-topo':
    case 'gdr-disabled-nccl-too-old-for-peermem':
    case 'gdr-disabled-peermem-loaded':
    case 'gdr-disabled-peermem-missing':
    case 'peermem-symbol-mismatch-ofed':
      return bySwitch(machine, ask, 'gdr');
    case 'efa-device-not-exposed':
    case 'efa-plugin-no-provider':
    case 'ipoib-used-instead-of-verbs':
    case 'rdma-device-not-in-container':
    case 'rdma-drivers-not-loaded':
    case 'sockets-fallback-no-libibverbs': {
      const { transport } = machine.fabric;
      const verbs = transport && !onSockets.has(transport.value) ? transport : assumed('infiniband' as const);
      const well = { ...machine, fabric: { ...machine.fabric, transport: verbs } };
      return { sick: { machine: overSockets(machine), ask }, well: { machine: well, ask } };
    }
    case 'slow-nic-in-nccl-set':
      return {
        sick: { machine, ask },
        well: {
          machine,
          ask: { ...ask, env: new Map([...(ask.env ?? []), ['NCCL_IB_HCA', `^${finding.devices.join(',')}`]]) },
        },
      };
    case 'nics-left-out':
    case 'workaround-env-left': {
      // The finding says what is set, wherever that was read.
      const set = finding.absent.flatMap((m) =>
        m.code === 'doctor.set' ? [[String(m.args['name']), String(m.args['value'])] as const] : [],
      );
      if (set.length === 0) return undefined;
      const env = new Map(described.software.env);
      for (const [name] of set) env.delete(name);
      return {
        sick: { machine: described, ask: { ...ask, env: new Map([...(ask.env ?? []), ...set]) } },
        well: { machine: { ...described, software: { ...described.software, env } }, ask },
      };
    }
    default:
      return undefined;
  }
}

function bySwitch(machine: Machine, ask: Ask, fact: 'gdr'): Sides | undefined {
  const side = (on: boolean): Side | undefined => {
    const assumption: Assumption = { fact, on };
    const made = assume(machine, [assumption]);
    return made.ok ? { machine: made.value, ask } : undefined;
  };
  const sick = side(false);
  const well = side(true);
  return sick && well ? { sick, well } : undefined;
}
