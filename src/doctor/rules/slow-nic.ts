import type { Where } from '../../fact/fact.ts';
import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/** NCCL takes every NIC it sees, also those for storage and management; the slowest sets the pace of its channels. */
export const slowNic: Rule = (facts) => {
  for (const network of facts.networks) {
    const { ib } = network;
    if (!ib || ib.devices.length < 2) continue;
    const rateOf = (name: string) =>
      facts.ports.find((p) => p.device === name && p.rate && p.state?.value === 'active');
    const rates = ib.devices.map((d) => ({ d, p: rateOf(d.name) }));
    const best = Math.max(0, ...rates.map((r) => r.p?.rate?.value ?? 0));
    const slow = rates.filter((r) => r.p && r.p.rate!.value <= best / 2);
    const layers = new Set(ib.devices.map((d) => d.layer));
    const minority = ib.devices.filter((d) => d.layer === 'RoCE');
    if (slow.length === 0 && !(layers.has('IB') && layers.has('RoCE'))) continue;
    const names = slow.length > 0 ? slow.map((s) => s.d.name) : minority.map((d) => d.name);
    const places: (Where | undefined)[] = slow.map((s) => s.p?.rate?.at[0]);
    return finding('slow-nic-in-nccl-set', {
      confidence: slow.length > 0 ? 0.9 : 0.7,
      devices: names,
      evidence: [...places, ib.at],
      commands: [`export NCCL_IB_HCA=^${names.join(',')}`],
      ...(slow.length > 0 ? {} : { settle: 'ibstatus' }),
    });
  }
  return undefined;
};
