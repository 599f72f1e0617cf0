import { calibration } from '../../catalogue/calibration.ts';
import type { NamedDevice } from '../../machine/names.ts';
import { pciePayloadRate } from '../../physics/pcie.ts';
import { say } from '../../words/message.ts';
import { copyWay } from '../copy-way.ts';
import type { MoveEnd } from '../ends.ts';
import { treeLinks } from '../links.ts';
import type { DataPathModel, MoveStage, Timing } from '../model.ts';
import { cpuOf, rootLimit } from '../wires.ts';
import { us } from './costs.ts';

/** A frame's interrupt, wake-up and hand-over keep a core this long; the next frame cannot start before. */
const frameCpu = 10 * us;
/** Capture cards are PCIe 3.0 ×8 as a rule (product sheets of four-channel 12G-SDI cards). */
const cardLink = { speed: '8.0 GT/s PCIe', width: 8 };

/** Frames from a capture card into GPU memory; the card is taken to sit in a slot of the GPU's own NUMA node. */
export function videoPaths(gpu: MoveEnd): DataPathModel[] {
  const target = gpu.device!;
  const cpu = cpuOf(gpu, target);
  const card = pciePayloadRate(cardLink)!;
  // A slot on the socket: the way to a GPU leads through the root complex.
  const slot: NamedDevice['path'] = [cpu.path[0]!, Number.MAX_SAFE_INTEGER];
  const timing: Timing = {
    oneWay: calibration.copyLaunch.value * us,
    cycle: frameCpu,
    startRate: 1 / frameCpu,
    cpuPerOperation: frameCpu,
    serial: true,
  };
  const down = treeLinks(gpu, cpu.path, target.path);
  const fromCard = (hostMemory: number, rate: number): MoveStage => ({
    name: say(hostMemory > 0 ? 'move.stage.card-to-host' : 'move.stage.card-to-gpu'),
    rate,
    copy: false,
    hostMemory,
    cpuPerByte: 0,
    links: hostMemory > 0 ? [] : down,
  });
  const core = calibration.coreCopy.value * 1e9;
  return [
    {
      path: 'gpudirect-video',
      allowed: 'unknown',
      rule: say('move.rule.video'),
      stages: [fromCard(0, Math.min(card, rootLimit(gpu, slot, target.path)))],
      timing,
    },
    {
      path: 'capture-staged',
      allowed: 'yes',
      rule: say('move.rule.video-staged'),
      stages: [
        fromCard(1, card),
        { name: say('move.stage.core'), rate: core, copy: true, hostMemory: 2, cpuPerByte: 1 / core, links: [] },
        {
          name: say('move.stage.copy-engine'),
          ...copyWay(gpu, target, cpu, false),
          copy: true,
          hostMemory: 1,
          cpuPerByte: 0,
        },
      ],
      timing,
    },
  ];
}
