import { fact } from '../../fact/fact.ts';
import { blockFormat } from '../kit/block.ts';
import { own } from '../own.ts';
import { type Port, portLimit, stateOf } from './ports.ts';

/** The table that HCA inventory scripts print: `PCI_addr | RDMA | … | LnkCapWidth | LnkStaWidth | HCA_Type`. */
export const hcaTable = blockFormat({
  id: 'hca-table',
  example: 'PCI_addr | RDMA | Net | Numa | LnkStat | IpStat | Link | Rate | LnkCapWidth | LnkStaWidth | HCA_Type',
  hints: ['LnkStaWidth'],
  starts: /[|\s]*\w+\s*\|\s*RDMA\s*\|.*LnkStaWidth/,
  open: (context) => {
    let columns: string[] = [];
    const ports: Port[] = [];
    return {
      take(line, number) {
        if (/^[\s+|-]*$/.test(line)) return true;
        const cells = line.split('|').map((c) => c.trim());
        if (line.includes('LnkStaWidth')) {
          columns = cells.map((c) => c.toLowerCase());
          return true;
        }
        const cell = (name: string): string => cells[columns.indexOf(name)] ?? '';
        const device = cell('rdma');
        if (device === '' || cells.length < columns.length - 2 || ports.length >= portLimit) return false;
        const at = context.at(number);
        const rate = Number.parseInt(cell('rate'), 10);
        const type = cell('hca_type');
        const width = cell('lnkstawidth');
        ports.push({
          device: own(device),
          port: 1,
          at,
          busId: own(cell('pci_addr')),
          state: fact(stateOf(cell('lnkstat') === 'up' ? 'active' : cell('lnkstat')), at),
          ...(cell('link') === 'IB' ? { layer: fact('InfiniBand' as const, at) } : {}),
          ...(rate > 0 ? { rate: fact(rate, at) } : {}),
          ...(type === '' ? {} : { caType: fact(own(type), at) }),
          ...(width.includes('>!<') ? { narrow: fact(own(width), at) } : {}),
          gids: [],
        });
        return true;
      },
      close: () =>
        ports.length === 0
          ? undefined
          : { kind: 'rdma-ports', file: context.file, from: 'hca-table', ports, lost: [], none: [] },
    };
  },
});
