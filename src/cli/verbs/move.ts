import { captureOf } from '../../answer/capture.ts';
import { answerMove, type MoveAnswer, type MoveAsk, parseSizes, usualSizes } from '../../answer/move.ts';
import type { TogetherAnswer } from '../../answer/movements.ts';
import { assumptionText } from '../../assemble/assume.ts';
import type { Machine } from '../../machine/machine.ts';
import { moveJson } from '../../tell/json/move.ts';
import { stylerFor } from '../../tell/text/columns.ts';
import { moveText } from '../../tell/text/move.ts';
import { size } from '../../tell/text/quantity.ts';
import { say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { askOf, load } from '../load.ts';
import type { Options } from '../options.ts';
import { exit, NoAnswer, type Outcome, writeOut } from '../outcome.ts';

/** `move A B [INPUT…]`: that movement on every data path, over sizes. */
export async function move(words: readonly string[], options: Options): Promise<Outcome> {
  const [from, to, ...inputs] = words;
  if (from === undefined || to === undefined) throw new NoAnswer(say('cli.move.what'));
  const sizes = options.sizes === undefined ? { ok: true as const, value: [...usualSizes] } : parseSizes(options.sizes);
  if (!sizes.ok) throw new NoAnswer(sizes.error);
  const { machine } = await load(inputs, options);
  if (machine.hosts.length === 0) throw new NoAnswer(say('assemble.no-topology'));
  const how = {
    sizes: sizes.value,
    depth: options.depth ?? 1,
    threads: options.threads ?? 1,
    both: options.both,
    ...(options.path === undefined ? {} : { path: options.path }),
  };
  const answer = answerMove(machine, askOf(options), from, to, how);
  if (!answer.ok) throw new NoAnswer(answer.error);
  const aside: string[] = [];
  const together = await runOf(machine, answer.value, how, options, aside);
  if (options.pcap !== undefined) {
    await writeCapture(machine, answer.value, options.pcap);
    aside.push(render(say('cli.wrote', { file: options.pcap }), options.language));
  }
  const assumptions = options.assume.map(assumptionText);
  const text = options.json
    ? moveJson(answer.value, how, assumptions, options.language, together)
    : moveText(answer.value, how, {
        language: options.language,
        width: options.width,
        style: stylerFor(options.color),
        ...(together ? { together } : {}),
      });
  return { text, code: exit.fine, aside };
}

/** The movement on the engine, where a trace or company was asked for: the largest size, bounded where none was told. */
async function runOf(
  machine: Machine,
  answer: MoveAnswer,
  how: MoveAsk,
  options: Options,
  aside: string[],
): Promise<TogetherAnswer | undefined> {
  if (options.trace === undefined && options.beside.length === 0) return undefined;
  const { answerTogether, runBytes } = await import('../../answer/movements.ts');
  const bytes = options.sizes === undefined ? runBytes : Math.max(...how.sizes);
  const ran = answerTogether(machine, askOf(options), answer, options.beside, {
    bytes,
    load: how,
    language: options.language,
    trace: options.trace !== undefined,
  });
  if (!ran.ok) throw new NoAnswer(ran.error);
  if (options.trace !== undefined) {
    await writeOut(options.trace, JSON.stringify(ran.value.trace));
    aside.push(
      render(
        say('cli.wrote-trace', { file: options.trace, path: ran.value.movements[0]!.path, size: size(bytes) }),
        options.language,
      ),
    );
  }
  return options.beside.length > 0 ? ran.value : undefined;
}

/** The packets of one message of the first data path that crosses a network, sized as the first size asked for. */
async function writeCapture(machine: Machine, answer: MoveAnswer, file: string): Promise<void> {
  const size = answer.paths[0]?.rows[0]?.bytes ?? 8;
  const capture = captureOf(machine, answer, size);
  if (!capture.ok) throw new NoAnswer(capture.error);
  await writeOut(file, capture.value);
}
