import { deviceAt, type TreePath } from '../machine/names.ts';
import { treeLeg } from '../physics/leg.ts';
import { pciePayloadRate } from '../physics/pcie.ts';
import { type Message, say } from '../words/message.ts';
import type { MoveEnd } from './ends.ts';

/** A wire, one direction of it, that movements may have to share. */
export interface SharedLink {
  /** The same wire and direction has the same key, whoever crosses it. */
  readonly key: string;
  readonly name: Message;
  /** Bytes per second, and how many of them a byte of payload takes. */
  readonly rate: number;
  readonly factor: number;
}

/** Every PCIe link and socket link from one place of a node to another, in order. */
export function treeLinks(end: MoveEnd, from: TreePath, to: TreePath): SharedLink[] {
  const { links } = treeLeg(end.host, from, to);
  return links.flatMap((link) => {
    if (link.kind === 'socket') {
      if (link.rate === undefined) return [];
      return [
        {
          key: `${end.node} socket ${from[0]} ${to[0]}`,
          name: say('move.link.socket', { node: `node${end.node}`, from: from[0]!, to: to[0]! }),
          rate: link.rate,
          factor: 1,
        },
      ];
    }
    const device = deviceAt(end.host, link.owner);
    const rate = device && pciePayloadRate(device.link);
    if (rate === undefined) return [];
    const up = isPrefix(link.owner, from);
    return [
      {
        key: `${end.node} ${link.owner.join('.')} ${up ? 'up' : 'down'}`,
        name: say(up ? 'move.link.up' : 'move.link.down', { device: nameAt(end, link.owner) }),
        rate,
        factor: 1,
      },
    ];
  });
}

/** One direction of what joins a device to something of its own: NVLinks, a port, C2C. */
export function ownLink(
  end: MoveEnd,
  device: { readonly local: string },
  kind: 'nvlink' | 'port' | 'c2c',
  out: boolean,
  rate: number,
  factor = 1,
): SharedLink {
  return {
    key: `${end.node} ${device.local} ${kind} ${out ? 'out' : 'in'}`,
    name: say(out ? `move.link.${kind}-out` : `move.link.${kind}-in`, { device: `node${end.node}/${device.local}` }),
    rate,
    factor,
  };
}

/** The links that striped data crosses: each way carries an equal share of it, and ways may have links in common. */
export function stripedLinks(ways: readonly (readonly SharedLink[])[]): readonly SharedLink[] {
  const found = new Map<string, SharedLink>();
  for (const link of ways.flat()) {
    const known = found.get(link.key);
    found.set(link.key, { ...link, factor: (known?.factor ?? 0) + link.factor / ways.length });
  }
  return [...found.values()];
}

const isPrefix = (a: TreePath, b: TreePath): boolean => a.length <= b.length && a.every((x, i) => x === b[i]);

function nameAt(end: MoveEnd, path: TreePath): string {
  const named = end.devices.find((d) => d.path.length === path.length && isPrefix(d.path, path));
  return `node${end.node}/${named?.local ?? deviceAt(end.host, path)?.busId ?? path.join('.')}`;
}
