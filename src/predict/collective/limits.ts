import type { CollectiveGround } from './ground.ts';
import type { Planned, Predictor } from './predict.ts';
import type { Speeds } from './speeds.ts';

/** What keeps a collective from being faster. */
export type Limit = 'start' | 'latency' | 'threads' | 'inside' | 'outside' | 'switch';

const times = 2;

/** Each limit relieved: the machine twice as good in that, and in nothing else. */
const reliefs: Readonly<Record<Limit, (g: CollectiveGround, s: Speeds) => readonly [CollectiveGround, Speeds]>> = {
  start: (g, s) => [
    g,
    {
      ...s,
      startChannel: s.startChannel / times,
      startLl128: s.startLl128 / times,
      gpu: { ...s.gpu, start: s.gpu.start / times },
    },
  ],
  latency: (g, s) => {
    const { hop } = s.net;
    const net = { ...s.net, round: s.net.round / times, hop: { LL: hop.LL / times, Simple: hop.Simple / times } };
    return [g, { ...s, net, slowHop: s.slowHop / times, gpu: { ...s.gpu, hop: s.gpu.hop / times } }];
  },
  threads: (g, s) => {
    const { channel } = s.gpu;
    return [
      g,
      {
        ...s,
        gpu: {
          ...s.gpu,
          channel: { LL: channel.LL * times, LL128: channel.LL128 * times, Simple: channel.Simple * times },
          dividedChannel: s.gpu.dividedChannel * times,
          exchangeChannel: s.gpu.exchangeChannel * times,
          localCopy: s.gpu.localCopy * times,
        },
      },
    ];
  },
  inside: (g, s) => [{ ...g, relief: { ...g.relief, inside: times } }, s],
  outside: (g, s) => [{ ...g, netTotal: g.netTotal * times, relief: { ...g.relief, outside: times } }, s],
  switch: (g, s) => [g, { ...s, nvlsShare: s.nvlsShare * times }],
};

/** The limit whose relief would shorten a call most, and µs of the call without it. */
export function limitAt(
  p: Predictor,
  planned: Planned,
  bytes: number,
): { readonly limit: Limit; readonly timeUs: number } {
  const launch = p.launch(bytes);
  let limit: Limit = 'start';
  let least = planned.timeUs;
  for (const [name, relieve] of Object.entries(reliefs) as [Limit, (typeof reliefs)[Limit]][]) {
    const [g, s] = relieve(p.ground, p.speeds);
    const timeUs = p.time(g, s, launch, bytes);
    if (timeUs < least * (1 - 1e-9)) {
      least = timeUs;
      limit = name;
    }
  }
  return { limit, timeUs: least };
}
