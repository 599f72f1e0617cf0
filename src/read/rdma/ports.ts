import type { Fact, Where } from '../../fact/fact.ts';

/** Tools that say how the ports of RDMA devices are. */
export type PortTool = 'ibstat' | 'ibstatus' | 'ibv_devinfo' | 'rdma-link' | 'ibdev2netdev' | 'hca-table' | 'sysfs';

export type PortState = 'active' | 'down' | 'init' | 'armed' | 'other';

/** One port of an RDMA device, as far as a tool tells. */
export interface RdmaPort {
  readonly device: string;
  readonly port: number;
  readonly at: Where;
  readonly state?: Fact<PortState>;
  /** As printed: `Polling`, `LinkUp`, `Disabled`. */
  readonly physical?: Fact<string>;
  /** Gb/s. */
  readonly rate?: Fact<number>;
  /** Lanes, from `(4X HDR)`. */
  readonly lanes?: number;
  readonly layer?: Fact<'InfiniBand' | 'Ethernet'>;
  /** On Ethernet it is RoCE unless the device says otherwise. */
  readonly iwarp?: boolean;
  readonly smLid?: Fact<number>;
  /** The card that it is on: ports of one card print one number. */
  readonly card?: string;
  /** Such as `MT4129`. */
  readonly caType?: Fact<string>;
  readonly netdev?: Fact<string>;
  /** Bytes. */
  readonly activeMtu?: Fact<number>;
  readonly maxMtu?: Fact<number>;
  /** `x8 >!<`: the table itself marks a width below what the card can. */
  readonly narrow?: Fact<string>;
  readonly busId?: string;
  readonly gids: readonly Gid[];
}

export interface Gid {
  readonly device: string;
  readonly port: number;
  readonly index: number;
  /** Lower case, without blanks, in whatever notation was printed. */
  readonly gid: string;
  readonly version?: 'v1' | 'v2' | 'ib';
  readonly ipv4?: string;
  readonly netdev?: string;
  readonly at: Where;
}

export interface RdmaPorts {
  readonly kind: 'rdma-ports';
  readonly file: string;
  /** Whose output it is, where a launcher says so before each line. */
  readonly host?: string;
  readonly from: PortTool;
  readonly ports: readonly RdmaPort[];
  /** Devices that the tool knew and could not open: `stat of IB device 'mlx5_3' failed`. */
  readonly lost: readonly { readonly device: string; readonly at: Where }[];
  /** The tool found no device, or no kernel part to ask. */
  readonly none: readonly { readonly why: 'no-devices' | 'not-implemented'; readonly at: Where }[];
}

export interface GidTable {
  readonly kind: 'gid-table';
  readonly file: string;
  readonly gids: readonly Gid[];
  /** `n_gids_found=0`: no device has an address here. */
  readonly empty?: Where;
}

export const portLimit = 1024;

type Changing<T> = { -readonly [K in keyof T]: T[K] };
export type Port = Changing<Omit<RdmaPort, 'gids'>> & { gids: Gid[] };

export function stateOf(text: string): PortState {
  const word = text.toUpperCase();
  if (/ACTIVE/.test(word)) return 'active';
  if (/DOWN/.test(word)) return 'down';
  if (/INIT/.test(word)) return 'init';
  if (/ARMED/.test(word)) return 'armed';
  return 'other';
}

/** A GID that only reaches the same link. */
export const isLinkLocal = (gid: string): boolean => /^fe80:/.test(gid);

/** A GID that carries an IPv4 address or a routable IPv6 one. */
export const isRoutable = (gid: string): boolean => !isLinkLocal(gid) && /[1-9a-f]/.test(gid);
