import type { RdmaPort } from '../../assemble/from-pci-tree.ts';
import type { Tree } from './files.ts';

export interface RdmaState {
  readonly ports: readonly RdmaPort[];
  /** As `ibstatus` prints it, which reads the same files. */
  readonly ibstatus: string;
  /** As `show_gids` prints its rows. */
  readonly gids: string;
}

/** RDMA devices below /sys/class/infiniband, soft ones too. */
export function readRdma(files: Tree): RdmaState {
  const ports: RdmaPort[] = [];
  const status: string[] = [];
  const gids: string[] = [];
  for (const device of files.list('sys/class/infiniband')) {
    const base = `sys/class/infiniband/${device}`;
    const guid = files.line(`${base}/node_guid`);
    for (const port of files.list(`${base}/ports`)) {
      const at = `${base}/ports/${port}`;
      const read = (name: string): string => files.line(`${at}/${name}`) ?? '';
      const rate = /^(\d+(?:\.\d+)?)\s*Gb/.exec(read('rate'));
      const layer = read('link_layer').toLowerCase();
      ports.push({
        device,
        port: Number(port),
        ...(rate ? { rateMbps: Number(rate[1]) * 1000 } : {}),
        ...(layer === 'infiniband' || layer === 'ethernet' ? { layer } : {}),
        ...(guid === undefined ? {} : { guid: `0x${guid.replaceAll(':', '')}` }),
      });
      status.push(
        `Infiniband device '${device}' port ${port} status:`,
        `\tdefault gid:\t ${read('gids/0')}`,
        `\tbase lid:\t ${read('lid')}`,
        `\tsm lid:\t\t ${read('sm_lid')}`,
        `\tstate:\t\t ${read('state')}`,
        `\tphys state:\t ${read('phys_state')}`,
        `\trate:\t\t ${read('rate')}`,
        `\tlink_layer:\t ${read('link_layer')}`,
        '',
      );
      gids.push(...gidRows(files, device, port, at));
    }
  }
  const head = [
    'DEV\tPORT\tINDEX\tGID\t\t\t\t\tIPv4  \t\tVER\tDEV',
    '---\t----\t-----\t---\t\t\t\t\t------------  \t---\t---',
  ];
  return {
    ports,
    ibstatus: status.join('\n'),
    gids: gids.length === 0 ? '' : [...head, ...gids, `n_gids_found=${gids.length}`, ''].join('\n'),
  };
}

const noGid = /^(?:0000:){7}0000$|^fe80:(?:0000:){6}0000$|^$/;
const mostGids = 64;

function gidRows(files: Tree, device: string, port: string, at: string): string[] {
  const rows: string[] = [];
  const indexes = files.list(`${at}/gids`).map(Number).filter(Number.isInteger);
  for (const index of indexes.sort((a, b) => a - b).slice(0, mostGids)) {
    const gid = files.line(`${at}/gids/${index}`) ?? '';
    if (noGid.test(gid)) continue;
    const type = files.line(`${at}/gid_attrs/types/${index}`) ?? '';
    const name = files.line(`${at}/gid_attrs/ndevs/${index}`) ?? '';
    const v4 = /^0000:0000:0000:0000:0000:ffff:([0-9a-f]{4}):([0-9a-f]{4})$/.exec(gid);
    const ip = v4
      ? [v4[1]!.slice(0, 2), v4[1]!.slice(2), v4[2]!.slice(0, 2), v4[2]!.slice(2)]
          .map((h) => Number.parseInt(h, 16))
          .join('.')
      : '';
    rows.push([device, port, index, gid, ip, type === '' ? '' : /v2/i.test(type) ? 'v2' : 'v1', name].join('\t'));
  }
  return rows;
}
