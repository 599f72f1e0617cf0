import { describe, expect, it } from 'vitest';
import { findingsOf } from './case.ts';

const bound = async (command: string): Promise<boolean> =>
  (await findingsOf({ 'run.txt': [`birch$ ${command}`] })).some((f) => f.id === 'process-on-one-core');

describe('ranks on a single core', () => {
  it('are so where the command says it, or Open MPI does it unasked', async () => {
    for (const command of [
      'mpirun -np 8 --bind-to core ./build/all_reduce_perf -g 1',
      'mpirun -np 2 -H a:1,b:1 -x NCCL_DEBUG=INFO ./build/all_reduce_perf -g 1',
      'mpirun --allow-run-as-root -np 2 -H a:1,b:1 ./build/all_reduce_perf -g 4',
      'taskset -c 3 ./build/all_reduce_perf -g 8',
      'numactl -C 0 ./build/all_reduce_perf -g 8',
    ])
      expect([command, await bound(command)]).toEqual([command, true]);
  });

  it('are not where there is room for their threads, or nobody can tell', async () => {
    for (const command of [
      'mpirun -np 16 -x NCCL_DEBUG=INFO ./build/all_reduce_perf -g 1',
      'mpirun -np 2 --bind-to none -x NCCL_DEBUG=INFO ./build/all_reduce_perf',
      'mpirun -np 2 --bind-to numa -x NCCL_DEBUG=INFO ./build/all_reduce_perf',
      'mpirun -np 8 --map-by slot:PE=8 --bind-to core -x NCCL_DEBUG=INFO ./build/all_reduce_perf',
      'mpirun -np 2 --cpus-per-proc 8 --bind-to core ./build/all_reduce_perf',
      'mpirun -np 2 -hosts a,b ./build/all_reduce_perf -g 8',
      'mpirun -np 2 -x NCCL_DEBUG hostname',
      'taskset -c 0-7 ./build/all_reduce_perf -g 8',
    ])
      expect([command, await bound(command)]).toEqual([command, false]);
  });
});
