import { calibration } from '../../catalogue/calibration.ts';
import type { Machine } from '../../machine/machine.ts';
import type { NamedDevice } from '../../machine/names.ts';
import { gpuAt, p2pdmaOf } from '../../way/p2pdma.ts';
import { say } from '../../words/message.ts';
import { copyWay } from '../copy-way.ts';
import type { MoveEnd } from '../ends.ts';
import { treeLinks } from '../links.ts';
import type { DataPathModel, MoveStage, Timing } from '../model.ts';
import { cpuOf, memoryRate, peerLinks, peerRate, peerReadRate, redirected, rootLimit } from '../wires.ts';
import { bufferBytes, compatOf, later, launchCpu, requestTiming, us } from './costs.ts';
import { beyond, bounded, type DriveSet, driveSet, drivesDma, gpuBeside } from './drives.ts';
import { nvlinkStages } from './node.ts';
import { remoteStoragePaths } from './remote-storage.ts';

/** A read from a drive, or from all of them, into GPU memory (`fills`), or a write of GPU memory to them. */
export function storagePaths(machine: Machine, drive: MoveEnd, gpu: MoveEnd, fills: boolean): DataPathModel[] {
  const { storage } = machine;
  if (storage && storage.type !== 'nvme' && drive.kind === 'storage') {
    return remoteStoragePaths(machine, storage, gpu, fills);
  }
  const drives = driveSet(machine, drive, gpu, fills);
  if (!drives) return [];
  const all = new LocalPaths(machine, gpu, drives, fills);
  const bounce = all.bounce();
  return [all.direct(), ...all.p2pdma(), compatOf(bounce), bounce, ...(fills ? [all.cached()] : [])];
}

class LocalPaths {
  private readonly target: NamedDevice;
  private readonly cpu: NamedDevice;
  /** A request that the kernel alone carries. */
  private readonly plain: Timing;

  constructor(
    private readonly machine: Machine,
    private readonly gpu: MoveEnd,
    private readonly drives: DriveSet,
    private readonly fills: boolean,
  ) {
    this.target = gpu.device!;
    this.cpu = cpuOf(gpu, this.target);
    this.plain = requestTiming(drives.latency + calibration.posixRequest.value * us, drives.count);
  }

  /** cuFile with GPUDirect: the drives reach GPU memory, of the target or of a GPU beside them that passes it on. */
  direct(): DataPathModel {
    const { used } = this.drives;
    const beside = gpuBeside(this.gpu, used, this.target);
    const gds = this.machine.storage?.gds;
    const request = requestTiming(this.drives.latency + calibration.gdsRequest.value * us, this.drives.count);
    const stages = beside
      ? this.ordered(this.media(), this.dma(beside, true), ...this.passedOn(beside))
      : this.ordered(this.media(), this.dma(this.target, false));
    return {
      path: 'gpudirect-storage',
      allowed: gds === undefined ? 'unknown' : gds ? 'yes' : 'no',
      rule: beside ? say('move.rule.gds-far', { gpu: beside.local }) : say('move.rule.gds'),
      ...this.noted(beside ?? this.target),
      stages,
      timing: beside ? later(request, calibration.gdsFar.value) : request,
    };
  }

  /** The kernel's own way: the drives reach the GPU however far it is, if the host bridges between pass it. */
  p2pdma(): DataPathModel[] {
    const { used } = this.drives;
    const gpu = gpuAt(this.gpu.host, this.target.path, this.target.slot);
    if (used.length === 0 || !gpu) return [];
    const verdicts = used.map((d) => p2pdmaOf(this.machine, this.gpu.host, gpu, d.path, this.target.path));
    const verdict =
      verdicts.find((v) => v.allowed === 'no') ?? verdicts.find((v) => v.allowed === 'unknown') ?? verdicts[0]!;
    return [
      {
        path: 'p2pdma',
        allowed: verdict.allowed,
        rule: verdict.rule,
        ...this.noted(this.target),
        stages: this.ordered(this.media(), this.dma(this.target, false)),
        timing: this.plain,
      },
    ];
  }

  /**
   * Through a pinned buffer in host memory, whole requests one after the other. A worker waits for its copy to be launched; drives
   * and copy engine serve the others meanwhile.
   */
  bounce(): DataPathModel {
    const { count, rate, links, used } = this.drives;
    const drives = bounded({
      ...drivesDma(
        say(this.fills ? 'move.stage.drives-to-host' : 'move.stage.drives-from-host', { count }),
        rate,
        1,
        used.map((d) => this.way(d, this.cpu)),
      ),
    });
    const shared = bounded({ ...drives, links: [...links, ...drives.links] });
    return {
      path: 'posix-bounce',
      allowed: 'yes',
      rule: say(this.fills ? 'move.rule.bounce' : 'move.rule.bounce-write'),
      ...this.noted(),
      stages: this.ordered(shared, this.copy()),
      timing: later(this.plain, calibration.copyLaunch.value),
    };
  }

  /** A file that the kernel still holds: no drive is asked, a core copies it out of the page cache. */
  cached(): DataPathModel {
    const core = calibration.coreCopy.value * 1e9;
    const once = calibration.systemCall.value * us;
    return {
      path: 'posix-cached',
      allowed: 'unknown',
      rule: say('move.rule.page-cache'),
      stages: [
        {
          name: say('move.stage.page-cache'),
          rate: core,
          copy: true,
          hostMemory: 2,
          cpuPerByte: 1 / core,
          links: [],
        },
        this.copy(),
      ],
      timing: later(
        { oneWay: once, cycle: once, startRate: 1e6, cpuPerOperation: once + launchCpu, workers: true },
        calibration.copyLaunch.value,
      ),
    };
  }

  /** The drives' flash. */
  private media(): MoveStage {
    const { count, rate, links } = this.drives;
    return bounded({
      name: say(this.fills ? 'move.stage.drives' : 'move.stage.drives-write', { count }),
      rate,
      copy: false,
      hostMemory: 0,
      cpuPerByte: 0,
      links,
    });
  }

  /** Between drives and memory of a GPU; the GPU's own link, and a root complex on the way, they share. */
  private dma(gpu: NamedDevice, near: boolean): MoveStage {
    const { used } = this.drives;
    const rate = Math.min(
      memoryRate(this.gpu, gpu, cpuOf(this.gpu, gpu)),
      ...(this.fills ? [] : [peerReadRate(gpuAt(this.gpu.host, gpu.path, gpu.slot))]),
      ...used.map((d) => rootLimit(this.gpu, gpu.path, d.path)),
    );
    const name = near
      ? say(this.fills ? 'move.stage.drive-write-near' : 'move.stage.drive-read-near', { gpu: gpu.local })
      : say(this.fills ? 'move.stage.drive-write' : 'move.stage.drive-read');
    const [node, fills] = [this.gpu, this.fills];
    const ways = used.map((d) =>
      beyond(node, d, fills ? peerLinks(node, d.path, gpu.path) : peerLinks(node, gpu.path, d.path)),
    );
    return drivesDma(name, rate, 0, ways);
  }

  /** From the GPU beside the drives to the one that is not, or back: NVLink where there is one, else PCIe. */
  private passedOn(beside: NamedDevice): MoveStage[] {
    const [a, b] = this.fills ? [beside, this.target] : [this.target, beside];
    const from = { ...this.gpu, device: a };
    const to = { ...this.gpu, device: b };
    const stages = nvlinkStages(from, to) ?? [
      {
        name: say('move.stage.peer'),
        rate: peerRate(from, a.path, b.path),
        copy: true,
        hostMemory: 0,
        cpuPerByte: 0,
        links: peerLinks(from, a.path, b.path),
      },
    ];
    return this.fills ? [...stages] : [...stages].reverse();
  }

  private copy(): MoveStage {
    const { gpu, target, cpu, fills } = this;
    const { rate, links } = copyWay(gpu, target, cpu, !fills);
    return {
      name: say(fills ? 'move.stage.from-host' : 'move.stage.to-host'),
      rate,
      copy: true,
      hostMemory: 1,
      cpuPerByte: launchCpu / bufferBytes,
      links,
    };
  }

  private way(drive: NamedDevice, to: NamedDevice): ReturnType<typeof treeLinks> {
    const { gpu, fills } = this;
    return beyond(gpu, drive, fills ? treeLinks(gpu, drive.path, to.path) : treeLinks(gpu, to.path, drive.path));
  }

  /** Told from the drives on; a write goes the other way round. */
  private ordered(...stages: readonly MoveStage[]): MoveStage[] {
    return this.fills ? [...stages] : [...stages].reverse();
  }

  private noted(peer?: NamedDevice): Pick<DataPathModel, 'note'> {
    if (peer && this.drives.used.some((d) => redirected(this.gpu, d.path, peer.path))) {
      return { note: say('move.note.acs') };
    }
    return this.drives.writesAsReads ? { note: say('move.note.writes-as-reads') } : {};
  }
}
