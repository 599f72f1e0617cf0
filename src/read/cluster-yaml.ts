import { fail, ok, type Result } from '../base/result.ts';
import { say } from '../words/message.ts';
import { maxDescription, readSection } from './cluster-yaml/parse.ts';
import { readDescription } from './cluster-yaml/sections.ts';
import type { ClusterProblem, ClusterYaml } from './cluster-yaml/types.ts';
import { type PlainNetwork, readPlainNetwork } from './plain-network.ts';

export type {
  ClusterDescription,
  ClusterProblem,
  ClusterYaml,
  NodeSource,
  StorageDescription,
} from './cluster-yaml/types.ts';

export const maxClusterYaml = maxDescription;

/** Could a cluster description begin at this line? A top-level `node:`, `nodes:` or `plain:` key, block or flow style. */
export const looksLikeClusterYaml = (line: string): boolean =>
  /^(?:\{\s*)?["']?(?:nodes?|plain)["']?\s*:(?:\s|$)/.test(line);

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

/** Reads what a small YAML file describes: a cluster, or under `plain:` a network without a machine. */
export async function readYamlDescription(
  text: string,
  file: string,
): Promise<Result<ClusterYaml | PlainNetwork, readonly ClusterProblem[]>> {
  if (!/^(?:\{\s*)?["']?plain["']?\s*:/m.test(text)) return readClusterYaml(text, file);
  const read = await readSection(text, file);
  return read.ok ? readPlainNetwork(read.value.top, file, read.value.problems) : read;
}
