import { variableNamed, variableNames } from '../nccl/variables/variable.ts';
import { type Message, say } from '../words/message.ts';

/** A variable of NCCL explained without any input: which releases read it, how, and what took its place. */
export interface VariableAbout {
  readonly name: string;
  readonly parts: readonly Message[];
  readonly docs: string;
}

export { variableNames };

export function variableAbout(word: string): VariableAbout | undefined {
  const name = word.trim().toUpperCase().replace(/=.*$/s, '');
  const v = variableNamed(name);
  if (!v) return undefined;
  return {
    name,
    parts: [
      v.until === undefined
        ? say('env.about.since', { since: v.since })
        : say('env.about.until', { since: v.since, until: v.until }),
      say(`env.about.${v.kind}`),
      ...(v.standard === undefined ? [] : [say('env.about.standard', { value: v.standard })]),
      ...(v.instead === undefined ? [] : [say('env.about.instead', { name: v.instead })]),
      say('env.about.check', { name }),
    ],
    docs: 'https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html',
  };
}
