import { cpus } from '../../catalogue/cpus.ts';
import type { NodeParts } from '../../catalogue/node.ts';
import type { Cpu, CpuVendor, Host, PciDevice } from '../../machine/host.ts';
import { type BusNumbers, busLayout } from './bus.ts';
import { DeviceMaker, type DeviceOptions } from './devices.ts';
import { type DrivePlan, planNode, type Slot } from './plan.ts';
import { twoPorts } from './two-ports.ts';

export interface BuildOptions extends DeviceOptions {
  readonly drives?: DrivePlan;
  /** Catalogue id, when the parts are a system's. */
  readonly system?: string;
}

export interface BuiltHost {
  readonly host: Host;
  readonly noOtherSocket: boolean;
}

/** Builds a host from parts: a PCI tree with bus ids, NVLinks, ports, drives; ranks follow the GPU numbers. */
export function buildHost(parts: NodeParts, options: BuildOptions): BuiltHost {
  const plan = planNode(parts, options.drives);
  const maker = new DeviceMaker(parts, options);
  const cpu = cpus.get(parts.cpu)!;
  const stage = parts.gpuStage === true;

  const perNuma = plan.numas.map((n) => n.slots.reduce((sum, slot) => sum + busesOf(slot, stage), 0));
  const layout = busLayout(
    plan.numas.length,
    Math.max(0, ...perNuma),
    Math.max(0, ...plan.numas.map((n) => n.slots.length)),
    cpu.arch === 'arm64',
  );

  // Bus ids first: NVLinks name the bus of GPUs that come later.
  const gpuBus: string[] = [];
  const numbered = plan.numas.map((numa, index) =>
    numa.slots.map((slot, slotIndex) =>
      number(slot, stage, twoPorts(slot, parts, options), layout(index, slotIndex), gpuBus),
    ),
  );

  const numas: Cpu[] = plan.numas.map((numa, index) => {
    const bridge = numbered[index]![0]?.root;
    const devices = numa.slots.map((slot, slotIndex) => {
      const buses = numbered[index]![slotIndex]!;
      return makeSlot(slot, buses, maker, gpuBus, `pci${maker.oneBridge ? bridge! : buses.root}`);
    });
    return {
      numa: numa.numa,
      socket: numa.socket,
      arch: cpu.arch,
      vendor: cpu.vendor satisfies CpuVendor,
      ...(cpu.family === undefined ? {} : { family: cpu.family.value }),
      ...(cpu.model === undefined ? {} : { model: cpu.model.value }),
      devices,
      at: options.where('cpu'),
    };
  });
  return {
    host: {
      names: [],
      cpus: numas,
      ...(parts.nvswitches === undefined
        ? {}
        : { nvswitches: { value: parts.nvswitches, at: [], by: 'catalogue' as const } }),
      ...(options.system === undefined ? {} : { system: options.system }),
    },
    noOtherSocket: plan.noOtherSocket,
  };
}

/** Bus ids of one slot and the host bridge above it. */
interface SlotBuses {
  readonly root: string;
  readonly upstream?: string;
  readonly stages: readonly string[];
  readonly nics: readonly string[];
  /** The NICs are ports of cards, two each. */
  readonly cards: boolean;
  readonly drives: readonly string[];
}

/** Root bus, then for a switch its upstream port and inner bus, then one bus a device (three behind a stage of its own). */
const busesOf = (slot: Slot, stage: boolean): number =>
  1 + (slot.behindSwitch ? 2 : 0) + slot.gpus.length * (stage ? 3 : 1) + slot.nics.length + slot.drives.length;

/** Bus ids of cards with two ports. */
const functions = (ports: number, bus: () => string): string[] =>
  Array.from({ length: ports / 2 }, bus).flatMap((b) => [`${b}:00.0`, `${b}:00.1`]);

function number(slot: Slot, stage: boolean, cards: boolean, buses: BusNumbers, gpuBus: string[]): SlotBuses {
  const device = (): string => `${buses.next()}:00.0`;
  const root = buses.next();
  let upstream: string | undefined;
  if (slot.behindSwitch) {
    upstream = device();
    buses.next();
  }
  const stages: string[] = [];
  for (const gpu of slot.gpus) {
    if (stage && slot.behindSwitch) {
      stages.push(device());
      buses.next();
    }
    gpuBus[gpu] = device();
  }
  return {
    root,
    ...(upstream === undefined ? {} : { upstream }),
    stages,
    cards,
    nics: cards ? functions(slot.nics.length, () => buses.next()) : slot.nics.map(device),
    drives: slot.drives.map(device),
  };
}

function makeSlot(
  slot: Slot,
  buses: SlotBuses,
  maker: DeviceMaker,
  gpuBus: readonly string[],
  bridge: string,
): PciDevice {
  const own = buses.upstream === undefined ? bridge : undefined;
  const children: PciDevice[] = [
    ...slot.gpus.map((dev, i) => {
      const gpu = maker.gpu(dev, gpuBus, own);
      return buses.stages[i] === undefined ? gpu : maker.switch(buses.stages[i]!, [gpu]);
    }),
    ...slot.nics.map((dev, i) => {
      const nic = maker.nic(dev, buses.nics[i]!, own, buses.cards);
      return buses.cards ? { ...nic, apart: true } : nic;
    }),
    ...slot.drives.map((_, i) => maker.drive(buses.drives[i]!, own)),
  ];
  return buses.upstream === undefined ? children[0]! : maker.switch(buses.upstream, children, bridge);
}
