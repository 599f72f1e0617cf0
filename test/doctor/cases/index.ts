import type { Case } from '../case.ts';
import { gdrCases } from './gdr.ts';
import { gdsCases } from './gds.ts';
import { gpuCases } from './gpu.ts';
import { hostCases } from './host.ts';
import { networkCases } from './network.ts';
import { programCases } from './programs.ts';
import { topologyCases } from './topology.ts';

export const cases: readonly Case[] = [
  ...gdrCases,
  ...gdsCases,
  ...gpuCases,
  ...hostCases,
  ...networkCases,
  ...programCases,
  ...topologyCases,
];
