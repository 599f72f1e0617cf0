import { finding } from '../finding.ts';
import { bridgesOf } from '../pci-below.ts';
import type { Rule } from '../rule.ts';

/** ACS sends traffic between two cards up to the root and back. Only bridges above a GPU or a NIC matter. */
export const acs: Rule = (facts) => {
  const bridges = bridgesOf(facts.of('lspci'));
  const loose = facts.of('lspci').flatMap((l) => l.loose);
  const redirecting = bridges.filter((b) => b.acs.redirect);
  const harmful = redirecting.filter((b) => b.carries !== 'other');
  const looseOn = loose.filter((l) => l.redirect);
  if (harmful.length > 0 || (looseOn.length > 0 && redirecting.length === 0)) {
    const sure = harmful.some((b) => b.carries === 'gpu-or-nic');
    return finding('acs-enabled', {
      confidence: sure ? 0.95 : 0.75,
      devices: [...harmful.map((b) => b.address), ...looseOn.flatMap((l) => l.address ?? [])],
      evidence: [...harmful.map((b) => b.acs.at), ...looseOn.map((l) => l.at)],
      commands:
        harmful.length > 0
          ? harmful.slice(0, 16).map((b) => `sudo setpci -s ${b.address} ECAP_ACS+0x6.w=0000`)
          : ["for b in $(lspci -D | awk '/PCI bridge/{print $1}'); do sudo setpci -s $b ECAP_ACS+0x6.w=0000; done"],
      ...(sure ? {} : { settle: 'sudo lspci -D -vvv; lspci -D -tv' }),
    });
  }
  if (redirecting.length > 0) {
    return finding('acs-redirect-off-path', {
      devices: redirecting.map((b) => b.address),
      evidence: redirecting.map((b) => b.acs.at),
    });
  }
  const validating = [...bridges.map((b) => b.acs), ...loose].filter((a) => a.sourceValidation);
  if (validating.length === 0) return undefined;
  return finding('acs-srcvalid-only', { evidence: validating.map((a) => a.at) });
};
