import { assumed } from '../fact/fact.ts';
import { editHost } from '../machine/edit.ts';
import type { Host, PciDevice } from '../machine/host.ts';
import type { Machine } from '../machine/machine.ts';
import { type Ask, overSockets } from '../nccl/of-machine.ts';
import { type Message, say } from '../words/message.ts';

/** What is often wrong with a machine whose collectives are slow: each changes one thing of a healthy one. */
export interface Suspect {
  readonly id: string;
  readonly what: Message;
  readonly apply: (machine: Machine, ask: Ask) => { readonly machine: Machine; readonly ask: Ask };
}

const suspect = (id: string, what: Message, apply: Suspect['apply']): Suspect => ({ id, what, apply });

const withEnv = (ask: Ask, name: string, value: string): Ask => ({
  ...ask,
  env: new Map([...(ask.env ?? []), [name, value]]),
});

const hosts = (machine: Machine, edit: (host: Host) => Host): Machine => ({
  ...machine,
  hosts: machine.hosts.map(edit),
});

/** Those that can be: no suspect of the network on one node, none of NICs where there is one. */
export function suspectsOf(machine: Machine): Suspect[] {
  const nics = count(machine.hosts[0], 'nic');
  const list: Suspect[] = [
    suspect('p2p-off', say('suspect.p2p-off'), (m, a) => ({ machine: m, ask: withEnv(a, 'NCCL_P2P_DISABLE', '1') })),
    suspect('nvls-off', say('suspect.nvls-off'), (m, a) => ({ machine: m, ask: withEnv(a, 'NCCL_NVLS_ENABLE', '0') })),
    suspect('pcie-gen3', say('suspect.pcie-gen3'), (m, a) => ({ machine: hosts(m, slowPcie), ask: a })),
    suspect('acs', say('suspect.acs'), (m, a) => ({
      machine: { ...m, software: { ...m.software, acs: assumed(true) } },
      ask: a,
    })),
  ];
  if (machine.nodes > 1) {
    list.push(
      suspect('sockets', say('suspect.sockets'), (m, a) => ({ machine: overSockets(m), ask: a })),
      suspect('gdr-off', say('suspect.gdr-off'), (m, a) => ({ machine: withoutGdr(m), ask: a })),
      suspect('half-rate', say('suspect.half-rate'), (m, a) => ({ machine: hosts(m, halfRate), ask: a })),
      // A tuner, or a release that reckons otherwise, may take either where NCCL's model takes the other or NVLS.
      suspect('all-rings', say('suspect.all-rings'), (m, a) => ({ machine: m, ask: withEnv(a, 'NCCL_ALGO', 'Ring') })),
      suspect('all-trees', say('suspect.all-trees'), (m, a) => ({ machine: m, ask: withEnv(a, 'NCCL_ALGO', 'Tree') })),
    );
  }
  if (machine.nodes > 1 && nics > 1) {
    list.push(
      suspect('one-nic', say('suspect.one-nic', { nics }), (m, a) => ({
        machine: hosts(m, (h) => keepNics(h, 1)),
        ask: a,
      })),
    );
    if (nics > 3) {
      const half = Math.floor(nics / 2);
      list.push(
        suspect('half-nics', say('suspect.half-nics', { half, nics }), (m, a) => ({
          machine: hosts(m, (h) => keepNics(h, half)),
          ask: a,
        })),
      );
    }
  }
  return list;
}

function count(host: Host | undefined, role: PciDevice['role']): number {
  const of = (d: PciDevice): number => (d.role === role ? 1 : 0) + d.children.reduce((sum, c) => sum + of(c), 0);
  return host?.cpus.reduce((sum, c) => sum + c.devices.reduce((n, d) => n + of(d), 0), 0) ?? 0;
}

const slowPcie = (host: Host): Host =>
  editHost(host, {
    device: (d) => (d.link.speed === undefined ? d : { ...d, link: { ...d.link, speed: '8.0 GT/s PCIe' } }),
  });

const halfRate = (host: Host): Host =>
  editHost(host, { port: (p) => (p.speedMbps === undefined ? p : { ...p, speedMbps: p.speedMbps / 2 }) });

function withoutGdr(machine: Machine): Machine {
  const off = editHost;
  return {
    ...hosts(machine, (h) => off(h, { gpu: (g) => ({ ...g, gdr: false }), port: (p) => ({ ...p, gdr: false }) })),
    software: { ...machine.software, gdr: assumed(false) },
  };
}

/** The first NICs of a host stay; the others are no NET to NCCL. */
function keepNics(host: Host, most: number): Host {
  let left = most;
  return editHost(host, {
    device: (d) => {
      if (d.role !== 'nic' && d.role !== 'port') return d;
      left--;
      return left >= 0 ? d : { ...d, role: 'other', ports: [] };
    },
  });
}
