import type { Where } from '../../fact/fact.ts';
import { say } from '../../words/message.ts';
import { type Finding, finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/** Modules whose files the plugin hands to pods, by the file's name. */
const modules: ReadonlyMap<string, string> = new Map([
  ['rdma_cm', 'rdma_ucm'],
  ['ucm', 'ib_ucm'],
  ['issm', 'ib_umad'],
  ['umad', 'ib_umad'],
  ['uverbs', 'ib_uverbs'],
]);

/**
 * Kubernetes' plugin for shared RDMA devices found none that it may hand out. It says of every network card without RDMA that
 * files are missing, so only a card that has it counts, or a resource that stays empty.
 */
export function emptyResource(facts: Parameters<Rule>[0]): Finding | undefined {
  const empty: Where[] = facts.said('plugin-no-device').map((m) => m.at);
  const cards = new Map(facts.said('plugin-nic').map((m) => [m.words[0], m.at]));
  const lacking = facts.said('plugin-missing-node');
  const known = lacking.filter((m) => cards.has(m.words[0]));
  if (known.length === 0 && (empty.length === 0 || (lacking.length === 0 && cards.size === 0))) return undefined;
  const told = known.length > 0 ? known : lacking;
  const names = [...new Set(told.flatMap((m) => modules.get(m.words[1] ?? '') ?? []))];
  return finding('rdma-device-not-in-container', {
    confidence: known.length > 0 && empty.length > 0 ? 0.9 : 0.75,
    devices: [...new Set(known.flatMap((m) => m.words[0] ?? []))],
    evidence: [...told.slice(0, 3).map((m) => m.at), ...empty.slice(0, 2), cards.get(told[0]?.words[0])],
    fix: say('doctor.fix-device-plugin'),
    commands: [names.length > 0 ? `sudo modprobe -a ${names.join(' ')}` : undefined, 'ls -l /dev/infiniband'],
    settle: 'ibdev2netdev; ls -l /dev/infiniband; lsmod | grep -E "ib_umad|rdma_ucm|ib_uverbs"',
  });
}
