import type { PcieGen } from './pcie.ts';

/** The PCIe switch found on GPU boards of a generation, as its PCI function shows itself. */
export interface PcieSwitchPart {
  readonly gen: PcieGen;
  readonly name: string;
  readonly vendor: string;
  readonly device: string;
  readonly subsystemVendor: string;
  readonly subsystemDevice: string;
  readonly source: string;
}

/** NCCL tells Broadcom's gen4 and gen5 switches by these ids and flattens them. */
export const pcieSwitches: ReadonlyMap<PcieGen, PcieSwitchPart> = new Map(
  (
    [
      {
        gen: 'gen3',
        name: 'PEX 8764',
        vendor: '0x10b5',
        device: '0x8764',
        subsystemVendor: '0x10b5',
        subsystemDevice: '0x8764',
        source: 'https://github.com/NVIDIA/nccl/issues/671',
      },
      {
        gen: 'gen4',
        name: 'PEX88096',
        vendor: '0x1000',
        device: '0xc010',
        subsystemVendor: '0x1000',
        subsystemDevice: '0xa096',
        source: 'https://pci-ids.ucw.cz/read/PC/1000/c010',
      },
      {
        gen: 'gen5',
        name: 'PEX890xx',
        vendor: '0x1000',
        device: '0xc030',
        subsystemVendor: '0x1000',
        subsystemDevice: '0x100b',
        source: 'https://pci-ids.ucw.cz/read/PC/1000/c030',
      },
      {
        gen: 'gen6',
        name: 'ConnectX-8 PCIe switch',
        vendor: '0x15b3',
        device: '0x197c',
        subsystemVendor: '0x0000',
        subsystemDevice: '0x0000',
        source: 'https://pci-ids.ucw.cz/read/PC/15b3/197c',
      },
    ] satisfies PcieSwitchPart[]
  ).map((part) => [part.gen, part]),
);

/**
 * The switch stage a DGX A100 has above each GPU: the same chip under another subsystem id, which is why NCCL does not
 * flatten it (GPU to NIC is PXB there). Source: the dump in https://github.com/NVIDIA/nccl/issues/1505.
 */
export const gpuStageSubsystem = { subsystemVendor: '0x10de', subsystemDevice: '0x13b8' } as const;
