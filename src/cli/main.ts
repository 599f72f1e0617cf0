import { existsSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { assumptionText } from '../assemble/assume.ts';
import { wrap } from '../tell/text/columns.ts';
import { type Message, say } from '../words/message.ts';
import { render } from '../words/render.ts';
import { programHelp, systemList, verbHelp } from './help.ts';
import { commonOptions, languageFrom, type OptionRow, type Options, parseOptions, type RawOptions } from './options.ts';
import { exit, NoAnswer, type Outcome, systemReason, writeOut } from './outcome.ts';
import { isVerb, nearestVerb, verbs } from './verbs.ts';
import { version } from './version.ts';

/** Lines of explanation below an error; of a folder of thousands of files nobody reads more. */
const mostDetails = 40;

/** Runs the command line; returns the exit code. Standard output carries the answer and nothing else. */
export async function main(args: readonly string[]): Promise<number> {
  const language = languageFrom(langArgument(args), process.env);
  try {
    return await run(args);
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return exit.fine;
      for (const line of usageError(error)) process.stderr.write(`${render(line, language)}\n`);
      return exit.noAnswer;
    }
    if (error instanceof NoAnswer) {
      process.stderr.write(`crowfly: ${render(error.reason, language)}\n`);
      const word = error.reason.code === 'cli.input.unreadable' ? String(error.reason.args['input']) : '';
      const near = verbMeant(word);
      if (near) process.stderr.write(`  ${render(say('cli.input.verb', { near }), language)}\n`);
      for (const detail of error.details.slice(0, mostDetails)) process.stderr.write(`  ${render(detail, language)}\n`);
      if (error.details.length > mostDetails) {
        const more = say('cli.more', { count: error.details.length - mostDetails });
        process.stderr.write(`  ${render(more, language)}\n`);
      }
      return exit.noAnswer;
    }
    process.stderr.write(`${render({ code: 'cli.fault', args: {} }, language)}\n`);
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return exit.fault;
  }
}

const verbMeant = (word: string): string | undefined => (/^[a-z]{3,12}$/.test(word) ? nearestVerb(word) : undefined);

async function run(args: readonly string[]): Promise<number> {
  const at = firstWord(args);
  const first = at < 0 ? undefined : args[at];
  // Without a verb the words on the command line are inputs of a report.
  const known = first !== undefined && (isVerb(first) || first === 'help');
  // A verb that does not exist: an answer to another question would be worse than none.
  if (!known && first !== undefined && verbMeant(first) && !existsSync(first)) {
    throw new NoAnswer(say('cli.input.unreadable', { input: first, why: say('cli.why.missing') }));
  }
  const wantsHelp = args.some((a) => a === '--help' || a === '-h' || a === '--version' || a === '-V');
  // The verb may come after options.
  const rest = args.filter((_, i) => i !== at);
  const full = known ? [first!, ...rest] : wantsHelp && first === undefined ? [...args] : ['report', ...args];
  let outcome: { answer: Outcome; raw: RawOptions } | undefined;
  const language = languageFrom(langArgument(args), process.env);
  const columns = process.stdout.columns ?? columnsOf(process.env['COLUMNS']);
  const width = Math.max(20, columns ?? 80);
  const program = new Command('crowfly')
    .version(version)
    .exitOverride()
    .configureOutput(quietErrors)
    .configureHelp({ formatHelp: () => programHelp(language, width) });
  for (const verb of verbs) {
    const [name = '', ...places] = verb.usage.split(' ');
    const command = program
      .command(name)
      .allowExcessArguments(true)
      .exitOverride()
      .configureOutput(quietErrors)
      .configureHelp({ formatHelp: () => verbHelp(verb, language, width) });
    for (const place of places) command.argument(place);
    for (const [flag, , more] of [...commonOptions, ...(verb.options ?? [])]) {
      if (more === 'again') command.option(flag, '', collect);
      else command.option(flag);
    }
    command.action(async (...given: unknown[]) => {
      const raw = given[given.length - 2] as RawOptions;
      if (raw.system === 'list') {
        outcome = { answer: { text: systemList(), code: exit.fine }, raw };
        return;
      }
      const options = parseOptions(raw, process.env, process.stdout.isTTY === true, columns);
      if (!options.ok) throw new NoAnswer(options.error);
      const run = await verb.load();
      const answer = await run(command.args, options.value);
      outcome = { answer: { ...answer, text: answer.text + conditions(options.value, answer.text, name) }, raw };
    });
  }
  await program.parseAsync(full, { from: 'user' });
  if (!outcome) return exit.fine;
  const { answer, raw } = outcome;
  if (raw.output !== undefined) {
    await writeOut(raw.output, answer.text);
  } else await write(answer.text);
  if (!raw.quiet) for (const line of answer.aside ?? []) process.stderr.write(`${line}\n`);
  return answer.code;
}

/** What was taken for granted, below an answer that does not say so itself. */
function conditions({ as, assume, env, json, language, report, width }: Options, text: string, verb: string): string {
  if (json || as !== undefined || report !== undefined) return '';
  const lines = [
    ...assume.map((a) => render(say('report.assumed', { what: assumptionText(a) }), language)),
    ...(verb === 'env' ? [] : [...env]).map(([name, value]) =>
      render(say('cli.in-force', { what: `${name}=${value}` }), language),
    ),
  ].filter((line) => !text.includes(line));
  return lines.length === 0 ? '' : `\n${lines.flatMap((line) => wrap(line, width)).join('\n')}\n`;
}

/** Where the first word stands that is neither an option nor an option's value; −1 when there is none. */
function firstWord(args: readonly string[]): number {
  for (let i = 0; i < args.length; i++) {
    const a = args[i]!;
    if (a === '--') return -1;
    if (!a.startsWith('-') || a === '-') return i;
    if (takesValue.has(a)) i++;
  }
  return -1;
}

/** Options that are followed by their value, unless it is joined by `=`. */
const takesValue: ReadonlySet<string> = new Set(
  [...commonOptions, ...verbs.flatMap((v): readonly OptionRow[] => v.options ?? [])]
    .filter(([flag]) => flag.includes('<'))
    .flatMap(([flag]) => flag.match(/(?<![a-z])--?[a-z-]+/g) ?? []),
);

/** An option that may be given several times. */
const collect = (value: string, before: string[] = []): string[] => [...before, value];

/** Commander speaks English only: what it says is said by `usageError`. */
const quietErrors = { outputError: (): void => undefined };

/** What is wrong with the words on the command line. */
function usageError({ code, message }: CommanderError): Message[] {
  const option = /'([^']*)'/.exec(message)?.[1] ?? '';
  const near = /Did you mean (?:one of )?(--[a-z-]+)/.exec(message)?.[1];
  const help = say('cli.usage.help');
  switch (code) {
    case 'commander.unknownOption':
      return [say(near ? 'cli.usage.option-near' : 'cli.usage.option', { option, near: near ?? '' }), help];
    case 'commander.optionMissingArgument':
      return [say('cli.usage.value', { option }), help];
    default:
      return [say('cli.usage.other', { message: message.replace(/^error: /, '') }), help];
  }
}

/** Columns that a shell hands on where standard output is no terminal. */
const columnsOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d{0,4}$/.test(text) ? Number(text) : undefined;

const langArgument = (args: readonly string[]): string | undefined => {
  const i = args.indexOf('--lang');
  return i >= 0 ? args[i + 1] : args.find((a) => a.startsWith('--lang='))?.slice(7);
};

/** Waits until a pipe has taken everything: an exit in between would cut large JSON. A reader that left is no fault. */
function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (error?: NodeJS.ErrnoException | null): void => {
      if (!error || error.code === 'EPIPE') resolve();
      else reject(new NoAnswer(say('cli.write-answer', { why: say(systemReason(error)) })));
    };
    process.stdout.once('error', end);
    process.stdout.write(text.endsWith('\n') ? text : `${text}\n`, end);
  });
}
