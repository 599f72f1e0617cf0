/** Rules that decided something, and refusals. */
export const rule = {
  'rule.refused.no-gpu': 'NCCL finds no GPU of any rank in this topology and stops',
  'rule.refused.gpu-hidden':
    '{gpu} ({bus}) sits below a PCIe device that also carries a <nic>: NCCL takes that device for a NIC and never looks below it, so the NVLinks of {gpu} have no owner and NCCL stops with an internal error',
  'rule.refused.version': 'topology file version {version}: NCCL accepts only version 1',
} as const;
