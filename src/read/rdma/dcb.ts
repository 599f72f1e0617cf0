import type { Where } from '../../fact/fact.ts';
import { lineFormat } from '../kit/lines.ts';
import type { Qos } from './mlnx-qos.ts';

/** What one line of `dcb pfc show`, `dcb apptrust show`, `dcb ets show` or `dcb app show` (iproute2) tells. */
type Entry =
  | { readonly what: 'pfc'; readonly on: readonly boolean[]; readonly at: Where }
  | { readonly what: 'trust'; readonly value: 'pcp' | 'dscp'; readonly at: Where }
  | { readonly what: 'classes' | 'dscp'; readonly pairs: readonly (readonly [number, number])[]; readonly at: Where };

/** Code points by name, as /etc/iproute2/rt_dsfield has them; `EF` is 46, `CS3` 24, `AF31` 26. */
function dscpOf(text: string): number {
  if (/^\d{1,2}$/.test(text)) return Number(text);
  if (text === 'EF') return 46;
  const selector = /^CS(\d)$/.exec(text);
  if (selector) return Number(selector[1]) * 8;
  const assured = /^AF([1-4])([1-3])$/.exec(text);
  return assured ? Number(assured[1]) * 8 + Number(assured[2]) * 2 : -1;
}

const numbers = (text: string): (readonly [number, number])[] =>
  [...text.matchAll(/(\w{1,4}):(\d)/g)].map((m) => [dscpOf(m[1]!), Number(m[2])] as const).filter(([key]) => key >= 0);

export const dcb = lineFormat<Entry>({
  id: 'dcb',
  example: 'prio-pfc 0:off 1:off 2:off 3:on 4:off 5:off 6:off 7:off',
  hints: ['-pfc 0:', 'prio-tc 0:', 'dscp-prio ', 'order: '],
  // A second port, or a second moment, is another document.
  key: (entry) => entry.what,
  entry: (line, at) => {
    const pfc = /(?:prio|pg)-pfc((?: [0-7]:(?:on|off)){8})\s*$/.exec(line);
    if (pfc)
      return {
        what: 'pfc',
        on: pfc[1]!
          .trim()
          .split(' ')
          .map((one) => one.endsWith(':on')),
        at,
      };
    const trust = /\border: (pcp|dscp)(?: (?:pcp|dscp))?\s*$/.exec(line);
    if (trust) return { what: 'trust', value: trust[1] as 'pcp' | 'dscp', at };
    const classes = /\bprio-tc((?: [0-7]:[0-7]){8})\s*$/.exec(line);
    if (classes) return { what: 'classes', pairs: numbers(classes[1]!), at };
    const dscp = /\bdscp-prio((?: \w{1,4}:[0-7]){1,64})\s*$/.exec(line);
    return dscp ? { what: 'dscp', pairs: numbers(dscp[1]!), at } : undefined;
  },
  build: (entries, { file }): Qos => {
    const made: { -readonly [K in keyof Qos]: Qos[K] } = { kind: 'qos', file };
    for (const entry of entries) {
      const { what, at } = entry;
      if (what === 'pfc') made.pfc = { enabled: entry.on, at };
      else if (what === 'trust') made.trust = { value: entry.value, at };
      else made[what] = { priorities: new Map(entry.pairs), at };
    }
    return made;
  },
});
