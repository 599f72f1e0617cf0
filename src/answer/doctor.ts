import { assemble } from '../assemble/assemble.ts';
import { diagnose } from '../doctor/diagnose.ts';
import { effectOf, type Finding, titleOf } from '../doctor/finding.ts';
import { about, type Severity } from '../doctor/ids.ts';
import type { OpenQuestion } from '../doctor/open-question.ts';
import type { WayVerdict } from '../doctor/verdicts.ts';
import type { Where } from '../fact/fact.ts';
import type { Ask } from '../nccl/of-machine.ts';
import type { KeptLines } from '../read/kept-lines.ts';
import type { ReadResult } from '../read/reader.ts';
import { type Message, say } from '../words/message.ts';
import { priceOf } from './price.ts';
import { allReduceCost } from './price-collective.ts';
import { mistakesOf, type TopologyMistake } from './topo-file.ts';

/** What `doctor` says, as data: findings with their sentences and the text of the lines that show them. */
export interface DoctorAnswer {
  readonly findings: readonly ToldFinding[];
  /** What is wrong with a topology file as such. */
  readonly mistakes: readonly TopologyMistake[];
  readonly ways: readonly WayVerdict[];
  readonly open: readonly OpenQuestion[];
  readonly counts: Readonly<Record<Severity, number>>;
  readonly hosts: readonly string[];
}

export interface ToldFinding extends Omit<Finding, 'evidence'> {
  readonly title: Message;
  readonly effect: Message;
  readonly docs: string;
  readonly evidence: readonly Quoted[];
  readonly cause?: Message;
  /** What the detour costs on the machine that the inputs show. */
  readonly cost?: Message;
}

export interface Quoted extends Where {
  /** The line as it stands in the input, without blanks around it. */
  readonly text: string;
}

/** A prediction takes longer than all the rules, and what follows from one finding is not lost twice. */
const mostPredictions = 2;

export function answerDoctor(results: readonly ReadResult[], lines: KeptLines, ask: Ask = {}): DoctorAnswer {
  const documents = results.flatMap((r) => r.documents);
  const { findings, ways, open, hosts } = diagnose(documents);
  const machine = findings.length > 0 ? assemble(documents) : undefined;
  let predictions = 0;
  const told = findings.map((f): ToldFinding => {
    const { evidence, ...rest } = f;
    const known = machine && machine.hosts.length > 0 && f.follows === undefined;
    const way = known ? priceOf(machine, ask, f.id, f.devices) : undefined;
    const whole = known && predictions < mostPredictions ? allReduceCost(machine, ask, f) : undefined;
    if (whole) predictions++;
    const cost = way && whole ? say('doctor.report.both', { first: way, second: whole }) : (way ?? whole);
    return {
      ...rest,
      title: titleOf(f.id),
      effect: effectOf(f.id),
      docs: about[f.id].docs,
      evidence: evidence.map((e) => ({ ...e, text: (lines.at(e.file, e.line) ?? '').trim().slice(0, 300) })),
      ...(cost ? { cost } : {}),
      ...(f.follows === undefined ? {} : { cause: titleOf(f.follows) }),
    };
  });
  const of = (s: Severity): number => told.filter((f) => f.severity === s).length;
  return {
    findings: told,
    mistakes: mistakesOf(results),
    ways,
    open,
    counts: { error: of('error'), warning: of('warning'), info: of('info') },
    hosts,
  };
}

/** What is said above all else. */
export const headlineOf = ({ findings, open, counts }: DoctorAnswer): Message =>
  findings.length > 0
    ? say('doctor.count', { errors: counts.error, warnings: counts.warning, infos: counts.info })
    : say(open.some((o) => o.failed) ? 'doctor.none-failed' : 'doctor.none');
