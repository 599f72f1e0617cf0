import type { DoctorAnswer } from '../../answer/doctor.ts';

const quoted = (text: string): string => `"${text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')}"`;

/** A file for the textfile collector of node_exporter: one series a finding, and the counts. */
export function doctorPrometheus(answer: DoctorAnswer): string {
  const { counts, findings, mistakes, open } = answer;
  return `${[
    '# HELP crowfly_finding A finding of crowfly doctor; the value is its confidence.',
    '# TYPE crowfly_finding gauge',
    ...findings.map((f) => `crowfly_finding{id=${quoted(f.id)},severity=${quoted(f.severity)}} ${f.confidence}`),
    '# HELP crowfly_findings Findings of crowfly doctor by severity.',
    '# TYPE crowfly_findings gauge',
    ...(['error', 'warning', 'info'] as const).map((s) => `crowfly_findings{severity=${quoted(s)}} ${counts[s]}`),
    '# HELP crowfly_file_mistakes What is wrong with topology files as such.',
    '# TYPE crowfly_file_mistakes gauge',
    `crowfly_file_mistakes ${mistakes.length}`,
    '# HELP crowfly_open_questions What crowfly doctor could not tell from its inputs.',
    '# TYPE crowfly_open_questions gauge',
    `crowfly_open_questions ${open.length}`,
  ].join('\n')}\n`;
}
