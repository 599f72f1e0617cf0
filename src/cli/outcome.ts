import { type Message, say } from '../words/message.ts';

/** Exit codes of the contract. */
export const exit = { fine: 0, findings: 1, noAnswer: 2, fault: 3 } as const;

/** An answer that could not be given: bad usage or input, with what to say. */
export class NoAnswer extends Error {
  constructor(
    readonly reason: Message,
    readonly details: readonly Message[] = [],
  ) {
    super(reason.code);
  }
}

/** What a verb hands back: text or JSON for standard output, prose for standard error, and how it ended. */
export interface Outcome {
  readonly text: string;
  readonly code: number;
  readonly aside?: readonly string[];
}

/** Writes a file that was asked for; where that is not possible, says so and why. */
export async function writeOut(file: string, data: string | Uint8Array): Promise<void> {
  const { writeFile } = await import('node:fs/promises');
  try {
    await writeFile(file, data);
  } catch (error) {
    throw new NoAnswer(say('cli.write', { file, why: say(systemReason(error)) }));
  }
}

/** What the system says of a file that cannot be read or written. */
export function systemReason(
  error: unknown,
): 'cli.why.missing' | 'cli.why.denied' | 'cli.why.folder' | 'cli.why.full' | 'cli.why.other' {
  switch ((error as { code?: string }).code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'cli.why.missing';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'cli.why.denied';
    case 'EISDIR':
      return 'cli.why.folder';
    case 'ENOSPC':
      return 'cli.why.full';
    default:
      return 'cli.why.other';
  }
}
