import type { Where } from '../fact/fact.ts';

/** A PCI function as the kernel shows it below /sys/devices, with what hangs below it. Absent: the file was not there or not to be read. */
export interface PciFunction {
  /** `0000:17:00.0` */
  readonly address: string;
  /** `0x030200`, and the four ids, as the kernel prints them. */
  readonly classCode: string;
  readonly vendor: string;
  readonly device: string;
  readonly subsystemVendor?: string;
  readonly subsystemDevice?: string;
  readonly revision?: string;
  readonly numa?: number;
  readonly localCpus?: string;
  readonly driver?: string;
  readonly iommuGroup?: string;
  readonly maxLink?: SysfsLink;
  readonly currentLink?: SysfsLink;
  readonly config?: ConfigSpace;
  /** RDMA devices, network interfaces and NVMe controllers of the function. */
  readonly rdma: readonly string[];
  readonly interfaces: readonly string[];
  readonly nvme: readonly string[];
  /** The source shows the function and not what its driver calls it. */
  readonly namesUnknown?: boolean;
  readonly at?: readonly Where[];
  readonly children: readonly PciFunction[];
}

/** `32.0 GT/s PCIe`, lanes. */
export interface SysfsLink {
  readonly speed: string;
  readonly width: number;
}

/** What the capabilities of a function say (PCI Express Base Specification, 7.5 and 7.7). */
export interface ConfigSpace {
  readonly portType?: PortType;
  readonly linkCap?: ConfigLink;
  readonly linkSta?: ConfigLink;
  /** Present where the function has access control services; the bits in force. */
  readonly acs?: AcsBits;
  /** Of a bridge. */
  readonly buses?: { readonly primary: number; readonly secondary: number; readonly subordinate: number };
  /** Only the first 64 bytes could be read: capabilities are for root. */
  readonly short: boolean;
}

export type PortType = 'Endpoint' | 'Legacy Endpoint' | 'Root Port' | 'Upstream Port' | 'Downstream Port' | 'other';

export interface ConfigLink {
  /** GT/s; 0: the register names no speed. */
  readonly speed: number;
  readonly width: number;
}

export interface AcsBits {
  readonly able: number;
  readonly inForce: number;
}

/** The bits of access control services, by position, as lspci names them. */
export const acsNames = [
  'SrcValid',
  'TransBlk',
  'ReqRedir',
  'CmpltRedir',
  'UpstreamFwd',
  'EgressCtrl',
  'DirectTrans',
] as const;

/** Root buses, each with the functions on it. */
export interface PciTree {
  readonly roots: readonly { readonly bus: string; readonly functions: readonly PciFunction[] }[];
}

export function* functionsOf(tree: PciTree): Generator<PciFunction> {
  const stack = tree.roots.flatMap((r) => r.functions).reverse();
  while (stack.length > 0) {
    const f = stack.pop()!;
    yield f;
    for (let i = f.children.length - 1; i >= 0; i--) stack.push(f.children[i]!);
  }
}
