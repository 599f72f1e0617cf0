import { ScheduleBuilder } from '../../src/schedule/builder.ts';
import type { Schedule } from '../../src/schedule/schedule.ts';

export interface PlainRing {
  readonly gpus: number;
  readonly bytes: number;
  /** Bytes per second and seconds of each link between GPU and switch. */
  readonly rate: number;
  readonly latency: number;
  /** Seconds of software per send. */
  readonly software: number;
}

export function built(builder: ScheduleBuilder): Schedule {
  const result = builder.build();
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

/** Ring AllReduce of GPUs on one switch: 2(n − 1) steps, in each of which every GPU sends 1/n to the next. */
export function plainRing({ gpus, bytes, rate, latency, software }: PlainRing): Schedule {
  const b = new ScheduleBuilder();
  const up = Array.from({ length: gpus }, (_, g) => b.resource('link', `gpu${g} to switch`, rate));
  const down = Array.from({ length: gpus }, (_, g) => b.resource('link', `switch to gpu${g}`, rate));
  for (let g = 0; g < gpus; g++) {
    b.operation({
      label: `send ${g}`,
      amount: bytes / gpus,
      repeat: 2 * (gpus - 1),
      before: software,
      after: 2 * latency,
      path: [
        [up[g]!, 1],
        [down[(g + 1) % gpus]!, 1],
      ],
      waits: [{ on: (g + gpus - 1) % gpus, lag: 1 }],
    });
  }
  return built(b);
}
