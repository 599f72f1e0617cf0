import { blockFormat } from '../kit/block.ts';
import { own } from '../own.ts';
import { PortBlock } from './port-block.ts';

/** `ibstat` (infiniband-diags): `CA 'mlx5_0'`, then its facts and `Port 1:`. */
export const ibstat = blockFormat({
  id: 'ibstat',
  example: "CA 'mlx5_0'",
  hints: ["CA '", 'of IB device'],
  starts: /CA '[^']{1,64}'\s*$|(?:ibpanic|ibstat)?:?.{0,30}stat of IB device '[^']{1,64}' failed/,
  open: (context) =>
    new PortBlock(context, 'ibstat', (block, line, at) => {
      const device = /^\s*CA '([^']{1,64})'\s*$/.exec(line);
      if (device) {
        block.begin(device[1]!);
        return true;
      }
      const lost = /stat of IB device '([^']{1,64})' failed/.exec(line);
      if (lost) {
        if (block.lost.length < 256) block.lost.push({ device: own(lost[1]!), at });
        return true;
      }
      const port = /^\s*Port (\d{1,3}):\s*$/.exec(line);
      if (port) block.beginPort(Number(port[1]), at);
      return port !== null;
    }),
});
