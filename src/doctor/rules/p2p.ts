import { pcieBytesPerSecond } from '../../catalogue/pcie.ts';
import type { Where } from '../../fact/fact.ts';
import type { P2pBandwidth } from '../../read/bench/p2p-bandwidth.ts';
import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

type Facts = Parameters<Rule>[0];

interface Cell {
  readonly from: number;
  readonly to: number;
  readonly on: number;
  readonly off: number;
  readonly at: Where;
}

/** Pairs with P2P access and their bandwidth with P2P and without. */
function pairs(test: P2pBandwidth): Cell[] {
  const matrix = (enabled: boolean) =>
    test.matrices.find((m) => m.what === 'bandwidth' && m.direction === 'uni' && m.enabled === enabled);
  const on = matrix(true);
  const off = matrix(false);
  if (!on || !off) return [];
  const value = (m: typeof on, from: number, to: number) =>
    m.rows.find((r) => r.index === from)?.values[m.columns.indexOf(to)];
  return on.rows.flatMap((row) =>
    on.columns.flatMap((to) => {
      const a = value(on, row.index, to);
      const b = value(off, row.index, to);
      const barred = test.access.some((x) => x.from === row.index && x.to === to && !x.can);
      if (row.index === to || a === undefined || b === undefined || barred) return [];
      return [{ from: row.index, to, on: a, off: b, at: row.at }];
    }),
  );
}

const modernGeforce = /GeForce.*RTX [45]0\d0|RTX [45]0\d0/;

/** GB/s that no link of these boards carries; they have no NVLink. */
const ceiling = (name: string): number => pcieBytesPerSecond(/RTX 50/.test(name) ? 'gen5' : 'gen4', 16) / 1e9;

/** P2P that is slower than a copy through host memory, or faster than the boards' links: nothing was copied then. */
export const p2pAbnormal: Rule = (facts) => {
  for (const test of facts.of('p2p-bandwidth')) {
    const slow = pairs(test).filter((c) => c.off > 0 && c.on < 0.75 * c.off);
    if (test.wrongData) continue;
    const broken = test.devices.length > 0 && test.devices.every((d) => modernGeforce.test(d.name));
    const most = Math.max(...test.devices.map((d) => ceiling(d.name)));
    const bad = slow.length > 0 || !broken ? slow : pairs(test).filter((c) => c.on > 1.05 * most);
    if (bad.length === 0) continue;
    return finding(broken ? 'p2p-broken-geforce' : 'p2p-bandwidth-abnormal', {
      // Across sockets some machines are a third slower by P2P and healthy.
      severity: bad.some((c) => c.on < 0.6 * c.off || c.on > c.off) ? 'error' : 'info',
      confidence: 0.9,
      devices: [...new Set(bad.flatMap((c) => [`gpu${c.from}`, `gpu${c.to}`]))],
      evidence: bad.map((c) => c.at),
      commands: broken ? ['export NCCL_P2P_DISABLE=1'] : ['sudo lspci -vvv | grep -i acsctl', 'cat /proc/cmdline'],
    });
  }
  return undefined;
};

/** The copy went through and other data arrived: what the bus did with the addresses is not what the driver meant. */
export const p2pWrongData: Rule = (facts) => {
  for (const test of facts.of('p2p-bandwidth')) {
    if (!test.wrongData) continue;
    const can = test.access.filter((a) => a.can);
    const broken = test.devices.length > 0 && test.devices.every((d) => modernGeforce.test(d.name));
    return finding(broken ? 'p2p-broken-geforce' : 'p2p-data-wrong', {
      confidence: 0.9,
      devices: [...new Set(can.flatMap((a) => [`gpu${a.from}`, `gpu${a.to}`]))],
      evidence: [test.wrongData, ...can.slice(0, 1).map((a) => a.at), ...test.devices.slice(0, 1).map((d) => d.at)],
      commands: ['export NCCL_P2P_DISABLE=1', 'sudo lspci -vvv | grep -i acsctl', 'cat /proc/cmdline'],
    });
  }
  return undefined;
};

/** Boards that do without P2P by design. */
export const p2pDisabled: Rule = (facts) => {
  const refused = facts.of('p2p-status').flatMap((t) => t.rows.filter((r) => r.cells.some((c) => /NS$|^DR$/.test(c))));
  if (facts.geforce && refused.length > 0) {
    return finding('p2p-disabled-geforce', {
      evidence: [refused[0]!.at, facts.geforce.at],
      devices: refused.map((r) => `gpu${r.gpu}`),
    });
  }
  const said = facts.logs.flatMap((l) => l.p2p).filter((p) => p.kind === 'disabled');
  if (facts.geforce && said.length > 0)
    return finding('p2p-disabled-geforce', { evidence: [said[0]!.at, facts.geforce.at] });
  for (const test of facts.of('p2p-bandwidth')) {
    const barred = test.access.filter((a) => !a.can);
    if (barred.length === 0 || !test.devices.some((d) => /GeForce|\bGTX\b|\bRTX [2-5]0\d0/.test(d.name))) continue;
    return finding('p2p-disabled-geforce', {
      evidence: barred.slice(0, 1).map((b) => b.at),
      devices: [...new Set(barred.map((b) => `gpu${b.from}`))],
    });
  }
  return undefined;
};

/**
 * The peer's GPU has no number in this process, which sees its own alone. With a fabric between the GPUs the same error comes
 * from its handles, which is another fault.
 */
const hidden = (facts: Facts, w: Facts['warnings'][number]): boolean =>
  w.kind === 'cuda-failure' &&
  (w.code === 101 || /invalid device ordinal/.test(w.text)) &&
  /\bp2p\.cc/.test(w.source ?? w.text) &&
  !facts.grace &&
  facts.logs.every((l) => l.mnnvl.length === 0);

/** CUDA does not open the memory of a peer that NCCL, or the program itself, meant to reach. */
export const p2pRefused: Rule = (facts) => {
  const refusals = facts.warnings.filter(
    (w) =>
      /failed to open CUDA IPC handle|peer access is not supported/i.test(w.text) ||
      (w.kind === 'cuda-failure' && w.code === 217) ||
      hidden(facts, w),
  );
  const told = facts.said('peer-refused').map((m) => m.at);
  // What the other rank made by cuMem is taken for the name of a file, of no size: where a NUMA node has no memory.
  const unnamed = facts.warnings.filter((w) => /attaching to shared memory segment .{0,80}\(size 0\)/.test(w.text));
  // Host memory that the driver is to share fails by the same number; it is no peer.
  const host = refusals.filter((w) => /\bshm\.cc/.test(w.source ?? w.text));
  const peers = refusals.filter((w) => !host.includes(w));
  return [
    peers.length + (host.length > 0 ? 0 : told.length) === 0
      ? undefined
      : finding('p2p-mapping-refused', {
          confidence: peers.every((w) => hidden(facts, w)) ? 0.7 : 0.85,
          evidence: [...peers.map((w) => w.at), ...(host.length > 0 ? [] : told)],
          commands: ['nvidia-smi topo -p2p r', 'export NCCL_P2P_DISABLE=1'],
          settle: 'nvidia-smi topo -p2p r; nvidia-smi -L; env | grep CUDA_VISIBLE_DEVICES',
        }),
    host.length + unnamed.length === 0
      ? undefined
      : finding('cumem-host-refused', {
          confidence: 0.8,
          evidence: [...host, ...unnamed].map((w) => w.at),
          commands: ['export NCCL_CUMEM_HOST_ENABLE=0', ...(unnamed.length > 0 ? ['numactl -H'] : [])],
        }),
  ];
};
