import { noCredits } from '../ib/aeth.ts';

/** Receives that a credit code of an AETH stands for (IBTA vol. 1, 9.7.7.2). Code 31 counts none: unlimited. */
const counts = [
  0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144,
  8192, 12288, 16384, 24576, 32768,
];

/** How many messages beyond the MSN a responder has room for; nothing when it does not count. */
export const creditsOf = (code: number): number | undefined => (code === noCredits ? undefined : counts[code & 0x1f]);

/** The largest code that promises no more receives than there are. */
export function creditCode(receives: number): number {
  let code = 0;
  while (code + 1 < counts.length && counts[code + 1]! <= receives) code++;
  return code;
}
