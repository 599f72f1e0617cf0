import { answerCompare } from '../../answer/compare.ts';
import { answerDoctor } from '../../answer/doctor.ts';
import { answerNcclLesson, ncclTopic } from '../../answer/learn-nccl.ts';
import { answerMove } from '../../answer/move.ts';
import { answerTogether } from '../../answer/movements.ts';
import { answerPredict } from '../../answer/predict.ts';
import { typicalMachine } from '../../answer/typical.ts';
import { clockedTimes } from '../../predict/collective/clocked.ts';
import type { TestName } from '../../predict/collective/predict.ts';
import { KeptLines } from '../../read/kept-lines.ts';
import { compareJson } from '../../tell/json/compare.ts';
import { doctorJson } from '../../tell/json/doctor.ts';
import { learnJson, topicsJson } from '../../tell/json/learn.ts';
import { learnNcclJson } from '../../tell/json/learn-nccl.ts';
import { predictJson } from '../../tell/json/predict.ts';
import { drawSvg, picture } from '../../tell/picture/index.ts';
import { redactor } from '../../tell/redact.ts';
import { doctorMarkdown } from '../../tell/reports/markdown.ts';
import { say } from '../../words/message.ts';
import { demonstrate, lessons } from '../../workload/learn.ts';
import type { Question } from '../protocol.ts';
import { systemOf } from './inputs.ts';
import { askOf } from './machine.ts';
import { NoAnswer } from './no-answer.ts';
import type { Answerer, Desk } from './questions.ts';
import { speak } from './spoken.ts';

/** `nccl-tests` from 8 B to 8 GiB, as it is usually run. */
const testSizes: readonly number[] = Array.from({ length: 31 }, (_, i) => 2 ** (i + 3));

/** Questions of the second look: findings, lessons, expected and measured tables, the engine's run. */
export const later: { readonly [Q in Question]?: Answerer<Q> } = {
  doctor: (desk, { view }) => {
    const { results } = desk.opened;
    return JSON.parse(doctorJson(answerDoctor(results, linesOf(desk), askOf(view)), results, view.language));
  },

  predict: (desk, { view, collective, system }) => {
    // Another machine beside this one: as many nodes, and nothing assumed of it.
    const machine =
      system === undefined ? desk.views.whole(view) : { ...systemOf(system), nodes: desk.views.whole(view).nodes };
    const name = collective as TestName;
    const answer = answerPredict(
      machine,
      askOf(view),
      { name, datatype: 'float', sizes: [...testSizes] },
      clockedTimes,
    );
    if (!answer.ok) {
      const { reason } = answer.error;
      throw new NoAnswer(reason.code === 'graph.too-many' ? reason : say('cli.refused', { reason, where: '' }));
    }
    return JSON.parse(predictJson(answer.value, system === undefined ? view.assume : [], view.language));
  },

  compare: (desk, { view }) => {
    const tables = desk.opened.results.flatMap((r) => r.documents).filter((d) => d.kind === 'nccl-tests');
    // The longest table: short ones are warm-ups and cut ends.
    const table = [...tables].sort((a, b) => b.rows.length - a.rows.length)[0];
    if (!table || table.rows.length === 0) return null;
    const answer = answerCompare(desk.views.whole(view), askOf(view), table, clockedTimes);
    if (!answer.ok) throw new NoAnswer(say('cli.refused', { reason: answer.error.reason, where: '' }));
    return answer.value ? JSON.parse(compareJson(answer.value, view.assume, view.language)) : null;
  },

  topics: (desk, { view }) => {
    const machine = desk.views.whole(view);
    const here = lessons.filter((l) => demonstrate(machine, askOf(view), l.topic).ok);
    return JSON.parse(topicsJson(new Set([...here.map((l) => l.topic), ncclTopic]), view.language));
  },

  learn: async (desk, { view, topic }) => {
    if (topic === ncclTopic) {
      const told = answerNcclLesson(desk.views.whole(view), askOf(view));
      if (!told.ok) throw new NoAnswer(say('cli.refused', { reason: told.error.reason, where: '' }));
      return JSON.parse(learnNcclJson(told.value, view.language));
    }
    const own = demonstrate(desk.views.whole(view), askOf(view), topic);
    if (own.ok) return { ...JSON.parse(learnJson(own.value, view.language)), typical: false };
    // What this machine has not, a typical one shows, as on the command line.
    const shown = demonstrate(await typicalMachine(lessons.find((l) => l.topic === topic)), {}, topic);
    if (!shown.ok) throw new NoAnswer(say('learn.failed', { topic }));
    return { ...JSON.parse(learnJson(shown.value, view.language)), typical: true };
  },

  trace: (desk, { view, from, to, path, bytes }) => {
    const machine = desk.views.whole(view);
    const load = { depth: 1, threads: 1, both: false };
    const answer = answerMove(machine, askOf(view), from, to, { ...load, sizes: [bytes], path });
    if (!answer.ok) throw new NoAnswer(answer.error);
    const ran = answerTogether(machine, askOf(view), answer.value, [], {
      bytes,
      load,
      language: view.language,
      trace: true,
    });
    if (!ran.ok) throw new NoAnswer(ran.error);
    return ran.value.trace;
  },

  quote: (desk, { file, line }) => {
    const around = 3;
    const from = Math.max(1, line - around);
    const lines: string[] = [];
    for (let n = from; n <= line + around; n++) {
      const text = desk.opened.lines?.at(file, n);
      if (text === undefined) break;
      lines.push(text);
    }
    return { file, first: from, lines };
  },

  form: (desk, { view, as }) => {
    if (as === 'svg') return drawSvg(picture(desk.views.whole(view)), { language: view.language });
    const answer = answerDoctor(desk.opened.results, linesOf(desk), askOf(view));
    return doctorMarkdown(answer, view.language, redactor(answer.hosts));
  },

  settle: async () => {
    const [{ readClusterYaml }] = await Promise.all([
      import('../../read/cluster-yaml.ts'),
      import('./of-files.ts'),
      speak('en'),
      speak('zh-CN'),
    ]);
    // The YAML parser comes with the first description.
    await readClusterYaml('node: dgx-h100', '');
    return true;
  },
};

const linesOf = (desk: Desk): KeptLines => desk.opened.lines ?? new KeptLines();
