import { blockFormat } from '../kit/block.ts';
import { PortBlock } from './port-block.ts';

/** `ibstatus`: `Infiniband device 'mlx5_0' port 1 status:`. */
export const ibstatus = blockFormat({
  id: 'ibstatus',
  example: "Infiniband device 'mlx5_0' port 1 status:",
  hints: ['Infiniband device', 'Fatal error:'],
  starts:
    /Infiniband device '[^']{1,64}' port \d{1,3} status:|Fatal error:\s{1,3}(?:No devices|device '\*': sys files not found)/,
  open: (context) =>
    new PortBlock(context, 'ibstatus', (block, line, at) => {
      const device = /^\s*Infiniband device '([^']{1,64})' port (\d{1,3}) status/.exec(line);
      if (device) {
        block.begin(device[1]!);
        block.beginPort(Number(device[2]), at);
        return true;
      }
      if (!/^\s*Fatal error:\s{1,3}(?:No devices|device '\*')/.test(line)) return false;
      if (block.none.length < 8) block.none.push({ why: 'no-devices', at });
      return true;
    }),
});
