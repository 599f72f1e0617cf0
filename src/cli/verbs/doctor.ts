import { answerDoctor, type DoctorAnswer } from '../../answer/doctor.ts';
import { KeptLines } from '../../read/kept-lines.ts';
import { doctorJson } from '../../tell/json/doctor.ts';
import { stylerFor } from '../../tell/text/columns.ts';
import { doctorText } from '../../tell/text/doctor.ts';
import { say } from '../../words/message.ts';
import { askOf, nothingIn, read } from '../load.ts';
import type { Options } from '../options.ts';
import { exit, NoAnswer, type Outcome } from '../outcome.ts';
import { version } from '../version.ts';

/** `doctor [INPUT…]`: what is wrong, from whatever is at hand. */
export async function doctor(words: readonly string[], options: Options): Promise<Outcome> {
  const form = options.report === undefined ? undefined : await formOf(options.report);
  const lines = new KeptLines();
  const inputs = await read(words, lines);
  if (inputs.length === 0) throw new NoAnswer(say('doctor.no-input'));
  if (inputs.every((r) => r.documents.length === 0)) throw nothingIn(inputs, options);
  const answer = answerDoctor(inputs, lines, askOf(options));
  const { counts } = answer;
  const bad = answer.mistakes.length + counts.error + (options.failOn === 'warning' ? counts.warning : 0);
  const code = options.failOn !== 'never' && bad > 0 ? exit.findings : exit.fine;
  if (options.json) return { text: doctorJson(answer, inputs, options.language), code };
  if (form) return { text: form(answer, options), code };
  const style = stylerFor(options.color);
  const { language, width, verbose } = options;
  return { text: doctorText(answer, inputs, { language, width, style }, verbose), code };
}

type Form = (answer: DoctorAnswer, options: Options) => string;

/** A form to pass on; each is loaded when asked for. */
async function formOf(name: string): Promise<Form> {
  switch (name) {
    case 'md':
    case 'markdown': {
      const { doctorMarkdown } = await import('../../tell/reports/markdown.ts');
      const { redactor } = await import('../../tell/redact.ts');
      return (answer, options) => doctorMarkdown(answer, options.language, redactor(answer.hosts));
    }
    case 'html': {
      const { doctorHtml } = await import('../../tell/reports/html.ts');
      const { redactor } = await import('../../tell/redact.ts');
      return (answer, options) => doctorHtml(answer, options.language, redactor(answer.hosts));
    }
    case 'sarif': {
      const { doctorSarif } = await import('../../tell/reports/sarif.ts');
      const { redactor } = await import('../../tell/redact.ts');
      return (answer, options) => doctorSarif(answer, options.language, version, redactor(answer.hosts));
    }
    case 'junit': {
      const { doctorJunit } = await import('../../tell/reports/junit.ts');
      const { redactor } = await import('../../tell/redact.ts');
      return (answer, options) => doctorJunit(answer, options.language, redactor(answer.hosts));
    }
    case 'prometheus': {
      const { doctorPrometheus } = await import('../../tell/reports/prometheus.ts');
      return (answer) => doctorPrometheus(answer);
    }
    default:
      throw new NoAnswer(say('doctor.format', { text: name }));
  }
}
