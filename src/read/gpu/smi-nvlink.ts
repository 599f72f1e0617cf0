import type { Where } from '../../fact/fact.ts';
import { blockFormat } from '../kit/block.ts';
import { own } from '../own.ts';

/** `nvidia-smi nvlink -s`, `nvidia-smi -L` and PyTorch's collect_env: GPUs by name, with their NVLinks where asked. */
export interface SmiGpuList {
  readonly kind: 'smi-gpus';
  readonly file: string;
  readonly gpus: readonly SmiListedGpu[];
}

export interface SmiListedGpu {
  readonly index: number;
  readonly name: string;
  readonly uuid?: string;
  readonly at: Where;
  readonly links: readonly {
    readonly index: number;
    readonly active: boolean;
    readonly gbps?: number;
    readonly at: Where;
  }[];
  /** `Unable to retrieve NVLink information as all links are inActive`. */
  readonly allInactive?: Where;
}

type Made = { -readonly [K in keyof SmiListedGpu]: SmiListedGpu[K] } & { links: SmiListedGpu['links'][number][] };

export const smiGpus = blockFormat({
  id: 'nvidia-smi-nvlink',
  example: 'GPU 0: NVIDIA A100-SXM4-80GB (UUID: GPU-…)',
  hints: ['GPU '],
  starts:
    /GPU models and configuration:|^\s*GPU \d{1,3}(?:,\d{1,3}){1,63}: (?:NVIDIA|Tesla|GeForce|Quadro|AMD)|GPU \d{1,3}: \S.{0,80} \(UUID: [^)]{4,60}\)/,
  open: (context) => {
    const gpus: Made[] = [];
    let listed = false;
    return {
      take(line, number) {
        const at = context.at(number);
        // collect_env leaves the UUIDs out; one GPU stands behind the title.
        const title = /^\s*GPU models and configuration:\s*/.exec(line);
        listed ||= title !== null;
        const named = title ? line.slice(title[0].length) : line;
        const gpu =
          /^\s*GPU (\d{1,3}): (\S.{0,80}?) \(UUID:(?: (GPU-[\w-]{4,60})\))?/.exec(named) ??
          (listed ? /^\s*GPU (\d{1,3}): (\S[^():]{1,80}?)\s*$/.exec(named) : null);
        if (gpu) {
          const uuid = gpu[3] === undefined ? {} : { uuid: own(gpu[3]) };
          if (gpus.length < 1024) gpus.push({ index: Number(gpu[1]), name: own(gpu[2]!), ...uuid, at, links: [] });
          return true;
        }
        // SGLang's list names a kind once, for all GPUs that are of it.
        const kind = /^\s*GPU (\d{1,3}(?:,\d{1,3}){1,63}): ((?:NVIDIA|Tesla|GeForce|Quadro|AMD)\b.{0,80}?)\s*$/.exec(
          line,
        );
        if (kind) {
          for (const index of kind[1]!.split(',')) {
            if (gpus.length < 1024) gpus.push({ index: Number(index), name: own(kind[2]!), at, links: [] });
          }
          return true;
        }
        if (title) return true;
        const last = gpus.at(-1);
        const link = /^\s*Link (\d{1,3}): (?:(\d{1,4}(?:\.\d{1,4})?) GB\/s|<?(inactive|disabled)>?)/i.exec(line);
        if (link && last) {
          if (last.links.length < 64)
            last.links.push({
              index: Number(link[1]),
              active: link[2] !== undefined,
              ...(link[2] === undefined ? {} : { gbps: Number(link[2]) }),
              at,
            });
          return true;
        }
        if (/all links are in-?active/i.test(line) && last) {
          last.allInactive ??= at;
          return true;
        }
        return /^\s*(?:Link \d|MIG )/.test(line);
      },
      close: () => (gpus.length === 0 ? undefined : { kind: 'smi-gpus', file: context.file, gpus }),
    };
  },
});
