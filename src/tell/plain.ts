import type { PlainAnswer } from '../answer/plain.ts';
import type { Language } from '../words/message.ts';
import { say } from '../words/message.ts';
import { render } from '../words/render.ts';
import { columns } from './text/columns.ts';
import { duration, significant, size } from './text/quantity.ts';

/** What a collective takes on a plain network, as a table. */
export function plainText({ network, collective, rows }: PlainAnswer, language: Language): string {
  const title = render(
    say('plain.title', {
      collective,
      gpus: network.gpus,
      shape: network.shape,
      rate: significant((network.rate * 8) / 1e9, 4),
      latency: duration(network.latency * 1e6),
      send: duration(network.send * 1e6),
    }),
    language,
  );
  const head = ['plain.head.size', 'plain.head.time', 'plain.head.algbw', 'plain.head.busbw'] as const;
  const table = [
    head.map((code) => render(say(code), language)),
    ...rows.map((r) => [size(r.bytes), duration(r.timeUs, 4), significant(r.algbwGBps), significant(r.busbwGBps)]),
  ];
  return `${[title, '', ...columns(table, new Set([0, 1, 2, 3]), '  ')].join('\n')}\n`;
}

/** `crowfly/plain-prediction@1`. */
export const plainJson = ({ network, collective, rows }: PlainAnswer): string =>
  `${JSON.stringify(
    {
      schema: 'crowfly/plain-prediction@1',
      collective,
      gpus: network.gpus,
      shape: network.shape,
      bytesPerSecond: network.rate,
      latencyUs: network.latency * 1e6,
      sendUs: network.send * 1e6,
      rows,
    },
    null,
    1,
  )}\n`;
