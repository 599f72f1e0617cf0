import { finding } from '../finding.ts';
import { hcasWithout, refusedBuffers, registered } from '../peermem-facts.ts';
import type { Rule } from '../rule.ts';

/** The module is loaded and NCCL still has no GPUDirect RDMA: it never registered, or this NCCL looks in the old place. */
export const peermemLoaded: Rule = (facts) => {
  const { peermem } = facts;
  if (peermem === undefined || peermem === 'absent') return undefined;
  const hcas = hcasWithout(facts);
  const failed = facts.of('perftest').find((p) => p.noRegion && p.cuda)?.noRegion?.at ?? refusedBuffers(facts)[0];
  if (hcas.length === 0 && !(failed && !facts.geforce)) return undefined;
  if (facts.geforce) return undefined;
  const { asPeermem, asNvMem, absent } = registered(facts);
  // Releases up to 2.22.3 look for nv_mem alone; the module has registered as nvidia-peermem since driver 470.
  const old = hcas.length > 0 && facts.olderThan('2.23.4') === true;
  const devices = hcas.map((h) => h.name);
  const places = [...hcas.map((h) => h.at), failed];
  const tooOld = (confidence: number, severity: 'error' | 'warning') =>
    finding('gdr-disabled-nccl-too-old-for-peermem', {
      confidence,
      severity,
      devices,
      evidence: [facts.release?.at, asPeermem, ...places, peermem],
      settle: 'ls /sys/kernel/mm/memory_peers',
    });
  if (asPeermem && !asNvMem && old) return tooOld(0.9, 'error');
  if (asPeermem || asNvMem) return undefined;
  const loaded = finding('gdr-disabled-peermem-loaded', {
    confidence: absent ? 0.9 : old ? 0.6 : 0.75,
    devices,
    evidence: [...places, peermem, absent],
    commands: ['sudo modprobe -r nvidia_peermem && sudo modprobe nvidia_peermem', 'ls /sys/kernel/mm/memory_peers'],
    ...(absent ? {} : { settle: 'ls /sys/kernel/mm/memory_peers' }),
  });
  return old && !absent ? [loaded, tooOld(0.5, 'warning')] : loaded;
};
