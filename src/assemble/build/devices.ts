import { cpus } from '../../catalogue/cpus.ts';
import { type GpuPart, gpus } from '../../catalogue/gpus.ts';
import { type NicPart, nics, usualNic } from '../../catalogue/nics.ts';
import type { NodeParts } from '../../catalogue/node.ts';
import { genNumber, type PcieGen, pcieBytesPerSecond, pcieGenerations } from '../../catalogue/pcie.ts';
import { gpuStageSubsystem, pcieSwitches } from '../../catalogue/pcie-switches.ts';
import type { Where } from '../../fact/fact.ts';
import type { Gpu, NicPort, PciDevice, PcieLink } from '../../machine/host.ts';
import type { Transport } from '../../machine/machine.ts';
import { nvlinksOf } from './nvlinks.ts';

/** What a description settles about devices beyond their parts. */
export interface DeviceOptions {
  /** Can GPU and NIC side do GPUDirect RDMA; absent: as the parts can. */
  readonly gdr?: boolean;
  readonly transport?: Transport;
  /** What ports run at when the network is slower than they are, in Gb/s. */
  readonly networkGbps?: number;
  readonly drivePerDeviceGBps?: number;
  /** Where the description says so; empty when it comes from the catalogue. */
  readonly where: (key: string) => readonly Where[];
}

const rdma: ReadonlySet<Transport> = new Set(['infiniband', 'roce', 'iwarp', 'efa', 'tcpx', 'tcpxo', 'slingshot']);

/** Makes the PCI devices of a described node. */
export class DeviceMaker {
  readonly gpuPart: GpuPart;
  readonly nicPart: NicPart | undefined;

  constructor(
    private readonly parts: NodeParts,
    private readonly options: DeviceOptions,
  ) {
    this.gpuPart = gpus.get(parts.gpu)!;
    this.nicPart =
      parts.nics === 0
        ? undefined
        : parts.nicPart !== undefined
          ? nics.get(parts.nicPart)
          : usualNic(parts.nicGbps ?? 0, genNumber(parts.pcie), options.transport);
  }

  /** One host bridge for the whole NUMA node, or one per root port? */
  get oneBridge(): boolean {
    return cpus.get(this.parts.cpu)!.hostBridges === 'one';
  }

  /** A link runs at the slower of device and board; one that leads to the socket also at no more than the CPU can. */
  private link(gen: number, lanes: number, key: string, toSocket: boolean): PcieLink {
    const slots = genNumber(this.parts.pcie);
    const board = toSocket ? Math.min(slots, cpus.get(this.parts.cpu)!.pcieGen.value) : slots;
    const id = `gen${Math.max(3, Math.min(gen, board))}` as PcieGen;
    return { speed: pcieGenerations.get(id)!.speedText, width: lanes, at: this.options.where(key) };
  }

  /** A switch on a root port (with its host bridge), or the stage above one GPU inside it (without). */
  switch(busId: string, children: readonly PciDevice[], hostBridge?: string): PciDevice {
    const found = pcieSwitches.get(this.parts.pcie)!;
    const chip = hostBridge === undefined ? { ...found, ...gpuStageSubsystem } : found;
    return {
      role: 'switch',
      busId,
      classCode: '0x060400',
      vendor: chip.vendor,
      device: chip.device,
      subsystemVendor: chip.subsystemVendor,
      subsystemDevice: chip.subsystemDevice,
      link: this.link(genNumber(this.parts.pcie), 16, 'pcie', hostBridge !== undefined),
      children,
      ...(hostBridge === undefined ? {} : { hostBridge }),
      at: this.options.where('gpusPerSwitch'),
    };
  }

  gpu(dev: number, busIds: readonly string[], hostBridge?: string): PciDevice {
    const part = this.gpuPart;
    const at = this.options.where('gpu');
    const gdr = this.options.gdr ?? part.gdr?.value;
    const coherent = cpus.get(this.parts.cpu)!.coherent ? part.c2c : undefined;
    const gpu: Gpu = {
      dev,
      ...(part.sm === undefined ? {} : { sm: part.sm.value }),
      rank: dev,
      ...(gdr === undefined ? {} : { gdr }),
      part: part.id,
      product: part.products[0]!,
      nvlinks: nvlinksOf(this.parts, part, dev, busIds, this.options.where('link')),
      ...(coherent === undefined ? {} : { c2c: { mbps: coherent.mbpsEach.value, count: coherent.count.value } }),
      at,
    };
    return {
      role: 'gpu',
      busId: busIds[dev]!,
      classCode: part.classCode,
      vendor: part.pciVendor,
      ...(part.deviceIds[0] === undefined ? {} : { device: part.deviceIds[0] }),
      link: this.link(part.pcie.gen.value, part.pcie.lanes.value, 'pcie', hostBridge !== undefined),
      children: [],
      gpus: [gpu],
      ...(hostBridge === undefined ? {} : { hostBridge }),
      at,
    };
  }

  /** A port's adapter; one of two ports of a card has an adapter whose slot passes both. */
  private adapter(ofCard: boolean): NicPart {
    const part = this.nicPart!;
    const both = 2 * (this.parts.nicGbps ?? this.options.networkGbps ?? part.portRate.value);
    if (!ofCard || this.parts.nicPart !== undefined || part.pcieGen === undefined) return part;
    const gen = `gen${part.pcieGen.value}` as PcieGen;
    const passes = (pcieBytesPerSecond(gen, part.pcieLanes?.value ?? 16) * 8) / 1e9;
    return passes >= both ? part : usualNic(both, genNumber(this.parts.pcie), this.options.transport);
  }

  nic(dev: number, busId: string, hostBridge?: string, ofCard = false): PciDevice {
    const part = this.adapter(ofCard);
    const at = this.options.where('nic');
    const infiniband = this.options.transport === 'infiniband' || this.options.transport === 'ipoib';
    const gbps = Math.min(
      this.parts.nicGbps ?? part.portRate.value,
      this.options.networkGbps ?? Number.POSITIVE_INFINITY,
    );
    const { transport } = this.options;
    const capable = part.rdma.length > 0 && (transport === undefined || rdma.has(transport));
    // The kernel's sockets have their bytes in host memory, whatever a description says of the NIC.
    const sockets = transport === 'tcp' || transport === 'ipoib';
    const port: NicPort = {
      dev,
      name: portName(part, dev, busId),
      speedMbps: gbps * 1000,
      port: 1,
      guid: `0x${(0x1000_0000_0000_0000n + BigInt(dev + 1) * 0x1_0000n).toString(16)}`,
      gdr: !sockets && (this.options.gdr ?? capable),
      layer: infiniband ? 'infiniband' : 'ethernet',
      part: part.id,
      at,
    };
    return {
      role: 'nic',
      busId,
      classCode: infiniband ? '0x020700' : '0x020000',
      vendor: part.pciVendor,
      ...(part.deviceIds[0] === undefined ? {} : { device: part.deviceIds[0] }),
      link: this.link(
        part.pcieGen?.value ?? genNumber(this.parts.pcie),
        part.pcieLanes?.value ?? 16,
        'nic',
        hostBridge !== undefined,
      ),
      children: [],
      ports: [port],
      ...(hostBridge === undefined ? {} : { hostBridge }),
      at,
    };
  }

  /** A drive has four lanes (SFF-8639); their generation is the slowest that carries the rate it was described with. */
  drive(busId: string, hostBridge?: string): PciDevice {
    const rate = this.options.drivePerDeviceGBps;
    const gens = [...pcieGenerations.keys()].filter((g) => genNumber(g) <= genNumber(this.parts.pcie));
    const gen =
      rate === undefined ? undefined : (gens.find((g) => pcieBytesPerSecond(g, 4) >= rate * 1e9) ?? gens.at(-1));
    return {
      role: 'nvme',
      busId,
      classCode: '0x010802',
      link: gen === undefined ? {} : { ...this.link(genNumber(gen), 4, 'storage', hostBridge !== undefined) },
      children: [],
      ...(hostBridge === undefined ? {} : { hostBridge }),
      at: this.options.where('storage'),
    };
  }
}

/** Names as the drivers give them: mlx5_0, rdmap16s0 (EFA, after its bus), hsn0, bnxt_re0. */
function portName(part: NicPart, dev: number, busId: string): string {
  if (part.vendor === 'Amazon') return `rdmap${Number.parseInt(busId.slice(-7, -5), 16)}s0`;
  if (part.vendor === 'HPE') return `hsn${dev}`;
  if (part.vendor === 'Broadcom') return `bnxt_re${dev}`;
  if (part.vendor === 'Google') return `eth${dev + 1}`;
  if (part.vendor === 'Intel') return `irdma${dev}`;
  return `mlx5_${dev}`;
}
