import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hostFromXml } from '../../src/assemble/from-nccl-xml.ts';
import { editHost } from '../../src/machine/edit.ts';
import { communicator } from '../../src/nccl/communicator.ts';
import { releaseFor } from '../../src/nccl/release.ts';
import { contextOf } from '../../src/nccl/situation.ts';
import { topologyOf } from '../../src/nccl/topology.ts';
import { readText } from '../../src/read/read-source.ts';
import { shared, whyNot } from '../support/shared.ts';

interface Oracle {
  readonly p2pChannels: number;
  readonly p2pChannelsPerPeer: number;
  readonly nNodes: number;
  readonly nodes: readonly {
    readonly id: string;
    readonly type: string;
    readonly index: number;
    readonly localGpu?: number;
  }[];
  readonly links: readonly (readonly [string, string, string, number])[];
  readonly gpuGpu: readonly { readonly from: string; readonly to: string; readonly hops: number }[];
  readonly gpuNet: readonly {
    readonly from: string;
    readonly to: string;
    readonly hops: number;
    readonly netToGpuHops: number;
  }[];
}

/** What scores do not look at: NCCL's graph itself, node by node and link by link in order, and hop counts. */
describe.skipIf(!shared)(`NCCL's own graph (${shared ? 'scoring data' : whyNot})`, () => {
  for (const [folder, version] of [
    ['oracle', '2.30.7'],
    ['oracle-2.27.7', '2.27.7'],
  ] as const) {
    const dir = join(shared ?? '', 'data/nccl');
    for (const file of shared ? readdirSync(join(dir, folder)) : []) {
      it(`${version} ${file}`, () => {
        const [name, ...tags] = file.slice(0, -5).split('.');
        const oracle = JSON.parse(readFileSync(join(dir, folder, file), 'utf8')) as Oracle;
        const document = readText('topo.xml', readFileSync(join(dir, 'inputs', `${name}.xml`), 'utf8')).documents[0];
        if (document?.kind !== 'nccl-topo-xml') throw new Error('not read');
        const on = tags.includes('gdron');
        const read = hostFromXml(document).host;
        const host = on
          ? editHost(read, { gpu: (g) => ({ ...g, gdr: true }), port: (p) => ({ ...p, gdr: true }) })
          : read;
        const release = releaseFor(version)!;
        const situation = {
          host,
          nodes: oracle.nNodes,
          release,
          env: new Map(),
          p2pStatus: tags.includes('nop2p') ? 'bad' : 'ok',
          gdrWhenUnknown: on,
        } as const;
        const topology = topologyOf(host, oracle.nNodes, contextOf(situation));
        if (!topology.ok) throw new Error(topology.error.reason.code);
        const made = communicator(situation);
        if (made.ok && !/^rccl/.test(name!)) {
          const { channels, perPeer } = made.value.p2p;
          expect([channels, perPeer]).toEqual([oracle.p2pChannels, oracle.p2pChannelsPerPeer]);
        }
        const first = topology.value.domains[0]!.paths;
        const known = (id: string): boolean => !/^(?:GIN|RMA)/.test(id);
        expect(first.system.all.map((n) => n.id)).toEqual(oracle.nodes.map((n) => n.id).filter(known));
        const round = (bw: number): number => Number(bw.toFixed(3));
        expect(first.system.links.map((l) => [l.from.id, l.to.id, l.type, round(l.bw)])).toEqual(
          oracle.links.filter(([a, b]) => known(a) && known(b)).map(([a, b, t, bw]) => [a, b, t, round(bw)]),
        );
        for (const n of oracle.nodes.filter((x) => x.type === 'NET'))
          expect(first.system.nodes.NET[n.index]!.net!.localGpu).toBe(n.localGpu);
        const whole = topology.value.whole;
        const gpu = (id: string) => whole.system.nodes.GPU.find((g) => g.id === id)!;
        for (const p of oracle.gpuGpu) expect(whole.view(gpu(p.from), gpu(p.to)).hops).toBe(p.hops);
        const ids = first.system.nodes.NET.map((n) => n.id);
        for (const p of oracle.gpuNet) {
          if (ids.indexOf(p.to) !== ids.lastIndexOf(p.to)) continue;
          const g = first.system.nodes.GPU.find((x) => x.id === p.from)!;
          const n = first.system.nodes.NET.find((x) => x.id === p.to)!;
          expect([first.view(g, n).hops, first.view(n, g).hops]).toEqual([p.hops, p.netToGpuHops]);
        }
      });
    }
  }
});
