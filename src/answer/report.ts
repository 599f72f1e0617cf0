import type { Answer, Where } from '../fact/fact.ts';
import { cheapestFlip, type Flip } from '../flip/flips.ts';
import type { Machine } from '../machine/machine.ts';
import { type NamedDevice, nameDevices } from '../machine/names.ts';
import { type Ask, releaseOf } from '../nccl/of-machine.ts';
import type { Release } from '../nccl/release.ts';
import { type Course, courseOf } from '../way/course.ts';
import { type Message, say } from '../words/message.ts';

/** How devices reach each other, told once for all pairs that are alike, and what deserves attention. */
export interface ReportAnswer {
  readonly release: Release;
  readonly rows: readonly ReportRow[];
  readonly points: readonly ReportPoint[];
  /** Why NCCL would not start here. */
  readonly refused?: { readonly reason: Message; readonly at: readonly Where[] };
}

export interface ReportRow {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly course: Course;
  /** The cheapest change that makes it direct, where it is not. */
  readonly flip?: Flip;
}

/** Something a person should look at: a way that is not direct, or not known. */
export interface ReportPoint {
  readonly mark: 'bad' | 'unknown';
  readonly what: Message;
  readonly rule: Message;
  readonly evidence: readonly Where[];
  readonly settle?: string;
  readonly flip?: Flip;
}

export function answerReport(machine: Machine, ask: Ask): ReportAnswer {
  const release = releaseOf(machine, ask);
  const devices = nameDevices(machine);
  const node0 = devices.filter((d) => d.host === 0 && d.node === (devices[0]?.node ?? 0));
  const gpus = node0.filter((d) => d.kind === 'gpu');
  const rows: ReportRow[] = [];
  const groups = new Groups(machine, ask);
  const first = gpus[0];
  if (first) {
    for (const gpu of gpus.slice(1)) groups.add(first.id, gpu.id, 'gpu');
    if (node0.some((d) => d.kind === 'nic')) for (const gpu of gpus) groups.add(gpu.id, peerOf(gpu, machine), 'peer');
    for (const drive of node0.filter((d) => d.kind === 'nvme')) groups.add(first.id, drive.id, 'drive');
  }
  const refused = groups.refused;
  if (refused) return { release, rows: [], points: [], refused };
  for (const group of groups.list) {
    const flip = group.course.direct === 'yes' ? undefined : cheapestFlip(machine, ask, group.course);
    rows.push({ from: group.from, to: group.to, course: group.course, ...(flip ? { flip } : {}) });
  }
  return { release, rows, points: pointsOf(rows) };
}

/** The same GPU on the next node. */
const peerOf = (gpu: NamedDevice, machine: Machine): string => {
  const other = machine.hosts.length > 1 ? 1 : gpu.node + 1;
  return `node${other}/${gpu.local}`;
};

interface Group {
  readonly kind: string;
  readonly key: string;
  from: string[];
  to: string[];
  readonly course: Course;
}

/** Pairs whose way, verdict and rule are the same are one row. */
class Groups {
  readonly list: Group[] = [];
  refused: { reason: Message; at: readonly Where[] } | undefined;

  constructor(
    private readonly machine: Machine,
    private readonly ask: Ask,
  ) {}

  add(from: string, to: string, kind: string): void {
    const course = courseOf(this.machine, this.ask, from, to);
    if (!course.ok) {
      this.refused ??= course.error;
      return;
    }
    const c = course.value;
    const shape = c.ways.map((w) => [
      w.path,
      w.copies,
      w.stages.map((s) => [s.by.code, s.medium, s.rate, s.via.length]),
    ]);
    const key = `${kind} ${c.direct} ${c.rule.code} ${c.type} ${JSON.stringify(shape)}`;
    const same = this.list.find((g) => g.key === key);
    if (same) {
      if (!same.from.includes(from)) same.from.push(from);
      if (!same.to.includes(to)) same.to.push(to);
    } else this.list.push({ kind, key, from: [from], to: [to], course: c });
  }
}

/** One point for each rule that keeps something from the direct way, and for each doubt. */
function pointsOf(rows: readonly ReportRow[]): ReportPoint[] {
  const points = new Map<string, { rows: ReportRow[]; answer: Answer }>();
  for (const row of rows) {
    if (row.course.direct === 'yes') continue;
    const key = `${row.course.direct} ${JSON.stringify(row.course.rule)}`;
    const known = points.get(key);
    if (known) known.rows.push(row);
    else points.set(key, { rows: [row], answer: row.course.direct });
  }
  return [...points.values()]
    .map(({ rows: list, answer }): ReportPoint => {
      const row = list[0]!;
      const from = [...new Set(list.flatMap((r) => r.from))];
      const to = [...new Set(list.flatMap((r) => r.to))];
      return {
        mark: answer === 'no' ? 'bad' : 'unknown',
        what: say(answer === 'no' ? 'report.point.not-direct' : 'report.point.not-known', {
          from: folded(from.sort(byNumber)),
          to: folded(to.sort(byNumber)),
        }),
        rule: row.course.rule,
        evidence: row.course.evidence,
        ...(row.course.settle === undefined ? {} : { settle: row.course.settle }),
        ...(row.flip ? { flip: row.flip } : {}),
      };
    })
    .sort((a, b) => (a.mark === b.mark ? 0 : a.mark === 'bad' ? -1 : 1));
}

/** gpu2 before gpu10. */
export const byNumber = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

/** gpu0, gpu1, gpu2, gpu5 -> gpu0…gpu2, gpu5 */
export function folded(names: readonly string[]): string {
  const parts: string[] = [];
  for (let i = 0; i < names.length; ) {
    let j = i;
    while (j + 1 < names.length && follows(names[j]!, names[j + 1]!)) j++;
    parts.push(j - i >= 2 ? `${names[i]!}…${names[j]!.replace(/^.*\//, '')}` : names.slice(i, j + 1).join(', '));
    i = j + 1;
  }
  return parts.join(', ');
}

function follows(a: string, b: string): boolean {
  const m = /^(.*?)(\d+)$/.exec(a);
  const n = /^(.*?)(\d+)$/.exec(b);
  return m !== null && n !== null && m[1] === n[1] && Number(m[2]) + 1 === Number(n[2]);
}
