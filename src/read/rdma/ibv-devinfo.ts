import { blockFormat } from '../kit/block.ts';
import { PortBlock } from './port-block.ts';

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
