import { input } from './input.ts';
import { machine } from './machine.ts';
import { report } from './report.ts';
import { rule } from './rule.ts';
import { show } from './show.ts';

/** Every sentence crowfly can say in English. `{name}` is replaced by the message's data. */
export const en = { ...input, ...machine, ...rule, ...report, ...show } as const;

export type MessageCode = keyof typeof en;
