/**
 * What a launcher puts before each line to say whose it is: `[1,0]<stdout>:` of mpirun, ` 3: ` of srun -l, `node7: ` of pdsh and clush,
 * `worker-1  | ` of docker compose. Lines of several hosts or ranks come in any order.
 */
const tag =
  /^(?:\[\d{1,5},\d{1,6}\]<std(?:out|err)>: ?|\s{0,5}\d{1,6}: |[A-Za-z][\w.-]{0,63}: ?|[A-Za-z][\w.-]{0,63}\s{1,40}\| ?)/;

export const tagOf = (line: string): string | undefined => tag.exec(line)?.[0];

/** A prefix that is a tag and nothing else. */
export const isTag = (prefix: string): boolean =>
  prefix !== '' && tagOf(`${prefix}\u0000`)?.trimEnd() === prefix.trimEnd();
