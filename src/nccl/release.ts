/**
 * NCCL releases: which facts are at hand, and how one is chosen for a version that people write in many ways.
 * Source: the tags of the public repository https://github.com/NVIDIA/nccl/tags ("-1" suffix dropped).
 */
export const releases = [
  '2.3.5', '2.3.7', '2.4.2', '2.4.6', '2.4.7', '2.4.8', '2.5.6', '2.5.7', '2.6.4', '2.7.3', '2.7.5', '2.7.6', '2.7.8',
  '2.8.3', '2.8.4', '2.9.6', '2.9.8', '2.9.9', '2.10.3', '2.11.4', '2.12.7', '2.12.10', '2.12.12', '2.13.4', '2.14.3',
  '2.15.1', '2.15.5', '2.16.2', '2.16.5', '2.17.1', '2.18.1', '2.18.3', '2.18.5', '2.18.6', '2.19.1', '2.19.3', '2.19.4',
  '2.20.3', '2.20.5', '2.21.5', '2.22.3', '2.23.4', '2.24.3', '2.25.1', '2.26.2', '2.26.3', '2.26.5', '2.26.6', '2.27.3',
  '2.27.5', '2.27.6', '2.27.7', '2.28.3', '2.28.7', '2.28.9', '2.29.2', '2.29.3', '2.29.7', '2.30.3', '2.30.4', '2.30.7',
] as const; // biome-ignore format: one table, oldest first

/** Releases before this one have no topology search that can be answered from a topology file. */
export const oldestDecidable = '2.6.4';
export const newest: string = releases[releases.length - 1]!;

/** major*10000 + minor*100 + patch, as NCCL's own NCCL_VERSION_CODE since 2.9. */
export type ReleaseCode = number;

export interface Release {
  /** The release whose facts decide. */
  readonly name: string;
  readonly code: ReleaseCode;
  /** What was asked for, when it is not a release whose facts are at hand. */
  readonly asked?: string;
}

/** Asked for the same few names many times over in one decision. */
const codes = new Map<string, ReleaseCode | undefined>();

export function releaseCode(text: string): ReleaseCode | undefined {
  if (codes.has(text)) return codes.get(text);
  const code = parseCode(text);
  // Names come from the tables here, and one or two from the user; a bound all the same.
  if (codes.size < 1000) codes.set(text, code);
  return code;
}

function parseCode(text: string): ReleaseCode | undefined {
  const m = /^v?(\d{1,2})\.(\d{1,2})(?:\.(\d{1,2}))?/.exec(text.trim());
  if (!m) return undefined;
  return Number(m[1]) * 10000 + Number(m[2]) * 100 + (m[3] === undefined ? 99 : Number(m[3]));
}

/** The newest release not newer than the one asked for; a bare `2.18` means the last of that series. */
export function releaseFor(text: string): Release | undefined {
  const wanted = releaseCode(text);
  if (wanted === undefined) return undefined;
  const decidable = releases.filter((r) => releaseCode(r)! >= releaseCode(oldestDecidable)!);
  const below = decidable.filter((r) => releaseCode(r)! <= wanted);
  const name = below[below.length - 1] ?? decidable[0]!;
  const release = { name, code: releaseCode(name)! };
  const exact =
    name ===
    text
      .trim()
      .replace(/^v/, '')
      .replace(/[-+].*$/, '');
  return exact ? release : { ...release, asked: text.trim() };
}

/** Picks the row in force at a release from rows ordered oldest first: [first release, value]. */
export function since<T>(release: Release, rows: readonly (readonly [string, T])[]): T {
  let value = rows[0]![1];
  for (const [from, v] of rows) {
    if (releaseCode(from)! <= release.code) value = v;
    else break;
  }
  return value;
}

export const atLeast = (release: Release, name: string): boolean => release.code >= releaseCode(name)!;

/** The most channels a communicator can have (MAXCHANNELS of src/include/device.h). */
export const channelLimit = (release: Release): number => (atLeast(release, '2.25.1') ? 64 : 32);
