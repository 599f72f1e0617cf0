import { fail, ok, type Result } from '../base/result.ts';
import { say } from '../words/message.ts';
import { maxDescription, readSection } from './cluster-yaml/parse.ts';
import { readDescription } from './cluster-yaml/sections.ts';
import type { ClusterProblem, ClusterYaml } from './cluster-yaml/types.ts';

export type {
  ClusterDescription,
  ClusterProblem,
  ClusterYaml,
  NodeSource,
  StorageDescription,
} from './cluster-yaml/types.ts';

export const maxClusterYaml = maxDescription;

/** Could a cluster description begin at this line? A top-level `node:` or `nodes:` key, block or flow style. */
export const looksLikeClusterYaml = (line: string): boolean => /^(?:\{\s*)?["']?nodes?["']?\s*:(?:\s|$)/.test(line);

/** Reads a cluster description. All problems are told at once, each with its line and the nearest known word. */
export async function readClusterYaml(
  text: string,
  file: string,
): Promise<Result<ClusterYaml, readonly ClusterProblem[]>> {
  const read = await readSection(text, file);
  if (!read.ok) return read;
  const { top, problems, at } = read.value;
  const cluster = readDescription(top);
  if (cluster === undefined || problems.length > 0) {
    return fail(problems.length > 0 ? problems : [{ message: say('cluster.missing', { key: 'node' }), at }]);
  }
  return ok({ kind: 'cluster-yaml', file, cluster });
}
