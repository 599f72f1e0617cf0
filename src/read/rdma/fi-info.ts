import type { Where } from '../../fact/fact.ts';
import type { Format } from '../format.ts';
import { lineFormat } from '../kit/lines.ts';
import { own } from '../own.ts';

/** `fi_info`: the providers that libfabric offers, with their domains; `none` where it answers that there are no data. */
export interface Libfabric {
  readonly kind: 'libfabric';
  readonly file: string;
  readonly providers: readonly { readonly name: string; readonly domain?: string; readonly at: Where }[];
  readonly none?: Where;
}

type Line = { readonly provider: string; readonly at: Where } | { readonly domain: string } | { readonly none: Where };

const nothing = /fi_getinfo:\s*-?61\b/;

const lines = lineFormat<Line>({
  id: 'fi_info',
  example: 'provider: efa',
  hints: ['provider:', 'fi_getinfo', 'domain:'],
  patience: 40,
  entry: (line, at) => {
    const provider = /^[\s>]*provider:\s+([a-z][\w;.-]{1,40})\s*$/.exec(line);
    if (provider) return { provider: own(provider[1]!), at };
    if (nothing.test(line)) return { none: at };
    const domain = /^[\s>]+domain:\s+([\w.:-]{1,64})\s*$/.exec(line);
    return domain ? { domain: own(domain[1]!) } : undefined;
  },
  build: (entries, { file }) => {
    const providers: { name: string; domain?: string; at: Where }[] = [];
    let none: Where | undefined;
    for (const e of entries) {
      if ('provider' in e) providers.push({ name: e.provider, at: e.at });
      else if ('none' in e) none ??= e.none;
      else {
        const last = providers[providers.length - 1];
        if (last && last.domain === undefined) last.domain = e.domain;
      }
    }
    if (providers.length === 0 && !none) return undefined;
    return { kind: 'libfabric', file, providers, ...(none ? { none } : {}) };
  },
});

/** The answer that there is nothing looks like a field of any other tool. */
export const fiInfo: Format = { ...lines, claims: (line) => line.includes('fi_getinfo') && nothing.test(line) };
