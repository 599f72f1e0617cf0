import { fill } from '../../src/engine/fill.ts';
import { type Schedule, Wait } from '../../src/schedule/schedule.ts';

/**
 * A second, plain way to run a schedule in which no operation holds more than one engine, to hold the first against: no queue, no counters of what is
 * missing, every rate from a full solve at every step, everything asked anew.
 *
 * @returns seconds at which each operation was delivered
 */
export function reference({ operations: o, resources, engines }: Schedule): number[] {
  const ops = Array.from({ length: o.count }, (_, i) => ({
    i,
    begun: 0,
    sent: 0,
    delivered: 0,
    busy: false,
    queued: false,
    flowing: false,
    left: 0,
    finish: Number.NaN,
  }));
  type Op = (typeof ops)[number];
  const timers: { at: number; act: () => void }[] = [];
  const paths = { start: o.pathStart, resource: o.pathResource, factor: o.pathFactor };
  const free = [...engines.slots];
  const lines: Op[][] = free.map(() => []);
  const engineOf = (op: Op): number | undefined =>
    o.holdStart[op.i] === o.holdStart[op.i + 1] ? undefined : o.holdEngine[o.holdStart[op.i]!]!;
  let now = 0;

  const mayBegin = (op: Op): boolean => {
    if (op.busy || op.queued || op.begun === o.repeat[op.i]) return false;
    for (let k = o.waitStart[op.i]!; k < o.waitStart[op.i + 1]!; k++) {
      const other = ops[o.waitOn[k]!]!;
      const kind = o.waitKind[k]!;
      const all = o.repeat[other.i]!;
      const done = kind === Wait.Sent || kind === Wait.WholeSent ? other.sent : other.delivered;
      const need = kind === Wait.WholeDelivered || kind === Wait.WholeSent ? all : op.begun - o.waitLag[k]! + 1;
      if (done < Math.min(need, all)) return false;
    }
    return true;
  };
  const deliver = (op: Op): void => {
    if (++op.delivered === o.repeat[op.i]) op.finish = now;
  };
  const send = (op: Op): void => {
    op.flowing = false;
    op.busy = false;
    op.sent++;
    const engine = engineOf(op);
    if (engine !== undefined) free[engine]!++;
    if (o.after[op.i] === 0) deliver(op);
    else timers.push({ at: now + o.after[op.i]!, act: () => deliver(op) });
  };
  const flow = (op: Op): void => {
    op.left = op.begun === o.repeat[op.i] ? o.last[op.i]! : o.amount[op.i]!;
    if (op.left === 0 || o.pathStart[op.i] === o.pathStart[op.i + 1]) send(op);
    else op.flowing = true;
  };
  const begin = (op: Op): void => {
    op.busy = true;
    op.begun++;
    const engine = engineOf(op);
    if (engine !== undefined) free[engine]!--;
    if (o.before[op.i] === 0) flow(op);
    else timers.push({ at: now + o.before[op.i]!, act: () => flow(op) });
  };

  for (let step = 0; step < 1e6; step++) {
    for (let again = true; again; ) {
      again = false;
      // Who stands in line comes first, then the newly ready by number.
      lines.forEach((line, engine) => {
        while (line.length > 0 && free[engine]! > 0) {
          const op = line.shift()!;
          op.queued = false;
          begin(op);
          again = true;
        }
      });
      for (const op of ops.filter(mayBegin)) {
        again = true;
        const engine = engineOf(op);
        if (engine === undefined || (free[engine]! > 0 && lines[engine]!.length === 0)) begin(op);
        else {
          op.queued = true;
          lines[engine]!.push(op);
        }
      }
    }
    const rate = fill(resources.rate, paths, (i) => ops[i]!.flowing);
    let next = Number.POSITIVE_INFINITY;
    for (const op of ops) if (op.flowing && rate[op.i]! > 0) next = Math.min(next, now + op.left / rate[op.i]!);
    for (const timer of timers) next = Math.min(next, timer.at);
    if (next === Number.POSITIVE_INFINITY) return ops.map((op) => op.finish);
    for (const op of ops) if (op.flowing) op.left -= rate[op.i]! * (next - now);
    now = next;
    const soon = now + 1e-11 * now;
    for (const op of ops) if (op.flowing && rate[op.i]! > 0 && now + op.left / rate[op.i]! <= soon) send(op);
    const due = timers.filter((t) => t.at <= soon);
    for (const timer of due) {
      timers.splice(timers.indexOf(timer), 1);
      timer.act();
    }
  }
  throw new Error('it does not end');
}
