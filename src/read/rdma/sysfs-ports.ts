import { fact, type Where } from '../../fact/fact.ts';
import { blockFormat } from '../kit/block.ts';
import { own } from '../own.ts';
import { type Port, portLimit, stateOf } from './ports.ts';

const attribute = '(state|phys_state|rate|link_layer|sm_lid)';
const path = `infiniband/([\\w.-]{1,64})/ports/(\\d{1,3})/${attribute}`;
const told = new RegExp(`${path}\\s*[:=]\\s*(\\S.{0,60}?)\\s*$`);
const asked = new RegExp(`${path}(?: <==)?\\s*$`);

/** The files of ports in sysfs: `grep . /sys/class/infiniband/…/ports/1/state`, or `cat` (`tail`) of one and its text below. */
export const sysfsPorts = blockFormat({
  id: 'sysfs-ports',
  example: '/sys/class/infiniband/mlx5_0/ports/1/state:4: ACTIVE',
  hints: ['/ports/'],
  starts: new RegExp(`(?:/[\\w./*-]{0,80}?)?(?:${path}\\s*[:=]\\s*\\S|${asked.source})`),
  patience: 40,
  open: (context) => {
    const ports = new Map<string, Port>();
    let pending: readonly string[] | undefined;
    const set = ([device, port, name]: readonly string[], text: string, at: Where): true => {
      const key = `${device} ${port}`;
      let one = ports.get(key);
      if (!one && ports.size < portLimit) {
        one = { device: own(device!), port: Number(port), at, gids: [] };
        ports.set(key, one);
      }
      if (one) fill(one, name!, text, at);
      return true;
    };
    return {
      take(line, number) {
        const before = pending;
        pending = undefined;
        const found = told.exec(line);
        if (found) return set(found.slice(1, 4), found[4]!, context.at(number));
        pending = asked.exec(line)?.slice(1, 4);
        if (pending) return true;
        const bare =
          before &&
          /^\s*(\d{1,4}: [A-Z]\w{2,20}|\d{1,5} Gb\/sec.{0,40}|InfiniBand|Ethernet|0x[0-9a-f]+)\s*$/.exec(line);
        return bare ? set(before, bare[1]!, context.at(number)) : false;
      },
      close: () =>
        ports.size === 0
          ? undefined
          : { kind: 'rdma-ports', file: context.file, from: 'sysfs', ports: [...ports.values()], lost: [], none: [] },
    };
  },
});

function fill(port: Port, name: string, text: string, at: Where): void {
  switch (name) {
    case 'state':
      port.state ??= fact(stateOf(text), at);
      break;
    case 'phys_state':
      port.physical ??= fact(own(text.replace(/^\d+: ?/, '')), at);
      break;
    case 'link_layer':
      if (/^(?:InfiniBand|Ethernet)$/.test(text)) port.layer ??= fact(text as 'InfiniBand' | 'Ethernet', at);
      break;
    case 'sm_lid':
      if (Number.isInteger(Number(text))) port.smLid ??= fact(Number(text), at);
      break;
    default: {
      const rate = /^(\d{1,5}(?:\.\d{1,3})?)(?: Gb\/sec)?(?: \((\d{1,2})X)?/.exec(text);
      if (rate) port.rate ??= fact(Number(rate[1]), at);
      if (rate?.[2]) port.lanes ??= Number(rate[2]);
    }
  }
}
