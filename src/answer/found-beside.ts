import { diagnose } from '../doctor/diagnose.ts';
import { titleOf } from '../doctor/finding.ts';
import type { FindingId, Severity } from '../doctor/ids.ts';
import type { Where } from '../fact/fact.ts';
import type { Document } from '../read/documents.ts';
import type { Message } from '../words/message.ts';
import type { ReportPoint } from './report.ts';

/** What the doctor finds in the inputs of a report and the report itself does not say. */
export interface FoundBeside {
  readonly mark: 'bad' | 'look' | 'unknown';
  readonly id?: FindingId;
  readonly severity?: Severity;
  readonly what: Message;
  readonly evidence: readonly Where[];
}

/** Errors and warnings, causes alone; then what failed for no reason that the inputs show. */
export function foundBeside(documents: readonly Document[], points: readonly ReportPoint[]): FoundBeside[] {
  const { findings, open } = diagnose(documents);
  const told = new Set(points.flatMap((p) => p.evidence.map((e) => `${e.file} ${e.line}`)));
  const loud = findings.filter(
    (f) =>
      f.severity !== 'info' &&
      f.follows === undefined &&
      // The report's points and the doctor's findings may rest on one line, and say one thing then.
      !f.evidence.some((e) => told.has(`${e.file} ${e.line}`)),
  );
  return [
    ...loud.map(
      (f): FoundBeside => ({
        mark: f.severity === 'error' ? 'bad' : 'look',
        id: f.id,
        severity: f.severity,
        what: titleOf(f.id),
        evidence: f.evidence.slice(0, 1),
      }),
    ),
    ...open.filter((o) => o.failed).map((o): FoundBeside => ({ mark: 'unknown', what: o.about, evidence: o.evidence })),
  ];
}
