import type { Where } from '../../fact/fact.ts';
import { blockFormat } from '../kit/block.ts';
import { own } from '../own.ts';

/** `ib_write_bw` and its sisters (linux-rdma/perftest), client and server outputs mixed or not. */
export interface Perftest {
  readonly kind: 'perftest';
  readonly file: string;
  readonly test?: string;
  readonly device?: string;
  readonly gpu?: { readonly name: string; readonly at: Where };
  /** GPU memory was asked for. */
  readonly cuda?: Where;
  /** GPU memory was handed over as a DMA-BUF. */
  readonly dmabuf?: Where;
  readonly ethernet: boolean;
  readonly rows: readonly PerftestRow[];
  /** `Couldn't allocate MR`, the error number where printed. */
  readonly noRegion?: { readonly errno?: number; readonly at: Where };
  readonly noDevice?: Where;
  /** `Failed status 12: wr_id 0 syndrom 0x81`: a transfer that ended with an error. */
  readonly failed?: { readonly status: number; readonly at: Where };
  /** The addresses of both sides on Ethernet, as bytes in decimal. */
  readonly gids?: { readonly local?: SideGid; readonly remote?: SideGid };
}

export interface SideGid {
  /** fe80::/10, which no route leaves. */
  readonly linkLocal: boolean;
  /** Nothing but zeros: the row of the table is empty. */
  readonly none: boolean;
  readonly at: Where;
}

export interface PerftestRow {
  readonly bytes: number;
  readonly iterations: number;
  /** As printed: MB/s, Gb/s, or µs of a latency test, there the longest and the mean. */
  readonly peak: number;
  readonly average: number;
  /** Empty where the output does not say it. */
  readonly unit: string;
  readonly at: Where;
}

/** What perftest says of a run; other tools' lines of this form are theirs. */
const keys =
  /^\s*(?:Dual-port|Number of (?:qps|iterations)|Connection type|[TR]X depth|CQ Moderation|Post List|Mtu|Link type|M(?:ax|in) inline data|rdma_cm QPs|Data ex\. method|Device|Transport type|Using SRQ|PCIe relax order|ibv_wr\*? API|Lock-free|Using DDP|Using Enhanced Reorder|Outstand reads|GID index|Gid index|Use ROCE|Traffic class|local address|remote address|Waiting for client)\b.{0,80}/;

type Made = { -readonly [K in keyof Perftest]: Perftest[K] } & { rows: PerftestRow[] };

export const perftest = blockFormat({
  id: 'perftest',
  example: '                    RDMA_Write BW Test',
  hints: [
    'BW',
    'Latency Test',
    'allocate MR',
    'initializing CUDA',
    'Waiting for client',
    'Picking device',
    'Did not detect',
    'CUDA device',
    'device name = [',
    '#bytes',
    'Completion with error at',
    'local address: ',
    'Failed status',
  ],
  starts:
    /(?:RDMA_Write|RDMA_Read|Send|RawEth|Atomic)\w* (?:Bidirectional )?(?:BW|Latency|Post List) ?Test|Couldn't allocate MR|initializing CUDA\s*$|\[pid = \d{1,9}, dev = \d{1,3}\] device name = \[|\* Waiting for client to connect|Picking (?:GPU )?device No\. \d|#bytes\s+#iterations|Did not detect devices|\blocal address: +LID |Completion with error at (?:client|server)|Failed status \d{1,3}: wr_id/,
  patience: 20,
  open: (context) => {
    const made: Made = { kind: 'perftest', file: context.file, rows: [], ethernet: false };
    let unit = '';
    let quoted = false;
    let side: 'local' | 'remote' = 'local';
    return {
      take(line, number) {
        const at = context.at(number);
        // Of a run that did not start; what programs say of themselves is read elsewhere.
        if (/cannot be used without CUDA/.test(line)) return false;
        const row = /^\s*(\d{1,12})\s+(\d{1,12})\s+(\d{1,9}(?:\.\d{1,9})?)\s+(\d{1,9}(?:\.\d{1,9})?)(?:\s|$)/.exec(
          line,
        );
        if (row && unit !== '') {
          if (made.rows.length < 1000) {
            const [bytes, iterations, peak, average] = row.slice(1).map(Number);
            // Of latency: the shortest, the longest, the typical, the mean.
            const [, , , longest, , mean] = unit === 'usec' ? line.trim().split(/\s+/).map(Number) : [];
            const timed = longest !== undefined && mean !== undefined && Number.isFinite(mean);
            made.rows.push({
              bytes: bytes!,
              iterations: iterations!,
              peak: timed ? longest : peak!,
              average: timed ? mean : average!,
              unit,
              at,
            });
          }
          return true;
        }
        const head = /#bytes\s+#iterations.*?\[(MB\/sec|Gb\/sec|MiB\/sec|usec)\]/.exec(line);
        if (head) {
          unit = own(head[1]!);
          return true;
        }
        const test = /(RDMA_Write|RDMA_Read|Send|RawEth|Atomic)\w* (?:Bidirectional )?(BW|Latency|Post List)/.exec(
          line,
        );
        if (test) {
          made.test ??= own(`${test[1]} ${test[2]}`);
          return true;
        }
        const gpu = /device name = \[([^\]]{1,80})\]/.exec(line);
        if (gpu) {
          made.gpu ??= { name: own(gpu[1]!), at };
          made.cuda ??= at;
          return true;
        }
        if (/using DMA-BUF|dmabuf export addr|ibv_reg_dmabuf_mr/.test(line)) made.dmabuf ??= at;
        if (/initializing CUDA|GPU buffer|Picking (?:GPU )?device No/.test(line)) {
          made.cuda ??= at;
          return true;
        }
        const region = /Couldn't allocate MR(?: with error=(\d{1,4}))?/.exec(line);
        if (region) {
          // Who writes of the error quotes it before the output that has it.
          if (made.noRegion === undefined || (quoted && made.cuda)) {
            quoted = made.cuda === undefined;
            made.noRegion = { ...(region[1] === undefined ? {} : { errno: Number(region[1]) }), at };
          }
          return true;
        }
        if (/Did not detect devices|Unable to find the Infiniband/.test(line)) {
          made.noDevice ??= at;
          return true;
        }
        const failed = /Failed status (\d{1,3}): wr_id/.exec(line);
        if (failed) {
          made.failed ??= { status: Number(failed[1]), at };
          return true;
        }
        const whose = /(local|remote) address: LID/.exec(line);
        if (whose) side = whose[1] as 'local' | 'remote';
        const gid = /^\s*GID: ((?:\d{1,3}:){15}\d{1,3})\s*$/.exec(line);
        if (gid && made.gids?.[side] === undefined) {
          const bytes = gid[1]!.split(':').map(Number);
          const linkLocal = bytes[0] === 254 && (bytes[1]! & 0xc0) === 0x80;
          made.gids = { ...made.gids, [side]: { linkLocal, none: bytes.every((b) => b === 0), at } };
        }
        const device = /Device\s+:\s+(\S{1,40})/.exec(line);
        if (device) made.device ??= own(device[1]!);
        if (/Link type\s+:\s+Ethernet/.test(line)) made.ethernet = true;
        return (
          keys.test(line) ||
          /^[-*\s]+$|address: LID|CUDA|cuMem|Completion with error|scnt=|^\s*(?:GID|failed|Failed|ERRNO|Couldn't|If device)/i.test(
            line,
          )
        );
      },
      close: () =>
        made.rows.length > 0 || made.test !== undefined || made.noRegion || made.noDevice || made.cuda || made.failed
          ? made
          : undefined,
    };
  },
});
