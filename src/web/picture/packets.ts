/** What runs along one way. Times are in periods of the fastest way on the page. */
export interface Track {
  readonly color: string;
  /** Between two packets. */
  readonly every: number;
  readonly legs: readonly { readonly d: string; readonly takes: number; readonly copy: boolean }[];
}

/** The fastest way sends a packet so often, in milliseconds; the others as much more seldom as they are slower. */
const period = 650;
/** A leg is never faster than the eye. */
const least = 0.45;
/** A way a hundred times slower would not show anything at all. */
const most = 14;
const svg = 'http://www.w3.org/2000/svg';
const samples = 48;

interface Leg {
  readonly takes: number;
  readonly copy: boolean;
  /** x and y of points along the leg. */
  readonly points: Float32Array;
}

interface Run {
  readonly every: number;
  readonly whole: number;
  readonly legs: readonly Leg[];
  readonly dots: readonly SVGCircleElement[];
}

/**
 * Moves packets with one callback a frame. Where a path lies is measured once, so that a frame only sets a few dozen
 * transforms: sixteen GPUs and their threads keep 60 frames a second.
 */
export class Packets {
  readonly #runs: Run[];
  #frame = 0;
  #begun = 0;

  constructor(
    private readonly group: SVGGElement,
    tracks: readonly Track[],
  ) {
    this.#runs = tracks.map((t) => this.#runOf(t));
  }

  start(): void {
    const step = (now: number): void => {
      this.#begun ||= now;
      this.#draw((now - this.#begun) / period);
      this.#frame = requestAnimationFrame(step);
    };
    this.#frame = requestAnimationFrame(step);
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
    for (const run of this.#runs) for (const dot of run.dots) dot.remove();
  }

  #runOf(track: Track): Run {
    const legs = track.legs.map((l): Leg => {
      const path = document.createElementNS(svg, 'path');
      path.setAttribute('d', l.d);
      const length = path.getTotalLength();
      const points = new Float32Array(2 * (samples + 1));
      for (let i = 0; i <= samples; i++) {
        const p = path.getPointAtLength((length * i) / samples);
        points[2 * i] = p.x;
        points[2 * i + 1] = p.y;
      }
      return { takes: Math.max(least, l.takes), copy: l.copy, points };
    });
    const whole = legs.reduce((sum, l) => sum + l.takes, 0);
    const every = Math.min(most, track.every);
    const count = Math.min(24, Math.ceil(whole / every));
    const dots = Array.from({ length: count }, () => {
      const dot = document.createElementNS(svg, 'circle');
      dot.setAttribute('r', '4.5');
      dot.setAttribute('fill', `var(--${track.color})`);
      this.group.append(dot);
      return dot;
    });
    return { every, whole, legs, dots };
  }

  #draw(now: number): void {
    for (const run of this.#runs) {
      const cycle = Math.max(run.whole, run.every * run.dots.length);
      run.dots.forEach((dot, k) => {
        const age = (now - k * run.every) % cycle;
        place(dot, run, age);
      });
    }
  }
}

function place(dot: SVGCircleElement, run: Run, age: number): void {
  let left = age;
  if (left >= 0) {
    for (const leg of run.legs) {
      if (left < leg.takes) {
        const at = (left / leg.takes) * samples;
        const i = Math.min(samples - 1, Math.floor(at));
        const f = at - i;
        const x = leg.points[2 * i]! * (1 - f) + leg.points[2 * i + 2]! * f;
        const y = leg.points[2 * i + 1]! * (1 - f) + leg.points[2 * i + 3]! * f;
        dot.setAttribute('transform', `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
        dot.setAttribute('class', leg.copy ? 'packet copying' : 'packet');
        return;
      }
      left -= leg.takes;
    }
  }
  dot.setAttribute('class', 'packet away');
}
