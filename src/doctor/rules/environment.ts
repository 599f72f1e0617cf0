import { say } from '../../words/message.ts';
import type { Setting } from '../facts.ts';
import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/** Settings that switch a direct way off. Some are only said to be left over when they stand in a file, not in a log. */
const workarounds: readonly { readonly name: string; readonly value: RegExp; readonly logged: boolean }[] = [
  { name: 'NCCL_P2P_DISABLE', value: /^[1-9]/, logged: true },
  { name: 'NCCL_P2P_LEVEL', value: /^(?:LOC|0)$/i, logged: true },
  { name: 'NCCL_NVLS_ENABLE', value: /^0$/, logged: true },
  { name: 'NCCL_NET_GDR_LEVEL', value: /^(?:LOC|0)$/i, logged: true },
  { name: 'NCCL_SHM_DISABLE', value: /^[1-9]/, logged: true },
  { name: 'NCCL_IB_DISABLE', value: /^[1-9]/, logged: true },
  { name: 'NCCL_NET_GDR_READ', value: /^0$/, logged: false },
  { name: 'NCCL_CUMEM_ENABLE', value: /^0$/, logged: false },
  { name: 'NCCL_MNNVL_ENABLE', value: /^0$/, logged: false },
  { name: 'NCCL_ALGO', value: /./, logged: false },
  { name: 'NCCL_PROTO', value: /./, logged: false },
  { name: 'NCCL_DMABUF_ENABLE', value: /^0$/, logged: false },
];

const left = (s: Setting): boolean =>
  workarounds.some((w) => w.name === s.name && w.value.test(s.value.trim()) && (w.logged || !s.logged));

/** Cures for a fault that was mended, or that should be. */
export const workaroundLeft: Rule = (facts) => {
  const found = facts.settings.filter(left);
  if (found.length === 0) return undefined;
  const names = [...new Set(found.map((s) => s.name))];
  return finding('workaround-env-left', {
    confidence: 0.8,
    devices: [],
    evidence: found.map((s) => s.at),
    also: [],
    commands: [`unset ${names.join(' ')}`],
    absent: names.map((name) =>
      say('doctor.set', { name, value: found.find((s) => s.name === name)!.value.slice(0, 60) }),
    ),
  });
};
