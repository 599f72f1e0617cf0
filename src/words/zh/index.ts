import type { MessageCode } from '../en/index.ts';
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

/** 简体中文。类型保证每条英文消息都有对应的中文。 */
export const zh: Record<MessageCode, string> = {
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
};
