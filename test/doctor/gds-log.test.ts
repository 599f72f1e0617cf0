import { describe, expect, it } from 'vitest';
import { diagnose } from '../../src/doctor/diagnose.ts';
import { documentsOf } from './case.ts';

const told = async (...texts: readonly string[]) => {
  const lines = texts.map((text, i) => ` 03-11-2025 09:00:00:${100 + i} [pid=9 tid=9] ${text}`);
  const { findings, open } = diagnose(await documentsOf({ 'cufile.log': lines }));
  return [...findings.map((f) => f.id), ...open.map((o) => o.settle.split(/[ ;]/)[0])];
};

describe('what the log of cuFile complains of', () => {
  it('is asked about where it does not say why', async () => {
    for (const [text, first] of [
      ['ERROR  cufio:480 cuInit Failed, error CUDA_ERROR_NO_DEVICE', 'nvidia-smi'],
      ['ERROR  cufio-drv:301 open failed. error: 13', 'ls'],
      ['ERROR  cufio:339 cuFileHandleRegister error, fd opened with unsupported flags: 32768', 'findmnt'],
      ['ERROR  cufio_core:1648 cuFileBufRegister error, object allocation failed', 'nvidia-smi'],
      ['ERROR  cufio-cfg:77 parsing error, invalid json config', 'cat'],
      ['INFO   cufio-plat:411 Found ACS enabled for switch 0000:3a:00.0', 'sudo'],
    ] as const)
      expect([text, await told(text)]).toEqual([text, [first]]);
  });

  it('leaves its echo alone where a line says why', async () => {
    expect(
      await told(
        'ERROR  0:522 nvidia-fs MAP ioctl failed : ioctl_return: -22 ioctl_ret: -1',
        'ERROR  cufio_core:1648 cuFileBufRegister error, object allocation failed',
      ),
    ).toEqual(['gds-gpu-memory-refused']);
  });

  it('is no want of nvidia-fs where the kernel has its own way to NVMe', async () => {
    expect(await told('NOTICE  cufio-drv:720 nvidia_fs not loaded, operating on compatible and P2P mode.')).toEqual([]);
    expect(await told('NOTICE  cufio-drv:720 nvidia_fs not loaded, operating on compatible mode.')).toEqual([
      'gds-driver-not-loaded',
    ]);
  });

  it('does not follow from the libraries that were tried under other names', async () => {
    expect(await told('ERROR  0:140 unable to load,  liburcu-bp.so.6')).toEqual([]);
  });

  it('tells of CUDA that waits for the NVSwitches, and of an IOMMU', async () => {
    expect(await told('ERROR  cufio:480 cuInit Failed, error CUDA_ERROR_SYSTEM_NOT_READY')).toEqual([
      'fabric-manager-not-running',
    ]);
    expect(
      await told(
        'WARN   cufio-plat:690 GDS is not guaranteed to work functionally or in a performant way with iommu=on/pt',
      ),
    ).toEqual(['iommu-on']);
  });

  it('has its counters in the driver, and its words in gdscheck', async () => {
    const asked = async (...lines: readonly string[]) => {
      const { findings, open } = diagnose(await documentsOf({ 'a.txt': lines }));
      return [...findings.map((f) => f.id), ...open.map((o) => o.settle.split(/[ ;]/)[0])];
    };
    const stats = (bar1: string) => ['NVFS statistics(ver: 4.0)', `Bar1-map\t\t\t: ${bar1} free=0 callbacks=0`];
    expect(await asked(...stats('n=4 ok=0 err=4'))).toEqual(['sudo']);
    expect(await asked(...stats('n=4 ok=4 err=0'))).toEqual([]);
    const check = (version: string) => [
      ' GDS release version: 1.13.1.3',
      ` nvidia_fs version:  ${version} libcufile version: 2.12`,
      ' PLATFORM INFO:',
      ' Nvidia Driver Info Status: Supported only on (nvidia-fs version <= 2.17.4)',
    ];
    expect(await asked(...check('2.25'))).toEqual(['cat']);
    expect(await asked(...check('2.17'))).toEqual([]);
    expect(
      await asked(
        ' GDS release version: 1.13.1.3',
        ' PLATFORM INFO:',
        ' GPU index 0 NVIDIA T400 : Model Not Supported',
      ),
    ).toEqual(['gds-gpu-memory-refused']);
  });
});
