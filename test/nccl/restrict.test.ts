import { describe, expect, it } from 'vitest';
import { type Communicator, choicesOf, communicator } from '../../src/nccl/communicator.ts';
import { situationOf } from '../../src/nccl/of-machine.ts';
import { releaseFor } from '../../src/nccl/release.ts';
import { collectives } from '../../src/nccl/tuning/model.ts';
import { blockFacts, restrictionsOf, smallBuffers } from '../../src/nccl/tuning/restrict.ts';
import { system } from '../support/machines.ts';

const env = (x: Record<string, string>): ReadonlyMap<string, string> => new Map(Object.entries(x));
const lists = (text: string, release = '2.27.7') => {
  const found = restrictionsOf(env({ NCCL_ALGO: text }), releaseFor(release)!);
  return found.ok ? found.value : found.error.code;
};

function made(variables: Record<string, string>, nccl = '2.30.7', id = 'dgx-a100-80g', nodes = 2): Communicator {
  const found = communicator(situationOf(system(id, nodes), 0, { nccl, env: env(variables) }));
  if (!found.ok) throw new Error(found.error.reason.code);
  return found.value;
}
const ways = (c: Communicator, coll: (typeof collectives)[number]): string[] => [
  ...new Set(choicesOf(c, coll).map((x) => `${x.algorithm}/${x.protocol}`)),
];

describe('NCCL_ALGO and NCCL_PROTO', () => {
  it('are lists, also by collective from 2.24.3 on', () => {
    expect(lists('Ring,TREE')).toMatchObject({ Reduce: { algorithms: ['Tree', 'Ring'] } });
    expect(lists('^nvls,NVLSTree')).toMatchObject({ AllReduce: { algorithms: expect.not.arrayContaining(['NVLS']) } });
    expect(lists('ring;allreduce:^ring;BROADCAST:tree,ring')).toMatchObject({
      AllGather: { algorithms: ['Ring'] },
      AllReduce: { algorithms: expect.not.arrayContaining(['Ring']) },
      Broadcast: { algorithms: ['Tree', 'Ring'] },
    });
    expect(lists('allreduce:tree')).toMatchObject({ AllReduce: { algorithms: ['Tree'] }, Reduce: {} });
    expect(lists('')).toEqual(Object.fromEntries(collectives.map((c) => [c, {}])));
  });

  it('end the start of a release that checks them, and not of an older one', () => {
    expect(lists('rings')).toBe('graph.env.token');
    expect(lists('allreduce:tree;ring')).toBe('graph.env.prefix');
    expect(lists('gather:ring')).toBe('graph.env.collective');
    expect(lists('rings,tree', '2.23.4')).toMatchObject({ AllReduce: { algorithms: ['Tree'] } });
    expect(() => made({ NCCL_PROTO: 'LL256' })).toThrow('graph.env.token');
    expect(ways(made({ NCCL_PROTO: 'LL256,Simple' }, '2.23.4'), 'AllGather')).toEqual(['Ring/Simple']);
  });

  it('leave what they list', () => {
    expect(ways(made({ NCCL_ALGO: 'Ring', NCCL_PROTO: 'LL' }), 'AllReduce')).toEqual(['Ring/LL']);
    expect(ways(made({ NCCL_ALGO: 'allreduce:tree' }), 'AllReduce').every((w) => w.startsWith('Tree'))).toBe(true);
    expect(ways(made({ NCCL_PROTO: 'Simple;allreduce:^Simple' }), 'AllReduce')).not.toContain('Ring/Simple');
  });

  it('switch LL128 on where NCCL would not, also by excluding another', () => {
    // PCIe within the node: LL128 is off unless asked for.
    const at = (variables: Record<string, string>): string[] =>
      ways(made(variables, '2.30.7', 'pcie-l40s-8', 1), 'AllReduce');
    const id = (variables: Record<string, string>): boolean => at(variables).some((w) => w.endsWith('LL128'));
    expect(id({})).toBe(false);
    expect(id({ NCCL_PROTO: 'LL128' })).toBe(true);
    expect(id({ NCCL_PROTO: '^LL' })).toBe(true);
  });

  it('leave nothing where only trees are asked for, as each release makes do with it', () => {
    const broadcast = (release: string): string[] => ways(made({ NCCL_ALGO: 'Tree' }, release), 'Broadcast');
    expect(broadcast('2.16.5')).toContain('Ring/Simple');
    expect(broadcast('2.18.3')).toContain('Ring/Simple');
    expect(broadcast('2.20.5')).toContain('Ring/Simple');
    expect(broadcast('2.27.7')).toEqual([]);
    expect(ways(made({ NCCL_ALGO: 'NVLS' }, '2.20.5'), 'AllReduce').every((w) => w.startsWith('Ring'))).toBe(true);
    expect(ways(made({ NCCL_ALGO: 'NVLS' }, '2.27.7'), 'AllReduce')).toEqual([]);
  });
});

describe('threads and buffers', () => {
  const facts = (variables: Record<string, string>, release = '2.27.7', arch = 'x86_64') =>
    blockFacts(env(variables), releaseFor(release)!, arch);

  it('are taken as NCCL takes them: within bounds, whole warps', () => {
    expect(facts({}).threads).toBeUndefined();
    expect(facts({ NCCL_NTHREADS: '128' }).threads).toBe(128);
    expect(facts({ NCCL_NTHREADS: '100' }).threads).toBe(512);
    expect(facts({ NCCL_NTHREADS: '1024' }).threads).toBe(512);
    expect(facts({ NCCL_NTHREADS: '32' }).threads).toBe(64);
    expect(facts({ NCCL_LL128_NTHREADS: '96' }).ll128Threads).toBe(160);
    expect(facts({ NCCL_BUFFSIZE: '8388608' }).bufferBytes.Simple).toBe(8388608);
    expect(facts({ NCCL_BUFFSIZE: '-2' }).bufferBytes).toEqual({ LL: 524288, LL128: 4915200, Simple: 4194304 });
    expect(facts({}, '2.18.6', 'arm64').bufferBytes.Simple).toBe(1048576);
    expect(facts({}, '2.19.1', 'arm64').bufferBytes.Simple).toBe(4194304);
  });

  it('decide channels and chunks', () => {
    const last = (variables: Record<string, string>) => choicesOf(made(variables), 'AllReduce').at(-1)!;
    expect(last({ NCCL_BUFFSIZE: '8388608', NCCL_ALGO: 'Ring' }).chunkBytes).toBe(
      2 * last({ NCCL_ALGO: 'Ring' }).chunkBytes,
    );
    const few = choicesOf(made({ NCCL_NTHREADS: '64', NCCL_ALGO: 'Ring' }), 'AllReduce');
    const many = choicesOf(made({ NCCL_ALGO: 'Ring' }), 'AllReduce');
    // Fewer threads have enough to do with less, so that more channels are used.
    expect(few.some((x, i) => x.nChannels > many[i]!.nChannels)).toBe(true);
  });

  it('hold the blocks of all algorithms to NCCL_MIN_CTAS and NCCL_MAX_CTAS, those of the switch included', () => {
    const blocks = (variables: Record<string, string>, release = '2.30.7'): readonly number[] => {
      const c = made(variables, release, 'dgx-h100', 2);
      return [c.collChannels, c.launch.nvlsChannels];
    };
    const [rings, nvls] = blocks({});
    expect(blocks({ NCCL_MAX_CTAS: '2' })).toEqual([2, 2]);
    expect(blocks({ NCCL_MAX_CTAS: '8', NCCL_NVLS_NCHANNELS: '12' })).toEqual([8, 8]);
    expect(blocks({ NCCL_MAX_NCHANNELS: '4', NCCL_MAX_CTAS: '8' })).toEqual([4, 8]);
    expect(blocks({ NCCL_MIN_CTAS: '24' })).toEqual([Math.max(24, rings!), 24]);
    // A least beyond the most is the most; what is not positive, and a release that does not know them, ignore them.
    expect(blocks({ NCCL_MIN_CTAS: '24', NCCL_MAX_CTAS: '4' })).toEqual([4, 4]);
    expect(blocks({ NCCL_MAX_CTAS: '0' })).toEqual([rings, nvls]);
    expect(blocks({ NCCL_MAX_CTAS: '2' }, '2.16.2')).toEqual(blocks({}, '2.16.2'));
  });

  it('and the other numbers of the cost model count where they are set', () => {
    const base = made({}, '2.30.7', 'dgx-h100', 4);
    const set = made(
      {
        NCCL_NVLS_CHUNKSIZE: '65536',
        NCCL_NVLSTREE_MAX_CHUNKSIZE: '32768',
        NCCL_NVLS_NCHANNELS: '8',
        NCCL_NET_OVERHEAD: '5000',
      },
      '2.30.7',
      'dgx-h100',
      4,
    );
    expect(base.launch).toMatchObject({ nvlsChannels: 16, nvlsChunk: 131072, nvlsTreeChunk: 65536 });
    expect(set.launch).toMatchObject({ nvlsChannels: 8, nvlsChunk: 65536, nvlsTreeChunk: 32768 });
    const lat = (c: Communicator): number => c.model.AllReduce.Ring.LL.lat;
    // 62 steps of which 6 cross the network: the others take at least the overhead.
    expect(lat(set) - lat(base)).toBeCloseTo(56 * (5 - 1), 3);
    const thresholds = facts({ NCCL_THREAD_THRESHOLDS: '1 -1 3 4' }).thresholds;
    expect(thresholds).toEqual({ Tree: { LL: 1, Simple: 3 }, Ring: { LL: 4 } });
    const many = choicesOf(made({ NCCL_THREAD_THRESHOLDS: '0 0 0 0 0 0' }), 'AllReduce');
    expect(many.every((x) => x.nChannels === many[0]!.nChannels)).toBe(true);
  });
});

describe('buffers that are too small', () => {
  const told = (variables: Record<string, string>, release = '2.30.7') =>
    smallBuffers(env(variables), releaseFor(release)!).map(({ name, crashes }) => `${name} ${crashes}`);

  it('are named, with what NCCL makes of them', () => {
    expect(told({ NCCL_BUFFSIZE: '4095', NCCL_LL_BUFFSIZE: '256' })).toEqual([
      'NCCL_LL_BUFFSIZE false',
      'NCCL_BUFFSIZE true',
    ]);
    expect(told({ NCCL_BUFFSIZE: '4096' })).toEqual(['NCCL_BUFFSIZE false']);
    expect(told({ NCCL_LL128_BUFFSIZE: '16383' })).toEqual(['NCCL_LL128_BUFFSIZE true']);
    expect(told({ NCCL_LL_BUFFSIZE: '0' })).toEqual(['NCCL_LL_BUFFSIZE true']);
  });

  it('are not those that are large enough, unset, or unknown to the release', () => {
    expect(told({ NCCL_BUFFSIZE: '8192', NCCL_LL_BUFFSIZE: '-2' })).toEqual([]);
    expect(told({ NCCL_LL_BUFFSIZE: '1' }, '2.6.4')).toEqual([]);
  });
});
