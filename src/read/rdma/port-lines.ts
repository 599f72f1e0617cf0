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

/** One object of `rdma link -j`, which prints all ports on one line; names first, then what the port is. */
const json =
  /"ifname":\s?"([\w.-]{1,64})",\s?"port":\s?(\d{1,3}),([^{}]{0,400}?)"state":\s?"(\w{1,20})",\s?"physical_state":\s?"(\w{1,30})"(?:,\s?"netdev":\s?"(\S{1,40}?)")?/g;

export const rdmaLink = lineFormat<readonly RdmaPort[]>({
  id: 'rdma-link',
  example: 'link mlx5_0/1 state ACTIVE physical_state LINK_UP netdev ens1',
  hints: ['physical_state'],
  patience: 2,
  byHost: true,
  key: (ports) => `${ports[0]?.device} ${ports[0]?.port}`,
  entry: (line, at) => {
    const port = (device: string, number: string, state: string, physical: string, netdev: string | undefined) => ({
      device: own(device),
      port: Number(number),
      at,
      state: fact(stateOf(state), at),
      physical: fact(own(physical), at),
      ...(netdev === undefined ? {} : { netdev: fact(own(netdev), at) }),
      gids: [],
    });
    const found =
      /([A-Za-z][\w.-]{0,63})\/(\d{1,3}):? .{0,120}?state (\w{1,20}) physical_state (\w{1,30})(?: netdev (\S{1,40}))?/.exec(
        line,
      );
    if (found) return [port(found[1]!, found[2]!, found[3]!, found[4]!, found[5])];
    if (!line.includes('"ifname"')) return undefined;
    const ports = [...line.matchAll(json)].map((m) => port(m[1]!, m[2]!, m[4]!, m[5]!, m[6]));
    return ports.length === 0 ? undefined : ports;
  },
  build: (ports, context) => document('rdma-link', context, ports.flat()),
});

/** `ibdev2netdev`, with `-v` or without: `mlx5_0 port 1 ==> ib0 (Up)`. */
export const ibdev2netdev = lineFormat<RdmaPort>({
  id: 'ibdev2netdev',
  example: 'mlx5_0 port 1 ==> ens1 (Up)',
  hints: ['==>'],
  patience: 2,
  byHost: true,
  key: (p) => `${p.device} ${p.port}`,
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
