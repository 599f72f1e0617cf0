import type { Where } from '../../fact/fact.ts';
import { blockFormat } from '../kit/block.ts';
import { own } from '../own.ts';

/** `ucx_info -d` and the tables that UCX prints with `UCX_PROTO_INFO=y`: who registers GPU memory, and how messages go. */
export interface Ucx {
  readonly kind: 'ucx';
  readonly file: string;
  readonly version?: string;
  readonly domains: readonly UcxDomain[];
  readonly protocols: readonly UcxProtocol[];
  /** Transports of a list that a grep left without their devices, each once. */
  readonly transports: readonly { readonly name: string; readonly at: Where }[];
}

/** A memory domain: what one device, or one part of the host, can reach. */
export interface UcxDomain {
  /** `mlx5_0`, `cuda_cpy`, `self`. */
  readonly name: string;
  readonly component?: string;
  /** Memory types that it registers or reaches: `host`, `cuda`. */
  readonly memory?: { readonly types: readonly string[]; readonly at: Where };
  readonly devices: readonly string[];
  readonly at: Where;
}

/** One row of a table: a range of sizes and the way it takes. */
export interface UcxProtocol {
  /** As the head of the table has it: `tagged message by ucp_tag_send*() from cuda memory`. */
  readonly about: string;
  readonly range: string;
  readonly protocol: string;
  /** `rc_mlx5/mlx5_0:1`, `cuda_ipc/cuda`. */
  readonly via: string;
  readonly at: Where;
}

const limit = 2000;
const domainLine = /#\s*Memory domain:\s*([\w.\-/]{1,64})/;
const head = /\|\s*\S{1,40} (?:intra|inter)-node cfg#\d{1,4}[^|]{0,40}\|([^|]{3,160})\|/;
const tableRow = /\|\s*([\w.]{1,24}(?:\.\.[\w.]{1,24})?)\s*\|\s*([^|]{2,100}?)\s*\|\s*([^|]{1,100}?)\s*\|\s*$/;

export const ucx = blockFormat({
  id: 'ucx',
  example: '# Memory domain: mlx5_0',
  hints: ['Memory domain:', '-node cfg#', 'Library version:', 'Transport:'],
  starts: /# Memory domain:|# Library version: \d|# {2,}Transport: \w|\|\s*\S{1,40} (?:intra|inter)-node cfg#/,
  patience: 30,
  open: (context) => {
    type Open = { -readonly [K in keyof UcxDomain]: UcxDomain[K] } & { devices: string[] };
    const domains: Open[] = [];
    const protocols: UcxProtocol[] = [];
    const transports: { name: string; at: Where }[] = [];
    let version: string | undefined;
    let about: string | undefined;
    return {
      take(line, number) {
        const at = context.at(number);
        const told = /#\s*(?:Library version|Version):?\s*(\d[\w.]{1,20})/.exec(line);
        if (told) {
          version ??= own(told[1]!);
          return true;
        }
        const domain = domainLine.exec(line);
        if (domain) {
          if (domains.length < limit) domains.push({ name: own(domain[1]!), devices: [], at });
          return true;
        }
        const titled = head.exec(line);
        if (titled) {
          about = own(titled[1]!.trim());
          return true;
        }
        const row = about === undefined ? null : tableRow.exec(line);
        if (row && about !== undefined) {
          if (protocols.length < limit) {
            const [, range, protocol, via] = row;
            protocols.push({ about, range: own(range!), protocol: own(protocol!), via: own(via!), at });
          }
          return true;
        }
        if (/^\s*\+[-+]{4,}/.test(line)) return about !== undefined;
        const last = domains[domains.length - 1];
        const transport = last ? null : /#\s{2,}Transport:\s*([a-z]\w{1,30})/.exec(line);
        if (transport) {
          const name = own(transport[1]!);
          if (transports.length < 64 && !transports.some((t) => t.name === name)) transports.push({ name, at });
          return true;
        }
        if (!last) return false;
        const component = /#\s*Component:\s*(\S{1,40})/.exec(line);
        if (component) last.component ??= own(component[1]!);
        const types = /#\s*memory types:\s*(.{1,300})$/.exec(line);
        if (types) {
          const list = [...types[1]!.matchAll(/([a-z][\w-]{1,30})(?:\s*\([^)]{0,100}\))?/g)].map((m) => own(m[1]!));
          last.memory ??= { types: list, at };
        }
        const device = /#\s*Device:\s*(\S{1,64})/.exec(line);
        if (device && last.devices.length < 64) last.devices.push(own(device[1]!));
        return /^\s*#/.test(line);
      },
      close: () =>
        domains.length + protocols.length + transports.length === 0
          ? undefined
          : {
              kind: 'ucx',
              file: context.file,
              ...(version === undefined ? {} : { version }),
              domains,
              protocols,
              transports,
            },
    };
  },
});
