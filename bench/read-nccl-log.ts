import { random } from '../src/base/random.ts';
import type { Source } from '../src/input/source.ts';
import type { NcclLog } from '../src/read/nccl-log/types.ts';
import { readSource } from '../src/read/read-source.ts';

/**
 * How fast is a large NCCL log read, and in how much memory? The log is made up as it is read (a job of 16 nodes with 8 GPUs
 * under NCCL_DEBUG=INFO, NCCL_DEBUG_SUBSYS=INIT,ENV,NET,GRAPH,COLL,TUNING that sets up communicators again and again), so no
 * file and no disk is part of the figure. Time spent making it is measured apart and left out.
 *
 *   node --import tsx bench/read-nccl-log.ts [--mb 1024]
 */
const nodes = 16;
const perNode = 8;
const ranks = nodes * perNode;

interface Rank {
  readonly rank: number;
  readonly prefix: string;
  readonly node: number;
  readonly gpu: number;
}

/** A batch of lines: one set-up of a communicator, or a stretch of calls. Ranks take turns, as in a log that all of them write. */
function* batches(seed: number): Generator<string> {
  const { below, pick } = random(seed);
  const all: Rank[] = Array.from({ length: ranks }, (_, rank) => {
    const node = Math.floor(rank / perNode);
    const pid = 20_000 + below(40_000);
    return {
      rank,
      node,
      gpu: rank % perNode,
      prefix: `rack${node}-gpu:${pid}:${pid + 60 + below(9)} [${rank % perNode}] NCCL INFO `,
    };
  });
  const lines: string[] = [];
  const out = (rank: Rank, text: string) => lines.push(`[1,${rank.rank}]<stdout>:${rank.prefix}${text}`);
  for (let round = 0; ; round++) {
    const commId = `0x${(0x5eed0000 + round).toString(16)}feed`;
    for (const r of all) {
      const busId = `${(0x1b + r.gpu * 0x10).toString(16)}000`;
      const comm = `comm 0x55aa${(r.rank * 4096 + round).toString(16)} rank ${r.rank} nranks ${ranks} cudaDev ${r.gpu} nvmlDev ${r.gpu} busId ${busId} commId ${commId}`;
      if (round % 8 === 0) {
        out(r, `Bootstrap : Using bond0:10.1.${r.node}.1<0>`);
        out(
          r,
          'NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB [2]mlx5_2:1/IB [3]mlx5_3:1/IB [RO]; OOB bond0:10.1.0.1<0>',
        );
        out(r, 'Using network IB');
        out(r, 'NCCL_IB_HCA set to mlx5');
      }
      out(r, `ncclCommInitRank ${comm} - Init START`);
      out(
        r,
        `Trees ${Array.from({ length: 16 }, (_, c) => `[${c}] ${(r.rank + 1) % ranks}/-1/-1->${r.rank}->${(r.rank + ranks - 1) % ranks}`).join(' ')}`,
      );
      out(r, 'P2P Chunksize set to 131072');
    }
    for (let channel = 0; channel < 16; channel++) {
      for (const r of all) {
        const c = String(channel).padStart(2, '0');
        const to = (r.rank + 1) % ranks;
        const way = `Channel ${c}/0 : ${r.rank}[${r.gpu}] -> ${to}[${to % perNode}]`;
        out(r, r.gpu === perNode - 1 ? `${way} [send] via NET/IB/${channel % 4}/GDRDMA` : `${way} via P2P/CUMEM/read`);
        if (r.gpu === 0) {
          const from = (r.rank + ranks - 1) % ranks;
          out(
            r,
            `Channel ${c}/0 : ${from}[${from % perNode}] -> ${r.rank}[0] [receive] via NET/IB/${channel % 4}/GDRDMA`,
          );
        }
      }
    }
    for (const r of all) out(r, 'Connected all rings');
    for (const r of all) {
      const busId = `${(0x1b + r.gpu * 0x10).toString(16)}000`;
      out(r, `24 coll channels, 24 collnet channels, 0 nvls channels, 32 p2p channels, 2 p2p channels per peer`);
      out(
        r,
        `ncclCommInitRank comm 0x55aa${(r.rank * 4096 + round).toString(16)} rank ${r.rank} nranks ${ranks} cudaDev ${r.gpu} nvmlDev ${r.gpu} busId ${busId} commId ${commId} - Init COMPLETE`,
      );
    }
    yield `${lines.splice(0).join('\n')}\n`;
    for (let step = 0; step < 40; step++) {
      const name = pick(['AllReduce', 'AllGather', 'ReduceScatter']);
      const count = 1024 << below(14);
      for (const r of all) {
        const pointer = (0x7f0000000000 + below(2 ** 30) * 512).toString(16);
        out(
          r,
          `${name}: opCount ${(round * 40 + step).toString(16)} sendbuff 0x${pointer} recvbuff 0x${pointer} count ${count} datatype 9 op 0 root 0 comm 0x55aa${r.rank} [nranks=${ranks}] stream 0x55bb0000`,
        );
      }
      out(all[0]!, `${name}: ${count * 2} Bytes -> Algo RING proto SIMPLE channel{Lo..Hi}={0..23}`);
    }
    yield `${lines.splice(0).join('\n')}\n`;
  }
}

const argument = process.argv.indexOf('--mb');
const megabytes = argument > 0 ? Number(process.argv[argument + 1]) : 1024;
const wanted = megabytes * 1_000_000;
const chunkSize = 65_536;
let made = 0;
let making = 0n;
let peak = 0;

const source: Source = {
  name: 'made-up.log',
  stream: async function* () {
    const encoder = new TextEncoder();
    let started = process.hrtime.bigint();
    for (const text of batches(7)) {
      const bytes = encoder.encode(text);
      for (let from = 0; from < bytes.length && made < wanted; from += chunkSize) {
        const chunk = bytes.subarray(from, from + chunkSize);
        made += chunk.length;
        making += process.hrtime.bigint() - started;
        yield chunk;
        started = process.hrtime.bigint();
      }
      if (made >= wanted) return;
      const { rss } = process.memoryUsage();
      if (rss > peak) peak = rss;
    }
  },
};

const begun = process.hrtime.bigint();
const [result] = await readSource(source);
const total = Number(process.hrtime.bigint() - begun) / 1e9;
const reading = total - Number(making) / 1e9;
peak = Math.max(peak, process.resourceUsage().maxRSS * 1024);
const log = result!.documents[0] as NcclLog;
console.log(
  JSON.stringify({
    megabytes: Math.round(made / 1e6),
    lines: result!.lines,
    seconds: { reading: Number(reading.toFixed(2)), making: Number((total - reading).toFixed(2)) },
    megabytesPerSecond: Math.round(made / 1e6 / reading),
    peakRssMegabytes: Math.round(peak / 1e6),
    found: {
      hosts: log.hosts.length,
      communicators: log.communicators.length,
      connections: log.connections.length,
      trees: log.trees.length,
      calls: log.calls.length,
      notes: result!.notes.length,
    },
  }),
);
