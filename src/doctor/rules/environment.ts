import { say } from '../../words/message.ts';
import type { Setting } from '../facts.ts';
import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/** `always`: also where NCCL itself logs it; `file`: where it stands in a file or a script; `quiet`: a remark at most. */
type Weight = 'always' | 'file' | 'quiet';

/** Settings that switch a direct way off, or tie NCCL's hands. */
const workarounds: readonly { readonly name: string; readonly value: RegExp; readonly weight: Weight }[] = [
  // NCCL takes 1 alone for yes, and a level's name as it is written.
  { name: 'NCCL_P2P_DISABLE', value: /^1(?!\d)/, weight: 'always' },
  { name: 'NCCL_P2P_LEVEL', value: /^(?:LOC|0)$/, weight: 'always' },
  { name: 'NCCL_NVLS_ENABLE', value: /^0$/, weight: 'always' },
  { name: 'NCCL_NET_GDR_LEVEL', value: /^(?:LOC|0)$/, weight: 'always' },
  { name: 'NCCL_ALGO', value: /./, weight: 'file' },
  { name: 'NCCL_PROTO', value: /./, weight: 'file' },
  { name: 'NCCL_SHM_DISABLE', value: /^1(?!\d)/, weight: 'quiet' },
  { name: 'NCCL_IB_DISABLE', value: /^[1-9]/, weight: 'quiet' },
  { name: 'NCCL_NET_GDR_READ', value: /^0$/, weight: 'quiet' },
  { name: 'NCCL_CUMEM_ENABLE', value: /^0$/, weight: 'quiet' },
  { name: 'NCCL_MNNVL_ENABLE', value: /^0$/, weight: 'quiet' },
  { name: 'NCCL_DMABUF_ENABLE', value: /^0$/, weight: 'quiet' },
  // A graph of one machine, left in /etc/nccl.conf, rules every job on it.
  { name: 'NCCL_GRAPH_FILE', value: /./, weight: 'quiet' },
];

/** Is this a cure that was left in place? */
export const isWorkaround = (name: string, value: string): boolean =>
  workarounds.some((w) => w.name === name && w.value.test(value.trim()));

/** SGLang sets both for each job that it starts, whatever the machine. */
const byLauncher = (all: readonly Setting[], s: Setting): boolean =>
  s.logged &&
  s.name === 'NCCL_NVLS_ENABLE' &&
  all.some((o) => o.logged && o.name === 'NCCL_CUMEM_ENABLE' && o.value.trim() === '0');

const weightOf = (s: Setting): Weight | undefined => {
  const weight = workarounds.find((w) => w.name === s.name && w.value.test(s.value.trim()))?.weight;
  // Who writes of what he tried has perhaps taken it away again.
  return weight !== undefined && s.how === 'told' ? 'quiet' : weight;
};

/** The driver refuses P2P to these boards, whatever is set: nothing direct is switched off. */
const withoutP2p = (facts: Parameters<Rule>[0]): boolean => {
  const cells = facts.of('p2p-status').flatMap((t) => t.rows.flatMap((r) => r.cells.filter((c) => c !== 'X')));
  const access = facts.of('p2p-bandwidth').flatMap((t) => t.access);
  const asked = cells.length + access.length > 0;
  return asked && facts.geforce !== undefined && cells.every((c) => /NS$/.test(c)) && access.every((a) => !a.can);
};

/** Cures for a fault that was mended, or that should be. */
export const workaroundLeft: Rule = (facts) => {
  const noP2p = withoutP2p(facts);
  const all = facts.settings.filter((s) => {
    if (noP2p && /^NCCL_P2P_/.test(s.name)) return false;
    const weight = weightOf(s);
    return weight !== undefined && !(weight === 'file' && (s.logged || s.how === 'run'));
  });
  if (all.length === 0) return undefined;
  const strong = all.filter((s) => weightOf(s) !== 'quiet' && !byLauncher(all, s));
  const found = strong.length > 0 ? strong : all;
  const names = [...new Set(found.map((s) => s.name))];
  return finding('workaround-env-left', {
    severity: strong.length > 0 ? 'warning' : 'info',
    confidence: 0.8,
    evidence: found.map((s) => s.at),
    commands: [`unset ${names.join(' ')}`],
    absent: names.map((name) =>
      say('doctor.set', { name, value: found.find((s) => s.name === name)!.value.slice(0, 60) }),
    ),
  });
};
