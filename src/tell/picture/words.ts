import type { Language, Message } from '../../words/message.ts';
import { say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import type { PictureBox, PictureHost } from './model.ts';
import { safe } from './safe.ts';

/** A message or plain text as a person reads it, harmless to print. */
export const words = (text: Message | string, language: Language): string =>
  safe(typeof text === 'string' ? text : render(text, language));

/** Longer texts (notes) are sentences of ours, only their arguments come from inputs. */
export const sentence = (message: Message, language: Language): string => render(safeArguments(message), language);

const safeArguments = (message: Message): Message => ({
  ...message,
  args: Object.fromEntries(
    Object.entries(message.args).map(([key, value]) => [
      key,
      typeof value === 'string'
        ? value
            .split(/(?<=, )/)
            .map(safe)
            .join('')
        : typeof value === 'object'
          ? safeArguments(value)
          : value,
    ]),
  ),
});

/** `cpu0 · Intel`, `nic0 400G`, `gpu0…gpu15 ×16`: what stands on a box. */
export function heading(box: PictureBox, language: Language): string {
  const label = safe(box.label) || (box.kind === 'bridge' ? 'PCI' : box.kind);
  const times = box.count > 1 ? ` ×${box.count}` : '';
  if (box.kind !== 'cpu' || box.detail === undefined) return label + times;
  return `${label} · ${words(box.detail, language)}${times}`;
}

/** What stands on the frame of a host; empty when the machine is one unnamed node. */
export function hostHeading(host: PictureHost, language: Language): string {
  const name = host.name === undefined ? '' : safe(host.name);
  const label = host.label === '' ? name : name === '' ? host.label : `${host.label} · ${name}`;
  if (host.count === 1) return label;
  return label === ''
    ? words(say('show.host.each', { count: host.count }), language)
    : words(say('show.host.times', { label, count: host.count }), language);
}
