import type { Conflict } from '../fact/fact.ts';
import type { Host } from '../machine/host.ts';
import { matrixCell } from '../machine/letters.ts';
import { deviceAt, type NamedDevice, nameDevices } from '../machine/names.ts';
import type { TopoDevice, TopoMatrix } from '../read/nvidia-smi-topo.ts';
import { say } from '../words/message.ts';

/** Where a matrix and a host known from a better source disagree: device counts, and letters pair by pair. */
export function compareWithMatrix(host: Host, matrix: TopoMatrix): Conflict[] {
  const machine = { hosts: [host], nodes: 1, fabric: {}, software: { env: new Map() }, conflicts: [], notes: [] };
  const devices = nameDevices(machine);
  const found: Conflict[] = [];
  const at = [{ file: matrix.file, line: matrix.line }];
  for (const kind of ['gpu', 'nic'] as const) {
    const here = devices.filter((d) => d.kind === kind).length;
    const there = matrix.devices.filter((d) => d.kind === kind).length;
    // A matrix lists every RDMA device, a topology file only those NCCL uses: more NICs are no contradiction.
    if (here === there || matrix.truncated || (kind === 'nic' && there >= here)) continue;
    found.push({
      about: say(kind === 'gpu' ? 'assemble.conflict.gpus' : 'assemble.conflict.nics'),
      claims: [
        { value: String(here), at: host.cpus[0]?.at ?? [] },
        { value: String(there), at },
      ],
      used: 0,
    });
  }
  const pairOf = matrix.devices.map((d) => matching(d, devices));
  matrix.cells.forEach((row, i) => {
    row.forEach((cell, j) => {
      const a = pairOf[i];
      const b = pairOf[j];
      if (j <= i || cell === undefined || !a || !b) return;
      const mine = matrixCell(host, a, b, (path) => deviceAt(host, path));
      if (mine === undefined || same(mine, cell)) return;
      found.push({
        about: say('assemble.conflict.letter', { a: a.id, b: b.id }),
        claims: [
          { value: mine, at: (deviceAt(host, a.path)?.at ?? []).slice(0, 1) },
          { value: cell, at: [matrix.devices[i]!.at] },
        ],
        used: 0,
      });
    });
  });
  return found;
}

/** GPUs go by number; NICs by name, since numbers differ between tools. */
function matching(device: TopoDevice, devices: readonly NamedDevice[]): NamedDevice | undefined {
  if (device.kind === 'gpu') return devices.find((d) => d.local === `gpu${device.index}`);
  return device.name === undefined ? undefined : devices.find((d) => d.kind === 'nic' && d.name === device.name);
}

/** PHB and NODE are one to a source that does not tell host bridges; SOC is the old SYS. */
function same(a: string, b: string): boolean {
  const norm = (x: string): string => (x === 'SOC' ? 'SYS' : x === 'NODE' ? 'PHB' : x);
  return norm(a) === norm(b);
}
