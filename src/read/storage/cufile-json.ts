import type { Where } from '../../fact/fact.ts';
import { blockFormat } from '../kit/block.ts';
import { own } from '../own.ts';

/** `cufile.json`: JSON with comments and trailing commas, so it is read line by line for the keys that matter. */
export interface CufileConfig {
  readonly kind: 'cufile-config';
  readonly file: string;
  readonly settings: ReadonlyMap<string, { readonly value: string; readonly at: Where }>;
}

export const cufileConfig = blockFormat({
  id: 'cufile-json',
  example: '"allow_compat_mode": false,',
  hints: [
    'CUFILE_ENV_PATH_JSON',
    '"allow_compat_mode"',
    '"use_poll_mode"',
    '"max_direct_io_size_kb"',
    '"rdma_dev_addr_list"',
    '"use_pci_p2pdma"',
    '"gds_rdma_write_support"',
  ],
  starts:
    /^\s*(?:\/\/.*CUFILE_ENV_PATH_JSON|"(?:allow_compat_mode|use_poll_mode|max_direct_io_size_kb|rdma_dev_addr_list|use_pci_p2pdma|gds_rdma_write_support)"\s*:)/,
  open: (context) => {
    const settings = new Map<string, { value: string; at: Where }>();
    return {
      take(line, number) {
        const found = /^\s*"(\w{1,60})"\s*:\s*([^,{]{1,200}?)\s*,?\s*(?:\/\/.*)?$/.exec(line);
        if (found && settings.size < 200 && !settings.has(found[1]!)) {
          settings.set(own(found[1]!), { value: own(found[2]!), at: context.at(number) });
        }
        return found !== null || /^\s*(?:\/\/|[{}\],]|"\w+"\s*:\s*[{[]|$)/.test(line);
      },
      close: () => (settings.size === 0 ? undefined : { kind: 'cufile-config', file: context.file, settings }),
    };
  },
});
