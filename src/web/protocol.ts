import type { Language } from '../words/message.ts';

/**
 * What the page asks its worker, and what comes back. Answers are the JSON that the command line prints with `--json`, so that
 * the page can say nothing else; only what a face needs on top (systems to pick, a line to open) has a shape of its own here.
 */

/** Conditions of a question: what the options of the command line say. */
export interface View {
  readonly language: Language;
  /** `--assume`, as typed. */
  readonly assume: readonly string[];
  /** `--env`, NAME to value. */
  readonly env: readonly (readonly [string, string])[];
  readonly nccl?: string;
  readonly nodes?: number;
}

/** What is looked at: a system of the catalogue, files, or both. */
export interface Inputs {
  readonly system?: string;
  readonly files: readonly InputFile[];
}

export interface InputFile {
  readonly name: string;
  readonly content: Blob;
}

export interface QuotedLines {
  readonly file: string;
  /** Number of the first of the lines. */
  readonly first: number;
  readonly lines: readonly string[];
}

export interface SystemChoice {
  readonly id: string;
  readonly name: string;
  readonly gpus: number;
}

/** Every question with what it takes; the answer is JSON of the verb of the same name unless told otherwise. */
export interface Questions {
  /** Systems of the catalogue, NCCL releases and variables that are known. */
  readonly catalogue: Record<string, never>;
  /** Reads the inputs; answered by how many files gave anything. */
  readonly open: { readonly inputs: Inputs };
  readonly report: { readonly view: View };
  readonly explain: { readonly view: View; readonly from: string; readonly to: string };
  readonly move: { readonly view: View; readonly from: string; readonly to: string; readonly depth: number };
  readonly predict: { readonly view: View; readonly collective: string; readonly system?: string };
  readonly compare: { readonly view: View };
  readonly doctor: { readonly view: View };
  readonly topics: { readonly view: View };
  readonly learn: { readonly view: View; readonly topic: string };
  /** A trace of the engine in the Trace Event Format. */
  readonly trace: {
    readonly view: View;
    readonly from: string;
    readonly to: string;
    readonly path: string;
    readonly bytes: number;
  };
  /** Lines of an input around one of them. */
  readonly quote: { readonly file: string; readonly line: number };
  /** A form to pass on, as text. */
  readonly form: { readonly view: View; readonly as: 'svg' | 'markdown' };
  /** Loads what later questions need, so that no request is made afterwards. */
  readonly settle: Record<string, never>;
}

export type Question = keyof Questions;

export type Answered = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string };

export interface Ask<Q extends Question = Question> {
  readonly number: number;
  readonly question: Q;
  readonly with: Questions[Q];
}

export interface Reply {
  readonly number: number;
  readonly answer: Answered;
}
