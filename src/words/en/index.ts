import { answer } from './answer.ts';
import { assemble } from './assemble.ts';
import { cli } from './cli.ts';
import { flip } from './flip.ts';
import { input } from './input.ts';
import { machine } from './machine.ts';
import { move } from './move.ts';
import { report } from './report.ts';
import { rule } from './rule.ts';
import { show } from './show.ts';

/** Every sentence crowfly can say in English. `{name}` is replaced by the message's data. */
export const en = {
  ...answer,
  ...assemble,
  ...cli,
  ...flip,
  ...input,
  ...machine,
  ...move,
  ...report,
  ...rule,
  ...show,
} as const;

export type MessageCode = keyof typeof en;
