import type { Where } from '../../fact/fact.ts';
import { lineFormat } from '../kit/lines.ts';
import { own } from '../own.ts';

/** Port counters: of sysfs (`…/counters/link_downed:3`), of perfquery, of ethtool -S. */
export interface Counters {
  readonly kind: 'counters';
  readonly file: string;
  readonly values: readonly Counter[];
}

export interface Counter {
  /** As in sysfs: `link_downed`, `symbol_error`, `port_rcv_errors`. */
  readonly name: string;
  readonly value: number;
  readonly device?: string;
  readonly at: Where;
}

const snake = (name: string): string =>
  name
    .replace(/Counter$/, '')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase();

export const counters = lineFormat<Counter>({
  id: 'rdma-counters',
  example: '/sys/class/infiniband/mlx5_0/ports/1/counters/link_downed:3',
  hints: ['counters/', '.....', 'link_downed', 'LinkDowned'],
  entry: (line, at) => {
    const sysfs =
      /(?:infiniband\/([\w.-]{1,64})\/ports\/\d{1,3}\/)?(?:hw_)?counters\/([a-z_0-9]{3,60})\s*[:=]?\s*(\d{1,20})\s*$/.exec(
        line,
      );
    if (sysfs) {
      const [, device, name, value] = sysfs;
      return {
        name: own(name!),
        value: Number(value),
        ...(device === undefined ? {} : { device: own(device) }),
        at,
      };
    }
    const query = /(?:^|\s)([A-Z][A-Za-z]{3,50}):\.{2,}(\d{1,20})\s*$/.exec(line);
    if (query) return { name: snake(query[1]!), value: Number(query[2]), at };
    const queried = /\[(LinkDownedCounter|SymbolErrorCounter) == (\d{1,20})\]/.exec(line);
    if (queried) return { name: snake(queried[1]!), value: Number(queried[2]), at };
    const plain = /(?:^|[\s>])(?:([A-Za-z]\w*_\d+)[:\s]+)?(link_downed)(?:_counter)?\s*[:=\s]\s*(\d{1,20})\s*$/.exec(
      line,
    );
    if (!plain) return undefined;
    return {
      name: own(plain[2]!),
      value: Number(plain[3]),
      ...(plain[1] === undefined ? {} : { device: own(plain[1]) }),
      at,
    };
  },
  build: (values, { file }) => ({ kind: 'counters', file, values }),
});
