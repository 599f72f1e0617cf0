import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemMachine } from '../../src/assemble/build/machine.ts';
import { hostFromXml } from '../../src/assemble/from-nccl-xml.ts';
import { gigatransfers } from '../../src/catalogue/pcie.ts';
import type { Host, PciDevice } from '../../src/machine/host.ts';
import { readText } from '../../src/read/read-source.ts';

/** What a GPU is to its node: who shares its outermost switch, how fast its link is, where its NVLinks go. */
interface View {
  readonly sm: number | undefined;
  readonly gts: number | undefined;
  readonly onSwitch: string;
  readonly onNuma: string;
  readonly nvlinks: string;
}

function views(host: Host): Map<number, View> {
  const buses = new Map<string, number>();
  const all = (device: PciDevice): PciDevice[] => [device, ...device.children.flatMap(all)];
  for (const cpu of host.cpus) {
    for (const device of cpu.devices.flatMap(all))
      for (const gpu of device.gpus ?? []) buses.set(device.busId!, gpu.dev);
  }
  const members = (devices: readonly PciDevice[]): string => {
    const names = devices.flatMap((d) => [
      ...(d.gpus ?? []).map((g) => `gpu${g.dev}`),
      ...(d.ports ?? []).map((p) => `nic${p.dev}`),
    ]);
    return names.sort().join(' ');
  };
  const found = new Map<number, View>();
  for (const cpu of host.cpus) {
    const onNuma = members(cpu.devices.flatMap(all)).replaceAll(/ ?nic\d+/g, '');
    for (const top of cpu.devices) {
      for (const device of all(top)) {
        for (const gpu of device.gpus ?? []) {
          const links = new Map<string, number>();
          for (const link of gpu.nvlinks) {
            const to = link.to === 'gpu' ? `gpu${buses.get(link.target!)}` : link.to;
            links.set(to, (links.get(to) ?? 0) + link.count);
          }
          found.set(gpu.dev, {
            sm: gpu.sm,
            gts: gigatransfers(device.link.speed),
            onSwitch: members(all(top)),
            onNuma,
            nvlinks: [...links]
              .map(([to, n]) => `${to}×${n}`)
              .sort()
              .join(' '),
          });
        }
      }
    }
  }
  return found;
}

const inputs = join(process.env['CROWFLY_SHARED'] ?? join(import.meta.dirname, '../../../shared'), 'data/nccl/inputs');
const pairs: readonly (readonly [string, string])[] = [
  ['dgx-1v', 'dgx1v-v100-8'],
  ['dgx-a100-40g', 'dgxa100-8'],
  ['hgx-h200', 'h200-hgx-8'],
  ['azure-ndv4', 'azure-ndv4-a100'],
  ['aws-p4d', 'aws-p4d-a100'],
];

describe.skipIf(!existsSync(inputs))(
  'systems of the catalogue are wired as dumps of real ones (skipped without ../shared or $CROWFLY_SHARED)',
  () => {
    it.each(pairs)('%s like %s', (system, name) => {
      const file = `${name}.xml`;
      const document = readText(file, readFileSync(join(inputs, file), 'utf8')).documents.find(
        (d) => d.kind === 'nccl-topo-xml',
      );
      const real = views(hostFromXml(document!).host);
      const built = views(systemMachine(system)!.hosts[0]!);
      expect(Object.fromEntries(built)).toEqual(Object.fromEntries(real));
    });
  },
);
