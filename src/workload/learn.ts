import { random } from '../base/random.ts';
import { fail, ok, type Result } from '../base/result.ts';
import type { Machine, Transport } from '../machine/machine.ts';
import { nameDevices, pciTree } from '../machine/names.ts';
import type { RunEnds } from '../move/bytes/place.ts';
import { type ByteRun, runBytes } from '../move/bytes/run.ts';
import { type DataPathModel, hostMemoryOf, type MovePath, type MoveRow, moveRow } from '../move/model.ts';
import { dataPaths } from '../move/move.ts';
import { packetOf } from '../move/packets.ts';
import type { Ask } from '../nccl/of-machine.ts';
import { usualRates } from '../physics/usual-rates.ts';
import type { PacketPart } from '../wire/packet-parts.ts';
import type { MessageCode } from '../words/en/index.ts';
import type { Message } from '../words/message.ts';

/** What there is a lesson about: everything that has a title in the words. */
export type Topic = MessageCode extends infer Code ? (Code extends `learn.title.${infer Name}` ? Name : never) : never;

/** A technology that can be shown on a machine: the word that explains it, and the data path that is it. */
export interface Lesson {
  readonly topic: Topic;
  /** Names of the term in `words/terms`. */
  readonly term: string;
  readonly path: MovePath;
  readonly ends: 'peer' | 'node' | 'memory' | 'storage' | 'capture' | 'hosts' | 'client';
  /** The network it is about; any that carries the path when left out. */
  readonly transport?: Transport;
  /** Only on a machine whose NVLinks lead to switches. */
  readonly switched?: true;
}

export const lessons: readonly Lesson[] = [
  { topic: 'host-staged', term: 'host-staged', path: 'host-staged', ends: 'peer' },
  { topic: 'gpudirect-p2p', term: 'GPUDirect P2P', path: 'p2p-pcie', ends: 'peer' },
  { topic: 'nvlink', term: 'NV#', path: 'nvlink', ends: 'peer' },
  { topic: 'nvswitch', term: 'NVSwitch', path: 'nvlink', ends: 'peer', switched: true },
  { topic: 'nvlink-c2c', term: 'C2C', path: 'nvlink-c2c', ends: 'memory' },
  { topic: 'tcp', term: 'TCP', path: 'tcp', ends: 'node' },
  { topic: 'ipoib', term: 'IPoIB', path: 'ipoib-connected', ends: 'node' },
  { topic: 'rdma', term: 'RDMA', path: 'host-rdma', ends: 'hosts' },
  { topic: 'infiniband', term: 'InfiniBand', path: 'gpudirect-rdma', ends: 'node', transport: 'infiniband' },
  { topic: 'roce', term: 'RoCE', path: 'gpudirect-rdma', ends: 'node', transport: 'roce' },
  { topic: 'iwarp', term: 'iWARP', path: 'gpudirect-rdma', ends: 'node', transport: 'iwarp' },
  { topic: 'staged-rdma', term: 'host-staged', path: 'host-staged-rdma', ends: 'node' },
  { topic: 'gpudirect-rdma', term: 'GPUDirect RDMA', path: 'gpudirect-rdma', ends: 'node' },
  { topic: 'ingest-staged', term: 'ingest-staged', path: 'host-staged-rdma', ends: 'client' },
  { topic: 'ingest', term: 'ingest', path: 'gpudirect-rdma', ends: 'client' },
  { topic: 'posix-bounce', term: 'bounce buffer', path: 'posix-bounce', ends: 'storage' },
  { topic: 'gpudirect-storage', term: 'GPUDirect Storage', path: 'gpudirect-storage', ends: 'storage' },
  { topic: 'p2pdma', term: 'P2PDMA', path: 'p2pdma', ends: 'storage' },
  { topic: 'gpudirect-video', term: 'GPUDirect Video', path: 'gpudirect-video', ends: 'capture' },
];

/** After each stage: what has been copied so far, and what passed host memory and cores. */
export interface Step {
  readonly stage: DataPathModel['stages'][number];
  readonly copies: number;
  readonly hostMemory: number;
  readonly coreBytes: number;
}

export interface Demonstration {
  readonly lesson: Lesson;
  readonly from: string;
  readonly to: string;
  readonly model: DataPathModel;
  readonly steps: readonly Step[];
  /** What was taken for rates that no input tells. */
  readonly assumed: readonly Message[];
  /** A run with real bytes: how many, and what was counted. */
  readonly bytes: number;
  readonly run: ByteRun['tally'];
  readonly rows: readonly MoveRow[];
  /** A full packet of a way over a network. */
  readonly packet?: readonly PacketPart[];
}

export type NoLesson = 'unknown-topic' | 'not-on-this-machine' | 'run-failed';

const demoBytes = 1 << 18;

/** Shows a technology on the machine at hand: its stages, a run with real bytes, and times by size. */
export function demonstrate(machine: Machine, ask: Ask, topic: string): Result<Demonstration, NoLesson> {
  const lesson = lessons.find((l) => l.topic === topic);
  if (!lesson) return fail('unknown-topic');
  const wide = machine.nodes > 1 ? machine : { ...machine, nodes: 2 };
  const gpus = nameDevices(machine).filter((d) => d.kind === 'gpu' && d.host === 0 && d.node === 0);
  const first = gpus[0];
  if (!first || !suits(machine, lesson)) return fail('not-on-this-machine');
  for (const [from, to] of candidates(
    lesson,
    gpus.map((g) => g.local),
  )) {
    const models = dataPaths(wide, ask, from, to);
    const model = models.ok ? models.value.find((m) => m.path === lesson.path) : undefined;
    if (!model) continue;
    const run = runBytes(model, endsOf(from, to), payload());
    if (!run.ok) return fail('run-failed');
    const rows = [8, 4096, 1 << 20, 1 << 26].map((bytes) =>
      moveRow(model, bytes, { depth: 8, threads: 8, both: false }),
    );
    const packet = packetOf(wide, lesson.path);
    return ok({
      lesson,
      from,
      to,
      model,
      steps: stepsOf(model),
      assumed: usualRates(wide).assumed,
      bytes: demoBytes,
      run: run.value.tally,
      rows,
      ...(packet ? { packet } : {}),
    });
  }
  return fail('not-on-this-machine');
}

function suits(machine: Machine, lesson: Lesson): boolean {
  if (lesson.transport !== undefined && machine.fabric.transport?.value !== lesson.transport) return false;
  if (!lesson.switched) return true;
  const host = machine.hosts[0];
  const devices = host?.cpus.flatMap((cpu, i) => [...pciTree(cpu, i)].map((d) => d.device)) ?? [];
  return devices.some((d) => d.gpus?.some((g) => g.nvlinks.some((l) => l.to === 'nvswitch')));
}

function* candidates(lesson: Lesson, gpus: readonly string[]): Generator<readonly [string, string]> {
  const a = `node0/${gpus[0]!}`;
  switch (lesson.ends) {
    case 'peer':
      for (const g of gpus.slice(1)) yield [a, `node0/${g}`];
      break;
    case 'node':
      yield [a, `node1/${gpus[0]!}`];
      break;
    case 'hosts':
      yield ['node0/host0', 'node1/host0'];
      break;
    case 'client':
      yield ['client', a];
      break;
    case 'memory':
      yield ['node0/host0', a];
      break;
    case 'storage':
      yield ['node0/storage', a];
      yield ['node0/nvme0', a];
      break;
    default:
      yield ['node0/capture0', a];
  }
}

function endsOf(from: string, to: string): RunEnds {
  const kind = (name: string): RunEnds['from'] =>
    name.includes('gpu')
      ? 'gpu'
      : name.includes('host')
        ? 'host'
        : name === 'client'
          ? 'client'
          : name.includes('capture')
            ? 'capture'
            : 'drive';
  return {
    from: kind(from),
    to: kind(to) === 'host' ? 'host' : 'gpu',
    apart: from.split('/')[0] !== to.split('/')[0],
  };
}

function payload(): Uint8Array {
  const r = random(1);
  return Uint8Array.from({ length: demoBytes }, () => r.below(256));
}

function stepsOf(model: DataPathModel): Step[] {
  let copies = 0;
  let hostMemory = 0;
  let coreBytes = 0;
  return model.stages.map((stage) => {
    copies += stage.copy ? 1 : 0;
    hostMemory += stage.hostMemory;
    coreBytes += /kernel|stage\.core$/.test(stage.name.code) ? 1 : 0;
    return { stage, copies, hostMemory, coreBytes };
  });
}

/** The counters of a run against what the model states; a lesson that lies is not shown. */
export const agrees = (d: Demonstration): boolean =>
  d.run.host === hostMemoryOf(d.model) * d.bytes && d.run.copied === d.steps[d.steps.length - 1]!.copies * d.bytes;
