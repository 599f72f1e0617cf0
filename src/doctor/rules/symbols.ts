import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

const peermemModule = /^(?:nvidia_peermem|nv_peer_mem)$/;
const name = (module: string): string => module.replace(/-/g, '_');

/** A module built against other headers than those of the kernel or the driver that runs. */
export const symbols: Rule = (facts) => {
  const told = facts.said('symbol');
  // Whatever it lacks of the RDMA core, also where a line is cut short.
  const ofPeermem = told.filter(
    (t) =>
      /ib_(?:un)?register_peer_memory_client/.test(t.words[2] ?? '') ||
      (peermemModule.test(name(t.words[0] ?? '')) && /^ib_?/.test(t.words[2] ?? '')),
  );
  const refused = facts
    .said('module-not-inserted')
    .filter(
      (m) =>
        peermemModule.test(name(m.words[0] ?? '')) &&
        /Invalid argument|Unknown symbol|Exec format/i.test(m.words[1] ?? ''),
    );
  const others = told.filter((t) => !ofPeermem.includes(t) && /nvidia|nvfs|p2p/.test(`${t.words[0]} ${t.words[2]}`));
  // The driver's table of pages is of another make than the module was built for: a driver that was updated below it.
  const tables = facts.said('page-table');
  const kernel = facts
    .of('listing')
    .flatMap((l) => l.entries)
    .find((e) => e.target !== undefined && /ofa_kernel|^\/?default$|\/default$/.test(e.path));
  const module = name(ofPeermem[0]?.words[0] ?? refused[0]?.words[0] ?? 'nvidia_peermem');
  const strangers = [...others, ...tables];
  const other = name(strangers[0]?.words[0] ?? '');
  return [
    ofPeermem.length + refused.length === 0
      ? undefined
      : finding('peermem-symbol-mismatch-ofed', {
          confidence: ofPeermem.length > 0 ? 0.95 : 0.75,
          devices: [module],
          evidence: [...ofPeermem.map((t) => t.at), ...refused.map((m) => m.at), kernel?.at],
          commands: [`modinfo ${module} | grep -E 'filename|depends|vermagic'`, 'ofed_info -s; uname -r'],
          ...(ofPeermem.length > 0 ? {} : { settle: 'sudo dmesg | tail -n 50' }),
        }),
    strangers.length === 0
      ? undefined
      : finding('kernel-module-symbol-mismatch', {
          severity: strangers.every((t) => t.words[1] === 'no symbol version for') ? 'warning' : 'error',
          devices: [...new Set(strangers.map((t) => name(t.words[0]!)))],
          evidence: strangers.map((t) => t.at),
          commands: [`modinfo ${other} | grep vermagic`, 'cat /proc/driver/nvidia/version'],
        }),
  ];
};
