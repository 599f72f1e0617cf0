import { eastAsianWidth } from 'get-east-asian-width';

/** Characters that are one code unit and take one cell: nearly all there is; asking Unicode about them is slow. */
const simple = /^[\x20-\x7e\u2190-\u21ff\u2500-\u257f…×·–≤≠✖▲→]*$/;
const colour = /\u001b\[[0-9;]*m/g;
/** Marks that join the character before, controls and format characters: no cell of their own. */
const zero = /^[\p{Mark}\p{Control}\p{Format}\p{Surrogate}]/u;

let segmenter: Intl.Segmenter | undefined;

/** The characters of a text as people count them, each with the terminal cells it takes. */
export function* graphemes(text: string): Generator<{ readonly segment: string; readonly cells: number }> {
  if (simple.test(text)) {
    for (const segment of text) yield { segment, cells: 1 };
    return;
  }
  segmenter ??= new Intl.Segmenter();
  for (const { segment } of segmenter.segment(text)) {
    const first = segment.codePointAt(0)!;
    // An emoji selector makes a narrow symbol wide.
    const wide = segment.includes('\ufe0f') ? 2 : eastAsianWidth(first);
    yield { segment, cells: zero.test(segment) ? 0 : wide };
  }
}

/** Terminal cells a text takes; a Chinese character takes two, colour codes none. */
export function cells(text: string): number {
  const plain = text.includes('\u001b') ? text.replace(colour, '') : text;
  if (simple.test(plain)) return plain.length;
  let n = 0;
  for (const g of graphemes(plain)) n += g.cells;
  return n;
}
