import { signal } from '@preact/signals';
import type { Move, MovePath } from './answers.ts';
import * as state from './state.ts';

/** Is anything moving? Nobody who asked their system for less motion is shown any. */
export const running = signal(!matchMedia('(prefers-reduced-motion: reduce)').matches);

/** The colour of a data path: the same everywhere on the page, named in `style/colors.css`. */
export function colorOf(path: string): string {
  if (path.startsWith('gpudirect')) return 'way-direct';
  if (path.startsWith('nvlink')) return 'way-nvlink';
  if (path.startsWith('tcp') || path.startsWith('ipoib')) return 'way-kernel';
  if (path === 'p2p-pcie' || path.startsWith('memcpy') || path === 'host-rdma') return 'way-pcie';
  if (path.endsWith('compat')) return 'way-compat';
  return 'way-staged';
}

/** GB/s of a way at a size: of the row that is nearest. */
export function bandwidthAt(path: MovePath, bytes: number): number {
  let best = path.rows[0];
  for (const row of path.rows) {
    if (best === undefined || Math.abs(Math.log(row.bytes / bytes)) < Math.abs(Math.log(best.bytes / bytes)))
      best = row;
  }
  return best?.bandwidthGBps ?? 0;
}

/** The way that data takes today, as far as anyone can tell. */
export const todays = (move: Move): MovePath | undefined =>
  move.paths.find((p) => p.allowed === 'yes') ?? move.paths[0];

/** Ways drawn at once; more would be a tangle. */
const most = 3;

/** The ways drawn in the picture: today's and its rivals, or the one looked at alone. */
export function shownPaths(move: Move): readonly MovePath[] {
  const alone = move.paths.find((p) => p.path === state.only.value);
  if (alone) return [alone];
  const now = todays(move);
  if (!now) return [];
  // A direct way against the best staged one says more than the second direct one.
  const staged = move.paths.filter((p) => p !== now && p.hostMemoryBytesPerByte > 0);
  const direct = move.paths.filter((p) => p !== now && p.hostMemoryBytesPerByte === 0);
  return [now, ...(direct[0] ? [direct[0]] : []), ...(staged[0] ? [staged[0]] : [])].slice(0, most);
}
