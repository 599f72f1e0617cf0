import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Question, Questions, SystemChoice } from '../protocol.ts';
import type {
  Comparison,
  Explain,
  Findings,
  Lesson,
  Move,
  NcclLesson,
  Prediction,
  QuotedAnswer,
  Report,
  TraceDocument,
} from './answers.ts';
import { type Answer, Desk } from './desk.ts';
import * as state from './state.ts';

export const desk = new Desk();

/** What is known of an answer: the last one stays until the next arrives, so that nothing jumps. */
export interface Told<T> {
  readonly answer?: Answer<T>;
  readonly busy: boolean;
}

export interface CatalogueAnswer {
  readonly systems: readonly SystemChoice[];
  readonly releases: readonly string[];
  readonly collectives: readonly string[];
}

export interface OpenAnswer {
  readonly files: number;
  readonly read: number;
  readonly topology: boolean;
  /** The system that a table alone stands for. */
  readonly usual?: string;
  readonly table: boolean;
}

/** Asks whenever what it depends on changes; answers to what nobody wants to know any more are dropped. */
function follow<T, Q extends Question>(question: Q, what: () => Questions[Q] | undefined): ReadonlySignal<Told<T>> {
  const told: Signal<Told<T>> = signal({ busy: false });
  let number = 0;
  let last: string | undefined;
  effect(() => {
    const wanted = what();
    // Inputs that were opened anew change every answer, though no question's words do.
    const key = wanted === undefined ? undefined : `${generation.value} ${JSON.stringify(wanted)}`;
    if (key === last) return;
    last = key;
    const mine = ++number;
    if (wanted === undefined) {
      told.value = { busy: false };
      return;
    }
    told.value = { ...told.peek(), busy: true };
    void desk.ask<T, Q>(question, wanted).then((answer) => {
      if (mine === number) told.value = { answer, busy: false };
    });
  });
  return told;
}

/** Counts the times that inputs were opened; 0 until the first are. */
export const generation = signal(0);
export const open = signal<Told<OpenAnswer>>({ busy: true });
export const catalogue = signal<CatalogueAnswer | undefined>(undefined);

let opening = 0;
effect(() => {
  const inputs = state.inputs.value;
  const mine = ++opening;
  open.value = { ...open.peek(), busy: true };
  void desk.ask<OpenAnswer>('open', { inputs }).then((answer) => {
    if (mine !== opening) return;
    open.value = { answer, busy: false };
    generation.value++;
  });
});
void desk.ask<CatalogueAnswer>('catalogue', {}).then((a) => {
  if (a.ok) catalogue.value = a.value;
});

const ready = (): boolean => generation.value > 0;
const whole = (): boolean => {
  const o = open.value.answer;
  return ready() && o?.ok === true && o.value.topology;
};

const pair = (): { from: string; to: string } | undefined => {
  const from = state.from.value;
  const to = state.to.value;
  return whole() && from !== undefined && to !== undefined ? { from, to } : undefined;
};
const between = (view: ReadonlySignal<Questions['move']['view']>): Questions['move'] | undefined => {
  const p = pair();
  return p && { ...p, view: view.value, depth: 1 };
};

export const move = follow<Move, 'move'>('move', () => between(state.view));
export const moveBefore = follow<Move, 'move'>('move', () => (state.changed.value ? between(state.before) : undefined));
// Asked after what a click waits for: the worker answers in order.
export const report = follow<Report, 'report'>('report', () => (ready() ? { view: state.view.value } : undefined));
export const reportBefore = follow<Report, 'report'>('report', () =>
  ready() && state.changed.value ? { view: state.before.value } : undefined,
);

export const explain = follow<Explain, 'explain'>('explain', () => {
  const p = pair();
  // Why is asked of what NCCL and cuFile decide on; host memory, storage and capture cards have data paths only.
  return p && explained(p.from) && explained(p.to) ? { ...p, view: state.view.value } : undefined;
});
const explained = (name: string): boolean => /(?:^|\/)(?:gpu|nic|cpu|nvme)\d/.test(name);

const test = (view: ReadonlySignal<Questions['predict']['view']>): Questions['predict'] | undefined =>
  whole() && state.tab.value === 'collective' ? { view: view.value, collective: state.collective.value } : undefined;
export const prediction = follow<Prediction, 'predict'>('predict', () => test(state.view));
export const predictionBefore = follow<Prediction, 'predict'>('predict', () =>
  state.changed.value ? test(state.before) : undefined,
);
export const predictionBeside = follow<Prediction, 'predict'>('predict', () => {
  const t = test(state.before);
  return t && state.beside.value !== undefined ? { ...t, system: state.beside.value } : undefined;
});
export const comparison = follow<Comparison | null, 'compare'>('compare', () => {
  const o = open.value.answer;
  const table = o?.ok === true && o.value.table;
  return whole() && table && state.tab.value === 'collective' ? { view: state.view.value } : undefined;
});

export const findings = follow<Findings, 'doctor'>('doctor', () =>
  ready() && state.files.value.length > 0 ? { view: state.view.value } : undefined,
);

export const lessonsHere = follow<
  { readonly topics: readonly { topic: string; title: string; here: boolean }[] },
  'topics'
>('topics', () => (whole() && state.tab.value === 'learn' ? { view: state.view.value } : undefined));
export const lesson = follow<Lesson | NcclLesson, 'learn'>('learn', () =>
  whole() && state.tab.value === 'learn' ? { view: state.view.value, topic: state.topic.value } : undefined,
);

/** Longer runs only repeat themselves on the timeline. */
const mostTraced = 2 ** 24;
export const tracedPath = signal<string | undefined>(undefined);
export const trace = follow<TraceDocument, 'trace'>('trace', () => {
  const p = pair();
  const paths = move.value.answer?.ok ? move.value.answer.value.paths : [];
  const path =
    paths.find((x) => x.path === tracedPath.value)?.path ??
    paths.find((x) => x.allowed === 'yes')?.path ??
    paths[0]?.path;
  if (!p || path === undefined || state.tab.value !== 'timeline') return undefined;
  return { ...p, view: state.view.value, path, bytes: Math.min(state.bytes.value, mostTraced) };
});

export const quote = follow<QuotedAnswer, 'quote'>('quote', () => (ready() ? state.opened.value : undefined));

/** The value of an answer that is there and good. */
export const good = <T>(told: Told<T>): T | undefined => (told.answer?.ok ? told.answer.value : undefined);
