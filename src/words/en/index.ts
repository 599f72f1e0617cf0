import { answer } from './answer.ts';
import { assemble } from './assemble.ts';
import { chain } from './chain.ts';
import { cli } from './cli.ts';
import { collective } from './collective.ts';
import { compare } from './compare.ts';
import { diff } from './diff.ts';
import { doctor } from './doctor.ts';
import { doctorGds } from './doctor-gds.ts';
import { doctorGpu } from './doctor-gpu.ts';
import { doctorNet } from './doctor-net.ts';
import { engine } from './engine.ts';
import { env } from './env.ts';
import { flip } from './flip.ts';
import { gain } from './gain.ts';
import { graph } from './graph.ts';
import { input } from './input.ts';
import { learn } from './learn.ts';
import { machine } from './machine.ts';
import { move } from './move.ts';
import { page } from './page.ts';
import { plain } from './plain.ts';
import { predict } from './predict.ts';
import { probe } from './probe.ts';
import { report } from './report.ts';
import { rule } from './rule.ts';
import { serve } from './serve.ts';
import { show } from './show.ts';
import { topoFile } from './topo-file.ts';
import { train } from './train.ts';
import { wire } from './wire.ts';

/** Every sentence crowfly can say in English. `{name}` is replaced by the message's data. */
export const en = {
  ...answer,
  ...assemble,
  ...chain,
  ...cli,
  ...compare,
  ...diff,
  ...doctor,
  ...doctorGds,
  ...doctorGpu,
  ...doctorNet,
  ...collective,
  ...engine,
  ...env,
  ...flip,
  ...gain,
  ...graph,
  ...input,
  ...learn,
  ...machine,
  ...move,
  ...page,
  ...plain,
  ...predict,
  ...probe,
  ...report,
  ...rule,
  ...serve,
  ...show,
  ...topoFile,
  ...train,
  ...wire,
} as const;

export type MessageCode = keyof typeof en;
