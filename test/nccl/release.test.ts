import { describe, expect, it } from 'vitest';
import { numberOf, pathTypes, typeOfNumber, typesOf } from '../../src/nccl/path-type.ts';
import { interCpuGBps } from '../../src/nccl/rates/cpu.ts';
import { nvlinkGBps } from '../../src/nccl/rates/nvlink.ts';
import { pcieGBps } from '../../src/nccl/rates/pcie.ts';
import { newest, releaseCode, releaseFor, releases, since } from '../../src/nccl/release.ts';
import { defaultGdrLevel, parseInteger, parseLevel, parseSettings } from '../../src/nccl/settings.ts';

const at = (v: string) => releaseFor(v)!;

describe('releases', () => {
  it('are in order, and each stands for itself', () => {
    const codes = releases.map((r) => releaseCode(r)!);
    expect([...codes].sort((a, b) => a - b)).toEqual(codes);
    for (const r of releases.filter((x) => releaseCode(x)! >= releaseCode('2.6.4')!))
      expect(at(r)).toEqual({ name: r, code: releaseCode(r) });
  });

  it('answers a version whose facts are not at hand by the nearest below, and says so', () => {
    expect(at('2.18.4')).toMatchObject({ name: '2.18.3', asked: '2.18.4' });
    expect(at('2.18')).toMatchObject({ name: '2.18.6', asked: '2.18' });
    expect(at('v2.21.5')).toEqual({ name: '2.21.5', code: 22105 });
    expect(at('2.21.5+cuda12.4').name).toBe('2.21.5');
    expect(at('3.0.0')).toMatchObject({ name: newest, asked: '3.0.0' });
    expect(at('2.4.8').name).toBe('2.6.4');
    expect(releaseFor('latest')).toBeUndefined();
  });

  it('picks the row in force', () => {
    const rows = [
      ['2.6.4', 1],
      ['2.20.3', 2],
    ] as const;
    expect([
      since(at('2.6.4'), rows),
      since(at('2.19.4'), rows),
      since(at('2.20.3'), rows),
      since(at('2.30.7'), rows),
    ]).toEqual([1, 1, 2, 2]);
  });
});

describe('numbers of path types', () => {
  it('translate "distance 7 > 4" by release', () => {
    const seven = (v: string): unknown => typeOfNumber(7, at(v));
    expect(['2.12.7', '2.18.3', '2.25.1', '2.26.2', '2.27.3', '2.27.5', '2.30.7'].map(seven)).toEqual([
      'SYS',
      'SYS',
      'SYS',
      'PHB',
      'P2C',
      'PXN',
      'PXN',
    ]);
    expect(typeOfNumber(4, at('2.25.1'))).toBe('PXB');
    expect(typeOfNumber(4, at('2.26.2'))).toBe('PIX');
    expect(numberOf('C2C', at('2.18.3'))).toBeUndefined();
    expect(typesOf(at('2.30.7'))).toEqual(pathTypes);
  });
});

describe('rates', () => {
  it('of NVLinks by generation and release', () => {
    expect(nvlinkGBps(90, at('2.30.7'))).toBe(20.6);
    expect(nvlinkGBps(90, at('2.18.3'))).toBe(20);
    expect(nvlinkGBps(70, at('2.17.1'))).toBe(22);
    expect(nvlinkGBps(86, at('2.21.5'))).toBe(12);
    expect(nvlinkGBps(89, at('2.21.5'))).toBe(20);
    expect(nvlinkGBps(100, at('2.25.1'))).toBe(40);
    expect(nvlinkGBps(120, at('2.30.7'))).toBe(40.1);
    expect(nvlinkGBps(60, at('2.30.7'))).toBe(18);
  });

  it('of PCIe by the beginning of the speed text', () => {
    expect(pcieGBps('16.0 GT/s PCIe', 16, at('2.30.7'))).toBe(24);
    expect(pcieGBps('16 GT/s', 16, at('2.30.7'))).toBe(24);
    // Without "PCIe" this spelling is no entry of the table: taken as Gen3.
    expect(pcieGBps('32.0 GT/s', 16, at('2.30.7'))).toBe(12);
    expect(pcieGBps('', 0, at('2.30.7'))).toBe(12);
    expect(pcieGBps('2.5 GT/s PCIe', 1, at('2.30.7'))).toBeCloseTo(0.1875, 6);
    // Older releases do not know the newer spelling.
    expect(pcieGBps('16.0 GT/s PCIe', 16, at('2.10.3'))).toBe(12);
    expect(pcieGBps('64.0 GT/s PCIe', 16, at('2.30.7'))).toBe(96);
  });

  it('between sockets by CPU and release', () => {
    const cpu = (vendor: 'Intel' | 'AMD', model: number) =>
      ({ numa: 0, arch: 'x86_64', vendor, family: vendor === 'Intel' ? 6 : 23, model, devices: [], at: [] }) as const;
    expect(interCpuGBps(cpu('AMD', 49), at('2.16.5'))).toBe(5000);
    expect(interCpuGBps(cpu('AMD', 49), at('2.16.2'))).toBe(16);
    expect(interCpuGBps(cpu('AMD', 49), at('2.30.7'))).toBe(16);
    expect(interCpuGBps(cpu('Intel', 0x8f), at('2.25.1'))).toBe(10);
    expect(interCpuGBps(cpu('Intel', 0x8f), at('2.26.2'))).toBe(22);
    expect(interCpuGBps(cpu('Intel', 0xcf), at('2.30.7'))).toBe(40);
    expect(interCpuGBps(cpu('Intel', 0x4f), at('2.30.7'))).toBe(6);
    expect(interCpuGBps({ numa: 0, arch: 'arm64', devices: [], at: [] }, at('2.30.7'))).toBe(6);
    expect(interCpuGBps({ numa: 0, arch: 'ppc64', devices: [], at: [] }, at('2.30.7'))).toBe(32);
  });
});

describe('settings', () => {
  it('read integers as C does', () => {
    expect([undefined, '', '1', '0x10', '010', '4MB', 'true', '-2', ' 7'].map(parseInteger)).toEqual([
      undefined,
      undefined,
      1,
      16,
      8,
      4,
      0,
      -2,
      7,
    ]);
  });

  it('read no integer that has no room in 64 bits', () => {
    const long = ['9223372036854775807000', '-99999999999999999999', '0x10000000000000000', '01777777777777777777777'];
    for (const text of long) expect([text, parseInteger(text)]).toEqual([text, undefined]);
    expect(parseInteger('4611686018427387904')).toBe(2 ** 62);
  });

  it('read levels by the names of the release, else by the old digits', () => {
    expect(parseLevel('SYS', at('2.30.7'))).toBe(pathTypes.indexOf('SYS'));
    expect(parseLevel('sys', at('2.30.7'))).toBeUndefined();
    expect(parseLevel('NET', at('2.30.7'))).toBeUndefined();
    expect(parseLevel('3', at('2.30.7'))).toBe(pathTypes.indexOf('PHB'));
    expect(parseLevel('9', at('2.30.7'))).toBe(pathTypes.indexOf('SYS'));
    expect(parseLevel('P2C', at('2.18.3'))).toBeUndefined();
    // Digits as C reads them, and nothing in front of them.
    expect(parseLevel('0x2', at('2.30.7'))).toBe(pathTypes.indexOf('PXB'));
    expect(parseLevel(' 2', at('2.30.7'))).toBeUndefined();
    expect(parseLevel('-2', at('2.30.7'))).toBeUndefined();
  });

  it('follow the release in what they default to', () => {
    const level = (v: string, env: [string, string][] = []): string => {
      const release = at(v);
      return pathTypes[defaultGdrLevel(parseSettings(new Map(env), release), release)]!;
    };
    expect(level('2.18.3')).toBe('PXB');
    expect(level('2.29.2')).toBe('P2C');
    expect(level('2.30.7', [['NCCL_NET_GDR_C2C', '0']])).toBe('PXB');
  });
});
