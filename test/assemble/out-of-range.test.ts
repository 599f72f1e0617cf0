import { expect, it } from 'vitest';
import { assemble } from '../../src/assemble/assemble.ts';
import { textSource } from '../../src/input/source.ts';
import { nameDevices } from '../../src/machine/names.ts';
import { dataPaths } from '../../src/move/move.ts';
import { readSource } from '../../src/read/read-source.ts';

const xml = (width: string, count: string): string => `<system version="1">
  <cpu numaid="0" affinity="ffff" arch="x86_64" vendor="AuthenticAMD" familyid="143" modelid="49">
    <pci busid="0000:01:00.0" class="0x030200" link_speed="16.0 GT/s PCIe" link_width="${width}">
      <gpu dev="0" sm="80" rank="0" gdr="1"><nvlink target="0000:02:00.0" count="${count}" tclass="0x030200"/></gpu>
    </pci>
    <pci busid="0000:02:00.0" class="0x030200" link_speed="16.0 GT/s PCIe" link_width="16">
      <gpu dev="1" sm="80" rank="1" gdr="1"><nvlink target="0000:01:00.0" count="12" tclass="0x030200"/></gpu>
    </pci>
  </cpu>
</system>
`;

it.each([
  ['99999999999', '12', 'link_width'],
  ['16', '-18', 'count'],
  ['16', '4000', 'count'],
])('a width of %s and a count of %s make no rate: %s is left out and named', async (width, count, name) => {
  const [read] = await readSource(textSource('topo.xml', xml(width, count)));
  const machine = assemble(read!.documents);
  expect(machine.notes.map((n) => [n.message.code, n.message.args['name']])).toContainEqual([
    'assemble.out-of-range',
    name,
  ]);
  expect(nameDevices(machine).filter((d) => d.kind === 'gpu')).toHaveLength(2);
  const paths = dataPaths(machine, {}, 'gpu0', 'gpu1');
  for (const m of paths.ok ? paths.value : []) for (const s of m.stages) expect(s.rate).toBeLessThan(1e12);
});
