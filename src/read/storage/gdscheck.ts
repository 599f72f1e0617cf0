import type { Where } from '../../fact/fact.ts';
import { blockFormat } from '../kit/block.ts';
import { own } from '../own.ts';

/** `gdscheck -p` (gdscheck.py as well): which drivers GPUDirect Storage can use here, and how it is set. */
export interface GdsCheck {
  readonly kind: 'gds-check';
  readonly file: string;
  readonly at: Where;
  /** `NVMe`, `NVMe P2PDMA`, `Userspace RDMA` … with `Supported` or `Unsupported`. */
  readonly drivers: readonly { readonly name: string; readonly supported: boolean; readonly at: Where }[];
  /** Names without `properties.`. */
  readonly properties: ReadonlyMap<string, { readonly value: string; readonly at: Where }>;
  readonly nvidiaFs?: { readonly version: string; readonly at: Where };
  readonly release?: string;
  /** A GPU of the platform section that it does not know to be able. */
  readonly unsupportedGpu?: Where;
  /** The driver is the proprietary one, which nvidia-fs above 2.17.4 no longer works with. */
  readonly oldNvidiaFsOnly?: Where;
  /** `IOMMU: enabled` of the platform section. */
  readonly iommu?: { readonly value: string; readonly at: Where };
}

export const gdscheck = blockFormat({
  id: 'gdscheck',
  example: ' GDS release version: 1.14.0.30',
  hints: [
    'GDS release',
    'DRIVER CONFIGURATION',
    'PLATFORM INFO',
    'IOMMU:',
    'nvidia_fs version',
    'Supported',
    'properties.',
    'upported',
  ],
  starts:
    /GDS release version:|DRIVER CONFIGURATION:|PLATFORM INFO:|^\s*IOMMU: (?:en|dis)abled|nvidia_fs version:|NVMe(?: P2PDMA)?\s+: (?:Uns|S)upported|properties\.use_compat_mode/,
  patience: 20,
  open: (context) => {
    const drivers: { name: string; supported: boolean; at: Where }[] = [];
    const properties = new Map<string, { value: string; at: Where }>();
    let nvidiaFs: GdsCheck['nvidiaFs'];
    let release: string | undefined;
    let iommu: GdsCheck['iommu'];
    let first: Where | undefined;
    let unsupportedGpu: Where | undefined;
    let oldNvidiaFsOnly: Where | undefined;
    return {
      take(line, number) {
        const at = context.at(number);
        first ??= at;
        const driver = /^[\s*]*([A-Za-z][\w &/-]{1,40}?)\s*: (Supported|Unsupported)[\s*]*$/.exec(line);
        if (driver) {
          if (drivers.length < 64) drivers.push({ name: own(driver[1]!), supported: driver[2] === 'Supported', at });
          return true;
        }
        const property = /^\s*properties\.(\w{1,60})\s*: (.{0,200}?)\s*$/.exec(line);
        if (property) {
          if (properties.size < 200 && !properties.has(property[1]!))
            properties.set(own(property[1]!), { value: own(property[2]!), at });
          return true;
        }
        const version = /nvidia_fs version:\s*([\d.]{1,12})/.exec(line);
        if (version) nvidiaFs ??= { version: own(version[1]!), at };
        const released = /GDS release version:\s*([\d.]{1,16})/.exec(line);
        if (released) release ??= own(released[1]!);
        if (/^\s*GPU index \d{1,3} .{0,80}: Model Not Supported/.test(line)) unsupportedGpu ??= at;
        if (/Driver Info Status: Supported only on \(nvidia-fs version <= /.test(line)) oldNvidiaFsOnly ??= at;
        const mmu = /^\s*IOMMU:\s*(\w{1,20})/i.exec(line);
        if (mmu) iommu ??= { value: own(mmu[1]!.toLowerCase()), at };
        return (
          version !== null ||
          released !== null ||
          mmu !== null ||
          /^\s*(?:=+|[A-Z ]{4,40}:|--.*|(?:fs|execution|profile|properties)\..*|GPU.*|Platform.*|Nvidia Driver.*|Cuda Driver.*|CUFILE_.*)\s*$/.test(
            line,
          )
        );
      },
      close: () =>
        drivers.length === 0 && properties.size === 0 && !nvidiaFs && release === undefined && !iommu
          ? undefined
          : {
              kind: 'gds-check',
              file: context.file,
              at: first!,
              drivers,
              properties,
              ...(nvidiaFs ? { nvidiaFs } : {}),
              ...(release === undefined ? {} : { release }),
              ...(iommu ? { iommu } : {}),
              ...(unsupportedGpu ? { unsupportedGpu } : {}),
              ...(oldNvidiaFsOnly ? { oldNvidiaFsOnly } : {}),
            },
    };
  },
});
