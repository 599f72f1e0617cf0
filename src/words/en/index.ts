import { cli } from './cli.ts';
import { diff } from './diff.ts';
import { gain } from './gain.ts';
import { help } from './help.ts';
import { probe } from './probe.ts';
import { serve } from './serve.ts';
import { spoken } from './spoken.ts';
import { topoFile } from './topo-file.ts';
import { train } from './train.ts';

/** Every sentence crowfly can say in English. `{name}` is replaced by the message's data. */
export const en = {
  ...spoken,
  ...cli,
  ...diff,
  ...gain,
  ...help,
  ...probe,
  ...serve,
  ...topoFile,
  ...train,
} as const;

export type MessageCode = keyof typeof en;
