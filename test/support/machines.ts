import { assemble } from '../../src/assemble/assemble.ts';
import { systemMachine } from '../../src/assemble/build/machine.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { readClusterYaml } from '../../src/read/cluster-yaml.ts';
import { readText } from '../../src/read/read-source.ts';

/** A machine of the catalogue; unlike the command line's, without notes. */
export function system(id: string, nodes = 1): Machine {
  const machine = systemMachine(id, nodes);
  if (!machine) throw new Error(`no system ${id}`);
  return machine;
}

/** The machine of a pasted text. */
export const pasted = (text: string, file = 'paste.txt'): Machine => assemble(readText(file, text).documents);

/** The machine of a cluster description. */
export async function described(yaml: string): Promise<Machine> {
  const read = await readClusterYaml(yaml, 'c.yaml');
  if (!read.ok) throw new Error(`refused: ${yaml}`);
  return assemble([read.value]);
}

/** A GPU with two NICs: one on its switch, one on the other socket. No capability is told. */
export const nearAndFar = `<system version="1">
  <cpu numaid="0" affinity="ff" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">
    <pci busid="0000:10:00.0" class="0x060400" link_speed="32.0 GT/s PCIe" link_width="16" vendor="0x1000" device="0xc030">
      <pci busid="0000:11:00.0" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="16">
        <gpu dev="0" sm="90" rank="0" gdr="1"/>
      </pci>
      <pci busid="0000:12:00.0" class="0x020000" link_speed="32.0 GT/s PCIe" link_width="16">
        <nic><net name="mlx5_0" dev="0" speed="400000" port="1" guid="0x1" gdr="1"/></nic>
      </pci>
    </pci>
    <pci busid="0000:20:00.0" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="16">
      <gpu dev="1" sm="90" rank="1" gdr="1"/>
    </pci>
  </cpu>
  <cpu numaid="1" affinity="ff00" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">
    <pci busid="0000:90:00.0" class="0x020000" link_speed="32.0 GT/s PCIe" link_width="16">
      <nic><net name="mlx5_1" dev="1" speed="400000" port="1" guid="0x2" gdr="1"/></nic>
    </pci>
  </cpu>
</system>
`;
