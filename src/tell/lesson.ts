import { calibration } from '../catalogue/calibration.ts';
import type { PacketPart } from '../wire/packet-parts.ts';
import { type Language, type Message, say } from '../words/message.ts';
import { render } from '../words/render.ts';
import type { Demonstration } from '../workload/learn.ts';
import { duration, significant } from './text/quantity.ts';

/** What a lesson's run counted. */
export const runSentence = (d: Demonstration): Message =>
  say('learn.run', {
    bytes: d.bytes,
    copied: d.run.copied,
    host: d.run.host,
    cores: d.run.byCores,
    nics: d.run.byNics,
  });

/** What registering the buffers took; nothing where no verbs are used, since the kernel maps its own buffers once for all. */
export function registeredSentence(d: Demonstration): Message | undefined {
  const verbs = !d.model.stages.some((s) => s.name.code.startsWith('move.stage.kernel'));
  if (!verbs || d.run.registrations === 0) return undefined;
  return say('learn.registered', {
    count: d.run.registrations,
    time: duration(d.run.registerSeconds * 1e6),
    again: duration(calibration.registerHit.value),
  });
}

/** The parts of a full packet and the payload's share. */
export function packetSentence(d: Demonstration, language: Language): Message | undefined {
  if (!d.packet) return undefined;
  const total = d.packet.reduce((sum, p) => sum + p.bytes, 0);
  const payload = d.packet.find((p) => p.name === 'payload')?.bytes ?? 0;
  const name = (p: PacketPart): string =>
    p.name === 'payload'
      ? render(say('learn.part.payload'), language)
      : p.name === 'preamble, FCS and gap'
        ? render(say('learn.part.framing'), language)
        : p.name;
  const parts = d.packet.map((p) => `${name(p)} ${p.bytes}`).join(' · ');
  return say('learn.packet', { parts, share: significant((100 * payload) / total) });
}

/** Whether the way is open today, and by which rule. */
export const todaySentence = (d: Demonstration): Message =>
  say('learn.today', { today: say(`learn.today.${d.model.allowed}`), rule: d.model.rule });
