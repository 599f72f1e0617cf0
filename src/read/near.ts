import type { Message } from '../words/message.ts';
import type { Format } from './format.ts';

/** As many are worth a person's reading. */
const most = 3;

/** Below this only stray words agree. */
const enough = 0.75;

/** Of what kind of text a format is, where its name says so. */
const kin: Readonly<Record<string, RegExp>> = {
  'input.looks.xml': /-xml$|-x$/,
  'input.looks.json': /json/,
  'input.looks.yaml': /yaml/,
};

/**
 * The formats that a text which is none of them comes closest to, the closest first: by the words that open one (its marks and hints,
 * and those of the example line that it asks for), rare and long words counting most; without any, those of the same kind of text.
 */
export function nearFormats(lines: readonly string[], formats: readonly Format[], look: Message | undefined): string[] {
  const text = lines.join('\n');
  const words = wordsOf(formats);
  const alike = kin[look?.code ?? ''];
  // XML and JSON are told by their first characters; a line that could be YAML is many a thing.
  const strict = look?.code === 'input.looks.xml' || look?.code === 'input.looks.json';
  const scored = formats
    .filter(({ id }) => !strict || alike?.test(id))
    .map((format) => {
      const own = [...words.get(format)!].filter((word) => text.includes(word));
      return {
        id: format.id,
        score: own.reduce((sum, word) => sum + Math.min(1, word.length / 8) / sharing(words, word), 0),
      };
    })
    .filter(({ score }) => score >= enough)
    .sort((a, b) => b.score - a.score);
  if (scored.length > 0) return scored.slice(0, most).map(({ id }) => id);
  return alike
    ? formats
        .filter(({ id }) => alike.test(id))
        .map(({ id }) => id)
        .slice(0, most)
    : [];
}

type Words = ReadonlyMap<Format, ReadonlySet<string>>;

/** Worked out once for each set of formats. */
const known = new WeakMap<readonly Format[], Words>();

function wordsOf(formats: readonly Format[]): Words {
  const made = known.get(formats);
  if (made) return made;
  const words = new Map(formats.map((f) => [f, tellingWords(f)] as const));
  known.set(formats, words);
  return words;
}

function tellingWords(format: Format): Set<string> {
  const example = format.missing.args['example'];
  const shown = typeof example === 'string' ? example.split(/[\s,()[\]]+/) : [];
  return new Set([...(format.marks ?? []), ...[...(format.hints ?? []), ...shown].filter(telling)]);
}

/** Not what prose is made of: long, or with something but small letters in it. */
const telling = (word: string): boolean => word.trim().length >= 4 && (word.length >= 8 || /[A-Z0-9_<":=/]/.test(word));

const sharing = (words: Words, word: string): number => [...words.values()].filter((own) => own.has(word)).length;
