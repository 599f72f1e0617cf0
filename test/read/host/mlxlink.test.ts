import { describe, expect, it } from 'vitest';
import { portOfLink, slotLanes, slowLink } from '../../../src/read/rdma/mlxlink-port.ts';
import { expectRead, read } from '../expect-read.ts';

const text = [
  'root@birch:~# mlxlink -d mlx5_4 -m -c',
  '',
  'Operational Info',
  '----------------',
  'State                              : Active ',
  'Physical state                     : LinkUp ',
  'Speed                              : IB-HDR ',
  'Width                              : 4x ',
  '',
  'Supported Info',
  '--------------',
  'Enabled Link Speed                 : 0x000000f1 (NDR,HDR,EDR,FDR,SDR) ',
  'Supported Cable Speed              : 0x000000f1 (NDR,HDR,EDR,FDR,SDR) ',
  '',
  'Troubleshooting Info',
  '--------------------',
  'Status Opcode                      : 15 ',
  'Group Opcode                       : PHY FW ',
  'Recommendation                     : Bad signal integrity ',
  '',
  'Module Info',
  '-----------',
  'Temperature [C]                    : 41 [-5..75] ',
  'Vendor Name                        : Maker ',
  '',
  'Physical Counters and BER Info',
  '------------------------------',
  'Effective Physical BER             : 3E-11 ',
  'Raw Physical Errors Per Lane       : 7,0,9,0 ',
  'Link Down Counter                  : 4 ',
];

const values = (fields: ReadonlyMap<string, { readonly value: string }>) =>
  Object.fromEntries([...fields].map(([name, { value }]) => [name, value]));

const all = {
  state: 'Active',
  'physical state': 'LinkUp',
  speed: 'IB-HDR',
  width: '4x',
  'enabled link speed': '0x000000f1 (NDR,HDR,EDR,FDR,SDR)',
  'supported cable speed': '0x000000f1 (NDR,HDR,EDR,FDR,SDR)',
  'status opcode': '15',
  'group opcode': 'PHY FW',
  recommendation: 'Bad signal integrity',
  'effective physical ber': '3E-11',
  'raw physical errors per lane': '7,0,9,0',
  'link down counter': '4',
};

describe('mlxlink', () => {
  it('gives what the firmware says, below prefixes and in colour', async () => {
    const prefixed = text.map((l) => `node7: ${l}`);
    const coloured = text.map((l) => l.replace(/: (.*) $/, ': \u001b[32m$1\u001b[0m '));
    for (const lines of [text, prefixed, coloured, text.map((l) => `> ${l}`)]) {
      const { links } = await expectRead(lines, 'mlxlink');
      expect(links.map((l) => [l.device, values(l.fields)])).toEqual([['mlx5_4', all]]);
      expect(portOfLink(links[0]!)).toMatchObject({ device: 'mlx5_4', state: { value: 'active' }, lanes: 4 });
      expect(slowLink(links[0]!)).toEqual({ speed: { file: 'input.txt', line: 7 }, cable: undefined });
    }
  });

  it('is read cut short, without its command, and where grep left lines below the command alone', async () => {
    const cut = (await expectRead(text.slice(2, 6), 'mlxlink')).links;
    expect([cut[0]!.device, portOfLink(cut[0]!)?.state?.value]).toEqual([undefined, 'active']);
    const kept = await expectRead([`${text[0]} | grep Down`, text.at(-1)!], 'mlxlink');
    expect([kept.links[0]!.device, portOfLink(kept.links[0]!)]).toEqual(['mlx5_4', undefined]);
    expect((await read(['Then run mlxlink -d mlx5_4 and look.'])).documents).toEqual([]);
  });

  it('gives one report after the other, a name only to the one that has it', async () => {
    const loop = ['$ for i in 0 1; do mlxlink -d mlx5_$i; done', ...text.slice(2, 9), ...text.slice(2, 9)];
    expect((await expectRead(loop, 'mlxlink')).links.map((l) => l.device)).toEqual([undefined, undefined]);
    const two = [...text, text[0]!.replace('mlx5_4', 'mlx5_5'), ...text.slice(1)];
    expect((await expectRead(two, 'mlxlink')).links.map((l) => l.device)).toEqual(['mlx5_4', 'mlx5_5']);
  });

  it('is the same in JSON', async () => {
    const lines = [
      '{ "result" : {',
      '   "output" : {',
      '      "Operational Info" : {',
      '         "Physical state" : "Polling",',
      '         "Speed" : "N/A",',
      '         "State" : "Polling"',
      '      },',
      '      "Physical Counters and BER Info" : {',
      '         "Link Down Counter" : "4",',
      '         "Raw Physical Errors Per Lane" : {',
      '            "values" : [ "7", "0" ]',
      '         }',
      '      },',
      '      "Supported Info" : {',
      '         "Enabled Link Speed (Ext.)" :',
      '         {',
      '            "mask" : "0x00000600",',
      '            "values" :',
      '            [',
      '               "200G_4X",',
      '               "100G_4X"',
      '            ]',
      '         }',
      '      }',
      '   }',
      '} }',
    ];
    const { links } = await expectRead(lines, 'mlxlink');
    expect(values(links[0]!.fields)).toEqual({
      'physical state': 'Polling',
      speed: 'N/A',
      state: 'Polling',
      'link down counter': '4',
      'raw physical errors per lane': '7,0',
      'enabled link speed (ext.)': '200G_4X,100G_4X',
    });
    expect(portOfLink(links[0]!)).toMatchObject({ state: { value: 'down' }, layer: { value: 'Ethernet' } });
  });

  it('tells the slot, and no port where the link is of a switch or between GPUs', async () => {
    const slot = [
      'PCIe Operational (Enabled) Info',
      'Link Speed Active (Enabled)        : 8G-Gen 3 (16G-Gen 4) ',
      'Link Width Active (Enabled)        : 4X (16X) ',
    ];
    expect(slotLanes((await expectRead(slot, 'mlxlink')).links[0]!)).toMatchObject({ now: 4, most: 16 });
    for (const lines of [
      text.map((l) => l.replace('mlx5_4', 'lid-7')),
      text.map((l) => l.replace('IB-HDR', 'NVLink-XDR')),
    ]) {
      const [link] = (await expectRead(lines, 'mlxlink')).links;
      expect([portOfLink(link!), slowLink(link!)]).toEqual([undefined, undefined]);
    }
  });
});
