import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assemble } from '../../src/assemble/assemble.ts';
import { hostFromMatrix } from '../../src/assemble/from-matrix.ts';
import { matrixCell } from '../../src/machine/letters.ts';
import { deviceAt, nameDevices } from '../../src/machine/names.ts';
import type { TopoDevice, TopoMatrix } from '../../src/read/nvidia-smi-topo.ts';
import { readText } from '../../src/read/read-source.ts';
import { pasted } from '../support/machines.ts';

/** A random machine as nested places: [numa, bridge, outer switch, inner switch]; its letters follow. */
const place = fc.tuple(fc.nat(1), fc.nat(1), fc.nat(2), fc.nat(2));
const machine = fc.record({
  gpus: fc.array(place, { minLength: 1, maxLength: 5 }),
  nics: fc.array(place, { maxLength: 5 }),
});

type Place = readonly [number, number, number, number];
function letter(a: Place, b: Place): string {
  if (a[0] !== b[0]) return 'SYS';
  if (a[1] !== b[1]) return 'NODE';
  if (a[2] !== b[2]) return 'PHB';
  return a[3] === b[3] ? 'PIX' : 'PXB';
}

function matrixOf(gpus: readonly Place[], nics: readonly Place[]): TopoMatrix {
  const devices: TopoDevice[] = [
    ...gpus.map(
      (p, i): TopoDevice => ({
        label: `GPU${i}`,
        kind: 'gpu',
        index: i,
        numaAffinity: String(p[0]),
        at: { file: 'm', line: i + 2 },
      }),
    ),
    ...nics.map(
      (_, i): TopoDevice => ({ label: `NIC${i}`, kind: 'nic', index: i, at: { file: 'm', line: gpus.length + i + 2 } }),
    ),
  ];
  const places = [...gpus, ...nics];
  const cells = places.map((a, i) => places.map((b, j) => (i === j ? 'X' : letter(a, b))));
  return { kind: 'topo-matrix', file: 'm', line: 1, devices, cells, truncated: false };
}

describe('a matrix', () => {
  it('whose last rows are cut off sets apart what the rest sets apart, and nothing that it holds together', () => {
    fc.assert(
      fc.property(machine, fc.nat(9), ({ gpus, nics }, kept) => {
        const whole = matrixOf(gpus, nics);
        const rows = Math.max(1, kept % whole.devices.length);
        const cells = whole.cells.map((row, i) => (i < rows ? row : row.map(() => undefined)));
        const devices = whole.devices.map((d, i): TopoDevice => {
          const { numaAffinity: _, ...bare } = d;
          return i < rows ? d : bare;
        });
        const { host } = hostFromMatrix({ ...whole, cells, devices, truncated: true });
        const named = nameDevices({ ...pasted(''), hosts: [host], nodes: 1 });
        const find = (d: TopoDevice) => named.find((n) => n.kind === d.kind && n.local === `${d.kind}${d.index}`)!;
        for (let i = 0; i < rows; i++) {
          devices.forEach((b, j) => {
            if (i === j) return;
            const letter = matrixCell(host, find(devices[i]!), find(b), (p) => deviceAt(host, p));
            expect(letter === 'SYS').toBe(whole.cells[i]![j] === 'SYS');
          });
        }
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  it('that hides the PCIe way of GPUs behind NVLink letters leaves them where their affinity puts them', () => {
    // Both far from every NIC, so no NIC tells how near they are to each other; the last list of CPUs is cut.
    const text = [
      '\tGPU0\tGPU1\tGPU2\tmlx5_0\tCPU Affinity',
      'GPU0\t X \tNV2\tNV2\tPIX\t0-23,48-71',
      'GPU1\tNV2\t X \tNV1\tSYS\t24-47,72-95',
      'GPU2\tNV2\tNV1\t X \tSYS\t24-47,',
    ].join('\n');
    const [matrix] = readText('m', text).documents;
    const { host } = hostFromMatrix(matrix as TopoMatrix);
    expect(host.cpus.map((c) => c.devices.length)).toEqual([1, 2]);
  });

  it('whose NUMA column puts on one node what its letters set apart has that one node', () => {
    const text = [
      '\tGPU0\tGPU1\tNIC0\tNIC1\tNIC2\tCPU Affinity\tNUMA Affinity',
      'GPU0\t X \tNV18\tPIX\tSYS\tSYS\t0-47\t0',
      'GPU1\tNV18\t X \tSYS\tPIX\tSYS\t0-47\t0',
      'NIC0\tPIX\tSYS\t X \tSYS\tSYS\t\t',
      'NIC1\tSYS\tPIX\tSYS\t X \tSYS\t\t',
      'NIC2\tSYS\tSYS\tSYS\tSYS\t X \t\t',
    ].join('\n');
    const [matrix] = readText('m', text).documents;
    const { host } = hostFromMatrix(matrix as TopoMatrix);
    expect(host.cpus.map((c) => [c.numa, c.devices.length])).toEqual([
      [0, 2],
      [1, 1],
    ]);
  });

  it('becomes a machine that gives the same letters again', () => {
    fc.assert(
      fc.property(machine, ({ gpus, nics }) => {
        const matrix = matrixOf(gpus, nics);
        const { host, conflicts } = hostFromMatrix(matrix);
        expect(conflicts).toEqual([]);
        const named = nameDevices({ ...pasted(''), hosts: [host], nodes: 1 });
        const find = (d: TopoDevice) => named.find((n) => n.kind === d.kind && n.local === `${d.kind}${d.index}`)!;
        matrix.devices.forEach((a, i) => {
          matrix.devices.forEach((b, j) => {
            if (i !== j) expect(matrixCell(host, find(a), find(b), (p) => deviceAt(host, p))).toBe(matrix.cells[i]![j]);
          });
        });
      }),
      { numRuns: 300 },
    );
  });

  it('tells NVSwitch from direct links by what a GPU can have', () => {
    const rows = (n: number, links: string): string =>
      [
        `\t${Array.from({ length: n }, (_, i) => `GPU${i}`).join('\t')}\tCPU Affinity\tNUMA Affinity`,
        ...Array.from(
          { length: n },
          (_, i) => `GPU${i}\t${Array.from({ length: n }, (_, j) => (i === j ? ' X ' : links)).join('\t')}\t0-31\t0`,
        ),
      ].join('\n');
    const kinds = (text: string): (string | undefined)[] => {
      const m = pasted(text);
      return nameDevices(m)
        .filter((d) => d.kind === 'gpu')
        .map((d) => deviceAt(m.hosts[0]!, d.path)?.gpus?.[0]?.nvlinks[0]?.to);
    };
    expect(kinds(rows(8, 'NV18'))).toEqual(Array(8).fill('nvswitch'));
    expect(kinds(rows(4, 'NV4'))).toEqual(Array(4).fill('gpu'));
    expect(kinds(rows(2, 'NV4'))).toEqual(Array(2).fill('gpu'));
    expect(kinds(rows(16, 'NV6'))).toEqual(Array(16).fill('nvswitch'));
  });

  it('that contradicts itself or a topology file is a conflict, not a silent choice', () => {
    const text = '\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\nGPU0\t X \tPIX\t0-7\t0\nGPU1\tSYS\t X \t0-7\t0\n';
    const m = pasted(text);
    expect(m.conflicts.map((c) => [c.about.code, c.claims.map((x) => x.value)])).toEqual([
      ['assemble.conflict.matrix', ['PIX', 'SYS']],
    ]);
    const xml =
      '<system version="1"><cpu numaid="0" affinity="f" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">\n<pci busid="0000:01:00.0" class="0x030200" link_speed="16.0 GT/s PCIe" link_width="16"><gpu dev="0" sm="80" rank="0" gdr="1"/></pci>\n</cpu>\n<cpu numaid="1" affinity="f0" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143"><pci busid="0000:81:00.0" class="0x030200" link_speed="16.0 GT/s PCIe" link_width="16"><gpu dev="1" sm="80" rank="1" gdr="1"/></pci></cpu></system>\n';
    const good = '\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\nGPU0\t X \tPIX\t0-7\t0\nGPU1\tPIX\t X \t0-7\t0\n';
    const both = assemble([...readText('topo.xml', xml).documents, ...readText('m.txt', good).documents]);
    expect(both.conflicts.map((c) => c.claims.map((x) => x.value))).toEqual([['SYS', 'PIX']]);
    expect(both.hosts).toHaveLength(1);
  });

  it('says nothing of ACS, link rates or GPUDirect: they stay unknown', () => {
    const m = pasted(
      '\tGPU0\tNIC0\tCPU Affinity\tNUMA Affinity\nGPU0\t X \tPIX\t0-7\t0\nNIC0\tPIX\t X \t\t\n\nNIC Legend:\n\n  NIC0: mlx5_0\n',
    );
    expect(m.software.acs).toBeUndefined();
    expect(m.hosts[0]?.ratesUnknown).toBe(true);
    const nic = nameDevices(m).find((d) => d.kind === 'nic')!;
    expect(deviceAt(m.hosts[0]!, nic.path)?.ports?.[0]?.gdr).toBeUndefined();
    expect(nic.name).toBe('mlx5_0');
  });
});
