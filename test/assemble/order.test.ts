import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerPaths } from '../../src/answer/paths.ts';
import { assemble } from '../../src/assemble/assemble.ts';
import { foldDomain } from '../../src/machine/fold.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { decide, gpuPairs, netPairs } from '../../src/nccl/decide/pairs.ts';
import { newest, releaseFor } from '../../src/nccl/release.ts';
import { readText } from '../../src/read/read-source.ts';
import { ncclXml } from '../../src/tell/nccl-xml.ts';
import { pasted, system } from '../support/machines.ts';

/** Verdicts by what devices are, not by what they are called: sorted lists of (kind, type, verdict). */
function verdicts(machine: Machine): string[] {
  const answer = answerPaths(machine, {});
  if (!answer.ok) return [answer.error.reason.code];
  return answer.value.pairs
    .map(
      (p) =>
        `${p.from.replace(/\d+/g, '')} ${p.to.replace(/\d+/g, '')} ${p.type} ${p.bandwidthGBps} ${JSON.stringify(p.p2p ?? p.gdr ?? '')} ${p.rule.code}`,
    )
    .sort();
}

const systems = ['dgx-1v', 'dgx-a100-40g', 'hgx-h100', 'gh200', 'azure-ndv2', 'aws-p4d', 'oci-a100'] as const;
const known = systems.filter((id) => {
  try {
    system(id);
    return true;
  } catch {
    return false;
  }
});

describe('names are only names', () => {
  it('renamed buses change no verdict', () => {
    fc.assert(
      fc.property(fc.constantFrom(...known), fc.integer({ min: 1, max: 0xffff }), (id, domain) => {
        const xml = ncclXml(system(id).hosts[0]!);
        const moved = xml.replace(
          /"([0-9a-f]{4}):([0-9a-f]{2}):([0-9a-f]{2})\.([0-9a-f])"/g,
          (_, d: string, b: string, dev: string, f: string) => {
            const other = ((Number.parseInt(d, 16) ^ domain) & 0xffff).toString(16).padStart(4, '0');
            return `"${other}:${b}:${dev}.${f}"`;
          },
        );
        expect(moved).not.toBe(xml);
        expect(verdicts(pasted(moved))).toEqual(verdicts(pasted(xml)));
      }),
      { numRuns: 40 },
    );
  });

  it('files in another order give the same machine', () => {
    const xml = ncclXml(system('hgx-h100').hosts[0]!);
    const matrix = '\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\nGPU0\t X \tNV18\t0-7\t0\nGPU1\tNV18\t X \t0-7\t0\n';
    const log =
      'a1:10:20 [0] NCCL INFO NCCL version 2.21.5+cuda12.4\na1:10:20 [0] NCCL INFO NCCL_P2P_DISABLE set by environment to 1\n';
    const files: [string, string][] = [
      ['topo.xml', xml],
      ['m.txt', matrix],
      ['l.log', log],
    ];
    const documents = (order: readonly number[]): Machine =>
      assemble(order.flatMap((i) => readText(files[i]![0], files[i]![1]).documents));
    const first = verdicts(documents([0, 1, 2]));
    for (const order of [
      [2, 1, 0],
      [1, 2, 0],
      [1, 0, 2],
    ])
      expect(verdicts(documents(order))).toEqual(first);
    expect(first.some((v) => v.includes('rule.p2p.disabled'))).toBe(true);
  });

  it('NICs listed in another order keep their verdicts on a machine where every GPU has its own', () => {
    const xml = ncclXml(system('hgx-h100').hosts[0]!);
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 8 }), (order) => {
        const swapped = xml.replace(
          /name="mlx5_(\d)" dev="(\d)"/g,
          (_, n: string) => `name="mlx5_${n}" dev="${order[Number(n)]}"`,
        );
        expect(verdicts(pasted(swapped))).toEqual(verdicts(pasted(xml)));
      }),
      { numRuns: 20 },
    );
  });
});

describe('a topology file', () => {
  it('written and read again decides the same', () => {
    for (const id of known) {
      const machine = system(id);
      const again = { ...pasted(ncclXml(machine.hosts[0]!)), software: machine.software };
      expect(verdicts(again), id).toEqual(verdicts(machine));
    }
  });
});

describe('folding', () => {
  const release = releaseFor(newest)!;
  const domain = (hosts: number, odd: number | undefined): Machine => {
    const one = ncclXml(system('gb200-nvl72').hosts[0]!);
    const body = /<cpu[\s\S]*<\/cpu>/.exec(one)![0];
    let rank = 0;
    const all = Array.from({ length: hosts }, (_, h) => {
      let text = body
        .replace(/<cpu (?:host_hash="\w+" )?/g, `<cpu host_hash="0x${(h + 1).toString(16)}" `)
        .replace(/rank="\d+"/g, () => `rank="${rank++}"`);
      if (h === odd)
        text = text.replace('speed="400000"', 'speed="100000"').replace('link_speed="32.0', 'link_speed="16.0');
      return text;
    });
    return pasted(`<system version="1">\n${all.join('\n')}\n</system>\n`);
  };
  const decisions = (host: Machine['hosts'][number], keep: ReadonlySet<string>): string[] => {
    const decided = decide({ host, nodes: 1, release, env: new Map(), p2pStatus: 'ok', gdrWhenUnknown: false });
    if (!decided.ok) throw new Error(decided.error.reason.code);
    const mine = (id: string): boolean => keep.has(id);
    const key = (n: {
      gpu?: { gpu: { rank?: number } };
      net?: { port: { guid?: string }; dev: number; hostHash: string };
      host: number;
    }): string => (n.gpu ? `rank ${n.gpu.gpu.rank}` : `net ${n.net!.hostHash} ${n.net!.dev}`);
    return [
      ...[...gpuPairs(decided.value)].map((p) => [key(p.from), key(p.to), p.type, p.bw, p.via] as const),
      ...[...netPairs(decided.value)].map(
        (p) => [key(p.from), key(p.to), p.type, p.bw, `${p.send.mode} ${p.recv.mode}`] as const,
      ),
    ]
      .filter(([a, b]) => mine(a) && mine(b))
      .map((x) => x.join(' '))
      .sort();
  };

  it.each([
    [20, undefined],
    [20, 7],
    [20, 0],
  ])('%i equal hosts, odd one %s: what is kept is decided as in the whole', (hosts, odd) => {
    const host = domain(hosts, odd).hosts[0]!;
    const folded = foldDomain(host);
    expect(folded.of).toBe(hosts);
    expect(folded.kept).toBe(odd === undefined ? 2 : 3);
    const kept = new Set<string>();
    for (const cpu of folded.host.cpus) {
      const stack = [...cpu.devices];
      while (stack.length > 0) {
        const d = stack.pop()!;
        for (const g of d.gpus ?? []) kept.add(`rank ${g.rank}`);
        for (const p of d.ports ?? []) kept.add(`net ${cpu.hostHash} ${p.dev}`);
        stack.push(...d.children);
      }
    }
    expect(decisions(folded.host, kept)).toEqual(decisions(host, kept));
  });

  it('leaves small and uneven domains alone', () => {
    expect(foldDomain(domain(4, undefined).hosts[0]!).kept).toBe(4);
    expect(foldDomain(system('hgx-h100').hosts[0]!).kept).toBe(1);
  });
});
