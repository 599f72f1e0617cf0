import type { Where } from '../../fact/fact.ts';
import { blockFormat } from '../kit/block.ts';
import { own } from '../own.ts';

/** Port counters: of sysfs (`…/counters/link_downed:3`, or `cat` and the number below), of perfquery, of ibqueryerrors. */
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

const limit = 20_000;
const path = /(?:infiniband\/([\w.-]{1,64})\/ports\/\d{1,3}\/)?(?:hw_)?counters\/([a-z_0-9]{3,60})/;
const pathAlone = new RegExp(`${path.source}(?: <==)?\\s*$`);
const pathValue = new RegExp(`${path.source}\\s*[:=]?\\s*(\\d{1,20})\\s*$`);
const query = /(?:^|[\s>|:])([A-Z][A-Za-z]{3,50}):\.{2,}(\d{1,20})\s*$/;
const plain = /(?:^|[\s>])(?:([A-Za-z]\w*_\d+)[:\s]+)?(link_downed)(?:_counter)?\s*[:=\s]\s*(\d{1,20})\s*$/;
/** A command that names the counter, and what a loop prints for each device: its folder or name, and the number. */
const asks = /counters\/(link_downed|symbol_error|port_rcv_errors)\b(?![:=\s]*\d)/;
const answer = /(?:^|[\s>|/])([a-z]\w*_\w{1,40}|[a-z]\w{2,40})(?:\/ports\/\d{1,3})?\/?\s*[:=]?\s+(\d{1,20})\s*$/;
const errors = /\[(LinkDownedCounter|SymbolErrorCounter|PortRcvErrors) == (\d{1,20})\]/;

export const counters = blockFormat({
  id: 'rdma-counters',
  example: '/sys/class/infiniband/mlx5_0/ports/1/counters/link_downed:3',
  hints: ['counters/', '.....', 'link_downed', 'LinkDowned'],
  starts: new RegExp(
    `(?:/[\\w./*-]{0,120}?)?(?:${pathValue.source}|${pathAlone.source}|${asks.source})|${query.source}|${errors.source}|${plain.source}`,
  ),
  patience: 200,
  open: (context) => {
    const values: Counter[] = [];
    let pending: { device: string | undefined; name: string } | undefined;
    let looped: string | undefined;
    const add = (name: string, value: string, device: string | undefined, number: number): true => {
      if (values.length < limit) {
        values.push({
          name: own(name),
          value: Number(value),
          ...(device === undefined ? {} : { device: own(device) }),
          at: context.at(number),
        });
      }
      return true;
    };
    return {
      take(line, number) {
        const before = pending;
        pending = undefined;
        const bare = before && /^\s*(\d{1,20})\s*$/.exec(line);
        if (bare) return add(before.name, bare[1]!, before.device, number);
        const inPath = pathValue.exec(line);
        if (inPath) return add(inPath[2]!, inPath[3]!, inPath[1], number);
        const alone = pathAlone.exec(line);
        if (alone) {
          pending = { name: alone[2]!, device: alone[1] };
          return true;
        }
        const question = asks.exec(line);
        if (question) {
          looped = question[1]!;
          return true;
        }
        const queried = query.exec(line) ?? errors.exec(line);
        if (queried) return add(snake(queried[1]!), queried[2]!, undefined, number);
        const said = plain.exec(line);
        if (said) return add(said[2]!, said[3]!, said[1], number);
        const told = looped === undefined ? null : answer.exec(line);
        // Anything else ends the answer.
        if (!told) looped = undefined;
        return told ? add(looped!, told[2]!, told[1], number) : false;
      },
      close: () => (values.length === 0 ? undefined : { kind: 'counters', file: context.file, values }),
    };
  },
});
