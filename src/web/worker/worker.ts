import type { Machine } from '../../machine/machine.ts';
import { say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import type { Answered, Ask, Reply } from '../protocol.ts';
import { Views } from './machine.ts';
import { NoAnswer } from './no-answer.ts';
import { type Answerer, type Desk, first } from './questions.ts';
import { speak } from './spoken.ts';

/** The worker: answers one question after the other, so that the page stays alive whatever it is asked. */
const empty: Machine = { hosts: [], nodes: 1, fabric: {}, software: { env: new Map() }, conflicts: [], notes: [] };
const desk: Desk = { opened: { results: [], lines: undefined, machine: empty }, views: new Views(empty) };

let queue: Promise<void> = Promise.resolve();

self.onmessage = (event: MessageEvent<Ask>) => {
  queue = queue.then(async () => {
    const { number } = event.data;
    const reply: Reply = { number, answer: await answerTo(event.data) };
    self.postMessage(reply);
  });
};

async function answerTo(ask: Ask): Promise<Answered> {
  const language = 'view' in ask.with ? ask.with.view.language : 'en';
  try {
    if ('view' in ask.with) await speak(language);
    const mine = first[ask.question] ?? (await import('./later.ts')).later[ask.question];
    if (!mine) throw new Error(`no answerer for ${ask.question}`);
    return { ok: true, value: await (mine as Answerer<typeof ask.question>)(desk, ask.with as never) };
  } catch (error) {
    await speak(language);
    if (error instanceof NoAnswer) return { ok: false, why: render(error.reason, language) };
    const detail = error instanceof Error ? error.message : String(error);
    return { ok: false, why: `${render(say('cli.fault'), language)} ${detail}` };
  }
}
