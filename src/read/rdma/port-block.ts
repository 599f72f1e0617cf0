import { fact, type Where } from '../../fact/fact.ts';
import type { ReadContext } from '../format.ts';
import type { Block } from '../kit/block.ts';
import { own } from '../own.ts';
import { type Port, type PortTool, portLimit, type RdmaPorts, stateOf } from './ports.ts';

const turnLimit = 512;

/** Limits and flags of a device, which say nothing here. */
const detail =
  /^\s*(?:max_(?!mtu)\w+:|[a-z]+(?:_[a-z]+)*_cap\w*:|\w+_(?:mode|rate|clock|unit|granularity|offset|ack_delay):|[A-Z][A-Z0-9_]{4,60}\s*$|Unknown flags:)/;

/** Fields that a port has once. */
const ofPort: Readonly<Record<string, 'state' | 'physical' | 'rate' | 'activeMtu' | 'maxMtu' | 'layer'>> = {
  state: 'state',
  'physical state': 'physical',
  'phys state': 'physical',
  rate: 'rate',
  'active mtu': 'activeMtu',
  'max mtu': 'maxMtu',
  'link layer': 'layer',
};

/** Collects ports from `key: value` lines below a device line: what ibstat, ibstatus and ibv_devinfo have in common. */
export class PortBlock implements Block {
  readonly ports: Port[] = [];
  readonly lost: { device: string; at: Where }[] = [];
  readonly none: { why: 'no-devices' | 'not-implemented'; at: Where }[] = [];
  device: string | undefined;
  /** Facts of the device that stand above its ports. */
  #caType: { value: string; at: Where } | undefined;
  #iwarp = false;
  #card: string | undefined;
  /** The port was not named, only its fields. */
  #unnamed = false;
  port: Port | undefined;
  readonly #done: RdmaPorts[] = [];
  readonly #context: ReadContext;
  readonly #from: PortTool;
  readonly #first: (block: PortBlock, line: string, at: Where) => boolean;

  constructor(context: ReadContext, from: PortTool, first: (block: PortBlock, line: string, at: Where) => boolean) {
    this.#context = context;
    this.#from = from;
    this.#first = first;
  }

  begin(device: string): void {
    // A device that was told already: the output of another host, or of another moment, begins.
    if (this.ports.some((p) => p.device === device) && this.device !== device) this.#turn();
    this.device = own(device);
    this.#caType = undefined;
    this.#iwarp = false;
    this.#card = undefined;
    this.port = undefined;
  }

  beginPort(port: number, at: Where): void {
    if (this.device === undefined || this.ports.length >= portLimit) return;
    const { device } = this;
    if (this.ports.some((p) => p.device === device && p.port === port)) this.#turn();
    this.port = { device: this.device, port, at, gids: [] };
    if (this.#iwarp) this.port.iwarp = true;
    if (this.#card !== undefined) this.port.card = this.#card;
    if (this.#caType) this.port.caType = fact(this.#caType.value, this.#caType.at);
    this.ports.push(this.port);
  }

  #nextPort(at: Where): void {
    this.beginPort((this.port?.port ?? 0) + 1, at);
    this.#unnamed = true;
  }

  take(line: string, number: number): boolean {
    const at = this.#context.at(number);
    if (this.#first(this, line, at)) return true;
    // `ibv_devinfo -v` prints a hundred limits and flags before the first port.
    if (this.device !== undefined && this.#from === 'ibv_devinfo' && detail.test(line)) return true;
    const found = /^\s*([A-Za-z][A-Za-z _]{0,40})(?:\[\s*(\d{1,4})\])?:\s*(.*?)\s*$/.exec(line);
    if (!found || this.device === undefined) return false;
    return this.#field(found[1]!.toLowerCase().replace(/_/g, ' ').trim(), found[3]!, found[2], at);
  }

  #field(key: string, value: string, index: string | undefined, at: Where): boolean {
    if (key === 'ca type' || key === 'hca type') {
      if (value !== '') this.#caType = { value: own(value), at };
      return true;
    }
    if (key === 'system image guid' || key === 'sys image guid') {
      const card = value.toLowerCase().replace(/^0x|:/g, '');
      this.#card = /^0*$/.test(card) ? undefined : own(card.slice(0, 32));
      return true;
    }
    if (key === 'transport') {
      this.#iwarp = /iwarp/i.test(value);
      return true;
    }
    if (key === 'port') {
      this.#unnamed = false;
      this.beginPort(Number.parseInt(value, 10) || 1, at);
      return true;
    }
    // A grep for the fields has dropped the lines that name the port.
    const slot = ofPort[key];
    if (slot !== undefined && (!this.port || (this.#unnamed && this.port[slot] !== undefined))) this.#nextPort(at);
    const { port } = this;
    if (!port)
      return /^(number of ports|firmware|hardware|node guid|system image|transport|fw ver|vendor|board|phys port|hw ver|sys image)/.test(
        key,
      );
    switch (key) {
      case 'state':
        port.state ??= fact(stateOf(value), at);
        return true;
      case 'physical state':
      case 'phys state':
        port.physical ??= fact(own(value.replace(/^\d+: /, '')), at);
        return true;
      case 'rate': {
        const rate = /^(\d{1,5}(?:\.\d{1,3})?)(?: Gb\/sec)?(?: \((\d{1,2})X)?/.exec(value);
        // ibstatus prints the unit: without it the number is cut as well.
        if (rate && (this.#from !== 'ibstatus' || value.includes('Gb'))) port.rate ??= fact(Number(rate[1]), at);
        if (rate?.[2]) port.lanes = Number(rate[2]);
        return true;
      }
      case 'sm lid': {
        const lid = Number(value);
        if (Number.isFinite(lid) && value !== '') port.smLid ??= fact(lid, at);
        return true;
      }
      case 'link layer':
        if (/^(?:ib|infiniband)/i.test(value)) port.layer ??= fact('InfiniBand', at);
        else if (/^eth/i.test(value)) port.layer ??= fact('Ethernet', at);
        return true;
      case 'active mtu':
      case 'max mtu': {
        const mtu = Number.parseInt(value, 10);
        if (mtu > 0) port[key === 'active mtu' ? 'activeMtu' : 'maxMtu'] ??= fact(mtu, at);
        return true;
      }
      case 'gid':
        if (index === undefined || port.gids.length >= 512) return true;
        port.gids.push({
          device: port.device,
          port: port.port,
          index: Number(index),
          gid: own(/^[0-9a-f:.]*/i.exec(value)![0].toLowerCase()),
          ...(/RoCE v2/i.test(value) ? { version: 'v2' as const } : {}),
          ...(/RoCE v1|IB\/RoCE/i.test(value) ? { version: 'v1' as const } : {}),
          at,
        });
        return true;
      default:
        return /lid|guid|lmc|mask|vl|width|speed|gid|phys|port|sm|lanes|pkey|counter/.test(key);
    }
  }

  /** What was told so far is one document. */
  #turn(): void {
    const { ports, lost, none } = this;
    if (ports.length + lost.length + none.length === 0 || this.#done.length >= turnLimit) return;
    const { file, host } = this.#context;
    this.#done.push({
      kind: 'rdma-ports',
      file,
      ...(host === undefined ? {} : { host: own(host) }),
      from: this.#from,
      ports: ports.splice(0),
      lost: lost.splice(0),
      none: none.splice(0),
    });
  }

  close(): readonly RdmaPorts[] {
    this.#turn();
    return this.#done;
  }
}
