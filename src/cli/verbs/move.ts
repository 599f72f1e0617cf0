import { captureOf } from '../../answer/capture.ts';
import { answerMove, type MoveAnswer, type MoveAsk, parseSizes, usualSizes } from '../../answer/move.ts';
import type { TogetherAnswer } from '../../answer/movements.ts';
import { assumptionText } from '../../assemble/assume.ts';
import type { Machine } from '../../machine/machine.ts';
import { knownEnds } from '../../move/ends.ts';
import { endList, pairUp } from '../../move/lists.ts';
import { moveJson } from '../../tell/json/move.ts';
import { atOnceText } from '../../tell/text/at-once.ts';
import { stylerFor } from '../../tell/text/columns.ts';
import { moveText } from '../../tell/text/move.ts';
import { size } from '../../tell/text/quantity.ts';
import { say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { endMissing, splitEnds } from '../ends.ts';
import { askOf, load } from '../load.ts';
import type { Options } from '../options.ts';
import { exit, NoAnswer, type Outcome, writeOut } from '../outcome.ts';

/** `move A B [INPUT…]`: that movement on every data path, over sizes. */
export async function move(words: readonly string[], options: Options): Promise<Outcome> {
  const told = splitEnds(words);
  const { inputs } = told;
  const [from, to] = told.ends;
  if (from === undefined || to === undefined) throw await endMissing(told, options, say('cli.move.what'), knownEnds);
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
  const pairs = pairsOf(machine, from, to);
  if (pairs.length > 1) return severalAtOnce(machine, { from, to, pairs }, how, options);
  const answer = answerMove(machine, askOf(options), pairs[0]![0], pairs[0]![1], how);
  if (!answer.ok) throw new NoAnswer(answer.error);
  const aside: string[] = [];
  const together = await runOf(machine, answer.value, how, options, aside);
  if (options.pcap !== undefined) {
    await writeCapture(machine, answer.value, options.pcap);
    aside.push(render(say('cli.wrote', { file: options.pcap }), options.language));
  }
  const assumptions = options.assume.map(assumptionText);
  const text = options.json
    ? moveJson(answer.value, how, assumptions, options.language, together ? { together } : {})
    : moveText(answer.value, how, {
        language: options.language,
        width: options.width,
        style: stylerFor(options.color),
        ...(together ? { together } : {}),
      });
  return { text, code: exit.fine, aside };
}

/** What the two words mean: one movement, or several that start together. */
function pairsOf(machine: Machine, from: string, to: string): readonly (readonly [string, string])[] {
  const a = endList(machine, from);
  if (!a.ok) throw new NoAnswer(a.error);
  const b = endList(machine, to);
  if (!b.ok) throw new NoAnswer(b.error);
  const pairs = pairUp(a.value, b.value);
  if (!pairs.ok) throw new NoAnswer(pairs.error);
  return pairs.value;
}

/** A megabyte is what storage tests ask for at a time. */
const storageBytes = 2 ** 20;

async function severalAtOnce(
  machine: Machine,
  ends: { readonly from: string; readonly to: string; readonly pairs: readonly (readonly [string, string])[] },
  how: MoveAsk,
  options: Options,
): Promise<Outcome> {
  if (options.beside.length > 0) throw new NoAnswer(say('move.beside-several'));
  const { answerAtOnce } = await import('../../answer/at-once.ts');
  const { runBytes } = await import('../../answer/movements.ts');
  const usual = ends.pairs.flat().some((name) => /storage|nvme/.test(name)) ? storageBytes : runBytes;
  const ran = answerAtOnce(machine, askOf(options), ends.pairs, {
    bytes: options.sizes === undefined ? usual : Math.max(...how.sizes),
    load: how,
    language: options.language,
    trace: options.trace !== undefined,
    ...(how.path === undefined ? {} : { path: how.path }),
  });
  if (!ran.ok) throw new NoAnswer(ran.error);
  const { first, atOnce } = ran.value;
  const aside: string[] = [];
  if (options.trace !== undefined) {
    await writeOut(options.trace, JSON.stringify(atOnce.trace));
    const wrote = { file: options.trace, path: atOnce.paths[0]!.path, size: size(atOnce.bytes) };
    aside.push(render(say('cli.wrote-trace', wrote), options.language));
  }
  if (options.pcap !== undefined) {
    await writeCapture(machine, first, options.pcap);
    aside.push(render(say('cli.wrote', { file: options.pcap }), options.language));
  }
  const assumptions = options.assume.map(assumptionText);
  const text = options.json
    ? moveJson({ ...first, from: ends.from, to: ends.to }, how, assumptions, options.language, { atOnce })
    : atOnceText(atOnce, ends, how, {
        language: options.language,
        width: options.width,
        style: stylerFor(options.color),
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
