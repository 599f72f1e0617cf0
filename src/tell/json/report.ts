import type { FoundBeside } from '../../answer/found-beside.ts';
import type { ReportAnswer, ReportPoint } from '../../answer/report.ts';
import type { Machine } from '../../machine/machine.ts';
import type { ReadResult } from '../../read/reader.ts';
import type { Language, Message } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { picture, pictureJson } from '../picture/index.ts';
import { wayJson } from './explain.ts';

/** `crowfly/report@1`: everything the text says, with codes beside the sentences. */
export function reportJson(
  machine: Machine,
  inputs: readonly ReadResult[],
  answer: ReportAnswer | undefined,
  assumptions: readonly string[],
  language: Language,
  /** The page has a list of findings of its own. */
  beside: readonly FoundBeside[] = [],
): string {
  const t = (m: Message): { code: string; text: string } => ({ code: m.code, text: render(m, language) });
  return `${JSON.stringify(
    {
      schema: 'crowfly/report@1',
      ncclVersion: answer?.release.name ?? null,
      nodes: machine.nodes,
      assumptions,
      inputs: inputs.map((r) => inputJson(r, language)),
      machine: pictureJson(picture(machine), language),
      ...(answer?.refused ? { refused: { ...t(answer.refused.reason), evidence: answer.refused.at } } : {}),
      ways: (answer?.rows ?? []).map((r) => ({
        from: r.from,
        to: r.to,
        direct: r.course.direct,
        ways: r.course.ways.map((w) => wayJson(w, language)),
        rule: t(r.course.rule),
        evidence: r.course.evidence,
        ...(r.course.settle === undefined ? {} : { settle: { command: r.course.settle } }),
        ...(r.flip
          ? { flip: r.flip.edits.map((e) => ({ id: e.id, what: t(e.what) })), couldGo: r.flip.after.ways[0]?.path }
          : {}),
      })),
      points: (answer?.points ?? []).map((p) => pointJson(p, t)),
      findings: beside.flatMap((f) =>
        f.id === undefined
          ? []
          : [{ id: f.id, severity: f.severity, title: render(f.what, language), evidence: f.evidence }],
      ),
      ...(machine.observed ? { observed: machine.observed } : {}),
      conflicts: machine.conflicts.map((c) => ({ about: t(c.about), claims: c.claims, used: c.used })),
      notes: machine.notes.map((n) => ({ ...t(n.message), evidence: n.at })),
    },
    null,
    1,
  )}\n`;
}

function pointJson(p: ReportPoint, t: (m: Message) => { code: string; text: string }): Record<string, unknown> {
  return {
    mark: p.mark,
    what: t(p.what),
    rule: t(p.rule),
    evidence: p.evidence,
    ...(p.settle === undefined ? {} : { settle: { command: p.settle } }),
    ...(p.flip
      ? {
          flip: p.flip.edits.map((e) => ({
            id: e.id,
            what: t(e.what),
            ...(e.command === undefined ? {} : { command: e.command }),
          })),
        }
      : {}),
  };
}

/** One input: the formats found in it, or why each format declined. */
export function inputJson(r: ReadResult, language: Language): Record<string, unknown> {
  return {
    file: r.file,
    lines: r.lines,
    formats: r.formats,
    ...(r.documents.length === 0
      ? { declined: r.declined.map((d) => ({ format: d.format, reason: render(d.reason, language) })) }
      : {}),
    notes: r.notes.map((n) => ({ line: n.line, text: render(n.message, language) })),
  };
}
