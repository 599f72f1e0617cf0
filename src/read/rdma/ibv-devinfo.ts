import type { Where } from '../../fact/fact.ts';
import { blockFormat } from '../kit/block.ts';
import { PortBlock } from './port-block.ts';
import type { RdmaPorts } from './ports.ts';

/** `ibv_devinfo` (rdma-core), with or without `-v`: `hca_id: mlx5_0`. */
export const ibvDevinfo = blockFormat({
  id: 'ibv_devinfo',
  example: 'hca_id: mlx5_0',
  hints: ['hca_id:', 'IB devices'],
  starts: /hca_id:\s*[\w.-]{1,64}\s*$|Failed to get IB devices list|No IB devices found/,
  patience: 30,
  open: (context) =>
    new PortBlock(context, 'ibv_devinfo', (block, line, at) => {
      const device = /^\s*hca_id:\s*([\w.-]{1,64})/.exec(line);
      if (device) {
        block.begin(device[1]!);
        return true;
      }
      const none = /Failed to get IB devices list(.*Function not implemented)?|No IB devices found/.exec(line);
      if (!none) return false;
      if (block.none.length < 8) block.none.push({ why: none[1] ? 'not-implemented' : 'no-devices', at });
      return true;
    }),
});

/** `ibv_devices` with nothing below its title: the library finds no device that it may open. */
export const ibvDevices = blockFormat({
  id: 'ibv_devices',
  example: '    device                 node GUID',
  hints: ['node GUID'],
  starts: /device\s{2,60}node GUID\s*$/,
  patience: 1,
  open: (context) => {
    let title: Where | undefined;
    let devices = 0;
    return {
      take(line, number) {
        if (/device\s{2,60}node GUID\s*$/.test(line)) {
          title = context.at(number);
          return true;
        }
        if (/^\s*-{4,20}\s+-{8,40}\s*$/.test(line)) return true;
        if (!/^\s*[\w.-]{1,64}\s+[0-9a-f]{16}\s*$/.test(line)) return false;
        devices++;
        return true;
      },
      close: (): RdmaPorts | undefined =>
        title && {
          kind: 'rdma-ports',
          file: context.file,
          from: 'ibv_devinfo',
          ports: [],
          lost: [],
          none: devices === 0 ? [{ why: 'no-devices', at: title }] : [],
        },
    };
  },
});
