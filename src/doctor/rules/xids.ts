import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/** Xid errors that name the link, the firmware or the slot. Xid 45 is what they do to others, so it says nothing itself. */
const nvlinkXids = new Set(['74', '144', '145', '146', '147', '148', '149', '150']);

export const xids: Rule = (facts) => {
  const told = facts.said('xid');
  const gsp = told.filter((x) => x.words[1] === '119');
  const gone = told.filter((x) => x.words[1] === '79');
  // NVML's word for the same, where the kernel's log is not at hand.
  const unreachable = facts.warnings.filter((w) => w.kind === 'nvml' && /GPU is lost/.test(w.text));
  const lost = [...facts.said('gpu-gone'), ...unreachable.map((w) => ({ words: [''], at: w.at }))];
  const own = told.filter((x) => nvlinkXids.has(x.words[1] ?? ''));
  // A victim may name what it fell to, where the line of the fault itself was not pasted.
  const victims = told.filter((x) => /previous Xid (?:145|149)\b/.test(x.text));
  const link = own.length > 0 ? own : victims;
  const mended = own.length > 0 && own.every((x) => / Nonfatal /.test(x.text)) && told.every((x) => own.includes(x));
  return [
    gone.length + lost.length === 0
      ? undefined
      : finding('gpu-xid-79-off-the-bus', {
          // A driver that finds the GPU gone when it loads has no channel to report an Xid for.
          devices: (gone.length > 0 ? gone : lost).map((x) => x.words[0]!).filter((name) => name !== ''),
          evidence: [...gone, ...lost].map((x) => x.at),
          commands: [
            `sudo lspci -vvv${gone[0] ? ` -s ${gone[0].words[0]!}` : ' -d 10de:'} | grep -E 'LnkCap|LnkSta'`,
            "sudo dmesg | grep -iE 'AER|pcieport'",
            'sudo nvidia-bug-report.sh',
          ],
        }),
    gsp.length === 0
      ? undefined
      : finding('gpu-xid-119-gsp-timeout', {
          devices: gsp.map((x) => x.words[0]!),
          evidence: gsp.map((x) => x.at),
          commands: ['sudo nvidia-smi -r', 'sudo nvidia-bug-report.sh'],
        }),
    link.length === 0
      ? undefined
      : finding('gpu-xid-nvlink', {
          // What the link itself mended, and what ended nobody, is worth a look and no repair yet.
          severity: mended ? 'warning' : 'error',
          confidence: mended ? 0.7 : 0.9,
          devices: link.map((x) => x.words[0]!),
          evidence: link.map((x) => x.at),
          commands: ['nvidia-smi nvlink -e', 'sudo nvidia-smi -r', 'sudo nvidia-bug-report.sh'],
        }),
  ];
};
