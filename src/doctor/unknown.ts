import type { Where } from '../fact/fact.ts';
import type { Message } from '../words/message.ts';
import { say } from '../words/message.ts';
import type { Facts } from './facts.ts';
import { isGpu } from './facts.ts';
import type { FindingId } from './ids.ts';
import { stagedWays } from './peermem-facts.ts';

/** Something that the inputs leave open and that decides whether data takes the direct way. */
export interface OpenQuestion {
  readonly about: Message;
  readonly evidence: readonly Where[];
  readonly settle: string;
}

/** What to ask next. Only what the inputs raise: a host that nobody described raises nothing. */
export function openQuestions(facts: Facts, found: readonly FindingId[]): OpenQuestion[] {
  const open: OpenQuestion[] = [];
  const staged = found.some((f) => f.startsWith('gdr-')) ? [] : stagedWays(facts);
  if (staged.length > 0)
    open.push({
      about: say('doctor.open.gdr'),
      evidence: staged.slice(0, 3).map((s) => s.at),
      settle: "lsmod | grep -E 'nvidia_peermem|nv_peer_mem'; nvidia-smi topo -m",
    });
  const bridges = facts.of('lspci').flatMap((l) => l.devices);
  const gpu = bridges.find(isGpu);
  if (gpu && !bridges.some((d) => d.acs) && bridges.filter(isGpu).length > 1)
    open.push({ about: say('doctor.open.acs'), evidence: [gpu.at], settle: 'sudo lspci -D -vvv' });
  const warned = facts.warnings.find((w) => w.kind === 'ib-completion');
  if (warned && !found.some((f) => /^roce|^nic-|^mtu|^acs/.test(f)))
    open.push({
      about: say('doctor.open.completion'),
      evidence: [warned.at],
      settle: 'ibstat; show_gids; sudo lspci -vvv | grep -i acsctl',
    });
  return open;
}
