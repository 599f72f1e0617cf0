import { fact } from '../../fact/fact.ts';
import type { ReadContext } from '../format.ts';
import { lineFormat } from '../kit/lines.ts';
import { own } from '../own.ts';
import { type PortTool, portLimit, type RdmaPort, type RdmaPorts, stateOf } from './ports.ts';

const document = (from: PortTool, { file, host }: ReadContext, ports: readonly RdmaPort[]): RdmaPorts => ({
  kind: 'rdma-ports',
  file,
  ...(host === undefined ? {} : { host: own(host) }),
  from,
  ports: ports.slice(0, portLimit),
  lost: [],
  none: [],
});

/** `rdma link` (iproute2): a line a port. */
export const rdmaLink = lineFormat<RdmaPort>({
  id: 'rdma-link',
  example: 'link mlx5_0/1 state ACTIVE physical_state LINK_UP netdev ens1',
  hints: ['physical_state'],
  patience: 2,
  byHost: true,
  entry: (line, at) => {
    const found =
      /([A-Za-z][\w.-]{0,63})\/(\d{1,3}):? .{0,120}?state (\w{1,20}) physical_state (\w{1,30})(?: netdev (\S{1,40}))?/.exec(
        line,
      );
    if (!found) return undefined;
    const [, device, port, state, physical, netdev] = found;
    return {
      device: own(device!),
      port: Number(port),
      at,
      state: fact(stateOf(state!), at),
      physical: fact(own(physical!), at),
      ...(netdev === undefined ? {} : { netdev: fact(own(netdev), at) }),
      gids: [],
    };
  },
  build: (ports, context) => document('rdma-link', context, ports),
});

/** `ibdev2netdev`, with `-v` or without: `mlx5_0 port 1 ==> ib0 (Up)`. */
export const ibdev2netdev = lineFormat<RdmaPort>({
  id: 'ibdev2netdev',
  example: 'mlx5_0 port 1 ==> ens1 (Up)',
  hints: ['==>'],
  patience: 2,
  byHost: true,
  entry: (line, at) => {
    const found =
      /([A-Za-z][\w.-]{0,63})\s{1,20}(?:\(.{1,200}\) .{0,120})?port\s{1,8}(\d{1,3})\s.{0,20}==>\s{1,8}(\S{1,40})\s{1,40}\((Up|Down)/.exec(
        line,
      );
    if (!found) return undefined;
    const [, device, port, netdev, state] = found;
    return {
      device: own(device!),
      port: Number(port),
      at,
      state: fact(state === 'Up' ? 'active' : 'down', at),
      netdev: fact(own(netdev!), at),
      gids: [],
    };
  },
  build: (ports, context) => document('ibdev2netdev', context, ports),
});
