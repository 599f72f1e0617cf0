import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { looksLikeClusterYaml, readClusterYaml } from '../../src/read/cluster-yaml.ts';
import { render } from '../../src/words/render.ts';

const contract = `
node: dgx-a100-40g          # a catalogue id; or {file: path}; or built from parts:
nodes: 2
gpusPerNode: 8              # use only these many (default all)
nicsPerNode: 8
nvlinkDomain: 72
network: {transport: infiniband, rate: 200Gb/s, mtu: 4096, fabric: rail, oversubscription: 1}
software: {nccl: 2.30, gdr: true, p2p: true, iommu: false, acs: false, env: {NCCL_ALGO: Ring}}
launch: {mode: stream, gpusPerThread: 8}
storage: {type: nvme, count: 8, perDeviceGBps: 6.8, readLatencyUs: 80, placement: same-switch, filesystem: ext4, gds: true}
`;
const parts = `node: {gpu: a100-sxm4-40g, gpus: 8, link: nvswitch, nic: 200Gb/s, nics: 8, cpu: amd-rome, sockets: 2, pcie: gen4, gpusPerSwitch: 2, nicsPerSwitch: 2}`;

const problems = async (text: string): Promise<string[]> => {
  const read = await readClusterYaml(text, 'c.yaml');
  return read.ok ? [] : read.error.map((p) => `${p.at.file}:${p.at.line} ${render(p.message, 'en')}`);
};

describe('a cluster description', () => {
  it('is told by its content', () => {
    expect(looksLikeClusterYaml('node: dgx-2')).toBe(true);
    expect(looksLikeClusterYaml('nodes: 4')).toBe(true);
    expect(looksLikeClusterYaml('{node: dgx-2}')).toBe(true);
    expect(looksLikeClusterYaml('  node: 1')).toBe(false);
    expect(looksLikeClusterYaml('nodename: x')).toBe(false);
    expect(looksLikeClusterYaml('node0:1:2 [0] NCCL INFO')).toBe(false);
  });

  it('reads as the contract shows it, versions as text, with lines', async () => {
    const read = await readClusterYaml(contract, 'c.yaml');
    expect(read.ok).toBe(true);
    if (!read.ok) return;
    const { cluster } = read.value;
    expect(cluster.node).toEqual({ kind: 'system', system: 'dgx-a100-40g', at: { file: 'c.yaml', line: 2 } });
    expect(cluster.software.nccl).toEqual({ value: '2.30', at: [{ file: 'c.yaml', line: 8 }], by: 'input' });
    expect(cluster.network.rateGbps?.value).toBe(200);
    expect(cluster.software.env.get('NCCL_ALGO')?.value).toBe('Ring');
    expect(cluster.storage?.perDeviceGBps).toBe(6.8);
    expect(cluster.launch).toEqual({ mode: 'stream', gpusPerThread: 8 });
  });

  it('reads block style as flow style', async () => {
    const block = 'node:\n  gpu: l4\n  gpus: 2\n  cpu: amd-milan\nsoftware:\n  gdr: auto\n  env:\n    NCCL_DEBUG:\n';
    const read = await readClusterYaml(block, 'c.yaml');
    expect(read.ok).toBe(true);
    if (!read.ok || read.value.cluster.node.kind !== 'parts') return;
    expect(read.value.cluster.node.keys.get('gpus')?.line).toBe(3);
    expect(read.value.cluster.node.parts.pcie).toBe('gen4');
    expect(read.value.cluster.software.gdr).toBeUndefined();
    expect(read.value.cluster.software.env.get('NCCL_DEBUG')?.value).toBe('');
  });

  it('takes a node from a file', async () => {
    const read = await readClusterYaml('node: {file: topo.xml}\nnodes: 4\n', 'c.yaml');
    expect(read.ok && read.value.cluster.node).toMatchObject({ kind: 'file', path: 'topo.xml' });
  });

  it('names file, line, key and the nearest known word', async () => {
    expect(await problems(`${parts}\nnode_count: 2\n`)).toEqual([
      'c.yaml:2 unknown key `node_count`; known here: node, nodes, gpusPerNode, nicsPerNode, nvlinkDomain, network, software, launch, storage',
    ]);
    expect(await problems(`${parts}\ngpuPerNode: 2\n`)).toEqual([
      'c.yaml:2 unknown key `gpuPerNode`; did you mean `gpusPerNode`?',
    ]);
    expect(await problems('node: dgx-a10-40g')).toEqual([
      'c.yaml:1 `node` cannot be `dgx-a10-40g`; did you mean `dgx-a100-40g`?',
    ]);
    expect(await problems('nodes: 2')).toEqual(['c.yaml:1 `node` is missing']);
    expect(await problems(parts.replace('a100-sxm4-40g', 'a100-sxm-40g'))).toEqual([
      'c.yaml:1 `node.gpu` cannot be `a100-sxm-40g`; did you mean `a100-sxm4-40g`?',
    ]);
    expect(await problems(parts.replace('gpus: 8', 'gpus: eight'))).toEqual([
      'c.yaml:1 `node.gpus` must be a whole number, not `eight`',
    ]);
    expect(await problems(parts.replace('gpus: 8', 'gpus: 0'))).toEqual([
      'c.yaml:1 `node.gpus` is 0; it can be 1 to 256 here',
    ]);
    expect(await problems(`${parts}\ngpusPerNode: 9`)).toEqual(['c.yaml:2 `gpusPerNode` is 9; it can be 1 to 8 here']);
    expect(await problems(`${parts}\nsoftware: {gdr: perhaps}`)).toEqual([
      'c.yaml:2 `software.gdr` must be `true`, `false` or `auto`, not `perhaps`',
    ]);
    expect(await problems(`${parts}\nnetwork: [1]`)).toEqual([
      'c.yaml:2 `network` must be a group of keys, not `a list`',
    ]);
    expect(await problems(`${parts}\nnetwork: {rate: fast}`)).toEqual([
      'c.yaml:2 `network.rate` must be a rate such as `200Gb/s`, not `fast`',
    ]);
    expect(await problems(`${parts}\nnodes: 1\nnodes: 2`)).toEqual(['c.yaml:3 the same key stands here twice']);
  });

  it('refuses parts that cannot stand together', async () => {
    const node = (rest: string): string => `node: {${rest}, cpu: amd-rome, sockets: 1}`;
    expect(await problems(node('gpu: l4, gpus: 2, link: nvswitch'))).toEqual([
      'c.yaml:1 l4 has no NVLink, so `nvswitch` cannot be',
    ]);
    const domain = (link: string): string =>
      `node: {gpu: gb200, gpus: 4, link: ${link}, cpu: grace, sockets: 2}\nnodes: 2\nnvlinkDomain: 8`;
    expect(await problems(domain('pcie'))).toEqual([
      'c.yaml:3 GPUs that are joined by `link: pcie` share no NVLink domain: `nvlinkDomain` needs another `link`',
    ]);
    expect(await problems(domain('nvswitch'))).toEqual([]);
    expect(await problems(node('gpu: a40, gpus: 3, link: nvlink-pairs'))).toHaveLength(1);
    expect(await problems(node('gpu: a100-sxm4-40g, gpus: 4, link: nvlink-all-to-all, nvlinksPerPair: 6'))).toEqual([
      'c.yaml:1 a100-sxm4-40g has 12 NVLinks; this needs 18',
    ]);
    expect(await problems('node: {gpu: l4, gpus: 1, cpu: amd-rome, sockets: 4}')).toEqual([
      'c.yaml:1 `node.sockets` is 4; it can be 1 to 2 here',
    ]);
    expect(await problems('node: {gpu: l4, gpus: 1, cpu: amd-rome, nics: 2}')).toEqual([
      'c.yaml:1 `node.nic` is missing',
    ]);
  });

  it('is not harmed by hostile text', async () => {
    expect(await problems(`${parts}\n__proto__: 1\nconstructor: 2`)).toHaveLength(2);
    expect(({} as Record<string, unknown>)['gpus']).toBeUndefined();
    let bomb = 'a0: &a0 {x: 1, y: 2}\n';
    for (let i = 1; i < 30; i++) bomb += `a${i}: &a${i} {x: *a${i - 1}, y: *a${i - 1}}\n`;
    const began = performance.now();
    expect(await problems(`node: dgx-2\n${bomb}`)).toHaveLength(1);
    expect((await problems(`node: ${'['.repeat(100_000)}`)).length).toBeGreaterThan(0);
    expect((await problems(`node: ${'{a: '.repeat(5000)}`)).length).toBeGreaterThan(0);
    expect(await problems(`node: dgx-2 # ${'x'.repeat(300_000)}`)).toHaveLength(1);
    expect(performance.now() - began).toBeLessThan(5000);
    expect(await problems('node: &n {gpu: *n}')).not.toEqual([]);
    expect((await problems('')).length).toBe(1);
    expect((await problems('\u0000\u0001: ]')).length).toBeGreaterThan(0);
  });

  it('always answers, whatever is cut out of or spliced into a description', async () => {
    const pieces = fc.array(fc.oneof(fc.constantFrom(...contract.split(/(?<=\s)/)), fc.string({ maxLength: 6 })), {
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(pieces, async (list) => {
        const read = await readClusterYaml(list.join(''), 'c.yaml');
        if (!read.ok) expect(read.error.length).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
  });
});
