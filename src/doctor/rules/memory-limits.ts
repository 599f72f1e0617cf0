import { finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

const GiB = 1024 ** 3;

/** RDMA pins the memory it uses, and a limit stands in its way. */
export const memlock: Rule = (facts) => {
  const failed = [
    ...facts.warnings.filter((w) => /ibv_\w+/.test(w.text) && /Cannot allocate memory|\b12\b.*ENOMEM/.test(w.text)),
    ...facts.said('cannot-pin'),
  ].map((w) => w.at);
  const finite = facts
    .of('memory-lock')
    .flatMap((m) => m.limits)
    .filter((l) => l.bytes !== 'unlimited' && l.bytes < GiB);
  // libibverbs complains of a limit with which hardly anything can be registered, and goes on.
  const small = facts.said('memlock-small');
  const free =
    facts.of('memory-lock').some((m) => m.limits.some((l) => l.bytes === 'unlimited')) && finite.length === 0;
  if (free || failed.length + finite.length + small.length === 0) return undefined;
  return finding('memlock-limit', {
    severity: failed.length > 0 ? 'error' : small.length > 0 ? 'warning' : 'info',
    confidence: failed.length > 0 && finite.length > 0 ? 0.95 : 0.7,
    evidence: [...failed.slice(0, 3), ...[...small, ...finite].map((f) => f.at)],
    commands: [
      "echo '* - memlock unlimited' | sudo tee /etc/security/limits.d/rdma.conf",
      'mpirun -np 1 bash -c "ulimit -l"',
    ],
    ...(finite.length > 0 ? {} : { settle: 'ulimit -l' }),
  });
};

/** Taking up what another rank has made. */
const attaching = /while attaching/;

/** Shared memory of a container is 64 MB unless asked for more. */
export const shm: Rule = (facts) => {
  const warned = facts.warnings.filter((w) => w.kind === 'shared-memory');
  const full = warned.filter((w) => /No space left|posix_fallocate|ENOSPC/.test(w.text) || w.code === 28);
  // A segment of another rank that is not there, or that may not be made, is no matter of room.
  const barred = warned.some((w) => /Permission denied|Operation not permitted/.test(w.text));
  const plain = warned.filter(
    (w) =>
      !barred &&
      !full.includes(w) &&
      !/error:/i.test(w.text) &&
      /segment|extend/.test(w.text) &&
      !attaching.test(w.text),
  );
  // The segment is there and CUDA does not take its memory: where nothing says that space is short, it is not.
  const cuda = facts.warnings.filter(
    (w) => w.kind === 'cuda-failure' && (/shm/.test(w.source ?? '') || /ncclUnhandledCudaError/.test(w.text)),
  );
  const refused = full.length === 0 && (cuda.length > 0 || facts.said('cuda-unhandled').length > 0);
  const told = facts
    .said('shm-full')
    .filter((m) => !refused || /No space left|posix_fallocate|insufficient/.test(m.text));
  const failed = [...full, ...(refused ? [] : plain), ...told].sort((a, b) => a.at.line - b.at.line);
  const mount = facts
    .of('mounts')
    .flatMap((m) => m.mounts)
    .find((m) => m.path === '/dev/shm');
  const small = mount?.bytes !== undefined && mount.bytes < 512 * 1024 ** 2 ? mount : undefined;
  const banner = facts.said('shm-default')[0];
  if (failed.length === 0 && !small && !banner) return undefined;
  if (failed.length > 0 && mount?.bytes !== undefined && !small && (mount.usedPercent ?? 0) < 80) return undefined;
  return finding('shm-too-small', {
    severity: failed.length > 0 ? 'error' : small ? 'warning' : 'info',
    confidence: failed.length > 0 ? 0.95 : 0.6,
    evidence: [...failed.slice(0, 3).map((f) => f.at), small?.at ?? mount?.at, banner?.at],
    commands: ['docker run --shm-size=1g …', 'df -h /dev/shm'],
  });
};
