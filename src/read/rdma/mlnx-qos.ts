import type { Where } from '../../fact/fact.ts';
import { blockFormat } from '../kit/block.ts';

/** `mlnx_qos -i IFACE`, or `dcb`: which of the eight priorities have flow control, and what priorities are told by. */
export interface Qos {
  readonly kind: 'qos';
  readonly file: string;
  readonly trust?: { readonly value: 'pcp' | 'dscp'; readonly at: Where };
  readonly pfc?: { readonly enabled: readonly boolean[]; readonly at: Where };
  /** The traffic class of each priority, as `dcb ets` says. */
  readonly classes?: { readonly priorities: ReadonlyMap<number, number>; readonly at: Where };
  /** The priority of each DSCP that has one, as `dcb app` says. */
  readonly dscp?: { readonly priorities: ReadonlyMap<number, number>; readonly at: Where };
}

export const mlnxQos = blockFormat({
  id: 'mlnx_qos',
  example: 'PFC configuration:',
  hints: ['PFC configuration', 'Priority trust state'],
  starts: /PFC configuration:|Priority trust state:/,
  patience: 40,
  open: (context) => {
    let trust: Qos['trust'];
    let pfc: Qos['pfc'];
    let inPfc = false;
    return {
      take(line, number) {
        const told = /Priority trust state:\s*(pcp|dscp)/i.exec(line);
        if (told && !trust) {
          trust = { value: told[1]!.toLowerCase() as 'pcp' | 'dscp', at: context.at(number) };
          return true;
        }
        if (/PFC configuration:/.test(line)) {
          if (pfc) return false;
          inPfc = true;
          return true;
        }
        const row = inPfc ? /^\s*enabled((?:\s+[01]){8})\s*$/.exec(line) : null;
        if (!row) return inPfc && /^\s*(?:priority|buffer)(?:\s+\d){8}\s*$/.test(line);
        pfc ??= {
          enabled: row[1]!
            .trim()
            .split(/\s+/)
            .map((x) => x === '1'),
          at: context.at(number),
        };
        inPfc = false;
        return true;
      },
      close: () =>
        trust || pfc
          ? { kind: 'qos', file: context.file, ...(trust ? { trust } : {}), ...(pfc ? { pfc } : {}) }
          : undefined,
    };
  },
});
