import type { Where } from '../../fact/fact.ts';
import type { Message } from '../../words/message.ts';

/**
 * A machine made ready for drawing: nested boxes, folded where many are equal, with what is wrong marked. It knows no
 * width and no language; every renderer draws this and nothing else.
 */
export interface Picture {
  readonly title: Message;
  readonly hosts: readonly PictureHost[];
  /** Hosts that were left out because there are too many different ones. */
  readonly hidden: number;
  /** What holds for the whole picture: link generations, NVLink domain, network. */
  readonly legend: readonly Message[];
  /** What is marked in the boxes, in words; worst first. */
  readonly notes: readonly PictureNote[];
}

/** `bad`: slower or narrower than it should be; `look`: worth a look, may be meant so; `unknown`: no input tells. */
export type Mark = 'bad' | 'look' | 'unknown';

export interface PictureNote {
  readonly mark: Mark;
  readonly message: Message;
  /** Names of the devices concerned, as in the boxes, with their node where there are several. */
  readonly devices: readonly string[];
}

export type BoxKind = 'cpu' | 'switch' | 'bridge' | 'gpu' | 'nic' | 'nvme' | 'nvswitch';

export interface PictureBox {
  readonly kind: BoxKind;
  /** `gpu0`, or `gpu0…gpu7` for a folded row. Empty for a bridge, which has no name. */
  readonly label: string;
  /** The whole name, `node0/gpu0`; of the first where several are folded. */
  readonly id: string;
  /** How many equal ones this box stands for. */
  readonly count: number;
  /** What belongs next to the label: a NIC's rate (text), a NUMA node's processor (message). */
  readonly detail?: Message | string;
  /** What its source calls it. */
  readonly name?: string;
  readonly busId?: string;
  /** The PCIe link to the parent, such as `PCIe 5.0 ×16`; absent when not known or not PCIe. */
  readonly link?: string;
  readonly mark?: Mark;
  /** Lines that tell of it; of the first where several are folded. */
  readonly at: readonly Where[];
  /** NVLinks that leave it. */
  readonly nvlinks: number;
  readonly children: readonly PictureBox[];
}

/** NVLinks from GPU to GPU as a square of counts: `counts[i][j]` links from `gpus[i]` to `gpus[j]`. */
export interface NvlinkMesh {
  readonly gpus: readonly string[];
  readonly counts: readonly (readonly number[])[];
}

export interface PictureHost {
  /** `node0`; empty when the machine is one node. */
  readonly label: string;
  /** What the inputs call it. */
  readonly name?: string;
  /** How many equal nodes it stands for, itself included. */
  readonly count: number;
  readonly cpus: readonly PictureBox[];
  /** The NVSwitch across the GPUs, in words. */
  readonly band?: Message;
  /** NVLinks between GPUs that are no simple pattern. */
  readonly mesh?: NvlinkMesh;
  /** Patterns told in a line: pairs, all-to-all, the link to the CPU. */
  readonly lines: readonly Message[];
}
