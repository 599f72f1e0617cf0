import type { Where } from '../../fact/fact.ts';
import { blockFormat } from '../kit/block.ts';
import { own } from '../own.ts';

/** `ethtool IFACE`, `-a` and `-S`: settings of a link, pause frames, counters of the driver. */
export interface Ethtool {
  readonly kind: 'ethtool';
  readonly file: string;
  readonly blocks: readonly EthtoolBlock[];
}

export interface EthtoolBlock {
  readonly what: 'settings' | 'pause' | 'statistics';
  /** Not printed by `-S`. */
  readonly netdev?: string;
  readonly fields: ReadonlyMap<string, { readonly value: string; readonly at: Where }>;
}

const limit = 4000;
const start = /(?:Settings|Pause parameters) for ([\w.@-]{1,64}):\s*$|NIC statistics:\s*$/;
/** A counter that only the driver of an RDMA card has, where a grep has dropped the title. */
const counter =
  /^\s*(?:rx_discards_phy|rx_out_of_buffer|[rt]x_prio\d_(?:discards|pause|packets|bytes|buf_discard|cong_discard)|[rt]x_pause_ctrl_phy|np_(?:cnp|ecn)_\w{3,30}|rp_cnp_\w{3,20}|out_of_buffer): \d{1,20}\s*$/;
const field = /^\s*([A-Za-z][\w .()[\]/-]{1,60}?):\s*(\S.{0,200}?)\s*$/;

export const ethtool = blockFormat({
  id: 'ethtool',
  example: 'Settings for ens1f0np0:',
  hints: ['Settings for', 'Pause parameters for', 'NIC statistics:', 'rx_', 'tx_prio', 'cnp_'],
  starts: new RegExp(`${start.source}|${counter.source}`),
  patience: 4,
  open: (context) => {
    const blocks: { what: EthtoolBlock['what']; netdev?: string; fields: Map<string, { value: string; at: Where }> }[] =
      [];
    return {
      take(line, number) {
        const opened = start.exec(line);
        if (opened) {
          const what = line.includes('Pause') ? 'pause' : line.includes('Settings') ? 'settings' : 'statistics';
          const netdev = opened[1];
          if (blocks.length < 256) blocks.push({ what, ...(netdev ? { netdev: own(netdev) } : {}), fields: new Map() });
          return true;
        }
        if (blocks.length === 0 && counter.test(line)) blocks.push({ what: 'statistics', fields: new Map() });
        const found = field.exec(line);
        const last = blocks[blocks.length - 1];
        if (!found || !last || last.fields.size >= limit) return false;
        const name = own(found[1]!.toLowerCase());
        if (!last.fields.has(name)) last.fields.set(name, { value: own(found[2]!), at: context.at(number) });
        return true;
      },
      close: () =>
        blocks.every((b) => b.fields.size === 0) ? undefined : { kind: 'ethtool', file: context.file, blocks },
    };
  },
});
