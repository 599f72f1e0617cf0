import { fail, ok, type Result } from '../../base/result.ts';
import type { Where } from '../../fact/fact.ts';
import { say } from '../../words/message.ts';
import type { ClusterProblem } from './types.ts';
import { Section, toValue } from './values.ts';

/** A description is a page at most; whatever is longer is something else. */
export const maxDescription = 256 * 1024;

/**
 * The map that a small YAML file holds, and where the problems of its keys are gathered. Scalars are read as text (YAML's
 * failsafe schema), so that the version 2.30 is not the number 2.3; all problems are told at once, each with its line.
 */
export async function readSection(
  text: string,
  file: string,
): Promise<
  Result<{ readonly top: Section; readonly problems: ClusterProblem[]; readonly at: Where }, readonly ClusterProblem[]>
> {
  const whole: Where = { file, line: 0 };
  if (text.length > maxDescription) return fail([{ message: say('cluster.tooBig'), at: whole }]);
  const { parseDocument, LineCounter, isAlias, isMap, isScalar, isSeq } = await import('yaml');
  const lines = new LineCounter();
  const where = (offset: number): Where => ({ file, line: Math.max(1, lines.linePos(offset).line) });
  const parse = () =>
    parseDocument(text.replace(/^\uFEFF/, ''), {
      schema: 'failsafe',
      lineCounter: lines,
      uniqueKeys: true,
      prettyErrors: false,
      merge: false,
    });
  let document: ReturnType<typeof parse>;
  try {
    document = parse();
  } catch {
    // The library descends by recursion: thousands of open brackets end its stack.
    return fail([{ message: say('cluster.tooBig'), at: whole }]);
  }
  if (document.errors.length > 0) {
    return fail(
      document.errors.slice(0, 5).map((error) => ({
        message:
          error.code === 'DUPLICATE_KEY' ? say('cluster.duplicateKey') : say('cluster.notYaml', { code: error.code }),
        at: where(error.pos[0]),
      })),
    );
  }
  const problems: ClusterProblem[] = [];
  const root = toValue(document.contents, document, { isAlias, isMap, isScalar, isSeq }, where, problems);
  if (problems.length > 0) return fail(problems);
  if (root.kind !== 'map') return fail([{ message: say('cluster.notAMap'), at: root.at }]);
  return ok({ top: new Section(root.entries, '', root.at, problems), problems, at: root.at });
}
