import type { Where } from '../../fact/fact.ts';
import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/** Interfaces that containers and virtual machines make: no other node answers there. */
const virtual =
  /^(?:veth|docker|br-|virbr|cali|flannel|cni|podman|lxc|lxd|tap|tun|vnet|kube|ip6tnl|ip6gre|gretap|sit\d)/;
/** An address that the whole internet reaches, as a container has that is given one of its own. */
const routed = /^2[\da-f]{3}:/;
const leadsNowhere = (i: { readonly interface: string; readonly address: string }): boolean =>
  virtual.test(i.interface) && !routed.test(i.address);
/** The bridges that Docker makes. */
const bridgeNet = /^172\.(?:1[7-9]|2\d|3[01])\./;

/** NCCL talks over an interface that leads nowhere. */
export const wrongInterface: Rule = (facts) => {
  const bad: { at: Where; name: string; sure: number }[] = [];
  const good: string[] = [];
  for (const n of facts.networks) {
    const rdma = n.using.some((u) => !/^socket$/i.test(u.name)) || n.ib !== undefined;
    const { bootstrap, socket } = n;
    const self = facts.severalNodes && bootstrap?.interface === 'lo';
    if (bootstrap && (self || leadsNowhere(bootstrap)))
      bad.push({ at: bootstrap.at, name: bootstrap.interface, sure: 0.95 });
    else if (bootstrap && bootstrap.interface !== 'lo' && !bootstrap.address.startsWith('169.254.'))
      good.push(bootstrap.interface);
    // Until 2.3 a list that only excludes let lo in, and a node of the job may be told to come to it.
    const looped = facts.severalNodes && !rdma ? socket?.interfaces.find((i) => i.interface === 'lo') : undefined;
    if (looped && socket && !bootstrap) bad.push({ at: socket.at, name: 'lo', sure: 0.75 });
    // On one machine data goes another way, and what starts the job is the first interface that answers.
    const lone = socket?.interfaces.every(leadsNowhere) ?? false;
    const networked = facts.severalNodes || facts.rdmaHardware !== undefined || facts.of('rdma-ports').length > 0;
    const listed = rdma || !(networked || lone) ? undefined : socket?.interfaces.find(leadsNowhere);
    if (listed && socket) bad.push({ at: socket.at, name: listed.interface, sure: 0.75 });
    good.push(
      ...(socket?.interfaces ?? []).filter((i) => !leadsNowhere(i) && i.interface !== 'lo').map((i) => i.interface),
    );
  }
  for (const w of facts.warnings) {
    const address = /onnect to ([\d.]{7,15})/.exec(w.text)?.[1];
    // An address of the link names the interface that it is tried over.
    const over = /onnect to fe80:[\da-f:]{1,40}%([\w.-]{1,15})</.exec(w.text)?.[1];
    if (w.kind === 'connect-failed' && over !== undefined && virtual.test(over))
      bad.push({ at: w.at, name: over, sure: 0.9 });
    if (
      w.kind === 'connect-failed' &&
      address !== undefined &&
      bridgeNet.test(address) &&
      /^172\.1[7-9]\./.test(address)
    )
      bad.push({ at: w.at, name: address, sure: 0.7 });
  }
  // A name that no interface has: whoever set it meant another host's.
  const asked = facts.setting('NCCL_SOCKET_IFNAME');
  for (const w of facts.warnings)
    if (asked && w.kind === 'no-interface' && /socket interface/.test(w.text))
      bad.push({ at: w.at, name: asked.value.trim().slice(0, 40), sure: 0.85 }, { at: asked.at, name: '', sure: 0.8 });
  // Gloo, beside NCCL in PyTorch, binds to what the host's own name resolves to.
  const mesh = facts.said('gloo-mesh');
  const loopback = facts.said('loopback');
  if (mesh.length > 0) for (const m of loopback) bad.push({ at: m.at, name: 'lo', sure: 0.9 });
  bad.push(...outOfReach(facts, new Set(bad.map((b) => b.at))));
  const twice = sameAddress(facts);
  for (const at of twice) bad.push({ at, name: '', sure: 0.7 });
  if (bad.length === 0) return undefined;
  bad.sort((a, b) => b.sure - a.sure);
  return finding('wrong-interface', {
    confidence: bad[0]!.sure,
    severity: bad[0]!.sure > 0.8 || bad[0]!.name === '' ? 'error' : 'warning',
    devices: bad.map((b) => b.name).filter((n) => n !== ''),
    evidence: bad.map((b) => b.at),
    commands: [
      `export NCCL_SOCKET_IFNAME=${good[0] ?? '^veth,docker,br-,lo'}`,
      // It knows no list of exclusions.
      ...(mesh.length > 0 && loopback.length > 0
        ? [`export GLOO_SOCKET_IFNAME=${good[0] ?? '$NETDEV'}`, 'getent hosts $(hostname)']
        : []),
    ],
  });
};

/**
 * Hosts that start over an address of their own cable (169.254.…, RFC 3927: what a server's management chip gives its USB network) or of
 * Docker's first bridge, while another starts over a network. Where connections were made, or all are so joined, they do reach each other.
 */
function outOfReach(facts: Parameters<Rule>[0], told: ReadonlySet<Where>): { at: Where; name: string; sure: number }[] {
  if (facts.connections.length > 0) return [];
  const started = facts.networks.flatMap(({ host, bootstrap }) => (bootstrap ? [{ host, ...bootstrap }] : []));
  const own = (address: string): number | undefined =>
    address.startsWith('169.254.') ? 0.9 : address.startsWith('172.17.0.') ? 0.7 : undefined;
  const joined = started.find((b) => own(b.address) === undefined && /^\d/.test(b.address) && b.interface !== 'lo');
  if (!joined) return [];
  return started.flatMap((b) => {
    const sure = own(b.address);
    if (sure === undefined || b.host === joined.host || told.has(b.at)) return [];
    return [{ at: b.at, name: b.interface, sure }];
  });
}

/** Two hosts that announce the same private address of a bridge: each reaches itself. */
function sameAddress(facts: Parameters<Rule>[0]): Where[] {
  const seen = new Map<string, { host: string; at: Where }>();
  for (const n of facts.networks) {
    const { bootstrap } = n;
    const address = bootstrap?.address.replace(/<.*$/, '');
    if (!bootstrap || address === undefined || !bridgeNet.test(address)) continue;
    const known = seen.get(address);
    if (known && known.host !== n.host) return [known.at, bootstrap.at];
    seen.set(address, { host: n.host, at: bootstrap.at });
  }
  return [];
}
