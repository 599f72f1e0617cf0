import type { CollectiveGround, WireRates } from './ground.ts';
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
      gpu: {
        ...s.gpu,
        start: s.gpu.start / times,
        startLl128: s.gpu.startLl128 / times,
        startSimple: s.gpu.startSimple / times,
      },
    },
  ],
  latency: (g, s) => {
    const { hop } = s.net;
    const net = { ...s.net, hop: { LL: hop.LL / times, LL128: hop.LL128 / times, Simple: hop.Simple / times } };
    const gpu = { ...s.gpu, hop: s.gpu.hop / times, slice: s.gpu.slice / times, round: s.gpu.round / times };
    return [g, { ...s, net, gpu }];
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
          exchangeChannel: s.gpu.exchangeChannel * times,
          localCopy: s.gpu.localCopy * times,
        },
      },
    ];
  },
  inside: (g, s) => [{ ...wider(g, 'intra'), exchange: { ...g.exchange, inside: times } }, s],
  outside: (g, s) => {
    const staged = { one: g.staged.one * times, all: g.staged.all * times };
    const { netTotal, headsTotal, oneNic } = g;
    const net = { netTotal: netTotal * times, headsTotal: headsTotal * times, oneNic: oneNic * times };
    return [{ ...wider(g, 'inter'), ...net, staged, exchange: { ...g.exchange, outside: times } }, s];
  },
  switch: (g, s) => [
    g,
    { ...s, gpu: { ...s.gpu, nvlsShare: s.gpu.nvlsShare * times, nvlsChannel: s.gpu.nvlsChannel * times } },
  ],
};

function wider(g: CollectiveGround, side: 'intra' | 'inter'): CollectiveGround {
  const widen = (r: WireRates): WireRates => ({ ...r, [side]: r[side] * times });
  return { ...g, ring: widen(g.ring), chain: widen(g.chain), tree: widen(g.tree) };
}

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
