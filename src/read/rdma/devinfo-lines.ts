import type { Where } from '../../fact/fact.ts';
import { blockFormat } from '../kit/block.ts';
import { own } from '../own.ts';

/** Lines that a grep left of `ibv_devinfo`, without the device and the port that they are of. */
export interface DevinfoLines {
  readonly kind: 'devinfo-lines';
  readonly file: string;
  readonly lines: readonly DevinfoLine[];
}

export interface DevinfoLine {
  readonly name: 'state' | 'max_mtu' | 'active_mtu' | 'link_layer';
  /** Without the number of the enumeration: `PORT_ACTIVE`, `1024`, `Ethernet`. */
  readonly value: string;
  readonly at: Where;
}

/** No other tool prints the number of the enumeration behind the value. */
const sure = /(?:\b(max_mtu|active_mtu):\s+(256|512|1024|2048|4096) \([1-5]\)|\b(state):\s+(PORT_[A-Z]+) \(\d\))\s*$/;
const layer = /^\s*link_layer:\s+(InfiniBand|Ethernet)\s*$/;

export const devinfoLines = blockFormat({
  id: 'ibv_devinfo-lines',
  example: 'active_mtu: 4096 (5)',
  hints: ['_mtu:', 'PORT_'],
  starts: sure,
  open: (context) => {
    const lines: DevinfoLine[] = [];
    return {
      take(line, number) {
        const found = sure.exec(line);
        const [name, value] = found
          ? [found[1] ?? found[3], found[2] ?? found[4]]
          : ['link_layer', layer.exec(line)?.[1]];
        if (value === undefined) return false;
        if (lines.length < 1024) {
          lines.push({ name: name as DevinfoLine['name'], value: own(value), at: context.at(number) });
        }
        return true;
      },
      close: () => ({ kind: 'devinfo-lines', file: context.file, lines }),
    };
  },
});
