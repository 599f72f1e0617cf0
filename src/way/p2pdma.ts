import type { Answer, Where } from '../fact/fact.ts';
import type { Cpu, Gpu, Host } from '../machine/host.ts';
import type { Machine } from '../machine/machine.ts';
import { deviceAt, type TreePath } from '../machine/names.ts';
import { treeLeg } from '../physics/leg.ts';
import { cpuPart } from '../physics/link-rate.ts';
import { type Message, say } from '../words/message.ts';

/** May the kernel let a drive and a GPU talk to each other by itself (CONFIG_PCI_P2PDMA), and which need says so? */
export interface P2pdma {
  readonly allowed: Answer;
  readonly rule: Message;
  /** What said so, where something read did. */
  readonly at: readonly Where[];
}

/**
 * GPUs whose memory NVIDIA's driver gives the kernel as P2PDMA pages, by the names that the catalogue uses
 * (https://docs.nvidia.com/gpudirect-storage/troubleshooting-guide/nvme-p2pdma-troubleshooting.html, 14.2).
 */
const exporting = /^(?:a100|a40|l4|l40s|h100|h200|b100|b200|b300)\b/;

/**
 * CPUs through whose host bridges the kernel passes peer traffic, from drivers/pci/p2pdma.c
 * (https://github.com/torvalds/linux/blob/master/drivers/pci/p2pdma.c): AMD from Zen on, Intel from Skylake-SP to Ice Lake-SP by
 * the ids of their root ports. Broadwell's are not listed. Those of later Xeons no input tells.
 */
const listed: ReadonlySet<string> = new Set(['intel-skl', 'intel-icx']);
const unlisted: ReadonlySet<string> = new Set(['intel-bdw']);
const zen = 0x17;

const no = (rule: Message): P2pdma => ({ allowed: 'no', rule, at: [] });
const unknown = (rule: Message): P2pdma => ({ allowed: 'unknown', rule, at: [] });

/** The kernel's verdict about traffic from one place of a host to another. */
export function kernelPasses(host: Host, from: TreePath, to: TreePath, acs: boolean | undefined): P2pdma | undefined {
  const { crosses } = treeLeg(host, from, to);
  if (crosses === 'switch' || crosses === 'nothing') {
    if (acs === false) return undefined;
    // A redirected request passes the host bridge, listed or not.
    const through = bridgesListed(host, from, to);
    if (through === true) return undefined;
    if (acs === undefined) return unknown(say('rule.p2pdma.acs-unknown'));
    return through === false ? no(say('rule.p2pdma.acs')) : unknown(say('rule.p2pdma.bridge-unknown'));
  }
  const through = bridgesListed(host, from, to);
  if (through === true) return undefined;
  return through === false ? no(say('rule.p2pdma.bridge')) : unknown(say('rule.p2pdma.bridge-unknown'));
}

function bridgesListed(host: Host, from: TreePath, to: TreePath): boolean | undefined {
  const answers = [host.cpus[from[0]!], host.cpus[to[0]!]].map(bridgeListed);
  if (answers.includes(false)) return false;
  return answers.includes(undefined) ? undefined : true;
}

function bridgeListed(cpu: Cpu | undefined): boolean | undefined {
  if (cpu?.vendor === 'AMD') return cpu.family === undefined ? undefined : effectiveFamily(cpu.family) >= zen;
  const part = cpu && cpuPart(cpu)?.id;
  if (part === undefined) return undefined;
  return listed.has(part) ? true : unlisted.has(part) ? false : undefined;
}

/** NCCL's files have the family as CPUID's two fields put side by side (143 = 0x8f: 0xf + 0x8), tools as their sum. */
const effectiveFamily = (family: number): number => (family > 0x60 ? (family & 0xf) + (family >> 4) : family);

/**
 * Every need of the way in turn: a GPU whose driver exports its memory, an x86 host, a kernel set up for it, and a way that the
 * kernel passes. The first that fails decides; then the first that no fact tells.
 */
export function p2pdmaOf(machine: Machine, host: Host, gpu: Gpu, from: TreePath, to: TreePath): P2pdma {
  const told = machine.software.p2pdma?.value;
  const cpu = host.cpus[to[0]!];
  const passes = kernelPasses(host, from, to, machine.software.acs?.value);
  const needs: readonly (P2pdma | undefined)[] = [
    gpu.part === undefined
      ? unknown(say('rule.p2pdma.gpu-unknown'))
      : exporting.test(gpu.part)
        ? undefined
        : no(say('rule.p2pdma.gpu', { gpu: gpu.part })),
    cpu?.arch === 'arm64' ? no(say('rule.p2pdma.arm')) : undefined,
    told === false ? no(say('rule.p2pdma.off')) : undefined,
    passes,
    told === undefined ? unknown(say('rule.p2pdma.kernel-unknown')) : undefined,
  ];
  const failed = needs.find((n) => n?.allowed === 'no') ?? needs.find((n) => n !== undefined);
  return failed ?? { allowed: 'yes', rule: say('rule.p2pdma.yes'), at: machine.software.p2pdma?.at ?? [] };
}

export const gpuAt = (host: Host, path: TreePath, slot: number | undefined): Gpu | undefined =>
  deviceAt(host, path)?.gpus?.[slot ?? 0];
