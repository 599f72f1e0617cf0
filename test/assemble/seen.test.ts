import { describe, expect, it } from 'vitest';
import { render } from '../../src/words/render.ts';
import { pasted } from '../support/machines.ts';

const notes = (lines: readonly string[]): string[] =>
  pasted(`${lines.join('\n')}\n`).notes.map((n) => `${n.at[0]?.line ?? '-'}: ${render(n.message, 'en')}`);

const list = [
  '17:00.0 Infiniband controller [0207]: Mellanox Technologies MT2910 Family [ConnectX-7] [15b3:1021]',
  '18:00.0 Infiniband controller [0207]: Mellanox Technologies MT2910 Family [ConnectX-7] [15b3:1021]',
  '19:00.0 3D controller [0302]: NVIDIA Corporation GH100 [H100 SXM5 80GB] [10de:2330] (rev a1)',
  '31:00.0 Ethernet controller [0200]: Intel Corporation Ethernet Controller X710 for 10GBASE-T [8086:15ff]',
];

describe('devices that nothing places', () => {
  it('are named by lspci, and by nvidia-smi where it names as many', () => {
    expect(notes(list).slice(0, 2)).toEqual([
      '3: GPUs seen: GH100 [H100 SXM5 80GB]',
      '1: NICs seen: 2 × MT2910 Family [ConnectX-7]',
    ]);
    const smi = [0, 1].map(
      (i) => `GPU ${i}: NVIDIA H100 80GB HBM3 (UUID: GPU-${i}a1b2c3d-1111-2222-3333-444455556666)`,
    );
    expect(notes([...smi, '', ...list])[0]).toBe('1: GPUs seen: 2 × NVIDIA H100 80GB HBM3');
    expect(notes(smi).at(-1)).toMatch(/nvidia-smi topo -m does, or lspci -tv/);
  });

  it('are none of a tree that makes a machine, nor of nothing', () => {
    expect(notes(['hello'])).toHaveLength(1);
    expect(notes(['-[0000:16]-+-00.0  Intel Corporation Device 09a2'])[0]).toBe('1: the PCIe tree names no GPU');
    const tree = [
      '-[0000:16]-+-00.0  Intel Corporation Device 09a2',
      `           \\-01.0-[17]----00.0  NVIDIA Corporation GH100 [H100 PCIe]`,
    ];
    expect(notes(tree).join()).not.toContain('seen');
  });
});
