import type { Where } from '../../fact/fact.ts';
import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/** An IOMMU that translates the addresses of every transfer. AMD's is on without any option, so `amd_iommu=on` proves nothing. */
export const iommu: Rule = (facts) => {
  const lines = facts.of('kernel-cmdline').flatMap((c) => c.lines);
  const asks = (pattern: RegExp) => lines.find((l) => pattern.test(l.text));
  const through = asks(/\biommu=pt\b|\biommu\.passthrough=1\b/);
  const off = asks(/\b(?:intel_iommu|amd_iommu|iommu)=off\b/);
  const warned = facts.warnings.filter((w) => w.kind === 'iommu-passthrough').map((w) => w.at);
  if (through || off || facts.said('iommu-passthrough').length > 0 || facts.said('iommu-off').length > 0) {
    if (warned.length === 0 || through || off) return undefined;
  }
  const on = asks(/\bintel_iommu=(?:on|sm_on)\b/);
  const enabled = facts.said('iommu-on').map((m) => m.at);
  const faults = facts.said('iommu-fault').map((m) => m.at);
  const translated = facts.said('iommu-translated');
  // Kernels print the domain type also where no IOMMU is at work: in a whole log something else must show it.
  const short = facts
    .of('messages')
    .filter((m) => m.from === 'kernel')
    .every((m) => m.lines < 60);
  const active = enabled.length > 0 || facts.said('iommu-at-work').length > 0 || on !== undefined || short;
  const domain = active ? translated.map((m) => m.at) : [];
  const check =
    facts.of('gds-check').find((g) => g.iommu && /^enabled?$/.test(g.iommu.value))?.iommu ?? facts.said('iommu-gds')[0];
  const evidence: (Where | undefined)[] = [on?.at, ...enabled, ...domain, ...warned, ...faults, check?.at];
  if (!evidence.some((e) => e)) return undefined;
  const sure = on !== undefined || warned.length > 0 || faults.length > 0;
  const amd = facts.of('cpu-info').some((c) => /AMD/.test(c.fields.get('Vendor ID')?.value ?? ''));
  const onlyCheck = evidence.filter((e) => e).length === 1 && check !== undefined;
  return finding('iommu-on', {
    severity: onlyCheck ? 'warning' : 'error',
    confidence: sure ? 0.9 : 0.7,
    evidence,
    commands: [`sudo grubby --update-kernel=ALL --args="iommu=pt"`, ...(amd ? [] : ['cat /proc/cmdline'])],
    settle: 'cat /proc/cmdline; sudo dmesg | grep -iE "iommu|dmar"',
  });
};
