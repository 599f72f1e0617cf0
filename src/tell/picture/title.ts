import { gpus as parts } from '../../catalogue/gpus.ts';
import type { Gpu, NicPort } from '../../machine/host.ts';
import type { Machine } from '../../machine/machine.ts';
import { nameDevices, nodesOf, pciTree } from '../../machine/names.ts';
import { type Message, say } from '../../words/message.ts';
import { linkMax, linkText } from './links.ts';

/** One line that says what machine this is: nodes, GPUs, NICs. */
export function titleOf(machine: Machine): Message {
  const { gpus, ports } = contents(machine);
  const { count } = nodesOf(machine);
  const seen = nodesSeen(machine);
  const per = seen === 0 ? 0 : gpus.length / seen;
  const gpu = gpuName(gpus);
  const nic = nicText(ports, seen);
  const what =
    gpus.length === 0
      ? say('show.title.noGpu')
      : Number.isInteger(per) && count > 1
        ? say('show.title.nodes', { nodes: count, gpus: per, gpu })
        : count > 1
          ? say('show.title.uneven', { nodes: count, gpus: gpus.length, gpu })
          : say('show.title.node', { gpus: gpus.length, gpu });
  return nic === undefined ? what : say('show.title.nics', { what, nic });
}

/** What holds for all: which links are what, the network, the NVLink domain. */
export function legendOf(machine: Machine): Message[] {
  const legend: Message[] = [];
  const links = new Map<string, Map<LinkEnd, number>>();
  for (const host of machine.hosts) {
    host.cpus.forEach((cpu, index) => {
      for (const { device } of pciTree(cpu, index)) {
        if (device.role !== 'gpu' && device.role !== 'nic' && device.role !== 'nvme' && device.role !== 'switch')
          continue;
        const text = linkText(linkMax(device.link));
        const drawn = device.role === 'switch' || device.role === 'nvme' || device.gpus?.length || device.ports?.length;
        if (text === undefined || !drawn) continue;
        const kinds = links.get(text) ?? new Map<LinkEnd, number>();
        kinds.set(device.role, (kinds.get(device.role) ?? 0) + 1);
        links.set(text, kinds);
      }
    });
  }
  for (const [link, kinds] of [...links].sort((a, b) => total(b[1]) - total(a[1]))) {
    const each = [...kinds].map(([kind, count]) => say(`show.legend.${kind}`, { count }));
    legend.push(say('show.legend.pcie', { link, list: chain(each, 'show.legend.list') }));
  }
  if (links.size === 0) legend.push(say('show.legend.noLinks'));
  if (machine.hosts.some((host) => host.cpus.some((cpu, i) => [...pciTree(cpu, i)].some((d) => d.device.deduced)))) {
    legend.push(say('show.legend.deduced'));
  }
  const names = unlikeNames(machine);
  if (names.length > 0) legend.push(say('show.legend.names', { list: names.join(', ') }));
  const { transport = machine.fabric.sockets, rateMbps } = machine.fabric;
  if (transport !== undefined && machine.nodes > 1) {
    legend.push(
      rateMbps === undefined
        ? say('show.legend.transport', { transport: transport.value })
        : say('show.legend.network', { transport: transport.value, gbps: rateMbps.value / 1000 }),
    );
  }
  return legend;
}

/** `nic0 mlx5_ib0`: what inputs call the NICs of the first node, unless that is the same number anyway. */
function unlikeNames(machine: Machine): string[] {
  const nics = nameDevices(machine).filter((d) => d.kind === 'nic' && d.node === 0 && d.name !== undefined);
  if (nics.every((d) => d.name === `mlx5_${d.local.slice(3)}`)) return [];
  const list = nics.slice(0, 16).map((d) => `${d.local} ${d.name}`);
  return nics.length > 16 ? [...list, '…'] : list;
}

type LinkEnd = 'gpu' | 'nic' | 'nvme' | 'switch';
/** Messages joined by another: `8 GPUs, 8 NICs`. The list must not be empty. */
const chain = (list: readonly Message[], by: 'show.legend.list' | 'show.title.plus'): Message =>
  list.reduceRight((rest, one) => say(by, { one, rest }));

const total = (kinds: ReadonlyMap<LinkEnd, number>): number => [...kinds.values()].reduce((a, b) => a + b, 0);

function contents(machine: Machine): { gpus: Gpu[]; ports: NicPort[] } {
  const gpus: Gpu[] = [];
  const ports = new Map<string, NicPort>();
  machine.hosts.forEach((host, h) => {
    host.cpus.forEach((cpu, index) => {
      for (const { device } of pciTree(cpu, index)) {
        gpus.push(...(device.gpus ?? []));
        // One port may be listed under every NUMA node.
        for (const port of device.ports ?? []) {
          ports.set(`${h}|${cpu.hostHash ?? ''}|${port.dev}|${port.name ?? ''}|${device.busId ?? ''}`, port);
        }
      }
    });
  });
  return { gpus, ports: [...ports.values()] };
}

const nodesSeen = (machine: Machine): number => {
  const { ofCpu } = nodesOf(machine);
  return new Set(ofCpu.flat()).size;
};

/** `H100 80GB HBM3`, or the compute capability where no input names the product; several kinds are joined. */
function gpuName(gpus: readonly Gpu[]): Message | string {
  const names = new Map<string, Message | string>();
  for (const gpu of gpus) {
    const product = gpu.product ?? (gpu.part === undefined ? undefined : parts.get(gpu.part)?.products[0]);
    if (product !== undefined) names.set(product, product.replace(/^NVIDIA /, ''));
    else if (gpu.sm !== undefined) names.set(`sm ${gpu.sm}`, say('show.title.sm', { sm: gpu.sm }));
  }
  const list = [...names.values()].slice(0, 4);
  if (list.length === 0) return say('show.title.unnamedGpu');
  return list.reduceRight((rest, one) => say('show.title.plus', { one, rest }));
}

function nicText(ports: readonly NicPort[], nodes: number): Message | undefined {
  if (ports.length === 0 || nodes === 0) return undefined;
  const rates = new Map<number, number>();
  for (const port of ports) {
    const rate = Math.max(0, port.speedMbps ?? 0) / 1000;
    rates.set(rate, (rates.get(rate) ?? 0) + 1);
  }
  const each = [...rates]
    .sort((a, b) => b[0] - a[0])
    .slice(0, 3)
    .map(([gbps, count]) => {
      const per = Number.isInteger(count / nodes) ? count / nodes : count;
      return gbps > 0 ? say('show.title.nic', { count: per, gbps }) : say('show.title.nicUnknown', { count: per });
    });
  return chain(each, 'show.title.plus');
}
