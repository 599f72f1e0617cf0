import { fail, ok, type Result } from '../base/result.ts';
import type { Machine } from '../machine/machine.ts';
import { nameDevices, splitName } from '../machine/names.ts';
import { type Message, say } from '../words/message.ts';

/** More at once than any machine of the field has of one kind. */
const most = 1024;

const everyKind: Readonly<Record<string, 'gpu' | 'nvme'>> = { gpus: 'gpu', nvmes: 'nvme', drives: 'nvme' };

/** `gpu0`, `gpu0,gpu3`, `gpu0..gpu7`, `gpus`, `node1/drives`: the ends that a text means, one or several. */
export function endList(machine: Machine, text: string): Result<readonly string[], Message> {
  const found: string[] = [];
  for (const part of text.split(',')) {
    const names = partList(machine, part.trim());
    if (!names.ok) return names;
    found.push(...names.value);
    if (found.length > most) return fail(say('move.too-many-ends', { text, most }));
  }
  return ok(found);
}

function partList(machine: Machine, part: string): Result<readonly string[], Message> {
  const every = everyOf(machine, part);
  if (every) return every.length > 0 ? ok(every) : fail(say('move.none-of', { text: part }));
  const range = /^((?:node\d+\/)?[a-z]+)(\d{1,4})(?:\.\.|-)(?:(?:node\d+\/)?[a-z]+)?(\d{1,4})$/i.exec(part);
  if (!range) return part === '' ? fail(say('move.none-of', { text: part })) : ok([part]);
  const [, kind, first, last] = range as unknown as readonly [string, string, string, string];
  const from = Number(first);
  const count = Number(last) - from + 1;
  if (count < 1 || !sameKind(part, kind)) return fail(say('move.range', { text: part }));
  return ok(Array.from({ length: Math.min(count, most + 1) }, (_, i) => `${kind}${from + i}`));
}

/** Both ends of a range are of one kind, on one node. */
function sameKind(part: string, kind: string): boolean {
  const second = /(?:\.\.|-)((?:node\d+\/)?[a-z]+)\d+$/i.exec(part)?.[1];
  return (
    second === undefined ||
    second.toLowerCase() === kind.toLowerCase() ||
    kind.toLowerCase().endsWith(`/${second.toLowerCase()}`)
  );
}

function everyOf(machine: Machine, part: string): string[] | undefined {
  const { node, local } = splitName(part.toLowerCase());
  const kind = everyKind[local];
  if (!kind) return undefined;
  const devices = nameDevices(machine).filter((d) => d.kind === kind);
  // A machine told once stands for every node of its kind.
  const own = devices.filter((d) => d.node === node);
  const shown = own.length > 0 ? own : devices.filter((d) => d.node === (devices[0]?.node ?? 0));
  const prefix = part.includes('/') ? `node${node}/` : '';
  return shown.map((d) => prefix + d.local);
}

/** Who moves to whom: one to one, or all of one side with the only one of the other. */
export function pairUp(
  from: readonly string[],
  to: readonly string[],
): Result<readonly (readonly [string, string])[], Message> {
  if (from.length === to.length) return ok(from.map((name, i) => [name, to[i]!] as const));
  if (from.length === 1) return ok(to.map((name) => [from[0]!, name] as const));
  if (to.length === 1) return ok(from.map((name) => [name, to[0]!] as const));
  return fail(say('move.pairs', { from: from.length, to: to.length }));
}
