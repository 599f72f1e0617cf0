import { diagnose } from '../../src/doctor/diagnose.ts';
import type { Finding } from '../../src/doctor/finding.ts';
import type { FindingId } from '../../src/doctor/ids.ts';
import { bytesSource } from '../../src/input/source.ts';
import type { Document } from '../../src/read/documents.ts';
import { readSource } from '../../src/read/read-source.ts';

/** An input that a person may paste, made up, and what must be found in it. */
export interface Case {
  readonly id: FindingId;
  readonly files: Readonly<Record<string, readonly string[]>>;
  /** Error and warning are loud; a remark must stay one. */
  readonly strength: 'loud' | 'info';
  /** Where it stands: `file:line`, each among the evidence within two lines. */
  readonly at?: readonly string[];
  /** Lines (or whole files) without which there is nothing to find. */
  readonly without: RegExp;
  /** Findings that may come with it. */
  readonly also?: readonly FindingId[];
}

export async function documentsOf(files: Readonly<Record<string, readonly string[]>>, end = '\n'): Promise<Document[]> {
  const all: Document[] = [];
  for (const [name, lines] of Object.entries(files)) {
    const bytes = new TextEncoder().encode(lines.join(end) + end);
    for (const r of await readSource(bytesSource(name, bytes))) all.push(...r.documents);
  }
  return all;
}

export async function findingsOf(
  files: Readonly<Record<string, readonly string[]>>,
  end = '\n',
): Promise<readonly Finding[]> {
  return diagnose(await documentsOf(files, end)).findings;
}

export const loud = (f: Finding): boolean => f.severity !== 'info' && f.confidence >= 0.5;

/** The same input as another machine would print it: other names of devices, addresses and hosts. */
export function renamed(files: Case['files']): Case['files'] {
  const change = (line: string): string =>
    line
      .replace(/\bmlx5_(\d)\b/g, (_, n: string) => `mlx5_${Number(n) + 20}`)
      .replace(/\bbirch\b/g, 'gpu-node-017')
      .replace(/\bash\b/g, 'gpu-node-018')
      .replace(/\b192\.0\.2\./g, '198.51.100.');
  return Object.fromEntries(
    Object.entries(files).map(([name, lines]) => [`pasted/${name.replace(/\.\w+$/, '')}.out`, lines.map(change)]),
  );
}

/** Before every line of XML or JSON there is nothing: with it, the file is another one. */
const structured = (lines: readonly string[]): boolean => /^\s*[<{]/.test(lines[0] ?? '');

const each =
  (change: (line: string, i: number) => string) =>
  (files: Case['files']): Case['files'] =>
    Object.fromEntries(
      Object.entries(files).map(([name, lines]) => [
        name,
        structured(lines) ? lines : lines.map((l, i) => (l === '' ? l : change(l, i))),
      ]),
    );

/** What stands around the lines of a tool by the time that somebody else reads them. */
export const clothes: Readonly<Record<string, (files: Case['files']) => Case['files']>> = {
  quoted: each((l) => `> ${l}`),
  'of mpirun': each((l) => `[1,0]<stdout>:${l}`),
  'of Ray, in colour': each((l) => `\u001b[36m(RayWorker pid=7)\u001b[0m ${l}`),
  'of pdsh': each((l) => `node7: ${l}`),
  'of srun': each((l) => ` 3: ${l}`),
  'of docker compose': each((l) => `worker-1  | ${l}`),
  'of a container runtime': each(
    (l, i) => `2025-11-03T09:${String(i % 60).padStart(2, '0')}:33.123456789Z stdout F ${l}`,
  ),
  'with times': each((l, i) => `[2025-11-03 09:12:${String(i % 60).padStart(2, '0')}] ${l}`),
  indented: each((l) => `    ${l}`),
  'with blanks for tabs': each((l) => l.replaceAll('\t', '        ')),
  'without leading blanks': each((l) => l.trim()),
  fenced: (files) =>
    Object.fromEntries(
      Object.entries(files).map(([name, lines]) => [name, ['So it says:', '```', ...lines, '```', 'Any idea?']]),
    ),
};

type Named = readonly (readonly [name: string, lines: readonly string[]])[];

/** All files of a case in one, as they stand in an issue. */
export const issues: Readonly<Record<string, (files: Named) => string[]>> = {
  fenced: (files) => files.flatMap(([name, lines]) => [`**${name}**`, '```', ...lines, '```', '']),
  'without a mark between': (files) => files.flatMap(([, lines]) => lines),
  'with words between': (files) =>
    files.flatMap(([name, lines]) => [
      `Then I looked at ${name}, which says the following.`,
      '',
      ...lines,
      '',
      'Is that normal?',
      '',
    ]),
};

export const lacking = (files: Case['files'], without: RegExp): Case['files'] =>
  Object.fromEntries(
    Object.entries(files)
      .filter(([name]) => !without.test(`file ${name}`))
      .map(([name, lines]) => [name, lines.filter((l) => !without.test(l))]),
  );
