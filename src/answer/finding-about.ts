import { effectOf, fixOf, knownOf, titleOf } from '../doctor/finding.ts';
import { about, type FindingId, findingIds } from '../doctor/ids.ts';
import type { Message } from '../words/message.ts';
import { say } from '../words/message.ts';

/** A finding explained without any input: what it is, what it does, how it is known, how it is mended. */
export interface FindingAbout {
  readonly id: FindingId;
  readonly title: Message;
  readonly parts: readonly { readonly label: Message; readonly text: Message }[];
  readonly docs: string;
}

export { findingIds };

export function findingAbout(word: string): FindingAbout | undefined {
  const id = findingIds.find((one) => one === word.toLowerCase());
  if (!id) return undefined;
  return {
    id,
    title: titleOf(id),
    parts: [
      { label: say('doctor.explain.effect'), text: effectOf(id) },
      { label: say('doctor.explain.known'), text: knownOf(id) },
      { label: say('doctor.explain.fix'), text: fixOf(id) },
    ],
    docs: about[id].docs,
  };
}
