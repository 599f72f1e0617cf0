import { assemble } from '../assemble/assemble.ts';
import type { Machine } from '../machine/machine.ts';
import type { MovePath } from '../move/model.ts';
import { readClusterYaml } from '../read/cluster-yaml.ts';
import type { Lesson } from '../workload/learn.ts';

const usual = 'node: hgx-h100\nnodes: 2\nnetwork: {transport: infiniband, rate: 400Gb/s}\n';

/** Where the usual machine has not what it takes. */
const byPath: Partial<Record<MovePath, string>> = {
  'nvlink-c2c': 'node: gh200\nnodes: 2\n',
  tcp: 'node: hgx-h100\nnodes: 2\nnetwork: {transport: tcp, rate: 100Gb/s}\n',
  'posix-bounce': withDrives(),
  'gpudirect-storage': withDrives(),
  p2pdma: withDrives(),
};

function withDrives(): string {
  return (
    'node: {gpu: h100-sxm5-80g, gpus: 8, link: nvswitch, nic: 400Gb/s, nics: 8, cpu: intel-spr, sockets: 2, pcie: gen5, gpusPerSwitch: 2, nicsPerSwitch: 2}\n' +
    'storage: {type: nvme, count: 2, perDeviceGBps: 6.8, placement: same-switch, gds: true}\n'
  );
}

function describe(lesson: Lesson | undefined): string {
  if (lesson?.transport !== undefined) {
    return `node: hgx-h100\nnodes: 2\nnetwork: {transport: ${lesson.transport}, rate: 400Gb/s}\n`;
  }
  return (lesson && byPath[lesson.path]) ?? usual;
}

/** A machine on which a technology can be shown, for who has none at hand. */
export async function typicalMachine(lesson: Lesson | undefined): Promise<Machine> {
  const read = await readClusterYaml(describe(lesson), 'typical');
  if (!read.ok) throw new Error('the typical machine cannot be read');
  return assemble([read.value]);
}
