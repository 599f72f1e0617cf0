import { answerExplain } from '../../answer/explain.ts';
import { answerMove, usualSizes } from '../../answer/move.ts';
import { answerReport } from '../../answer/report.ts';
import { systems } from '../../catalogue/systems.ts';
import { releases } from '../../nccl/release.ts';
import { testNames } from '../../predict/collective/predict.ts';
import { explainJson } from '../../tell/json/explain.ts';
import { moveJson } from '../../tell/json/move.ts';
import { reportJson } from '../../tell/json/report.ts';
import type { Question, Questions, SystemChoice } from '../protocol.ts';
import { type Opened, open } from './inputs.ts';
import { askOf, Views } from './machine.ts';
import { NoAnswer } from './no-answer.ts';

/** What a question is answered from. */
export interface Desk {
  opened: Opened;
  views: Views;
}

export type Answerer<Q extends Question> = (desk: Desk, what: Questions[Q]) => unknown;

/** Questions that the first screen needs; their code comes with the page. */
export const first: { readonly [Q in Question]?: Answerer<Q> } = {
  catalogue: () => ({
    systems: [...systems.values()].map((s): SystemChoice => ({ id: s.id, name: s.name, gpus: s.parts.gpus })),
    releases: [...releases],
    collectives: [...testNames],
  }),

  open: async (desk, { inputs }) => {
    const opened = await open(inputs);
    desk.opened = opened;
    desk.views = new Views(opened.machine);
    const usual = opened.machine.notes.find((n) => n.message.code === 'usual.system')?.message.args['system'];
    return {
      ...(usual === undefined ? {} : { usual }),
      files: opened.results.length,
      read: opened.results.filter((r) => r.documents.length > 0).length,
      topology: opened.machine.hosts.length > 0,
      table: opened.results.some((r) => r.documents.some((d) => d.kind === 'nccl-tests' && d.rows.length > 0)),
    };
  },

  report: (desk, { view }) => {
    const machine = desk.views.of(view);
    const answer = machine.hosts.length > 0 ? answerReport(machine, askOf(view)) : undefined;
    return JSON.parse(reportJson(machine, desk.opened.results, answer, view.assume, view.language));
  },

  explain: (desk, { view, from, to }) => {
    const answer = answerExplain(desk.views.whole(view), askOf(view), from, to);
    if (!answer.ok) throw new NoAnswer(answer.error.reason);
    return JSON.parse(explainJson(answer.value, view.assume, view.language));
  },

  move: (desk, { view, from, to, depth }) => {
    const how = { sizes: [...usualSizes], depth, threads: depth, both: false };
    const answer = answerMove(desk.views.whole(view), askOf(view), from, to, how);
    if (!answer.ok) throw new NoAnswer(answer.error);
    return JSON.parse(moveJson(answer.value, how, view.assume, view.language));
  },
};
