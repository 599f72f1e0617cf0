import type { Fact, Where } from '../../fact/fact.ts';
import type { TreeLeaf } from './tree.ts';

/** `lspci` in any of its forms: devices with what the verbose form says, the tree of `-t`, lines of a grep. */
export interface Lspci {
  readonly kind: 'lspci';
  readonly file: string;
  readonly devices: readonly PciDevice[];
  /** Bridge → bus numbers below it, as `-t` draws them. */
  readonly tree: readonly { readonly bridge: string; readonly bus: string; readonly at: Where }[];
  /** Root buses that `-t` draws, `0000:60`. */
  readonly roots: readonly string[];
  /** The devices at the ends of the rows of `-t`. */
  readonly leaves: readonly (TreeLeaf & { readonly at: Where })[];
  /** `ACSCtl:` lines of a grep: no device is known for them. */
  readonly loose: readonly AcsControl[];
  /** `LnkCap:` and `LnkSta:` of a grep. */
  readonly looseLinks: readonly LooseLink[];
}

/** What a link can and what it runs at, of a device whose own line a grep has taken away. */
export interface LooseLink {
  /** As `lspci -s` was asked, where the command stands above. */
  readonly address?: string;
  readonly linkCap?: PciLink;
  readonly linkSta: PciLink;
}

export interface PciDevice {
  /** With domain, lower case: `0000:17:00.0`. */
  readonly address: string;
  /** The class in words: `PCI bridge`, `3D controller`. */
  readonly className: string;
  /** Vendor and product in words. */
  readonly name: string;
  /** `10de:2330`, from `-nn`. */
  readonly ids?: string;
  readonly at: Where;
  /** `Root Port`, `Upstream Port`, `Downstream Port`, `Endpoint`. */
  readonly port?: string;
  readonly linkCap?: PciLink;
  readonly linkSta?: PciLink;
  /** Bus numbers below a bridge. */
  readonly below?: { readonly from: number; readonly to: number };
  readonly acs?: AcsControl;
  readonly numa?: Fact<number>;
  readonly driver?: Fact<string>;
}

export interface PciLink {
  /** GT/s per lane. */
  readonly speed?: number;
  readonly width?: number;
  /** lspci's own remark on the speed or the width. */
  readonly downgraded: { readonly speed: boolean; readonly width: boolean };
  readonly at: Where;
}

export interface AcsControl {
  readonly sourceValidation: boolean;
  /** Requests or completions between devices below are sent up to the root. */
  readonly redirect: boolean;
  /** Where the line names its device though nothing else is known of it (`setpci -v`). */
  readonly address?: string;
  /** Nothing is set. */
  readonly off: boolean;
  readonly at: Where;
}
