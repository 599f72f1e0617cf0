import { describe, expect, it } from 'vitest';
import { diagnose } from '../../src/doctor/diagnose.ts';
import { readText } from '../../src/read/read-source.ts';

/** Lines of several hosts as they arrive: one of each in turn. */
const mixed = (outputs: readonly (readonly string[])[]): string[] => {
  const longest = Math.max(...outputs.map((o) => o.length));
  return Array.from({ length: longest }, (_, i) => outputs.flatMap((o) => o[i] ?? [])).flat();
};

const ibstat = (state: string): string[] => [
  "CA 'mlx5_0'",
  '\tCA type: MT4129',
  '\tPort 1:',
  `\t\tState: ${state}`,
  `\t\tPhysical state: ${state === 'Down' ? 'Polling' : 'LinkUp'}`,
  `\t\tRate: ${state === 'Down' ? 10 : 400}`,
  '\t\tLink layer: InfiniBand',
];

const devinfo = (mtu: number): string[] => [
  'hca_id:\tmlx5_2',
  '\t\tport:\t1',
  '\t\t\tstate:\t\t\tPORT_ACTIVE (4)',
  '\t\t\tmax_mtu:\t\t4096 (5)',
  `\t\t\tactive_mtu:\t\t${mtu} (5)`,
  '\t\t\tlink_layer:\t\tEthernet',
];

const launchers: Readonly<Record<string, (host: number, line: string) => string>> = {
  pdsh: (h, l) => `node${h}: ${l}`,
  'srun -l': (h, l) => ` ${h}: ${l}`,
  mpirun: (h, l) => `[1,${h}]<stdout>:${l}`,
  'docker compose': (h, l) => `worker-${h}  | ${l}`,
};

const found = (lines: readonly string[]) => diagnose(readText('mixed.txt', lines.join('\n')).documents).findings;

describe.each(Object.entries(launchers))('outputs of several hosts, interleaved by %s', (_, tag) => {
  const of = (...outputs: readonly (readonly string[])[]): string[] =>
    mixed(outputs.map((o, h) => o.map((l) => tag(h + 1, l))));

  it('are each read on their own', () => {
    const lines = of(ibstat('Active'), ibstat('Active'), ibstat('Down'));
    const down = found(lines).find((f) => f.id === 'nic-port-down');
    expect(down?.evidence[0]?.line).toBe(lines.findIndex((l) => l.includes('Down')) + 1);
    expect(found(of(ibstat('Active'), ibstat('Active')))).toEqual([]);
  });

  it('are compared with each other', () => {
    const lines = of(devinfo(4096), devinfo(1024));
    const one = found(lines).find((f) => f.id === 'mtu-mismatch');
    expect(one?.evidence[0]?.line).toBe(lines.findIndex((l) => l.includes('active_mtu:\t\t1024')) + 1);
    const netdevs = of(['mlx5_0 port 1 ==> ens0 (Up)'], ['mlx5_1 port 1 ==> ens0 (Up)']);
    expect(found(netdevs).map((f) => f.id)).toContain('nic-set-differs-between-nodes');
  });
});

describe('a block with numbers before its lines', () => {
  it('is one, whatever the numbers', () => {
    const lines = [...ibstat('Active'), ...ibstat('Down').map((l) => l.replace('mlx5_0', 'mlx5_7'))];
    const one = found(lines.map((l, i) => `${i + 1}: ${l}`)).find((f) => f.id === 'nic-port-down');
    expect([one?.devices, one?.evidence[0]?.line]).toEqual([['mlx5_7'], 11]);
  });
});

describe('two tools at once', () => {
  it('are both read where their lines alternate', () => {
    const lines = mixed([
      ibstat('Down'),
      ['[    1.000001] DMAR: IOMMU enabled', '[    2.000001] nvidia_fs: Unknown symbol nvidia_p2p_get_pages (err -22)'],
      ['a:1:7 [0] NCCL INFO Bootstrap : Using docker0:172.17.0.1<0>', 'a:1:7 [0] NCCL INFO Using network Socket'],
    ]);
    expect(found(lines).map((f) => f.id)).toEqual(
      expect.arrayContaining(['nic-port-down', 'iommu-on', 'kernel-module-symbol-mismatch', 'wrong-interface']),
    );
  });
});
