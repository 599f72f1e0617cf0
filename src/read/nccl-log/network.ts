import type { Where } from '../../fact/fact.ts';
import { Bounded, own } from '../own.ts';
import { parseEndpoints, parseIbDevices } from './endpoints.ts';
import { parsePlugin } from './plugins.ts';
import type { Counted, HostNetwork, PluginLine } from './types.ts';
import type { Thread } from './who.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Counting<T> = { -readonly [K in keyof T]: T[K] };

interface HostState {
  readonly host: string;
  readonly facts: Mutable<Pick<HostNetwork, 'bootstrap' | 'ib' | 'ibNone' | 'verbsMissing' | 'socket'>>;
  readonly using: Bounded<Counting<HostNetwork['using'][number]>>;
  readonly plugins: Bounded<Counting<PluginLine>>;
  readonly hcas: Bounded<HostNetwork['hcas'][number]>;
  readonly dmaBuf: Bounded<HostNetwork['dmaBuf'][number]>;
  readonly virtual: Bounded<HostNetwork['virtualDevices'][number]>;
  readonly ofi: Bounded<Counting<Counted>>;
}

const hostLimit = 20_000;

/** How each host reaches the others: bootstrap, devices, plugins, the network chosen (logs sheet §3–5). */
export class Networks {
  readonly #hosts = new Bounded<HostState>(hostLimit);
  readonly #at: (line: number) => Where;

  constructor(at: (line: number) => Where) {
    this.#at = at;
  }

  #host(name: string): HostState | undefined {
    return this.#hosts.take(name, () => ({
      host: name,
      facts: {},
      using: new Bounded(16),
      plugins: new Bounded(64),
      hcas: new Bounded(256),
      dmaBuf: new Bounded(1024),
      virtual: new Bounded(256),
      ofi: new Bounded(64),
    }));
  }

  /** True when the line was about the network of a host. */
  line(message: string, thread: Thread, number: number): boolean {
    const host = this.#host(thread.host.name);
    if (!host) return false;
    switch (message.charCodeAt(0)) {
      case 66:
        return this.#bootstrap(message, host, number);
      case 78:
        if (this.#net(message, host, number) || this.#plugin(message, host, number)) return true;
        return /^NET\/(?:OFI|Libfabric)/.test(message) && this.#ofi(message, host, number);
      case 85:
        return this.#chosen(message, host, number) || this.#plugin(message, host, number);
      case 68:
        return this.#dmaBuf(message, host, number);
      case 70:
      case 67:
        if (/^(?:Failed|Could not|Count not) (?:to )?open libibverbs\.so/.test(message)) {
          host.facts.verbsMissing ??= this.#at(number);
          return true;
        }
        return this.#plugin(message, host, number);
      default:
        return this.#plugin(message, host, number);
    }
  }

  #bootstrap(message: string, host: HostState, number: number): boolean {
    if (!/^Bootstrap ?: Using/.test(message)) return false;
    const endpoint = parseEndpoints(message.slice(message.indexOf('Using') + 5))[0];
    if (endpoint) host.facts.bootstrap ??= { ...endpoint, at: this.#at(number) };
    return true;
  }

  #net(message: string, host: HostState, number: number): boolean {
    if (/^NET\/IB ?: Using /.test(message)) {
      const [devices, oob] = message.split('; OOB ');
      const endpoint = oob === undefined ? undefined : parseEndpoints(oob)[0];
      const found = parseIbDevices(devices!);
      // Some releases print an empty list after saying that there is no device.
      if (found.length === 0 && oob !== undefined) {
        host.facts.ibNone ??= this.#at(number);
        return true;
      }
      host.facts.ib ??= {
        devices: found,
        relaxedOrdering: devices!.includes('[RO]'),
        ...(endpoint === undefined ? {} : { oob: endpoint }),
        at: this.#at(number),
      };
      return true;
    }
    const single = /^NET\/IB: \[\d{1,15}\] [^\s:]+:\d{1,15}\/\w+\s*$/.test(message)
      ? parseIbDevices(message)[0]
      : undefined;
    if (single) {
      // 2.3 printed one line a port.
      const devices = host.facts.ib?.devices ?? [];
      host.facts.ib = {
        devices: [...devices, single].slice(0, 256),
        relaxedOrdering: false,
        at: host.facts.ib?.at ?? this.#at(number),
      };
      return true;
    }
    if (/^NET\/IB ?: No device found/.test(message)) {
      host.facts.ibNone ??= this.#at(number);
      return true;
    }
    if (/^NET\/Socket ?: Using (?=\[|\S+:)/.test(message)) {
      const interfaces = parseEndpoints(message.slice(message.indexOf('Using') + 5));
      if (interfaces.length > 0) host.facts.socket ??= { interfaces, at: this.#at(number) };
      return true;
    }
    // Until 2.3 each interface had a line of its own, `lo` among them where the job's list had let it in.
    if (/^NET ?: Using interface /.test(message)) {
      const interfaces = host.facts.socket?.interfaces ?? [];
      const one = parseEndpoints(message.slice(message.indexOf('interface') + 9))[0];
      if (one && !interfaces.some((i) => i.interface === one.interface))
        host.facts.socket = {
          interfaces: [...interfaces, one].slice(0, 256),
          at: host.facts.socket?.at ?? this.#at(number),
        };
      return true;
    }
    const made = /^NET\/IB ?: Made virtual device \[(\d{1,15})\] name=(\S+) speed=(\d{1,15}) ndevs=(\d{1,15})/.exec(
      message,
    );
    if (made) {
      host.virtual.take(made[1]!, () => ({
        index: Number(made[1]),
        name: own(made[2]!),
        speed: Number(made[3]),
        members: Number(made[4]),
        at: this.#at(number),
      }));
      return true;
    }
    const hca = /^NET\/(.+?) ?: GPU Direct RDMA (Enabled|Disabled) for HCA (\d{1,15}) '([^']*)'(?: \(([^)]*)\))?/.exec(
      message,
    );
    if (hca) {
      host.hcas.take(`${hca[1]} ${hca[3]} ${hca[4]}`, () => ({
        index: Number(hca[3]),
        name: own(hca[4]!),
        gdr: hca[2] === 'Enabled',
        network: own(hca[1]!),
        ...(hca[5] === undefined ? {} : { reason: own(hca[5]) }),
        at: this.#at(number),
      }));
      return true;
    }
    return false;
  }

  #chosen(message: string, host: HostState, number: number): boolean {
    const found = /^Using (?:internal |external )?[Nn]etwork (.+?)\s*$/.exec(message);
    if (!found) return false;
    const entry = host.using.take(found[1]!, () => ({
      name: own(found[1]!.slice(0, 64)),
      text: own(message),
      count: 0,
      at: this.#at(number),
    }));
    if (entry) entry.count++;
    return true;
  }

  #plugin(message: string, host: HostState, number: number): boolean {
    const parsed = parsePlugin(message);
    if (!parsed) return false;
    const entry = host.plugins.take(message, () => ({
      ...parsed,
      ...(parsed.name === undefined ? {} : { name: own(parsed.name) }),
      text: own(message),
      count: 0,
      at: this.#at(number),
    }));
    if (entry) entry.count++;
    return true;
  }

  #dmaBuf(message: string, host: HostState, number: number): boolean {
    const found = /^DMA-BUF is available on GPU device (\d{1,15})/.exec(message);
    if (!found) return false;
    host.dmaBuf.take(found[1]!, () => ({ gpu: Number(found[1]), at: this.#at(number) }));
    return true;
  }

  #ofi(message: string, host: HostState, number: number): boolean {
    const entry = host.ofi.take(message, () => ({ text: own(message), count: 0, at: this.#at(number) }));
    if (entry) entry.count++;
    return true;
  }

  /** A line of libfabric itself, which carries no prefix of NCCL. */
  libfabric(line: string, host: string, number: number): void {
    const state = this.#host(host);
    if (!state) return;
    // Process id and time change from line to line; of two outputs side by side one is enough.
    const text = line.slice(line.indexOf('libfabric:')).replace(/^libfabric:\d{1,15}:\d{1,15}:/, 'libfabric:');
    this.#ofi(text.replace(/ \| libfabric:.*$/, ''), state, number);
  }

  result(): HostNetwork[] {
    return this.#hosts
      .values()
      .map(({ host, facts, using, plugins, hcas, dmaBuf, virtual, ofi }) => ({
        host,
        ...facts,
        using: using.values(),
        plugins: plugins.values(),
        hcas: hcas.values().sort((a, b) => a.index - b.index),
        dmaBuf: dmaBuf.values().sort((a, b) => a.gpu - b.gpu),
        virtualDevices: virtual.values(),
        ofi: ofi.values(),
      }))
      .filter(
        ({ bootstrap, ib, ibNone, verbsMissing, socket, using, plugins, hcas, dmaBuf, virtualDevices, ofi }) =>
          (bootstrap ?? ib ?? ibNone ?? verbsMissing ?? socket) !== undefined ||
          using.length + plugins.length + hcas.length + dmaBuf.length + virtualDevices.length + ofi.length > 0,
      );
  }
}
