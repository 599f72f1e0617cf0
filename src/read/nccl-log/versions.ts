import type { Where } from '../../fact/fact.ts';
import { Bounded, own } from '../own.ts';
import type { NcclVersion } from './types.ts';

type Kept = { -readonly [K in keyof NcclVersion]: NcclVersion[K] };

/** What vLLM and SGLang say of the library that they load, and what PyTorch's collect_env lists. */
const loaded = /\b(?:is using nccl|nvidia-nccl-cu\d{2})==()(\d{1,2}\.\d{1,3}(?:\.\d{1,3})?)()/;
/** The cheap test for it. */
export const namesLibrary = (text: string): boolean => text.includes('nccl') && loaded.test(text);

/** `NCCL version 2.21.5+cuda12.4`, `RCCL version : 2.22.3-HEAD:…`, `RCCL version 2.18.3+hip6.0 …` wherever they stand. */
const banner = /\b([NR])CCL version ?:? ?(\d+\.\d+(?:\.\d+)?)([\w.:+-]*)/;

/** The library's own banner, and the two lines that RCCL prints below its. */
export class Versions {
  readonly #found = new Bounded<Kept>(64);
  #lastRccl: Kept | undefined;
  #rcclLine = -1;
  readonly #at: (line: number) => Where;

  constructor(at: (line: number) => Where) {
    this.#at = at;
  }

  line(text: string, number: number): boolean {
    const found = banner.exec(text) ?? loaded.exec(text);
    if (!found) return false;
    const [, letter, version, rest] = found;
    const entry = this.#found.take(`${letter} ${version}${rest}`, () => {
      const cuda = /\+cuda(\d+(?:\.\d+)*)/.exec(rest!);
      const hip = /\+hip(\d+(?:\.\d+)*)/.exec(rest!);
      return {
        text: own(version!),
        printed: own(`${version}${rest}`),
        ...(cuda ? { cuda: own(cuda[1]!) } : {}),
        ...(hip ? { hip: own(hip[1]!) } : {}),
        flavour: letter === 'R' ? ('rccl' as const) : ('nccl' as const),
        at: this.#at(number),
        count: 0,
      };
    });
    if (!entry) return true;
    entry.count++;
    if (letter === 'R') {
      this.#lastRccl = entry;
      this.#rcclLine = number;
    }
    return true;
  }

  /** `HIP version  : 6.4.0-0` and `ROCm version : …` follow RCCL's banner without a prefix, as do host name and library path. */
  below(text: string, number: number): boolean {
    if (!this.#lastRccl || number - this.#rcclLine > 12) return false;
    const found =
      /^[\s>|]*(?:\S+:\d+:\d+ \[\d+\] NCCL INFO )?(HIP version|ROCm version|Hostname|Librccl path|librccl path)\s*:\s*(\S+)/.exec(
        text,
      );
    if (!found) return false;
    if (found[1] === 'HIP version') this.#lastRccl.hip ??= own(found[2]!);
    else if (found[1] === 'ROCm version') this.#lastRccl.rocm ??= own(found[2]!);
    return true;
  }

  /** The version that counts when only one can: the one seen most. */
  get main(): string | undefined {
    return this.#found.values().sort((a, b) => b.count - a.count)[0]?.text;
  }

  result(): NcclVersion[] {
    return this.#found.values();
  }
}
