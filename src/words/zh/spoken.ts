import { answer } from './answer.ts';
import { asked } from './asked.ts';
import { assemble } from './assemble.ts';
import { chain } from './chain.ts';
import { collective } from './collective.ts';
import { compare } from './compare.ts';
import { doctor } from './doctor.ts';
import { doctorGds } from './doctor-gds.ts';
import { doctorGpu } from './doctor-gpu.ts';
import { doctorNet } from './doctor-net.ts';
import { engine } from './engine.ts';
import { env } from './env.ts';
import { flip } from './flip.ts';
import { graph } from './graph.ts';
import { input } from './input.ts';
import { learn } from './learn.ts';
import { machine } from './machine.ts';
import { move } from './move.ts';
import { page } from './page.ts';
import { plain } from './plain.ts';
import { predict } from './predict.ts';
import { report } from './report.ts';
import { rule } from './rule.ts';
import { show } from './show.ts';
import { wire } from './wire.ts';

/** 网页与库要说的全部句子；只有命令行才说的在 `index.ts`。 */
export const spoken = {
  ...answer,
  ...asked,
  ...assemble,
  ...chain,
  ...collective,
  ...compare,
  ...doctor,
  ...doctorGds,
  ...doctorGpu,
  ...doctorNet,
  ...engine,
  ...env,
  ...flip,
  ...graph,
  ...input,
  ...learn,
  ...machine,
  ...move,
  ...page,
  ...plain,
  ...predict,
  ...report,
  ...rule,
  ...show,
  ...wire,
} as const;
