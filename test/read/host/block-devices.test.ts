import { expect, it } from 'vitest';
import { expectRead } from '../expect-read.ts';
import { hostSamples } from '../host-samples.ts';

it('reads the rows of lsblk, in letters of any locale, and of nvme list, whose serial numbers it leaves out', async () => {
  const { devices } = await expectRead(hostSamples['lsblk']!, 'block-devices');
  expect(devices.map((d) => [d.name, d.type, d.mount])).toEqual([
    ['nvme4n1', 'disk', undefined],
    ['nvme4n1p1', 'part', '/boot'],
    ['vg0-scratch', 'lvm', '/scratch'],
  ]);
  const ascii = hostSamples['lsblk']!.map((l) => l.replace('├─', '|-').replace('└─', '`-'));
  expect((await expectRead(ascii, 'block-devices')).devices).toHaveLength(3);
  const list = await expectRead(
    [
      '/dev/nvme4n1     /dev/ng4n1    S6XXNE0R1      SOME MODEL 3.8T     0x1    3.84  TB /   3.84  TB    512   B +  0 B   GDC5',
    ],
    'block-devices',
  );
  expect(list.devices).toMatchObject([{ name: 'nvme4n1', type: 'disk', model: 'SOME MODEL 3.8T' }]);
  expect(JSON.stringify(list)).not.toContain('S6XXNE0R1');
});
