import type { NamedDevice } from '../machine/names.ts';
import { settle } from '../nccl/decide/doubt.ts';
import { say } from '../words/message.ts';
import type { Judged } from './judged.ts';
import type { P2pdma } from './p2pdma.ts';
import { type End, Stages } from './stages.ts';

export const openStorage: Judged = {
  direct: 'unknown',
  ways: [],
  rule: say('rule.gds.not-known'),
  evidence: [],
  settle: settle.gds,
};

/**
 * Between a drive and a GPU. A description may say whether GPUDirect Storage works; where none does, the kernel's own way may be known
 * to be open.
 */
export function storageCourse(
  gds: boolean | undefined,
  end: End,
  drive: NamedDevice,
  gpu: NamedDevice,
  cpu: NamedDevice,
  fills: boolean,
  kernel: P2pdma,
): Judged {
  const stages = new Stages();
  if (gds === undefined) {
    if (kernel.allowed !== 'yes') return openStorage;
    stages.driveDma(end, drive, gpu, fills);
    return { direct: 'yes', ways: [stages.way('p2pdma')], rule: kernel.rule, evidence: [...kernel.at] };
  }
  if (gds) {
    stages.driveDma(end, drive, gpu, fills);
    return { direct: 'yes', ways: [stages.way('gpudirect-storage')], rule: say('rule.gds.told'), evidence: [] };
  }
  if (!fills) stages.hostCopy(end, gpu, cpu, true);
  stages.driveDma(end, drive, cpu, fills);
  if (fills) stages.hostCopy(end, gpu, cpu, false);
  return { direct: 'no', ways: [stages.way('posix-bounce')], rule: say('rule.gds.told-not'), evidence: [] };
}
