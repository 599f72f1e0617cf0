import { type Sourced, sourced } from './sourced.ts';

const mellanoxIds = 'https://pci-ids.ucw.cz/read/PC/15b3';
const broadcomIds = 'https://pci-ids.ucw.cz/read/PC/14e4';
const amazonIds = 'https://pci-ids.ucw.cz/read/PC/1d0f';
const doc = (name: string): string => `https://docs.nvidia.com/networking/display/${name}`;
const cx4lx = 'https://network.nvidia.com/files/doc-2020/pb-connectx-4-lx-en-card.pdf';
const cx4 = 'https://network.nvidia.com/files/doc-2020/pb-connectx-4-vpi-card.pdf';
const cx5 = 'https://network.nvidia.com/files/doc-2020/pb-connectx-5-vpi-card.pdf';
const cx6 = 'https://network.nvidia.com/files/doc-2020/pb-connectx-6-vpi-card.pdf';
const cx6dx = 'https://network.nvidia.com/files/doc-2020/pb-connectx-6-dx-en-card.pdf';
const cx7 = doc('connectx7vpi/specifications');
/** Two links of four lanes each lead to the card of a GB10, and show as a device each. */
const spark = 'https://www.servethehome.com/the-nvidia-gb10-connectx-7-200gbe-networking-is-really-different';
const cx8 = 'https://www.nvidia.com/en-us/networking/products/ethernet/connectx-8-supernic/';
const bf2 =
  'https://www.nvidia.com/content/dam/en-zz/Solutions/Data-Center/documents/datasheet-nvidia-bluefield-2-dpu.pdf';
const bf3 = 'https://resources.nvidia.com/en-us-accelerated-networking-resource-library/datasheet-nvidia-bluefield';
const efa = 'https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa.html';
const p4d = 'https://github.com/aws/aws-ofi-nccl/blob/master/topology/p4d-24xl-topo.xml';
const p5 = 'https://github.com/aws/aws-ofi-nccl/blob/master/topology/p5.48xl-topo.xml';
const p5en = 'https://aws.amazon.com/ec2/instance-types/p5/';
const thor = 'https://www.broadcom.com/products/ethernet-connectivity/network-adapters/bcm57508-200g-ic';
const thor2 = 'https://www.broadcom.com/products/ethernet-connectivity/network-adapters/bcm57608-400g-ic';
const thorUltra = 'https://onmine.io/broadcom-drops-the-hammer-on-ai-networking-with-thor-ultra';
const e810 =
  'https://www.intel.com/content/www/us/en/products/details/ethernet/800-network-adapters/e810-network-adapters.html';
const gvnic = 'https://cloud.google.com/compute/docs/networking/using-gvnic';
const a3 = 'https://cloud.google.com/compute/docs/gpus/gpu-network-bandwidth';
const cassini = 'https://www.hpe.com/us/en/compute/hpc/slingshot-interconnect.html';

export type RdmaKind = 'infiniband' | 'roce' | 'iwarp' | 'efa' | 'tcpx' | 'slingshot';

/** A network adapter. */
export interface NicPart {
  readonly id: string;
  readonly vendor: string;
  /** Fastest rate of one port. */
  readonly portRate: Sourced;
  readonly ports: Sourced;
  /** Absent where the cloud does not tell. */
  readonly pcieGen?: Sourced;
  readonly pcieLanes?: Sourced;
  /** RDMA protocols it can speak; empty: sockets only. */
  readonly rdma: readonly RdmaKind[];
  readonly pciVendor: string;
  readonly deviceIds: readonly string[];
  readonly idSource: string;
}

type Wire = { readonly gen: number; readonly lanes: number };
function nic(
  id: string,
  vendor: string,
  rate: number,
  ports: number,
  wire: Wire | undefined,
  rdma: readonly RdmaKind[],
  ids: { readonly vendor: string; readonly devices: readonly string[]; readonly source: string },
  source: string,
  wireSource = source,
): NicPart {
  return {
    id,
    vendor,
    portRate: sourced(rate, 'Gb/s per port and direction', source),
    ports: sourced(ports, 'ports at most', source),
    ...(wire === undefined
      ? {}
      : {
          pcieGen: sourced(wire.gen, 'PCIe generation', wireSource),
          pcieLanes: sourced(wire.lanes, 'lanes', wireSource),
        }),
    rdma,
    pciVendor: ids.vendor,
    deviceIds: ids.devices,
    idSource: ids.source,
  };
}
const mellanox = (...devices: string[]) => ({ vendor: '0x15b3', devices, source: mellanoxIds });
const broadcom = (...devices: string[]) => ({ vendor: '0x14e4', devices, source: broadcomIds });
const amazon = (...devices: string[]) => ({ vendor: '0x1d0f', devices, source: amazonIds });
const both: readonly RdmaKind[] = ['infiniband', 'roce'];

export const nics: ReadonlyMap<string, NicPart> = new Map(
  [
    nic('connectx-4-lx', 'NVIDIA', 50, 2, { gen: 3, lanes: 8 }, ['roce'], mellanox('0x1015'), cx4lx),
    nic('connectx-4', 'NVIDIA', 100, 2, { gen: 3, lanes: 16 }, both, mellanox('0x1013'), cx4),
    nic('connectx-5', 'NVIDIA', 100, 2, { gen: 3, lanes: 16 }, both, mellanox('0x1017'), cx5),
    nic('connectx-5-ex', 'NVIDIA', 100, 2, { gen: 4, lanes: 16 }, both, mellanox('0x1019'), cx5),
    nic('connectx-6', 'NVIDIA', 200, 2, { gen: 4, lanes: 16 }, both, mellanox('0x101b'), cx6),
    nic('connectx-6-dx', 'NVIDIA', 200, 2, { gen: 4, lanes: 16 }, ['roce'], mellanox('0x101d'), cx6dx),
    nic('connectx-7', 'NVIDIA', 400, 2, { gen: 5, lanes: 16 }, both, mellanox('0x1021'), cx7),
    nic('connectx-7-spark', 'NVIDIA', 200, 1, { gen: 5, lanes: 4 }, ['roce'], mellanox(), spark),
    nic('connectx-8', 'NVIDIA', 800, 2, { gen: 6, lanes: 16 }, both, mellanox('0x1023'), cx8),
    nic('bluefield-2', 'NVIDIA', 200, 2, { gen: 4, lanes: 16 }, both, mellanox('0xa2d6'), bf2),
    nic('bluefield-3', 'NVIDIA', 400, 2, { gen: 5, lanes: 16 }, both, mellanox('0xa2dc'), bf3),
    nic('efa-v1', 'Amazon', 100, 1, { gen: 3, lanes: 16 }, ['efa'], amazon('0xefa0'), efa, p4d),
    nic('efa-v2', 'Amazon', 100, 1, { gen: 4, lanes: 8 }, ['efa'], amazon('0xefa1'), efa, p5),
    nic('efa-v3', 'Amazon', 200, 1, undefined, ['efa'], amazon('0xefa2'), p5en),
    nic('thor', 'Broadcom', 200, 2, { gen: 4, lanes: 16 }, ['roce'], broadcom('0x1750'), thor),
    nic('thor-2', 'Broadcom', 400, 2, { gen: 5, lanes: 16 }, ['roce'], broadcom('0x1760'), thor2),
    nic('thor-ultra', 'Broadcom', 800, 1, { gen: 6, lanes: 16 }, ['roce'], broadcom(), thorUltra),
    nic(
      'e810',
      'Intel',
      100,
      2,
      { gen: 4, lanes: 16 },
      ['roce', 'iwarp'],
      { vendor: '0x8086', devices: ['0x1592'], source: 'https://pci-ids.ucw.cz/read/PC/8086' },
      e810,
    ),
    nic('gvnic', 'Google', 200, 1, undefined, ['tcpx'], { vendor: '0x1ae0', devices: ['0x0042'], source: gvnic }, a3),
    nic(
      'cassini',
      'HPE',
      200,
      1,
      { gen: 4, lanes: 16 },
      ['slingshot'],
      { vendor: '0x17db', devices: ['0x0501'], source: 'https://pci-ids.ucw.cz/read/PC/17db' },
      cassini,
    ),
  ].map((part) => [part.id, part]),
);

const byDevice = new Map<string, NicPart>();
for (const part of nics.values()) for (const id of part.deviceIds) byDevice.set(`${part.pciVendor}:${id}`, part);

/** The adapter with this PCI vendor and device id (`0x15b3`, `0x1021`). */
export const nicByDeviceId = (vendor: string, device: string): NicPart | undefined =>
  byDevice.get(`${vendor.toLowerCase()}:${device.toLowerCase()}`);

/**
 * The usual adapter for a port rate on a board of a PCIe generation: which one a description means by `nic: 200Gb/s`.
 * A slower board gets the adapter of its time: 100 Gb/s is a ConnectX-5 on gen3, a ConnectX-5 Ex on gen4 and later.
 */
export function usualNic(rateGbps: number, pcieGen: number, transport?: string): NicPart {
  const id = ((): string => {
    if (transport === 'efa') return rateGbps > 100 ? 'efa-v3' : pcieGen >= 5 ? 'efa-v2' : 'efa-v1';
    if (transport === 'slingshot') return 'cassini';
    if (transport === 'tcpx' || transport === 'tcpxo') return 'gvnic';
    if (rateGbps <= 50) return 'connectx-4-lx';
    if (rateGbps <= 100) return pcieGen >= 4 ? 'connectx-5-ex' : 'connectx-5';
    if (rateGbps <= 200) return pcieGen >= 5 ? 'connectx-7' : 'connectx-6';
    return rateGbps <= 400 ? 'connectx-7' : 'connectx-8';
  })();
  return nics.get(id)!;
}
