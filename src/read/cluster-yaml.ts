import { fail, ok, type Result } from '../base/result.ts';
import type { Where } from '../fact/fact.ts';
import { say } from '../words/message.ts';
import { readDescription } from './cluster-yaml/sections.ts';
import type { ClusterProblem, ClusterYaml } from './cluster-yaml/types.ts';
import { Section, toValue } from './cluster-yaml/values.ts';

export type {
  ClusterDescription,
  ClusterProblem,
  ClusterYaml,
  NodeSource,
  StorageDescription,
} from './cluster-yaml/types.ts';

/** A description is a page at most; whatever is longer is something else. */
export const maxClusterYaml = 256 * 1024;

/** Could a cluster description begin at this line? A top-level `node:` or `nodes:` key, block or flow style. */
export const looksLikeClusterYaml = (line: string): boolean => /^(?:\{\s*)?["']?nodes?["']?\s*:(?:\s|$)/.test(line);

/**
 * Reads a cluster description. All problems are told at once, each with its line and the nearest known word.
 * Scalars are read as text (YAML's failsafe schema), so that the version 2.30 is not the number 2.3.
 */
export async function readClusterYaml(
  text: string,
  file: string,
): Promise<Result<ClusterYaml, readonly ClusterProblem[]>> {
  const whole: Where = { file, line: 0 };
  if (text.length > maxClusterYaml) return fail([{ message: say('cluster.tooBig'), at: whole }]);
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
  const cluster = readDescription(new Section(root.entries, '', root.at, problems));
  if (cluster === undefined || problems.length > 0) {
    return fail(problems.length > 0 ? problems : [{ message: say('cluster.missing', { key: 'node' }), at: root.at }]);
  }
  return ok({ kind: 'cluster-yaml', file, cluster });
}
