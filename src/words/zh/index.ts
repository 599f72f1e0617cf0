import type { MessageCode } from '../en/index.ts';
import { cli } from './cli.ts';
import { diff } from './diff.ts';
import { gain } from './gain.ts';
import { help } from './help.ts';
import { probe } from './probe.ts';
import { serve } from './serve.ts';
import { spoken } from './spoken.ts';
import { topoFile } from './topo-file.ts';
import { train } from './train.ts';

/** 简体中文。类型保证每条英文消息都有对应的中文。 */
export const zh: Record<MessageCode, string> = {
  ...spoken,
  ...cli,
  ...diff,
  ...gain,
  ...help,
  ...probe,
  ...serve,
  ...topoFile,
  ...train,
};
