import type { Where } from '../../fact/fact.ts';
import { lineFormat } from '../kit/lines.ts';
import { own } from '../own.ts';
import type { Gid } from './ports.ts';

/**
 * `show_gids`: DEV PORT INDEX GID IPv4 VER DEV, columns apart by tabs or blanks; the IPv4 column may be empty. In a bundle
 * `ADDRESS-1`, `fe80::ADDRESS-2` and `::ffff:ADDRESS-3` stand for addresses.
 */
export const showGids = lineFormat<Gid | { readonly empty: Where }>({
  id: 'show_gids',
  example: 'mlx5_0  1  3  0000:0000:0000:0000:0000:ffff:0a00:0001  10.0.0.1  v2  ens1',
  hints: [':0000:', 'fe80:', 'v1', 'v2', 'ADDRESS-', 'n_gids_found'],
  patience: 2,
  byHost: true,
  key: (g) => ('empty' in g ? 'empty' : `${g.device} ${g.port} ${g.index}`),
  entry: (line, at) => {
    if (/(?:^|[\s:>|])n_gids_found=0\s*$/.test(line)) return { empty: at };
    const found =
      /([A-Za-z][\w.-]{1,63})\s{1,20}(\d{1,3})\s{1,20}(\d{1,4})\s{1,20}([0-9a-fA-F]{4}(?::[0-9a-fA-F]{4}){7}|(?:fe80::|::ffff:)?ADDRESS-\d{1,7})(?:\s{1,40}(\d{1,3}(?:\.\d{1,3}){3}|ADDRESS-\d{1,7}))?(?:\s{1,40}(v1|v2))?(?:\s{1,40}([A-Za-z]\S{0,39}))?\s*$/.exec(
        line,
      );
    if (!found) return undefined;
    const [, device, port, index, gid, ipv4, version, netdev] = found;
    return {
      device: own(device!),
      port: Number(port),
      index: Number(index),
      gid: own(gid!.toLowerCase()),
      ...(ipv4 === undefined ? {} : { ipv4: own(ipv4) }),
      ...(version === undefined ? {} : { version: version as 'v1' | 'v2' }),
      ...(netdev === undefined ? {} : { netdev: own(netdev) }),
      at,
    };
  },
  build: (entries, { file }) => {
    const gids = entries.flatMap((e) => ('empty' in e ? [] : [e]));
    const empty = entries.find((e) => 'empty' in e);
    return {
      kind: 'gid-table',
      file,
      gids,
      ...(gids.length === 0 && empty && 'empty' in empty ? { empty: empty.empty } : {}),
    };
  },
});
