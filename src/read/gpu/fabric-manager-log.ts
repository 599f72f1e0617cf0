import { messageFormat } from '../kit/messages.ts';

/** `/var/log/fabricmanager.log`. */
export const fabricManagerLog = messageFormat({
  id: 'fabricmanager-log',
  from: 'fabric-manager',
  hints: ['NVSwitch', 'NV_WARN', 'abric manager NVIDIA'],
  example: '[Feb 27 2025 15:10:02] [ERROR] [tid 12727] detected NVSwitch non-fatal error 12028 on …',
  prefix: /^\[[A-Z][a-z]{2} [ \d]?\d \d{4} [\d:]{8}\] \[[A-Z]{4,8}\s*\] \[tid \d{1,9}\]/,
  topics: [
    {
      topic: 'nvswitch-error',
      pattern: /detected NVSwitch (non-fatal|fatal) error (\d{3,6})(?:.{0,80}pci bus id ([0-9a-fA-F:.]{7,16}))?/,
    },
    {
      topic: 'fm-version',
      pattern:
        /abric manager NVIDIA GPU driver interface version (\d[\d.]{2,16}\d) (?:don't|doesn't|does not|do not) match with driver version (\d[\d.]{2,16}\d)/,
    },
    { topic: 'no-nvswitch', pattern: /NV_WARN_NOTHING_TO_DO|[Nn]o NVSwitch(?:es)?\b|does not have any NVSwitch/ },
  ],
});
