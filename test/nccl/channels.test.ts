import { describe, expect, it } from 'vitest';
import { answerGraph } from '../../src/answer/graph.ts';
import { type Communicator, choicesOf } from '../../src/nccl/communicator.ts';
import { NVL, PIX } from '../../src/nccl/path-type.ts';
import { releaseFor } from '../../src/nccl/release.ts';
import { choose, type LaunchFacts } from '../../src/nccl/tuning/choice.ts';
import { channelRange } from '../../src/nccl/tuning/ctas.ts';
import { type GraphFacts, modelOf, type TuningFacts } from '../../src/nccl/tuning/model.ts';
import { nvlsPlan } from '../../src/nccl/tuning/nvls.ts';
import { blockFacts, restrictionsOf } from '../../src/nccl/tuning/restrict.ts';
import { system } from '../support/machines.ts';

const release = releaseFor('2.30.7')!;

function two(...env: [string, string][]): Communicator {
  const answer = answerGraph({ ...system('dgx-a100-40g'), nodes: 2 }, { env: new Map(env) });
  if (!answer.ok) throw new Error(answer.error.reason.code);
  return answer.value.communicator;
}

describe('the number of channels', () => {
  it('is first cut to the most, then filled up with those that are left', () => {
    const usual = two().channels;
    const few = two(['NCCL_MAX_NCHANNELS', '3'], ['NCCL_MIN_NCHANNELS', '7']).channels;
    expect(few).toEqual([0, 1, 2, 0, 1, 2, 0].map((c) => usual[c]));
  });

  it('is never nothing, and goes by the old names where the new ones are not set', () => {
    const range = (...env: [string, string][]) => channelRange(new Map(env), 64);
    expect(range()).toEqual({ least: 0, most: 64 });
    expect(range(['NCCL_MAX_NCHANNELS', '0'], ['NCCL_MIN_NCHANNELS', '-5'])).toEqual({ least: 0, most: 1 });
    expect(range(['NCCL_MAX_NRINGS', '6'], ['NCCL_MIN_NRINGS', '100'])).toEqual({ least: 64, most: 6 });
    expect(range(['NCCL_MAX_NRINGS', '6'], ['NCCL_MAX_NCHANNELS', '8'])).toEqual({ least: 0, most: 8 });
    expect(range(['NCCL_MAX_NRINGS', '6'], ['NCCL_MAX_NCHANNELS', '-2'])).toEqual({ least: 0, most: 6 });
  });
});

describe('settings without sense', () => {
  it('leave sends and receives no more channels than there are', () => {
    const asked = (value: string) => two(['NCCL_MIN_P2P_NCHANNELS', value]).p2p.channels;
    expect(asked('1000000000')).toBe(64);
    expect(asked('33')).toBe(64);
    expect(asked('32')).toBe(32);
  });

  it('leave a chunk at least one grain', () => {
    const h100 = (...env: [string, string][]): Communicator => {
      const answer = answerGraph({ ...system('hgx-h100'), nodes: 2 }, { env: new Map(env) });
      if (!answer.ok) throw new Error(answer.error.reason.code);
      return answer.value.communicator;
    };
    const all: [string, string][][] = [
      [['NCCL_NVLS_CHUNKSIZE', '1']],
      [['NCCL_NVLSTREE_MAX_CHUNKSIZE', '1']],
      [
        ['NCCL_LL128_BUFFSIZE', '1'],
        ['NCCL_PROTO', 'LL128'],
      ],
    ];
    for (const env of all) {
      for (const c of choicesOf(h100(...env), 'AllReduce')) expect([env, c.chunkBytes > 0]).toEqual([env, true]);
    }
  });
});

const graph = (nChannels: number): GraphFacts => ({
  nChannels,
  bwIntra: 20,
  bwInter: 20,
  typeIntra: NVL,
  typeInter: PIX,
  latencyInter: 0,
  sameChannels: 1,
});
function factsOf(more: Partial<TuningFacts> = {}, env: readonly [string, string][] = []): TuningFacts {
  const restrictions = restrictionsOf(new Map(env), release);
  if (!restrictions.ok) throw new Error(restrictions.error.code);
  return {
    release,
    nodes: 2,
    ranks: 4,
    minSm: 90,
    maxSm: 90,
    cpu: { arch: 'x86_64', vendor: 'Intel' },
    ring: graph(2),
    tree: graph(2),
    maxTreePattern: 1,
    ll128C2c: true,
    pat: 2,
    restrictions: restrictions.value,
    ...more,
  };
}
const launch = (more: Partial<LaunchFacts> = {}): LaunchFacts => ({
  channels: 4,
  nvlsChannels: 16,
  nvlsChunk: 131072,
  nvlsTreeChunk: 131072,
  ...blockFacts(new Map(), release, 'x86_64'),
  ...more,
});

describe('the model', () => {
  it('has rings fall behind by all channels of the communicator', () => {
    const facts = factsOf({}, [
      ['NCCL_ALGO', 'Ring'],
      ['NCCL_PROTO', 'Simple'],
    ]);
    const model = modelOf(facts, 'AllReduce');
    const time = (bytes: number): number => choose(facts, launch(), model, 'AllReduce', bytes)!.timeUs;
    const { bw, lat } = model.Ring.Simple;
    // 64 B for each of four channels and four ranks.
    expect(time(1023)).toBeCloseTo(lat + 1023 / (1000 * bw), 6);
    expect(time(1024)).toBeCloseTo(1.4 * lat + 1024 / (1000 * bw), 6);
  });

  it('uses PAT with several ranks on a node when it is asked to', () => {
    expect(modelOf(factsOf(), 'AllGather').PAT.Simple.bw).toBe(0);
    expect(modelOf(factsOf({ pat: 1 }), 'AllGather').PAT.Simple.bw).toBeGreaterThan(0);
    expect(modelOf(factsOf({ pat: 1, minSm: 50, maxSm: 50 }), 'AllGather').PAT.Simple.bw).toBe(0);
    expect(modelOf(factsOf({ pat: 0, ranks: 2 }), 'AllGather').PAT.Simple.bw).toBe(0);
  });

  it('takes the ranks of a node in whole numbers for a tree', () => {
    const lat = (ranks: number): number => modelOf(factsOf({ ranks }), 'AllReduce').Tree.LL.lat;
    expect(lat(5)).toBe(lat(4));
    expect(lat(6)).toBeGreaterThan(lat(5));
  });

  it('leaves NVLS to AllReduce where a node has more than 32 ranks', () => {
    const best = (ranks: number, coll: 'AllGather' | 'AllReduce'): string => {
      const facts = factsOf({ nodes: 1, ranks, nvls: { ...graph(Math.min(32, ranks)), bwIntra: 200, bwInter: 200 } });
      return choose(facts, launch(), modelOf(facts, coll), coll, 2 ** 30)!.algorithm;
    };
    expect(best(32, 'AllGather')).toBe('NVLS');
    expect(best(36, 'AllGather')).toBe('Ring');
    expect(best(36, 'AllReduce')).toBe('NVLS');
  });

  it('cuts NVLSTree by its own chunks, however small the buffer is', () => {
    const facts = factsOf({ nvls: { ...graph(4), bwIntra: 200, bwInter: 200 } }, [['NCCL_ALGO', 'NVLSTree']]);
    const small = blockFacts(new Map([['NCCL_BUFFSIZE', '262144']]), release, 'x86_64');
    const choice = choose(facts, launch(small), modelOf(facts, 'AllReduce'), 'AllReduce', 2 ** 30)!;
    expect(choice).toMatchObject({ algorithm: 'NVLSTree', chunkBytes: 131072 });
  });
});

describe('chunks of NVLS', () => {
  it('that are set go for trees too, but for those that were tuned by the network', () => {
    const blackwell = factsOf({ minSm: 100, maxSm: 100, ranks: 16, nvls: graph(8) });
    const set = new Map([['NCCL_NVLS_CHUNKSIZE', '32768']]);
    expect(nvlsPlan(blackwell, 50, true, set)).toMatchObject({ nvlsChunk: 32768, nvlsTreeChunk: 65536 });
    expect(nvlsPlan(blackwell, 25, true, set)).toMatchObject({ nvlsChunk: 32768, nvlsTreeChunk: 32768 });
  });
});
