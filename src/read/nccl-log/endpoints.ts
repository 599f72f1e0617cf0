import { own } from '../own.ts';
import type { Endpoint, IbDevice } from './types.ts';

/**
 * ` [0]eth0:10.0.0.1<0> [1]ib0:fe80::1%ib0<0>` (logs sheet §3); the index is missing where NCCL prints only one, and the address where
 * somebody took it out (`ib0:<0>`, `ib0:<hidden><0>`).
 */
export function parseEndpoints(text: string): Endpoint[] {
  const list: Endpoint[] = [];
  for (const [, index, name, address] of text.matchAll(
    /(?:\[(\d{1,15})\])?([^\s:[\]]{1,64}):((?:[^\s<]{0,64}|<[^\s<>]{1,40}>)<\d{1,15}>)/g,
  )) {
    if (list.length >= 256) break;
    list.push({
      ...(index === undefined ? {} : { index: Number(index) }),
      interface: own(name!),
      address: own(address!),
    });
  }
  return list;
}

/** ` [0]mlx5_0:1/IB [1]={[0] mlx5_1:1/RoCE,[1] mlx5_2:1/RoCE} [RO]` (logs sheet §4). */
export function parseIbDevices(text: string): IbDevice[] {
  const list: IbDevice[] = [];
  const item =
    /\[(\d{1,15})\](?:=\{([^}]{0,512})\}|\s?([^\s:[\]{}]{1,64}):(\d{1,15})(?::(\d{1,15}))?(?::(\d{1,15}))?\/(\w+))/g;
  for (const [, index, merged, name, port, rail, plane, layer] of text.matchAll(item)) {
    if (list.length >= 256) break;
    if (merged === undefined) {
      list.push({
        index: Number(index),
        name: own(name!),
        port: Number(port),
        layer: own(layer!),
        ...(rail === undefined ? {} : { rail: Number(rail) }),
        ...(plane === undefined ? {} : { plane: Number(plane) }),
      });
      continue;
    }
    const members = [...merged.matchAll(/([^\s:[\],]{1,64}):(\d{1,15})\/(\w+)/g)].map(([, one, at, how]) => ({
      name: own(one!),
      port: Number(at),
      layer: own(how!),
    }));
    const first = members[0];
    if (!first) continue;
    list.push({
      index: Number(index),
      name: members.map((one) => one.name).join('+'),
      port: first.port,
      layer: first.layer,
      members,
    });
  }
  return list;
}
