import type { Cpu, Gpu, Host, NicPort, PciDevice, PciRole } from './host.ts';
import type { Machine } from './machine.ts';

/** What a named device is. `cpu` is a NUMA node, as everywhere in crowfly. */
export type DeviceKind = 'gpu' | 'nic' | 'cpu' | 'switch' | 'nvme' | 'nvswitch';

/**
 * Where a device stands in its host's tree: `[i]` is `host.cpus[i]`, `[i, j]` its `devices[j]`, each further number one of
 * the `children`. Empty for what hangs in no tree (an NVSwitch known only from NVLinks).
 */
export type TreePath = readonly number[];

/** A device with the name people call it by. */
export interface NamedDevice {
  /** Unique in the machine: `gpu0`, or `node0/gpu0` when the machine has more than one node. */
  readonly id: string;
  /** The name within its node: `gpu0`. */
  readonly local: string;
  readonly kind: DeviceKind;
  /** Index into `machine.hosts`. */
  readonly host: number;
  /** The N of `nodeN`. One host file may hold several nodes (an NVLink domain), told apart by `Cpu.hostHash`. */
  readonly node: number;
  readonly busId?: string;
  /** What the source calls it: `mlx5_0`, `NVIDIA A40`. */
  readonly name?: string;
  readonly path: TreePath;
  /** Index into `gpus` or `ports` of the PCI device at `path`. */
  readonly slot?: number;
  /** Further places of the same port: some tools list one NIC under every NUMA node. */
  readonly twins?: readonly TreePath[];
}

/** The node number of each NUMA node of each host, and how many nodes there are in all. */
export function nodesOf(machine: Machine): { readonly ofCpu: readonly (readonly number[])[]; readonly count: number } {
  let next = 0;
  const ofCpu = machine.hosts.map((host) => {
    const seen = new Map<string, number>();
    const numbers = host.cpus.map((cpu) => {
      const key = cpu.hostHash ?? '';
      const known = seen.get(key);
      if (known !== undefined) return known;
      seen.set(key, next);
      return next++;
    });
    if (host.cpus.length === 0) next++;
    return numbers;
  });
  return { ofCpu, count: Math.max(next, machine.nodes) };
}

/** Visits every PCI device of a NUMA node, parents first, without recursion: the tree may be as deep as its input was. */
export function* pciTree(
  cpu: Cpu,
  cpuIndex: number,
): Generator<{ readonly device: PciDevice; readonly path: TreePath }> {
  const stack: { device: PciDevice; path: TreePath }[] = [];
  const push = (devices: readonly PciDevice[], base: TreePath): void => {
    for (let i = devices.length - 1; i >= 0; i--) stack.push({ device: devices[i]!, path: [...base, i] });
  };
  push(cpu.devices, [cpuIndex]);
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    yield top;
    push(top.device.children, top.path);
  }
}

/** Every GPU of a host, and every NIC port, in the order of its tree. */
export const gpusOf = (host: Host): Gpu[] =>
  host.cpus.flatMap((c, i) => [...pciTree(c, i)].flatMap((t) => t.device.gpus ?? []));

export const portsOf = (host: Host): NicPort[] =>
  host.cpus.flatMap((c, i) => [...pciTree(c, i)].flatMap((t) => t.device.ports ?? []));

/** The PCI device (or NUMA node's device) a path leads to. */
export function deviceAt(host: Host, path: TreePath): PciDevice | undefined {
  if (path.length < 2) return undefined;
  let device = host.cpus[path[0]!]?.devices[path[1]!];
  for (let i = 2; i < path.length; i++) device = device?.children[path[i]!];
  return device;
}

/** Names every device of every host: hosts in order, within a host NUMA nodes first, then GPUs, NICs and the rest in tree order. */
export function nameDevices(machine: Machine): readonly NamedDevice[] {
  let names = named.get(machine);
  if (names === undefined) {
    names = allNames(machine);
    named.set(machine, names);
  }
  return names;
}

/** A machine is asked for its names many times and never changes. */
const named = new WeakMap<Machine, readonly NamedDevice[]>();

function allNames(machine: Machine): readonly NamedDevice[] {
  const { ofCpu, count } = nodesOf(machine);
  const several = count > 1;
  const all: NamedDevice[] = [];
  machine.hosts.forEach((host, hostIndex) => {
    const nodes = ofCpu[hostIndex]!;
    const first = all.length === 0 ? 0 : all[all.length - 1]!.node + 1;
    for (const node of nodes.length > 0 ? new Set(nodes) : [first]) {
      const cpus = host.cpus.map((cpu, index) => ({ cpu, index })).filter(({ index }) => nodes[index] === node);
      for (const found of nameNode(host, hostIndex, node, cpus)) {
        all.push({ ...found, id: several ? `node${node}/${found.local}` : found.local });
      }
    }
  });
  return all;
}

/** Splits `node1/gpu0` into its node and local name; a name without a node belongs to node 0. */
export function splitName(name: string): { readonly node: number; readonly local: string } {
  const found = /^node(\d{1,6})\/(.+)$/.exec(name);
  return found === null ? { node: 0, local: name } : { node: Number(found[1]), local: found[2]! };
}

/**
 * The device a person means by `gpu0` or `node1/gpu0`; nothing when there is none.
 * Where equal nodes share one host description, `node1/gpu0` finds the description's `gpu0`.
 */
export function findDevice(machine: Machine, name: string): NamedDevice | undefined {
  const { node, local } = splitName(name.toLowerCase());
  const devices = nameDevices(machine);
  const exact = devices.find((d) => d.node === node && d.local === local);
  if (exact !== undefined || machine.hosts.length !== 1 || node >= machine.nodes) return exact;
  return devices.find((d) => d.node === 0 && d.local === local);
}

type Unnumbered = Omit<NamedDevice, 'id'>;

function nameNode(
  host: Host,
  hostIndex: number,
  node: number,
  cpus: readonly { readonly cpu: Cpu; readonly index: number }[],
): Unnumbered[] {
  // Numbers repeat in real files (halves of one GPU, a port listed twice): the second gets `.1`, the third `.2`.
  const taken = new Map<string, number>();
  const unique = (wanted: string): string => {
    const before = taken.get(wanted) ?? 0;
    taken.set(wanted, before + 1);
    return before === 0 ? wanted : `${wanted}.${before}`;
  };
  const base = { host: hostIndex, node };
  const numa: Unnumbered[] = [];
  const gpus: { readonly gpu: Gpu; readonly device: PciDevice; readonly path: TreePath; readonly slot: number }[] = [];
  const ports = new Map<
    string,
    { port: NicPort; device: PciDevice; path: TreePath; slot: number; twins: TreePath[] }
  >();
  const rest: { readonly kind: 'switch' | 'nvme' | 'nvswitch'; readonly device: PciDevice; readonly path: TreePath }[] =
    [];

  for (const { cpu, index } of cpus) {
    numa.push({ ...base, kind: 'cpu', local: unique(`cpu${Math.max(0, cpu.numa)}`), path: [index] });
    for (const { device, path } of pciTree(cpu, index)) {
      device.gpus?.forEach((gpu, slot) => {
        gpus.push({ gpu, device, path, slot });
      });
      device.ports?.forEach((port, slot) => {
        // The same port under several NUMA nodes: one device, seen more than once (NCCL merges them too).
        const key = `${port.dev}|${port.name ?? ''}|${port.guid ?? ''}|${device.busId ?? ''}`;
        const twin = ports.get(key);
        if (twin === undefined) ports.set(key, { port, device, path, slot, twins: [] });
        else twin.twins.push(path);
      });
      const kind = restKind(device.role);
      if (kind !== undefined) rest.push({ kind, device, path });
    }
  }

  const named: Unnumbered[] = [...numa];
  for (const { gpu, device, path, slot } of sorted(gpus, (g) => g.gpu.dev)) {
    const local = unique(`gpu${gpu.dev}`);
    named.push({ ...base, kind: 'gpu', local, path, slot, ...bus(device), ...label(gpu.product) });
  }
  for (const { port, device, path, slot, twins } of sorted([...ports.values()], (p) => p.port.dev)) {
    const extra = twins.length > 0 ? { twins } : {};
    const local = unique(`nic${port.dev}`);
    named.push({ ...base, kind: 'nic', local, path, slot, ...bus(device), ...label(port.name), ...extra });
  }
  const counters = { switch: 0, nvme: 0, nvswitch: 0 };
  for (const { kind, device, path } of rest) {
    named.push({ ...base, kind, local: unique(`${kind}${counters[kind]++}`), path, ...bus(device) });
  }
  const chips = nvswitchCount(
    host,
    gpus.map((g) => g.gpu),
  );
  while (counters.nvswitch < chips) {
    named.push({ ...base, kind: 'nvswitch', local: unique(`nvswitch${counters.nvswitch++}`), path: [] });
  }
  return named;
}

/**
 * How many NVSwitch chips a node's GPUs see: as the host says, else the distinct bus ids its NVLinks lead to (a target
 * that names nothing, `fffffff:ff:ff.0`, counts once), else none.
 */
export function nvswitchCount(host: Host, gpus: readonly Gpu[]): number {
  const targets = new Set<string>();
  for (const gpu of gpus) for (const link of gpu.nvlinks) if (link.to === 'nvswitch') targets.add(link.target ?? '');
  if (targets.size === 0) return 0;
  return host.nvswitches?.value ?? targets.size;
}

const restKind = (role: PciRole): 'switch' | 'nvme' | 'nvswitch' | undefined =>
  role === 'switch' || role === 'nvme' || role === 'nvswitch' ? role : undefined;

const bus = (device: PciDevice): { busId?: string } =>
  device.busId === undefined || device.standIn ? {} : { busId: device.busId };
const label = (name: string | undefined): { name?: string } => (name === undefined ? {} : { name });

/** Stable: equal numbers keep the order of the tree. */
function sorted<T>(items: readonly T[], key: (item: T) => number): T[] {
  return [...items].sort((a, b) => key(a) - key(b));
}
