import type { Where } from '../../fact/fact.ts';
import { lineFormat } from '../kit/lines.ts';
import { own } from '../own.ts';

/** Slurm's `topology.conf`, and what `scontrol show topology` prints of it: switches and blocks with what hangs below them. */
export interface SlurmTopology {
  readonly kind: 'slurm-topology';
  readonly file: string;
  readonly switches: readonly SlurmSwitch[];
}

export interface SlurmSwitch {
  readonly name: string;
  readonly kind: 'switch' | 'block';
  readonly level?: number;
  /** As written: `node[01-16]`. */
  readonly nodes?: string;
  readonly switches?: string;
  readonly at: Where;
}

const value = (line: string, key: string): string | undefined =>
  new RegExp(`(?:^|\\s)${key}=(\\S{1,2000})`, 'i').exec(line)?.[1];

export const slurmTopology = lineFormat<SlurmSwitch>({
  id: 'slurm-topology',
  example: 'SwitchName=leaf1 Nodes=node[01-16]',
  hints: ['SwitchName=', 'BlockName=', 'switchname=', 'blockname='],
  entry: (line, at) => {
    const text = line.replace(/#.*$/, '');
    const found = /^[\s>]*(Switch|Block)Name=([\w.-]{1,64})(?:\s|$)/i.exec(text);
    if (!found) return undefined;
    const [nodes, switches, level] = [value(text, 'Nodes'), value(text, 'Switches'), value(text, 'Level')];
    if (nodes === undefined && switches === undefined) return undefined;
    return {
      name: own(found[2]!),
      kind: found[1]!.toLowerCase() as 'switch' | 'block',
      ...(level !== undefined && /^\d{1,3}$/.test(level) ? { level: Number(level) } : {}),
      ...(nodes === undefined ? {} : { nodes: own(nodes) }),
      ...(switches === undefined ? {} : { switches: own(switches) }),
      at,
    };
  },
  build: (switches, { file }) => ({ kind: 'slurm-topology', file, switches }),
});
