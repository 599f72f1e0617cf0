import { computed, signal } from '@preact/signals';
import type { Language } from '../../words/message.ts';
import type { InputFile, Inputs, View } from '../protocol.ts';
import { fromHash, type Linked, type Tab, type Theme, toHash } from './link.ts';

/** Everything a person can set on the page; answers follow from it (`answers-of.ts`). */

const linked: Linked = fromHash(location.hash);

/** Shown until something of one's own lies on the page. */
export const exampleSystem = 'dgx-h100';

export const language = signal<Language>(linked.language ?? (/^zh/i.test(navigator.language) ? 'zh-CN' : 'en'));
export const theme = signal<Theme | undefined>(linked.theme);
export const tab = signal<Tab>(linked.tab ?? 'way');

export const system = signal<string | undefined>(linked.system);
export const files = signal<readonly InputFile[]>([]);
/** Nodes asked for; what the inputs show when nothing is. */
export const nodes = signal<number | undefined>(linked.nodes);

export const from = signal<string | undefined>(linked.from);
export const to = signal<string | undefined>(linked.to);

export const assumed = signal<readonly string[]>(linked.assume);
export const env = signal<readonly (readonly [string, string])[]>(linked.env);
export const nccl = signal<string | undefined>(linked.nccl);

export const collective = signal(linked.collective ?? 'all_reduce');
export const beside = signal<string | undefined>(linked.beside);
export const topic = signal(linked.topic ?? 'gpudirect-rdma');
/** Size of a transfer that the ways are compared at. */
export const bytes = signal(linked.bytes ?? 2 ** 26);
/** A single data path to look at; all of them otherwise. */
export const only = signal<string | undefined>(undefined);
/** Inputs that a link brought along; they stay in the address as long as they are what lies on the page. */
export const packed = signal<string | undefined>(linked.packed);

/** The line of an input that is open, if any. */
export const opened = signal<{ readonly file: string; readonly line: number } | undefined>(undefined);
/** Devices that something on the page points at. */
export const pointed = signal<readonly string[]>([]);

export const own = computed(() => files.value.length > 0 || system.value !== undefined);

export const inputs = computed<Inputs>(() => ({
  files: files.value,
  // A system beside files completes them; without anything an example stands there.
  ...(system.value !== undefined
    ? { system: system.value }
    : files.value.length === 0
      ? { system: exampleSystem }
      : {}),
}));

/** The example is two nodes, so that there is a network to look at. */
const wanted = computed(() => nodes.value ?? (own.value ? undefined : 2));

export const before = computed<View>(() => ({
  language: language.value,
  assume: [],
  env: [],
  ...(wanted.value === undefined ? {} : { nodes: wanted.value }),
}));

export const view = computed<View>(() => ({
  ...before.value,
  assume: assumed.value,
  env: env.value,
  ...(nccl.value === undefined ? {} : { nccl: nccl.value }),
}));

/** Is anything tried that the inputs do not say? */
export const changed = computed(() => assumed.value.length > 0 || env.value.length > 0 || nccl.value !== undefined);

export const hash = computed(() =>
  toHash({
    assume: assumed.value,
    env: env.value,
    ...(system.value === undefined ? {} : { system: system.value }),
    ...(nodes.value === undefined ? {} : { nodes: nodes.value }),
    ...(from.value === undefined ? {} : { from: from.value }),
    ...(to.value === undefined ? {} : { to: to.value }),
    ...(nccl.value === undefined ? {} : { nccl: nccl.value }),
    language: language.value,
    ...(theme.value === undefined ? {} : { theme: theme.value }),
    tab: tab.value,
    collective: collective.value,
    ...(beside.value === undefined ? {} : { beside: beside.value }),
    ...(tab.value === 'learn' ? { topic: topic.value } : {}),
    ...(bytes.value === 2 ** 26 ? {} : { bytes: bytes.value }),
    ...(packed.value === undefined ? {} : { packed: packed.value }),
  }),
);

/** Puts one assumption about a fact in the place of another; `undefined` takes it back. */
export function assumeFact(fact: string, value: string | undefined): void {
  const rest = assumed.value.filter((a) => !a.startsWith(`${fact}=`));
  assumed.value = value === undefined ? rest : [...rest, `${fact}=${value}`];
}

export function setVariable(name: string, value: string | undefined): void {
  const rest = env.value.filter(([n]) => n !== name);
  env.value = value === undefined ? rest : [...rest, [name, value]];
}

/** A click on a device: the first end, then the other, then anew. */
export function choose(id: string): void {
  if (from.value === undefined || to.value !== undefined) {
    from.value = id;
    to.value = undefined;
  } else if (from.value === id) from.value = undefined;
  else to.value = id;
  only.value = undefined;
}

/** Other files: a link's are no longer what is looked at, and its ends may not be there. */
export function putFiles(list: readonly InputFile[]): void {
  files.value = list;
  packed.value = undefined;
  from.value = undefined;
  to.value = undefined;
}

export function forget(): void {
  from.value = undefined;
  to.value = undefined;
  only.value = undefined;
  assumed.value = [];
  env.value = [];
  nccl.value = undefined;
  opened.value = undefined;
}
