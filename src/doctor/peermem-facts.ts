import type { Where } from '../fact/fact.ts';
import type { Facts } from './facts.ts';

/** Networks without RDMA: there is nothing that memory could be registered with. */
const plain = (network: string): boolean => /socket|tcp/i.test(network);

/** HCAs for which NCCL printed that GPUDirect RDMA is off on the NIC's side: no module, no DMA-BUF. */
export function hcasWithout(facts: Facts): { readonly name: string; readonly host: string; readonly at: Where }[] {
  return facts.networks.flatMap((n) =>
    n.dmaBuf.length > 0
      ? []
      : n.hcas.filter((h) => !h.gdr && !plain(h.network)).map((h) => ({ name: h.name, host: n.host, at: h.at })),
  );
}

/** Ways over an RDMA network that went through host memory although NCCL printed no reason. */
export function stagedWays(facts: Facts): { readonly host: string; readonly at: Where }[] {
  const rdma = facts.connections.filter((c) => c.kind === 'NET' && c.network && !plain(c.network.name));
  const hosts = new Map<string, { gdr: boolean; at: Where }>();
  for (const c of rdma) {
    const known = hosts.get(c.host);
    hosts.set(c.host, { gdr: (known?.gdr ?? false) || c.gdr, at: known?.at ?? c.at });
  }
  return [...hosts].filter(([, h]) => !h.gdr).map(([host, h]) => ({ host, at: h.at }));
}

/** As much as the smallest BAR1 window holds: a registration of this size may fail for want of room. */
const window = 192 * 1024 ** 2;

/** Buffers that a verbs driver did not know for memory of the host, where something says that GPU memory was meant. */
export function refusedBuffers(facts: Facts): Where[] {
  // A program that says what its GPU side lacks has named the cause itself.
  if (facts.said('dmabuf-unsupported').length > 0) return [];
  const failed = facts.said('bad-address').filter((m) => !(Number(m.words[0]) >= window));
  const meant =
    facts.said('gpu-memory').length > 0 ||
    facts.gpuNames.length > 0 ||
    facts.settings.some((s) => /^UCX_TLS$/.test(s.name) && /cuda/.test(s.value)) ||
    facts
      .of('commands')
      .some((c) => c.commands.some((one) => /-m cuda\b|--use_cuda|--mem-type[= ]cuda/.test(one.text)));
  return meant ? failed.map((m) => m.at) : [];
}

/** Clients listed under /sys/kernel/mm/memory_peers. */
export function registered(facts: Facts): {
  readonly asPeermem?: Where;
  readonly asNvMem?: Where;
  readonly absent?: Where;
} {
  const clients = facts.of('peer-clients').flatMap((p) => p.clients);
  const peermem = clients.find((c) => c.there && c.name === 'nvidia-peermem');
  const nvMem = clients.find((c) => c.there && /^nv_mem/.test(c.name));
  const gone = clients.find((c) => !c.there);
  return {
    ...(peermem ? { asPeermem: peermem.at } : {}),
    ...(nvMem ? { asNvMem: nvMem.at } : {}),
    ...(gone ? { absent: gone.at } : {}),
  };
}
