import type { NamedDevice } from '../machine/names.ts';
import { settle } from '../nccl/decide/doubt.ts';
import { say } from '../words/message.ts';
import type { Judged } from './judged.ts';
import { type End, Stages } from './stages.ts';

export const openStorage: Judged = {
  direct: 'unknown',
  ways: [],
  rule: say('rule.gds.not-known'),
  evidence: [],
  settle: settle.gds,
};

/** Between a drive and a GPU. A description may say whether GPUDirect Storage works; nothing else that is read does. */
export function storageCourse(
  gds: boolean | undefined,
  end: End,
  drive: NamedDevice,
  gpu: NamedDevice,
  cpu: NamedDevice,
  fills: boolean,
): Judged {
  if (gds === undefined) return openStorage;
  const stages = new Stages();
  if (gds) {
    stages.driveDma(end, drive, gpu, fills);
    return { direct: 'yes', ways: [stages.way('gpudirect-storage')], rule: say('rule.gds.told'), evidence: [] };
  }
  if (!fills) stages.hostCopy(end, gpu, cpu, true);
  stages.driveDma(end, drive, cpu, fills);
  if (fills) stages.hostCopy(end, gpu, cpu, false);
  return { direct: 'no', ways: [stages.way('posix-bounce')], rule: say('rule.gds.told-not'), evidence: [] };
}
