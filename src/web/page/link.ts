import type { Language } from '../../words/message.ts';

/** Everything a view is made of, as far as a link may carry it. Files are not in it unless the sender asks for that. */
export interface Linked {
  readonly system?: string;
  readonly nodes?: number;
  readonly from?: string;
  readonly to?: string;
  readonly assume: readonly string[];
  readonly env: readonly (readonly [string, string])[];
  readonly nccl?: string;
  readonly language?: Language;
  readonly theme?: Theme;
  readonly tab?: Tab;
  readonly collective?: string;
  readonly beside?: string;
  readonly topic?: string;
  readonly bytes?: number;
  /** Names and texts of small inputs, packed. */
  readonly packed?: string;
}

export type Theme = 'light' | 'dark';
export const tabs = ['way', 'collective', 'findings', 'timeline', 'learn', 'inputs'] as const;
export type Tab = (typeof tabs)[number];

/** A link is somebody's word: nothing in it is taken beyond these lengths. */
const longest = { word: 64, list: 32, packed: 400_000 };

/** `#system=dgx-h100&nodes=2&from=gpu0…`: behind the `#`, so that no server ever sees it. */
export function toHash(l: Linked): string {
  const p = new URLSearchParams();
  const put = (key: string, value: string | number | undefined): void => {
    if (value !== undefined && value !== '') p.set(key, String(value));
  };
  put('system', l.system);
  put('nodes', l.nodes);
  put('from', l.from);
  put('to', l.to);
  for (const a of l.assume) p.append('assume', a);
  for (const [name, value] of l.env) p.append('env', `${name}=${value}`);
  put('nccl', l.nccl);
  put('lang', l.language);
  put('theme', l.theme);
  put('tab', l.tab === 'way' ? undefined : l.tab);
  put('collective', l.collective === 'all_reduce' ? undefined : l.collective);
  put('beside', l.beside);
  put('topic', l.topic);
  put('bytes', l.bytes);
  put('packed', l.packed);
  return `#${p.toString()}`;
}

export function fromHash(hash: string): Linked {
  const p = new URLSearchParams(hash.startsWith('#') ? hash.slice(1) : hash);
  const word = (key: string): string | undefined => {
    const text = p.get(key);
    return text !== null && text.length > 0 && text.length <= longest.word ? text : undefined;
  };
  const number = (key: string, most: number): number | undefined => {
    const n = Number(p.get(key) ?? Number.NaN);
    return Number.isInteger(n) && n >= 1 && n <= most ? n : undefined;
  };
  const list = (key: string): string[] =>
    p
      .getAll(key)
      .filter((t) => t.length <= 2 * longest.word)
      .slice(0, longest.list);
  const packed = p.get('packed') ?? undefined;
  const language = p.get('lang');
  const theme = p.get('theme');
  return {
    assume: list('assume'),
    env: list('env').flatMap((t): [string, string][] => {
      const i = t.indexOf('=');
      return i > 0 ? [[t.slice(0, i), t.slice(i + 1)]] : [];
    }),
    ...given('system', word('system')),
    ...given('nodes', number('nodes', 1_000_000)),
    ...given('from', word('from')),
    ...given('to', word('to')),
    ...given('nccl', word('nccl')),
    ...given('language', language === 'en' || language === 'zh-CN' ? language : undefined),
    ...given('theme', theme === 'light' || theme === 'dark' ? theme : undefined),
    ...given(
      'tab',
      tabs.find((t) => t === p.get('tab')),
    ),
    ...given('collective', word('collective')),
    ...given('beside', word('beside')),
    ...given('topic', word('topic')),
    ...given('bytes', number('bytes', 2 ** 40)),
    ...given('packed', packed !== undefined && packed.length <= longest.packed ? packed : undefined),
  };
}

/** One property, or none: links say only what they say. */
const given = <K extends keyof Linked>(key: K, value: Linked[K] | undefined): Partial<Pick<Linked, K>> =>
  value === undefined ? {} : ({ [key]: value } as Pick<Linked, K>);

/** Texts of inputs made small enough for a link: deflated, in the alphabet of URLs. */
export async function pack(files: readonly { readonly name: string; readonly text: string }[]): Promise<string> {
  const json = new Blob([JSON.stringify(files)]);
  const bytes = new Uint8Array(
    await new Response(json.stream().pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer(),
  );
  let binary = '';
  for (const b of bytes) binary += String.fromCharCode(b);
  return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

/** Unpacks at most `most` bytes: a link may be a trap. */
export async function unpack(packed: string, most = 4_000_000): Promise<{ name: string; text: string }[]> {
  const binary = atob(packed.replace(/-/g, '+').replace(/_/g, '/'));
  const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > most) throw new Error('too large');
    parts.push(part.value);
  }
  const text = await new Blob(parts as BlobPart[]).text();
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list)) return [];
  return list.slice(0, 64).flatMap((f: unknown) => {
    const { name, text: content } = (f ?? {}) as { name?: unknown; text?: unknown };
    return typeof name === 'string' && typeof content === 'string' ? [{ name: name.slice(0, 200), text: content }] : [];
  });
}
