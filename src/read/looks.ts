import { type Message, say } from '../words/message.ts';

/** Says what an input looks like to a person, so that a refusal can begin with it. */
export interface Look {
  /** How many of the first lines it wants to see. */
  readonly lines: number;
  line(text: string): void;
  /** `recognised`: something was read, so only an input that says more than its documents deserves a word. */
  end(recognised: boolean): Message | undefined;
}

interface Guess {
  readonly code: Parameters<typeof say>[0];
  readonly test: RegExp;
}

/** In order of certainty; tested on the first lines that are not blank. */
const guesses: readonly Guess[] = [
  { code: 'input.looks.html', test: /^\s*(?:<!doctype html|<html|<head|<body)/i },
  { code: 'input.looks.xml', test: /^\s*<(?:\?xml|[A-Za-z_][\w:-]*[\s>])/ },
  { code: 'input.looks.json', test: /^\s*[{[]\s*(?:["{[\]}]|$)/ },
  { code: 'input.looks.yaml', test: /^\s*(?:---\s*$|[A-Za-z_][\w-]*:(?:\s|$))/ },
];

export function looksLike(): Look {
  let seen = 0;
  let guess = guesses.length;
  return {
    lines: 200,
    line(text) {
      if (text.trim() === '') return;
      seen++;
      // XML, JSON and YAML are told by how a file begins; HTML wherever it shows.
      const until = Math.min(guess, seen > 3 ? 1 : guesses.length);
      for (let i = 0; i < until; i++) {
        if (guesses[i]!.test.test(text.length > 400 ? text.slice(0, 400) : text)) {
          guess = i;
          return;
        }
      }
    },
    end(recognised) {
      if (recognised) return undefined;
      if (seen === 0) return say('input.looks.empty');
      return say(guesses[guess]?.code ?? 'input.looks.text');
    },
  };
}
