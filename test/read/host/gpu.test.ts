import { describe, expect, it } from 'vitest';
import { smiField } from '../../../src/read/gpu/smi-query.ts';
import { expectRead } from '../expect-read.ts';

describe('nvidia-smi -q', () => {
  const text = [
    '==============NVSMI LOG==============',
    '',
    'Driver Version                            : 550.54.15',
    'Attached GPUs                             : 2',
    'GPU 00000000:17:00.0',
    '    Product Name                          : NVIDIA H100 80GB HBM3',
    '    PCI',
    '        GPU Link Info',
    '            PCIe Generation',
    '                Max                       : 5',
    '                Current                   : 1',
    '            Link Width',
    '                Max                       : 16x',
    '                Current                   : 8x',
    '    Performance State                     : P8',
    '    BAR1 Memory Usage',
    '        Total                             : 131072 MiB',
    '    Fabric',
    '        State                             : In Progress',
    '',
    'GPU 00000000:43:00.0',
    '    Product Name                          : NVIDIA H100 80GB HBM3',
    '    Fabric',
    '        State                             : Completed',
  ];

  it('gives the fields of each GPU by their titles', async () => {
    const { gpus } = await expectRead(text, 'smi-query');
    const named = gpus.filter((g) => g.busId !== undefined);
    expect(named.map((g) => [g.busId, smiField(g, 'fabric/state')?.value])).toEqual([
      ['00000000:17:00.0', 'In Progress'],
      ['00000000:43:00.0', 'Completed'],
    ]);
    expect(smiField(named[0]!, 'link width/current')).toEqual({ value: '8x', at: { file: 'input.txt', line: 14 } });
    expect(smiField(named[0]!, 'bar1 memory usage/total')?.value).toBe('131072 MiB');
  });

  it('reads a piece without its head', async () => {
    const { gpus } = await expectRead(text.slice(15, 17), 'smi-query');
    expect(smiField(gpus[0]!, 'bar1 memory usage/total')?.value).toBe('131072 MiB');
  });

  it('gives the same from XML', async () => {
    const { gpus } = await expectRead(
      [
        '<?xml version="1.0" ?>',
        '<!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">',
        '<nvidia_smi_log>',
        '  <driver_version>550.54.15</driver_version>',
        '  <gpu id="00000000:17:00.0">',
        '    <product_name>NVIDIA H100 80GB HBM3</product_name>',
        '    <pci><pci_gpu_link_info><link_widths><max_link_width>16x</max_link_width><current_link_width>8x</current_link_width></link_widths></pci_gpu_link_info></pci>',
        '    <performance_state>P8</performance_state>',
        '    <fabric><state>In Progress</state></fabric>',
        '  </gpu>',
        '</nvidia_smi_log>',
      ],
      'smi-query',
    );
    expect(gpus[0]!.busId).toBe('00000000:17:00.0');
    for (const [way, value] of [
      ['link width/current', '8x'],
      ['link width/max', '16x'],
      ['fabric/state', 'In Progress'],
      ['performance state', 'P8'],
      ['product name', 'NVIDIA H100 80GB HBM3'],
    ]) {
      expect(smiField(gpus[0]!, way!)?.value).toBe(value);
    }
  });
});

describe('other outputs of nvidia-smi', () => {
  it('nvlink -s, tabs or blanks, links up, down and all down', async () => {
    const { gpus } = await expectRead(
      [
        'GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-11111111-2222-3333-4444-555555555555)',
        '\t Link 0: 25 GB/s',
        '         Link 1: <inactive>',
        'GPU 1: NVIDIA A100-SXM4-40GB (UUID: GPU-11111111-2222-3333-4444-555555555556)',
        'NVML: Unable to retrieve NVLink information as all links are inActive',
      ],
      'smi-gpus',
    );
    expect(gpus.map((g) => [g.index, g.name, g.links.map((l) => l.gbps ?? l.active), g.allInactive?.line])).toEqual([
      [0, 'NVIDIA A100-SXM4-40GB', [25, false], undefined],
      [1, 'NVIDIA A100-SXM4-40GB', [], 5],
    ]);
  });

  it('the table, of old and new releases', async () => {
    const { driver, cuda, gpus } = await expectRead(
      [
        '+-----------------------------------------------------------------------------------------+',
        '| NVIDIA-SMI 550.54.15              Driver Version: 550.54.15      CUDA Version: 12.4     |',
        '|-----------------------------------------+------------------------+----------------------+',
        '|   0  NVIDIA L40S                    Off |   00000000:17:00.0 Off |                    0 |',
        '| N/A   31C    P8              36W /  350W |       1MiB /  46068MiB |      0%      Default |',
        '|   1  Tesla V100-SXM2...  On   | 00000000:3D:00.0 Off |                    0 |',
      ],
      'smi-table',
    );
    expect([driver, cuda]).toEqual(['550.54.15', '12.4']);
    expect(gpus.map((g) => [g.index, g.name, g.busId])).toEqual([
      [0, 'NVIDIA L40S', '00000000:17:00.0'],
      [1, 'Tesla V100-SXM2', '00000000:3D:00.0'],
    ]);
  });

  it('the log of the fabric manager', async () => {
    const { messages, lines } = await expectRead(
      [
        '[Nov 03 2025 09:00:00] [INFO] [tid 7] Received an inband message:  Message header details: magic Id:adbc',
        'Message payload details:Team release request',
        '',
        '[Nov 03 2025 09:00:02] [ERROR] [tid 7] detected NVSwitch non-fatal error 12028 on fid 0 on NVSwitch pci bus id 00000000:86:00.0 physical id 3 port 61',
      ],
      'messages',
    );
    expect(lines).toBe(2);
    expect(messages.map((m) => [m.topic, m.words, m.at.line])).toEqual([
      ['nvswitch-error', ['non-fatal', '12028', '00000000:86:00.0'], 4],
    ]);
  });
});

describe('the GPUs that collect_env lists', () => {
  it('have their names, without UUIDs', async () => {
    const several = [
      'GPU models and configuration: ',
      'GPU 0: NVIDIA A40',
      'GPU 1: NVIDIA A40',
      '',
      'Nvidia driver version: 550.54.15',
    ];
    expect((await expectRead(several, 'smi-gpus')).gpus.map((g) => `${g.index} ${g.name}`)).toEqual([
      '0 NVIDIA A40',
      '1 NVIDIA A40',
    ]);
    const one = await expectRead(['GPU models and configuration: GPU 0: Tesla T4'], 'smi-gpus');
    expect(one.gpus.map((g) => g.name)).toEqual(['Tesla T4']);
    const kinds = ['GPU 0,1,2: NVIDIA GeForce RTX 4090', 'GPU 0,1,2 Compute Capability: 8.9'];
    expect((await expectRead(kinds, 'smi-gpus')).gpus.map((g) => g.index)).toEqual([0, 1, 2]);
  });
});
