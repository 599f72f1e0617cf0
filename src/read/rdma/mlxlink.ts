import type { Where } from '../../fact/fact.ts';
import { blockFormat } from '../kit/block.ts';
import { own } from '../own.ts';

/** `mlxlink -d DEVICE`, with `-m`, `-c`, `--port_type PCIE` and `--json`: what the firmware says of a link. */
export interface Mlxlink {
  readonly kind: 'mlxlink';
  readonly file: string;
  readonly links: readonly LinkReport[];
}

export interface LinkReport {
  /** As the command names it; the tool itself prints no name. */
  readonly device?: string;
  readonly at: Where;
  /** By name in lower case, as printed: `physical state`, `link down counter`. */
  readonly fields: ReadonlyMap<string, { readonly value: string; readonly at: Where }>;
}

/** The names that mean something; a module alone has forty more. */
const known =
  /^(?:state|physical state|speed|width|fec|auto negotiation|(?:enabled link|supported cable) speed(?: \(ext\.\))?|(?:status|group) opcode|recommendation|time since last clear \[min\]|(?:symbol|effective physical|raw physical) (?:errors|ber)(?: per lane)?|link (?:down|error recovery) counter|link (?:speed|width) active \(enabled\)|device status|firmware version)$/;

const title = /"?(?:PCIe )?Operational (?:\(Enabled\) )?Info"?(?:\s*:\s*\{?)?\s*$/;
const command = /\bmlxlink\s[^|]{0,80}?(?:-d|--device)[\s=]+(?:([\w.:/-]{1,80})(?=\s|$))?/;
const field = /^\s*(?:"([^"]{1,60})"\s*:|([A-Z][\w ,()[\]./%+-]{1,60}?)\s+:)\s*(.*?)\s*$/;
const linkLimit = 512;

type Fields = Map<string, { value: string; at: Where }>;

const bare = (json: string): string => json.replace(/,$/, '').replace(/^"(.*)"$/, '$1');

export const mlxlink = blockFormat({
  id: 'mlxlink',
  example: 'Operational Info',
  hints: ['Operational', 'mlxlink'],
  starts: new RegExp(`${title.source}|${command.source}`),
  patience: 40,
  open: (context) => {
    const links: { device?: string; at: Where; fields: Fields }[] = [];
    /** A list of JSON that goes on over lines: whose it is, and what it holds so far. */
    let list: { name: string; at: Where; values: string[] } | undefined;
    const begin = (at: Where, device?: string): void => {
      if (links.length >= linkLimit) return;
      links.push({ at, fields: new Map(), ...(device === undefined ? {} : { device: own(device) }) });
    };
    const keep = (name: string, value: string, at: Where): boolean => {
      const fields = links.at(-1)?.fields;
      if (!fields) return false;
      if (!known.test(name)) return fields.size > 0;
      if (!fields.has(name) && value !== '') fields.set(own(name), { value: own(value.slice(0, 300)), at });
      return true;
    };
    /** Below a name whose value is an object: `"mask"`, and the `"values"`. */
    const inList = (line: string): boolean => {
      if (!list || /^\s*"[A-Z]/.test(line.replace(/^\s*"[A-Z][\w.+-]*",?\s*$/, ''))) return false;
      if (/"mask"/.test(line)) return true;
      const text = line.replace(/"values"\s*:/, '');
      for (const [value] of text.matchAll(/[\w.+-]{1,40}/g)) if (list.values.length < 64) list.values.push(value);
      if (/[\]}]/.test(line)) {
        keep(list.name, list.values.join(','), list.at);
        list = undefined;
      }
      return true;
    };
    return {
      take(line, number) {
        const at = context.at(number);
        const asked = command.exec(line);
        if (asked) {
          begin(at, asked[1]);
          return true;
        }
        if (title.test(line)) {
          list = undefined;
          // The report of the command above, or the next one of a loop, of which nobody knows the device.
          if (links.at(-1)?.fields.size !== 0) begin(at);
          return true;
        }
        if (inList(line)) return true;
        list = undefined;
        const found = field.exec(line);
        if (!found) return /^\s*-{4,}\s*$/.test(line);
        const name = (found[1] ?? found[2])!.toLowerCase();
        const value = bare(found[3]!);
        if (found[1] !== undefined && /^\{?$/.test(value) && known.test(name)) {
          list = { name, at, values: [] };
          return true;
        }
        return keep(name, value, at);
      },
      close: () => {
        const said = links.filter((l) => l.fields.size > 0);
        return said.length === 0 ? undefined : { kind: 'mlxlink', file: context.file, links: said };
      },
    };
  },
});
