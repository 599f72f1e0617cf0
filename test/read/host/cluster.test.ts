import { expect, it } from 'vitest';
import { expectRead, read } from '../expect-read.ts';

it('reads switches and blocks of Slurm, from its file and from scontrol', async () => {
  const { switches } = await expectRead(
    [
      '# two racks',
      'SwitchName=leaf1 Nodes=node[01-16]   # first',
      'SwitchName=spine Switches=leaf[1-2]',
      'BlockName=b1 Nodes=gb[001-018]',
      'SwitchName=leaf2 Level=0 LinkSpeed=1 Nodes=node[17-32]',
    ],
    'slurm-topology',
  );
  expect(switches.map((s) => [s.kind, s.name, s.level, s.nodes ?? s.switches])).toEqual([
    ['switch', 'leaf1', undefined, 'node[01-16]'],
    ['switch', 'spine', undefined, 'leaf[1-2]'],
    ['block', 'b1', undefined, 'gb[001-018]'],
    ['switch', 'leaf2', 0, 'node[17-32]'],
  ]);
});

it('reads labels of a node however they were asked for', async () => {
  const forms = [
    ['Labels:             nvidia.com/gpu.count=8', '                    nvidia.com/gpu.product=NVIDIA-L40S'],
    ['    nvidia.com/gpu.count: "8"', '    nvidia.com/gpu.product: NVIDIA-L40S'],
    ['node7   Ready   <none>   3d   v1.30.2   nvidia.com/gpu.count=8,nvidia.com/gpu.product=NVIDIA-L40S'],
    ['{"nvidia.com/gpu.count": "8", "nvidia.com/gpu.product": "NVIDIA-L40S"}'],
  ];
  for (const lines of forms) {
    const { labels } = await expectRead(lines, 'kubernetes-node');
    expect(labels.map((l) => [l.name, l.value])).toEqual([
      ['nvidia.com/gpu.count', '8'],
      ['nvidia.com/gpu.product', 'NVIDIA-L40S'],
    ]);
  }
  expect((await read(['image: nvcr.io/nvidia/pytorch:24.05-py3'])).documents).toEqual([]);
});
