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
