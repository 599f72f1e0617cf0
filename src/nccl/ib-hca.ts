import type { NicPort } from '../machine/host.ts';

/**
 * Which RDMA devices `NCCL_IB_HCA` lets NCCL use (src/transport/net_ib/init.cc, src/misc/utils.cc: parseStringList): a list of
 * prefixes, each with a port behind a colon if need be; `=` in front makes them whole names, `^` those that are left out.
 */
export function hcaChosen(value: string, device: string, port: number): boolean {
  const text = value.trim();
  const not = text.startsWith('^');
  const exact = text.slice(not ? 1 : 0).startsWith('=');
  const list = text.slice((not ? 1 : 0) + (exact ? 1 : 0)).split(',');
  const named = list.some((item) => {
    const [name = '', at] = item.trim().split(':');
    if (name === '' || (at !== undefined && at !== '' && Number(at) !== port)) return false;
    return exact ? device === name : device.startsWith(name);
  });
  return named !== not;
}

/**
 * Which ports of a host that leaves to NCCL. A port that no source names is called as NVIDIA's driver calls it. A value that fits
 * no port is about another machine than the one described (or leaves NCCL its sockets): it takes nothing away here.
 */
export function portsLeft(ports: readonly NicPort[], value: string | undefined): (port: NicPort) => boolean {
  if (value === undefined) return () => true;
  const fits = (p: NicPort): boolean =>
    (p.name ?? `mlx5_${p.dev}`).split('+').every((name) => hcaChosen(value, name, p.port ?? 1));
  return ports.some(fits) ? fits : () => true;
}
