import { type Calibrated, constant } from './calibration.ts';
import { type Sourced, sourced } from './sourced.ts';

/** NCCL's constants for the link between two CPUs: what its decisions rest on, often below what the wires give. */
const nccl = 'https://github.com/NVIDIA/nccl/blob/v2.30.7-1/src/graph/topo.h';
const linuxIntel = 'https://github.com/torvalds/linux/blob/v6.12/arch/x86/include/asm/intel-family.h';
const linuxAmd = 'https://en.wikichip.org/wiki/amd/cpuid';
const upi = 'https://en.wikichip.org/wiki/intel/ultra_path_interconnect';
const spr =
  'https://wccftech.com/full-intel-sapphire-rapids-sp-xeon-cpu-family-specifications-leak-out-up-to-60-cores-up-to-3-8-ghz-350w-tdp/';
const bdw =
  'https://ark.intel.com/content/www/us/en/ark/products/91753/intel-xeon-processor-e5-2698-v4-50m-cache-2-20-ghz.html';
const skl =
  'https://ark.intel.com/content/www/us/en/ark/products/120504/intel-xeon-platinum-8168-processor-33m-cache-2-70-ghz.html';
const icx =
  'https://www.intel.com/content/www/us/en/products/docs/processors/xeon/3rd-gen-xeon-scalable-processors-brief.html';
const emr = 'https://www.servethehome.com/5th-gen-intel-xeon-scalable-emerald-rapids-resets-servers-by-intel/';
const emrLinks = 'https://www.smbom.com/news/12978';
const emrRate =
  'https://elchapuzasinformatico.com/2022/09/intel-xeon-emerald-rapids-hasta-64-nucleos-y-con-memoria-ddr5-5600/';
const rome = 'https://www.amd.com/content/dam/amd/en/documents/products/processors/epyc-7002-series-datasheet.pdf';
const milan = 'https://www.amd.com/content/dam/amd/en/documents/products/processors/epyc-7003-series-datasheet.pdf';
const genoa =
  'https://www.amd.com/content/dam/amd/en/documents/epyc-technical-docs/white-papers/58015-epyc-9004-tg-architecture-overview.pdf';
const turin =
  'https://www.amd.com/content/dam/amd/en/documents/epyc-business-docs/white-papers/5th-gen-amd-epyc-processor-architecture-white-paper.pdf';
const power9 = 'https://www.redbooks.ibm.com/redpapers/pdfs/redp5472.pdf';
const grace = 'https://resources.nvidia.com/en-us-grace-cpu/nvidia-grace-cpu-superchip';

const spark = 'https://docs.nvidia.com/dgx/dgx-spark/hardware.html';

/** Cores of one Grace CPU. */
export const graceCores = sourced(72, 'cores', grace);

/** A kind of host processor, under the id of a cluster description. */
export interface CpuPart {
  readonly id: string;
  readonly arch: 'x86_64' | 'arm64' | 'ppc64';
  readonly vendor: 'Intel' | 'AMD' | 'IBM' | 'Arm';
  /** CPUID family and model, decimal as in NCCL's file; only x86 has them there. */
  readonly family?: Sourced;
  readonly model?: Sourced;
  readonly pcieGen: Sourced;
  readonly maxSockets: Sourced;
  /** What NCCL reckons with between two sockets, each direction. */
  readonly ncclSocketLink: Sourced;
  /** The physical links between two sockets, where a public document tells. */
  readonly socketLinks?: { readonly links: Sourced; readonly rate: Sourced; readonly width: Sourced };
  /**
   * How PCIe slots of a socket are grouped: one host bridge for all (nvidia-smi says PHB between switches), or one
   * for each x16 port (NODE).
   */
  readonly hostBridges: 'one' | 'per-port';
  /** GPUs of its module hang on it by C2C. */
  readonly coherent?: true;
  /** What each GPU has each way when GPUs meet in this CPU's memory, where that is below what their links carry. */
  readonly gpusInMemory?: Calibrated;
}

const intel = (id: string, model: number, gen: number, nccl1: number, sockets: number, doc: string) =>
  ({
    id,
    arch: 'x86_64',
    vendor: 'Intel',
    family: sourced(6, 'CPUID family', linuxIntel),
    model: sourced(model, 'CPUID model', linuxIntel),
    pcieGen: sourced(gen, 'PCIe generation', doc),
    maxSockets: sourced(sockets, 'sockets', doc),
    ncclSocketLink: sourced(nccl1, 'GB/s per direction', nccl),
  }) as const;
/** UPI, and QPI before it, moves two bytes a transfer: 10.4 GT/s are 20.8 GB/s. */
const upiWidth = sourced(2, 'bytes per transfer and direction', upi);
/** Sixteen lanes of AMD's socket fabric, three or four links a pair. */
const xgmi = 'https://rocm.docs.amd.com/en/latest/reference/gpu-arch/mi100.html';
const xgmiLinks = {
  links: sourced(3, 'links', xgmi),
  rate: sourced(18, 'GT/s per link and direction', xgmi),
  width: sourced(2, 'bytes per transfer and direction', xgmi),
};
/** EPYC 7002 and 7003 have the same I/O die; with fewer NUMA nodes a socket it is worse still. */
const ioDie = constant(
  4.4,
  'GB/s of a GPU each way',
  [3, 10],
  'https://github.com/NVIDIA/nccl-tests/issues/74',
  'dgxa100-1n4g-allreduce-nop2p',
  'a40-1n2g-allreduce-node-nop2p',
);
/** Since EPYC 9004 as fast as PCIe 5; three of the four links are what most servers have. */
const xgmi3 = (doc: string) => ({
  links: sourced(3, 'links', doc),
  rate: sourced(32, 'GT/s per link and direction', doc),
  width: sourced(2, 'bytes per transfer and direction', doc),
});
const epyc = (id: string, family: number, model: number, gen: number, doc: string) =>
  ({
    id,
    arch: 'x86_64',
    vendor: 'AMD',
    family: sourced(family, 'CPUID family', linuxAmd),
    model: sourced(model, 'CPUID model', linuxAmd),
    pcieGen: sourced(gen, 'PCIe generation', doc),
    maxSockets: sourced(2, 'sockets', doc),
    ncclSocketLink: sourced(16, 'GB/s per direction', nccl),
    hostBridges: 'per-port',
  }) as const;

export const cpus: ReadonlyMap<string, CpuPart> = new Map(
  (
    [
      {
        ...intel('intel-bdw', 0x4f, 3, 6, 2, bdw),
        hostBridges: 'one',
        socketLinks: {
          links: sourced(2, 'links', bdw),
          rate: sourced(9.6, 'GT/s per link and direction', bdw),
          width: upiWidth,
        },
      },
      {
        ...intel('intel-skl', 0x55, 3, 10, 8, skl),
        hostBridges: 'per-port',
        socketLinks: {
          links: sourced(3, 'links', skl),
          rate: sourced(10.4, 'GT/s per link and direction', upi),
          width: upiWidth,
        },
      },
      {
        ...intel('intel-icx', 0x6a, 4, 10, 2, icx),
        hostBridges: 'per-port',
        socketLinks: {
          links: sourced(3, 'links', icx),
          rate: sourced(11.2, 'GT/s per link and direction', icx),
          width: upiWidth,
        },
      },
      {
        ...intel('intel-spr', 0x8f, 5, 22, 8, spr),
        hostBridges: 'per-port',
        socketLinks: {
          links: sourced(4, 'links', spr),
          rate: sourced(16, 'GT/s per link and direction', spr),
          width: upiWidth,
        },
      },
      {
        ...intel('intel-emr', 0xcf, 5, 40, 2, emr),
        hostBridges: 'per-port',
        socketLinks: {
          links: sourced(4, 'links', emrLinks),
          rate: sourced(20, 'GT/s per link and direction', emrRate),
          width: upiWidth,
        },
      },
      { ...epyc('amd-rome', 0x17, 0x31, 4, rome), socketLinks: xgmiLinks, gpusInMemory: ioDie },
      { ...epyc('amd-milan', 0x19, 0x01, 4, milan), socketLinks: xgmiLinks, gpusInMemory: ioDie },
      { ...epyc('amd-genoa', 0x19, 0x11, 5, genoa), socketLinks: xgmi3(genoa) },
      { ...epyc('amd-turin', 0x1a, 0x02, 5, turin), socketLinks: xgmi3(turin) },
      {
        id: 'power9',
        arch: 'ppc64',
        vendor: 'IBM',
        pcieGen: sourced(4, 'PCIe generation', power9),
        maxSockets: sourced(2, 'sockets', power9),
        ncclSocketLink: sourced(32, 'GB/s per direction', nccl),
        hostBridges: 'per-port',
      },
      {
        id: 'grace',
        arch: 'arm64',
        vendor: 'Arm',
        pcieGen: sourced(5, 'PCIe generation', grace),
        maxSockets: sourced(4, 'sockets', 'https://docs.nvidia.com/grace-perf-tuning-guide/system.html'),
        ncclSocketLink: sourced(6, 'GB/s per direction', nccl),
        hostBridges: 'per-port',
        coherent: true,
      },
      {
        id: 'gb10',
        arch: 'arm64',
        vendor: 'Arm',
        pcieGen: sourced(5, 'PCIe generation', spark),
        maxSockets: sourced(1, 'sockets', spark),
        ncclSocketLink: sourced(6, 'GB/s per direction', nccl),
        hostBridges: 'per-port',
        coherent: true,
      },
    ] satisfies CpuPart[]
  ).map((cpu) => [cpu.id, cpu]),
);

/** Bytes per second and direction that the wires between two sockets carry, headers included; nothing where not known. */
export function socketBytesPerSecond(cpu: CpuPart): number | undefined {
  const wires = cpu.socketLinks;
  return wires === undefined ? undefined : wires.links.value * wires.rate.value * 1e9 * wires.width.value;
}
