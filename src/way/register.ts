import type { Answer } from '../fact/fact.ts';
import type { Gpu, NicPort } from '../machine/host.ts';
import type { Machine } from '../machine/machine.ts';
import { settle } from '../nccl/decide/doubt.ts';
import { type Message, say } from '../words/message.ts';

/** May a NIC be given GPU memory to read and write, and which fact says so? */
export interface Registrable {
  readonly direct: Answer;
  readonly rule: Message;
  readonly settle?: string;
}

/**
 * Whether an application may register a GPU's memory with a NIC: the GPU must export its pages, and the kernel must take them,
 * through a peermem module or as DMA-BUF. No library is asked: how far apart the two are costs time, and forbids nothing.
 */
export function registrable(machine: Machine, gpu: Gpu | undefined, port: NicPort | undefined): Registrable {
  const { peermem, dmabuf } = machine.software;
  if (gpu?.gdr === false) return { direct: 'no', rule: say('rule.gdr.gpu-cannot') };
  if (port?.gdr === false || (peermem?.value === false && dmabuf?.value === false)) {
    return { direct: 'no', rule: say('rule.gdr.nic-cannot') };
  }
  const taken = port?.gdr === true || peermem?.value === true || dmabuf?.value === true;
  if (gpu?.gdr === true && taken) return { direct: 'yes', rule: say('rule.register.yes') };
  const who = gpu?.gdr === true ? 'rule.gdr.nic' : taken ? 'rule.gdr.gpu' : 'rule.gdr.both';
  return { direct: 'unknown', rule: say('rule.gdr.not-known', { who: say(who) }), settle: settle.gdr };
}
