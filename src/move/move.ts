import { fail, ok, type Result } from '../base/result.ts';
import type { Machine } from '../machine/machine.ts';
import type { Ask } from '../nccl/of-machine.ts';
import { usualRates } from '../physics/usual-rates.ts';
import { courseOf } from '../way/course.ts';
import { type Message, say } from '../words/message.ts';
import { findEnd, type MoveEnd } from './ends.ts';
import type { DataPathModel } from './model.ts';
import { networkPaths } from './paths/network.ts';
import { domainPaths, memoryPaths, peerPaths } from './paths/node.ts';
import { storagePaths } from './paths/storage.ts';
import { videoPaths } from './paths/video.ts';

/** Ends that a network can lead to. Two clients are no business of ours. */
const networked = (end: MoveEnd): boolean => end.kind === 'gpu' || end.kind === 'host' || end.kind === 'client';

/** Every data path that the wires allow from one end to the other; rates that no input tells are the usual ones. */
export function dataPaths(
  told: Machine,
  ask: Ask,
  from: string,
  to: string,
): Result<readonly DataPathModel[], Message> {
  const { machine } = usualRates(told);
  const a = findEnd(machine, from);
  if (!a.ok) return fail(a.error);
  const b = findEnd(machine, to);
  if (!b.ok) return fail(b.error);
  const x = a.value;
  const y = b.value;
  const answer = x.kind === 'gpu' && y.kind === 'gpu' ? courseOf(told, ask, from, to) : undefined;
  const course = answer?.ok ? answer.value : undefined;
  const kinds = `${x.kind} ${y.kind}`;
  const apart = x.node !== y.node;
  const models = ((): DataPathModel[] | undefined => {
    if (apart && !(networked(x) && networked(y))) return undefined;
    if (apart) return [...domainPaths(x, y, course), ...networkPaths(machine, x, y, course?.network ?? course)];
    if (kinds === 'gpu gpu' && x.device!.id !== y.device!.id) return peerPaths(x, y, course);
    if (kinds === 'gpu host') return memoryPaths(x, y, true);
    if (kinds === 'host gpu') return memoryPaths(y, x, false);
    if (x.kind === 'capture' && y.kind === 'gpu') return videoPaths(y);
    if ((x.kind === 'nvme' || x.kind === 'storage') && y.kind === 'gpu') return storagePaths(machine, x, y, true);
    if (x.kind === 'gpu' && (y.kind === 'nvme' || y.kind === 'storage')) return storagePaths(machine, y, x, false);
    return undefined;
  })();
  if (!models && x.kind === y.kind && !apart && x.device?.id === y.device?.id && x.kind !== 'client') {
    const gpu = x.devices.find((d) => d.kind === 'gpu' && d.id !== x.device?.id);
    const prefix = from.includes('/') ? `node${x.node}/` : '';
    return fail(say('move.same-end', { name: from, other: `${from} ${gpu ? prefix + gpu.local : 'node1/gpu0'}` }));
  }
  if (!models) return fail(say('move.no-path', { from, to }));
  // A rate that no input tells stands as unlimited: nothing can be said of a way that has one.
  const known = models.filter((m) => m.stages.every((s) => s.unbounded || Number.isFinite(s.rate)));
  if (known.length === 0) {
    const bare = apart && [x, y].some((e) => e.kind !== 'client' && e.devices.every((d) => d.kind !== 'nic'));
    return fail(say(bare ? 'move.no-nic' : 'move.no-model', { from, to }));
  }
  return ok(known);
}
