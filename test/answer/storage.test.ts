import { expect, it } from 'vitest';
import { assemble } from '../../src/assemble/assemble.ts';
import { readClusterYaml } from '../../src/read/cluster-yaml.ts';
import { readText } from '../../src/read/read-source.ts';
import { courseOf } from '../../src/way/course.ts';

const course = async (gds: string, from: string, to: string) => {
  const read = await readClusterYaml(
    `node: {gpu: a100-sxm4-80g, gpus: 4, link: nvswitch, nic: 200Gb/s, nics: 4, cpu: amd-rome, sockets: 2, pcie: gen4, gpusPerSwitch: 2, nicsPerSwitch: 2}\nstorage: {type: nvme, count: 2, perDeviceGBps: 6.8, placement: same-switch${gds}}\n`,
    'c.yaml',
  );
  if (!read.ok) throw new Error('description');
  const found = courseOf(assemble([read.value]), {}, from, to);
  if (!found.ok) throw new Error(found.error.reason.code);
  return found.value;
};

it('goes by the kernel where gdscheck says that it can, and where no word is told of cuFile', async () => {
  const read = await readClusterYaml(
    'node: {gpu: a100-sxm4-80g, gpus: 4, link: nvswitch, cpu: amd-rome, sockets: 2, pcie: gen4, gpusPerSwitch: 2}\nstorage: {type: nvme, count: 2, perDeviceGBps: 6.8, placement: same-switch}\n',
    'c.yaml',
  );
  if (!read.ok) throw new Error('description');
  const check = readText(
    'gds.txt',
    ' GDS release version: 1.13.0.11\n NVMe P2PDMA        : Supported\n NVMe               : Unsupported\n',
  );
  const machine = assemble([read.value, ...check.documents]);
  const found = courseOf(machine, {}, 'nvme0', 'gpu0');
  if (!found.ok) throw new Error(found.error.reason.code);
  const { direct, ways, rule, evidence } = found.value;
  expect([direct, ways[0]?.path, ways[0]?.copies, rule.code]).toEqual(['yes', 'p2pdma', 0, 'rule.p2pdma.yes']);
  expect(evidence).toEqual([{ file: 'gds.txt', line: 2 }]);
});

it('takes what the description says of GPUDirect Storage, either way', async () => {
  for (const [from, to] of [
    ['nvme0', 'gpu0'],
    ['gpu0', 'nvme0'],
  ] as const) {
    const yes = await course(', gds: true', from, to);
    expect([yes.direct, yes.ways[0]?.path, yes.ways[0]?.copies]).toEqual(['yes', 'gpudirect-storage', 0]);
    expect([yes.ways[0]?.stages[0]?.from, yes.ways[0]?.stages.at(-1)?.to]).toEqual([from, to]);
    const no = await course(', gds: false', from, to);
    expect([no.direct, no.ways[0]?.path, no.ways[0]?.copies]).toEqual(['no', 'posix-bounce', 1]);
    expect([no.ways[0]?.stages[0]?.from, no.ways[0]?.stages.at(-1)?.to]).toEqual([from, to]);
    const unknown = await course('', from, to);
    expect([unknown.direct, unknown.settle !== undefined]).toEqual(['unknown', true]);
  }
});
