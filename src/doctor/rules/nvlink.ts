import type { Where } from '../../fact/fact.ts';
import { smiField } from '../../read/gpu/smi-query.ts';
import { say } from '../../words/message.ts';
import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/** A GPU with fewer NVLinks up than its sisters. Boards that leave some unused by design do so alike. */
export const nvlinkDown: Rule = (facts) => {
  const evidence: Where[] = [];
  const devices: string[] = [];
  for (const list of facts.of('smi-gpus')) {
    const up = (g: (typeof list.gpus)[number]) => g.links.filter((l) => l.active).length;
    for (const gpu of list.gpus) {
      const sisters = list.gpus.filter(
        (g) => g.name === gpu.name && g !== gpu && (g.links.length > 0 || g.allInactive),
      );
      // The tool lists links that are down too: a shorter list of links that are up is a paste that was cut.
      if (gpu.links.every((l) => l.active) && !gpu.allInactive) continue;
      const most = Math.max(0, ...sisters.map(up));
      if (up(gpu) >= most) continue;
      devices.push(`gpu${gpu.index}`);
      if (gpu.allInactive) evidence.push(gpu.allInactive);
      evidence.push(...gpu.links.filter((l) => !l.active).map((l) => l.at));
    }
  }
  for (const { gpus } of facts.of('dcgm-nvlink')) {
    const most = Math.max(0, ...gpus.map((g) => g.up));
    for (const gpu of gpus) {
      if (gpu.down === 0 || gpu.up >= most) continue;
      devices.push(`gpu${gpu.index}`);
      evidence.push(gpu.at);
    }
  }
  // What the driver says of the GPU's share of the fabric.
  for (const gpu of facts.of('smi-query').flatMap((q) => q.gpus)) {
    const health = smiField(gpu, 'fabric/health/bandwidth', 'fabric/bandwidth');
    if (health === undefined || !/^Degraded$/i.test(health.value)) continue;
    if (gpu.busId !== undefined) devices.push(gpu.busId);
    evidence.push(health.at);
  }
  for (const odd of oddRows(facts)) {
    devices.push(odd.gpu);
    evidence.push(odd.at);
  }
  if (evidence.length === 0) return undefined;
  return finding('nvlink-down', {
    confidence: 0.9,
    devices,
    evidence,
    absent: [say('doctor.absent.links')],
    commands: ['nvidia-smi nvlink -s', 'nvidia-smi nvlink -e', 'sudo nvidia-smi -r'],
  });
};

/** In a matrix where all other pairs have the same number of NVLinks (an NVSwitch board), the one GPU with fewer. */
function oddRows(facts: Parameters<Rule>[0]): { readonly gpu: string; readonly at: Where }[] {
  return facts.of('topo-matrix').flatMap((m) => {
    const gpus = m.devices.map((d, i) => ({ d, i })).filter(({ d }) => d.kind === 'gpu');
    // Rows of NICs may be cut; between GPUs one direction of a pair is enough.
    const cell = (a: number, b: number) => m.cells[a]?.[b] ?? m.cells[b]?.[a] ?? '';
    const whole = gpus.every((a) => gpus.every((b) => cell(a.i, b.i) !== ''));
    if (gpus.length < 4 || !whole) return [];
    const rowOf = (i: number) => gpus.filter((g) => g.i !== i).map((g) => cell(i, g.i));
    const odd = gpus.filter(({ i }) => {
      const others = gpus.filter((g) => g.i !== i);
      const rest = new Set(others.flatMap((a) => others.filter((b) => b.i !== a.i).map((b) => cell(a.i, b.i))));
      const only = [...rest][0] ?? '';
      return rest.size === 1 && /^NV\d+$/.test(only) && rowOf(i).every((c) => c !== only && lower(c, only));
    });
    return odd.length === 1 ? [{ gpu: odd[0]!.d.label.toLowerCase(), at: odd[0]!.d.at }] : [];
  });
}

const links = (cell: string): number => (cell.startsWith('NV') ? Number(cell.slice(2)) : 0);
const lower = (cell: string, than: string): boolean => cell !== '' && links(cell) < links(than);
