import type { Where } from '../fact/fact.ts';
import { atLeast, type Release, releaseFor } from '../nccl/release.ts';
import type { Document } from '../read/documents.ts';
import type { MessageSource, SaidMessage } from '../read/kit/messages.ts';
import { settingsIn } from '../read/linux/env.ts';
import type { Connection, HostNetwork, NcclLog, Warning } from '../read/nccl-log/types.ts';
import type { RdmaPort } from '../read/rdma/ports.ts';
import { elementsOf } from './xml-walk.ts';

type Kind = Document['kind'];
type Of<K extends Kind> = Extract<Document, { kind: K }>;

export interface Named {
  readonly name: string;
  readonly at: Where;
}

export interface Setting extends Named {
  readonly value: string;
  /** Said by NCCL itself, in its log. */
  readonly logged: boolean;
  /** For one run alone, or told in a sentence. */
  readonly how?: 'run' | 'told';
}

/** All that was read, and what several rules ask of it. Each answer is worked out once. */
export class Facts {
  readonly #byKind = new Map<Kind, Document[]>();
  readonly #kept = new Map<string, unknown>();

  constructor(documents: readonly Document[]) {
    for (const d of documents) {
      const same = this.#byKind.get(d.kind);
      if (same) same.push(d);
      else this.#byKind.set(d.kind, [d]);
    }
  }

  of<K extends Kind>(kind: K): readonly Of<K>[] {
    return (this.#byKind.get(kind) ?? []) as Of<K>[];
  }

  #once<T>(name: string, make: () => T): T {
    if (!this.#kept.has(name)) this.#kept.set(name, make());
    return this.#kept.get(name) as T;
  }

  get logs(): readonly NcclLog[] {
    return this.of('nccl-log');
  }

  get networks(): readonly HostNetwork[] {
    return this.#once('networks', () => this.logs.flatMap((l) => l.networks));
  }

  get warnings(): readonly Warning[] {
    return this.#once('warnings', () => this.logs.flatMap((l) => l.warnings));
  }

  get connections(): readonly Connection[] {
    return this.#once('connections', () => this.logs.flatMap((l) => l.connections));
  }

  /** Hosts that NCCL ran on, by name. */
  get hosts(): readonly string[] {
    return this.#once('hosts', () =>
      [
        ...new Set([
          ...this.logs.flatMap((l) => l.hosts.map((h) => h.name)),
          ...this.of('nccl-tests').flatMap((t) => t.ranks.map((r) => r.host)),
        ]),
      ].filter((h) => h !== ''),
    );
  }

  /** The job spans nodes, as far as its log or table shows. */
  get severalNodes(): boolean {
    return this.hosts.length > 1 || this.logs.some((l) => l.communicators.some((c) => (c.nNodes ?? 1) > 1));
  }

  get release(): (Release & { readonly at: Where }) | undefined {
    return this.#once('release', () => {
      const said = this.logs.flatMap((l) => l.versions).find((v) => v.flavour === 'nccl');
      const release = said && releaseFor(said.text);
      return release ? { ...release, at: said.at } : undefined;
    });
  }

  olderThan(version: string): boolean | undefined {
    return this.release ? !atLeast(this.release, version) : undefined;
  }

  /** Which flavour of NVIDIA's kernel modules there is: as the driver says, or by the licence in the module's file. */
  get driverFlavour(): { readonly flavour: 'open' | 'proprietary'; readonly at: Where } | undefined {
    return this.#once('flavour', () => {
      const [running] = this.of('driver-version');
      if (running) return { flavour: running.flavour, at: running.at };
      const licence = this.of('module-info')
        .flatMap((m) => m.modules)
        .find((m) => m.name === 'nvidia')
        ?.fields.get('license');
      if (!licence) return undefined;
      return { flavour: /GPL|MIT/.test(licence.value) ? ('open' as const) : ('proprietary' as const), at: licence.at };
    });
  }

  get settings(): readonly Setting[] {
    return this.#once('settings', () => [
      ...this.of('environment').flatMap((e) => e.settings.map((s) => ({ ...s, logged: false }))),
      ...this.of('commands').flatMap((c) =>
        c.commands.flatMap((one) => settingsIn(one.text, one.at).map((s) => ({ ...s, logged: false }))),
      ),
      ...this.logs.flatMap((l) => l.environment.map((s) => ({ name: s.name, value: s.value, at: s.at, logged: true }))),
    ]);
  }

  setting(name: string): Setting | undefined {
    return this.settings.find((s) => s.name === name);
  }

  /** Messages of a topic, from whichever log or terminal. */
  said(topic: string, from?: MessageSource): readonly SaidMessage[] {
    return this.#once(`said ${topic} ${from ?? ''}`, () =>
      this.of('messages')
        .filter((m) => from === undefined || m.from === from)
        .flatMap((m) => m.messages.filter((one) => one.topic === topic)),
    );
  }

  get ports(): readonly RdmaPort[] {
    return this.#once('ports', () => this.of('rdma-ports').flatMap((p) => p.ports));
  }

  /** A kernel module: where it is listed; `absent` when a list of modules lacks it, undefined without any list. */
  module(...names: readonly string[]): Where | 'absent' | undefined {
    const lists = this.of('modules');
    if (lists.length === 0) return undefined;
    const all = lists.flatMap((l) => l.modules);
    // A module that uses another is loaded, also where grep left only the line of that other.
    const there = all.find((m) => names.includes(m.name)) ?? all.find((m) => m.usedBy.some((u) => names.includes(u)));
    if (there) return there.at;
    if (lists.some((l) => l.cut)) return undefined;
    // What a grep for something else left shows nothing: a relative must stand in the list, or its title.
    const family = names.map((n) => n.slice(0, n.indexOf('_') + 1 || undefined).replace('_', ''));
    const kin =
      lists.some((l) => l.whole) || all.some((m) => family.some((f) => m.name === f || m.name.startsWith(`${f}_`)));
    return kin ? 'absent' : undefined;
  }

  /** nvidia_peermem or its predecessor. */
  get peermem(): Where | 'absent' | undefined {
    return this.module('nvidia_peermem', 'nv_peer_mem');
  }

  /** Names of GPUs, wherever one stands. */
  get gpuNames(): readonly Named[] {
    return this.#once('gpus', () => [
      ...this.of('smi-gpus').flatMap((s) => s.gpus),
      ...this.of('smi-table').flatMap((s) => s.gpus),
      ...this.of('smi-query').flatMap((q) =>
        q.gpus.flatMap((g) =>
          [...g.fields]
            .filter(([way]) => way === 'product name' || way.endsWith('/product name'))
            .map(([, f]) => ({ name: f.value, at: f.at })),
        ),
      ),
      ...this.of('p2p-bandwidth').flatMap((p) => p.devices),
      ...this.of('perftest').flatMap((p) => (p.gpu ? [p.gpu] : [])),
      ...this.of('bandwidth-test').flatMap((b) => b.devices.map((d) => ({ name: d.name, at: b.at }))),
      ...this.of('nccl-tests').flatMap((t) => t.ranks.map((r) => ({ name: r.product, at: r.at }))),
      ...this.of('lspci').flatMap((l) => l.devices.filter(isGpu)),
      ...this.of('kubernetes-node').flatMap((k) =>
        k.labels
          .filter((l) => l.name === 'nvidia.com/gpu.product')
          .map((l) => ({ name: l.value.replaceAll('-', ' '), at: l.at })),
      ),
    ]);
  }

  /** A board of the GeForce line, which lacks what data centre boards have. */
  get geforce(): Named | undefined {
    return this.gpuNames.find((g) => /GeForce|\bRTX [2-5]0[5-9]0|\bGTX \d/.test(g.name));
  }

  /**
   * A GPU without memory of its own: that of DGX Spark, by its name, by the compute capability in a topology file or by its two functions
   * of one NIC, and that of a Jetson.
   */
  get unified(): Named | undefined {
    return this.#once('unified', () => {
      const named = this.gpuNames.find((g) => /\bGB10\b|\(nvgpu\)|\bJetson\b/.test(g.name));
      if (named) return named;
      for (const { root, file } of this.of('nccl-topo-xml')) {
        const gpu = elementsOf(root).find((e) => e.name === 'gpu' && e.attributes.get('sm') === '121');
        if (gpu) return { name: 'GB10', at: { file, line: gpu.line } };
      }
      // Where no GPU is named: the network card of DGX Spark sits on two host bridges, in PCI domains 0 and 2, which names its ports so.
      if (this.gpuNames.length > 0) return undefined;
      const nics: readonly Named[] = [
        ...this.ports.map((p) => ({ name: p.device, at: p.at })),
        ...this.networks.flatMap((n) => n.hcas),
        ...this.of('topo-matrix').flatMap((m) =>
          m.devices.flatMap((d) => (d.name ? [{ name: d.name, at: d.at }] : [])),
        ),
      ];
      const second = nics.find((n) => /^roceP2p1s0f[01]$/.test(n.name));
      return second && nics.some((n) => /^rocep1s0f[01]$/.test(n.name)) ? second : undefined;
    });
  }

  /** GPUs of AMD: RCCL printed the log, or a board has such a name. */
  get amd(): boolean {
    return (
      this.logs.some((l) => l.versions.some((v) => v.flavour === 'rccl')) ||
      this.gpuNames.some((g) => /\bInstinct\b|\bMI\d{2,3}\w?\b|Radeon/.test(g.name))
    );
  }

  get grace(): Named | undefined {
    return this.gpuNames.find((g) => /\bG[HB][23]00\b/.test(g.name));
  }

  /** A sign that the host has RDMA hardware: a port, a card, an interface that only such a card has. */
  get rdmaHardware(): Where | undefined {
    return this.#once('rdma', () => {
      const card = this.of('lspci')
        .flatMap((l) => l.devices)
        .find((d) => /^(?:Infiniband|InfiniBand)/.test(d.className) || /Mellanox|ConnectX/.test(d.name));
      // Containers see the host's devices in sysfs, whether or not they may open them.
      const listed = this.of('listing')
        .flatMap((l) => l.entries)
        .find((e) => e.there && /^\/sys\/class\/infiniband\/[\w.-]+$/.test(e.path));
      return this.ports[0]?.at ?? card?.at ?? listed?.at ?? this.ipoib?.at;
    });
  }

  /** An interface of IP over InfiniBand that NCCL uses for sockets. */
  get ipoib(): Named | undefined {
    for (const n of this.networks) {
      const one = n.socket?.interfaces.find((i) => /^ib(?:[psn_-]?\d|[psn]\w)/.test(i.interface));
      if (one && n.socket) return { name: one.interface, at: n.socket.at };
    }
    return undefined;
  }
}

/** A GPU among PCI devices, by class and maker. */
export const isGpu = (d: { readonly className: string; readonly name: string }): boolean =>
  /^(?:3D|VGA|Display|Processing)/.test(d.className) && /NVIDIA|\bAMD\b.*(?:Instinct|MI\d)|Aqua Vanjaram/.test(d.name);

/** A network card among PCI devices that can do RDMA. */
export const isRdmaNic = (d: { readonly className: string; readonly name: string }): boolean =>
  /^(?:Infiniband|InfiniBand)/.test(d.className) ||
  (/^(?:Ethernet|Network)/.test(d.className) &&
    /Mellanox|ConnectX|BlueField|E810|BCM57[45]|Elastic Fabric/.test(d.name));
