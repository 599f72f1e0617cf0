import type { Where } from '../../fact/fact.ts';
import { Bounded, own } from '../own.ts';
import type { GdrDecision } from './types.ts';
import type { Thread } from './who.ts';

const decisionLimit = 50_000;

/** `GPU …`: bus id in hexadecimal until 2.23, rank since 2.24, `cudaDev[nvmlDev]` in 2.4, `GPU/host-bus (rank n)` in 2.29. */
const gpuText = String.raw`GPU(?: (?<gpu>[0-9a-fA-F]{1,15})(?:\[(?<nvml>\d{1,15})\])?|\/(?<gpuHost>[0-9a-f]{1,16})-(?<gpuId>[0-9a-f]{1,16}) \(rank (?<rank>\d{1,15})\))`;
const hcaText = String.raw`(?:\/ HCA (?<hca>[0-9a-fA-F]+|\S+)|- NET\/(?<netHost>[0-9a-f]{1,16})-(?<net>[0-9a-f]{1,16}))`;
const decision = new RegExp(
  String.raw`^(?:NET\/(?<network>[^:]+?) ?: )?GPU Direct RDMA (?<state>Enabled|Disabled) for ${gpuText} ${hcaText}(?: '(?<name>[^']*)')?(?<tail>.*)$`,
);
const distanceText = /distance (\d{1,15}) (<=|>=|<|>) (\d{1,15})/;

type Kept = Omit<GdrDecision, 'count'> & { count: number; readonly plain: boolean };

/** Decisions on GPUDirect RDMA for a pair of GPU and NIC (logs sheet §5). */
export class Gdr {
  readonly #found = new Bounded<Kept>(decisionLimit);
  readonly #at: (line: number) => Where;

  constructor(at: (line: number) => Where) {
    this.#at = at;
  }

  get dropped(): number {
    return this.#found.dropped;
  }

  line(message: string, thread: Thread, number: number): boolean {
    const c2c = /^GPU (\d{1,15}) \/ HCA ([0-9a-fA-F]+) connected (?:to CPU \d{1,15} )?via C2C link/.test(message);
    if (!c2c && !message.includes('GPU Direct RDMA ')) return false;
    const groups = decision.exec(message)?.groups;
    if (!groups) return c2c;
    const entry = this.#found.take(`${thread.host.name} ${message}`, () => this.#parse(groups, thread, number));
    if (entry) entry.count++;
    return true;
  }

  #parse(groups: { readonly [name: string]: string | undefined }, thread: Thread, number: number): Kept {
    const tail = groups['tail'] ?? '';
    const compared = distanceText.exec(tail);
    const read = /read (\d)/.exec(tail);
    const mode = /mode (\w+)/.exec(tail);
    const pxn = /using PXN via (GPU\/\S+?),/.exec(tail);
    const reason = compared ? undefined : /\(([^)]*)\)/.exec(tail);
    const { gpu, nvml, gpuId, rank, hca, net } = groups;
    const dev = net === undefined ? deviceOf(hca) : Number.parseInt(net, 16);
    return {
      host: thread.host.name,
      enabled: groups['state'] === 'Enabled',
      gpu: {
        text: own(gpu ?? gpuId ?? ''),
        ...(rank === undefined ? {} : { rank: Number(rank) }),
        ...(gpuId === undefined ? {} : { busId: own(gpuId) }),
        ...(nvml === undefined ? {} : { cudaDev: Number(gpu), nvmlDev: Number(nvml) }),
      },
      hca: { text: own(hca ?? net ?? ''), ...(dev === undefined ? {} : { dev }) },
      ...(compared ? { distance: Number(compared[1]), compare: own(compared[2]!), level: Number(compared[3]) } : {}),
      ...(read ? { read: Number(read[1]) } : {}),
      ...(mode ? { mode: own(mode[1]!) } : {}),
      ...(pxn ? { pxn: own(pxn[1]!) } : {}),
      ...(reason ? { reason: own(reason[1]!) } : {}),
      count: 0,
      at: this.#at(number),
      plain: gpu !== undefined && nvml === undefined,
    };
  }

  /** What the bare number of a GPU means depends on the release, which may be known only later in the log. */
  result(version: string | undefined): GdrDecision[] {
    const [major, minor] = (version ?? '').split('.').map(Number);
    const ranks = major === 2 && minor !== undefined ? minor >= 24 : undefined;
    return this.#found.values().map(({ plain, ...entry }) => {
      if (!plain) return entry;
      const { text } = entry.gpu;
      const rank = ranks ?? !(text.length > 3 || /[a-f]/i.test(text));
      if (rank && /^\d{1,15}$/.test(text)) return { ...entry, gpu: { text, rank: Number(text) } };
      return { ...entry, gpu: { text, busId: text.toLowerCase() } };
    });
  }
}

/** 2.21 and later print NCCL's id, (host << 56) + device, in hexadecimal; before, a plain number. Both end in the device. */
function deviceOf(hca: string | undefined): number | undefined {
  if (hca === undefined) return undefined;
  if (/^\d{1,3}$/.test(hca)) return Number(hca);
  return /^[0-9a-fA-F]+$/.test(hca) ? Number.parseInt(hca.slice(-12), 16) : undefined;
}
