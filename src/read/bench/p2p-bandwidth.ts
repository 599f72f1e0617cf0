import type { Where } from '../../fact/fact.ts';
import { blockFormat } from '../kit/block.ts';
import { own } from '../own.ts';

/** `p2pBandwidthLatencyTest` of the CUDA samples, and `simpleP2P`, which tries the data that arrives. */
export interface P2pBandwidth {
  readonly kind: 'p2p-bandwidth';
  readonly file: string;
  readonly devices: readonly { readonly index: number; readonly name: string; readonly at: Where }[];
  readonly access: readonly { readonly from: number; readonly to: number; readonly can: boolean; readonly at: Where }[];
  readonly matrices: readonly P2pMatrix[];
  /** Data that came over otherwise than it was sent. */
  readonly wrongData?: Where;
}

export interface P2pMatrix {
  readonly what: 'bandwidth' | 'latency' | 'connectivity';
  readonly direction?: 'uni' | 'bi';
  /** P2P enabled; undefined for the matrix of connections. */
  readonly enabled?: boolean;
  readonly columns: readonly number[];
  readonly rows: readonly { readonly index: number; readonly values: readonly number[]; readonly at: Where }[];
}

type Rows = { index: number; values: number[]; at: Where }[];

const largest = 64;

export const p2pBandwidth = blockFormat({
  id: 'p2pBandwidthLatencyTest',
  example: '[P2P (Peer-to-Peer) GPU Bandwidth Latency Test]',
  hints: ['P2P', 'Peer Device', 'Peer access from', 'Peer-to-Peer (P2P) access'],
  starts:
    /\[P2P \(Peer-to-Peer\) GPU Bandwidth|Device=\d{1,3} CAN(?:NOT)? Access Peer Device=\d|> Peer(?:-to-Peer \(P2P\))? access from .{1,80}\(GPU\d{1,3}\) -> |(?:Uni|Bi)directional P2P=(?:Enabled|Disabled)|P2P Connectivity Matrix|P2P=(?:Enabled|Disabled) Latency/,
  patience: 40,
  open: (context) => {
    const devices: { index: number; name: string; at: Where }[] = [];
    const access: { from: number; to: number; can: boolean; at: Where }[] = [];
    let wrongData: Where | undefined;
    const name = (index: number, text: string, at: Where): void => {
      if (devices.length < largest && !devices.some((d) => d.index === index))
        devices.push({ index, name: own(text), at });
    };
    const matrices: (Omit<P2pMatrix, 'rows' | 'columns'> & { columns: number[]; rows: Rows })[] = [];
    return {
      take(line, number) {
        const at = context.at(number);
        const device = /Device:\s*(\d{1,3}), (.{1,80}?), pciBusID/.exec(line);
        if (device) {
          if (devices.length < largest) devices.push({ index: Number(device[1]), name: own(device[2]!), at });
          return true;
        }
        const peer = /Device=(\d{1,3}) (CAN|CANNOT) Access Peer Device=(\d{1,3})/.exec(line);
        if (peer) {
          if (access.length < largest * largest)
            access.push({ from: Number(peer[1]), to: Number(peer[3]), can: peer[2] === 'CAN', at });
          return true;
        }
        const tried =
          /> Peer(?:-to-Peer \(P2P\))? access from (.{1,80}?) \(GPU(\d{1,3})\) -> (.{1,80}?) \(GPU(\d{1,3})\)\s*:\s*(Yes|No)/.exec(
            line,
          );
        if (tried) {
          const [from, to] = [Number(tried[2]), Number(tried[4])];
          name(from, tried[1]!, at);
          name(to, tried[3]!, at);
          if (access.length < largest * largest) access.push({ from, to, can: tried[5] === 'Yes', at });
          return true;
        }
        if (/^\s*Verification error ?@ element/.test(line)) {
          wrongData ??= at;
          return true;
        }
        const title =
          /(Uni|Bi)directional P2P=(Enabled|Disabled) Bandwidth|P2P=(Enabled|Disabled) Latency|P2P Connectivity Matrix/.exec(
            line,
          );
        if (title) {
          const enabled = title[2] ?? title[3];
          if (matrices.length < 16)
            matrices.push({
              what: title[1] ? 'bandwidth' : title[3] ? 'latency' : 'connectivity',
              ...(title[1] ? { direction: title[1] === 'Uni' ? ('uni' as const) : ('bi' as const) } : {}),
              ...(enabled === undefined ? {} : { enabled: enabled === 'Enabled' }),
              columns: [],
              rows: [],
            });
          return true;
        }
        const matrix = matrices.at(-1);
        const head = /^\s*(?:D\\D|GPU|CPU)((?:\s+\d{1,3})+)\s*$/.exec(line);
        if (head && matrix) {
          matrix.columns = head[1]!.trim().split(/\s+/, largest).map(Number);
          return true;
        }
        const row = /^\s*(\d{1,3})((?:\s+(?:\d{1,9}(?:\.\d{1,6})?|nan|inf)){1,64})\s*$/.exec(line);
        if (row && matrix && matrix.columns.length > 0) {
          const values = row[2]!.trim().split(/\s+/).map(Number);
          if (matrix.rows.length < largest)
            matrix.rows.push({ index: Number(row[1]), values: values.map((v) => (Number.isFinite(v) ? v : 0)), at });
          return true;
        }
        return /P2P|NOTE:|memcopy|Peer-to-Peer|lesser Bandwidth|peer access|cudaMemcpyPeer|between GPU\d/.test(line);
      },
      close: () =>
        devices.length + access.length + matrices.length === 0
          ? undefined
          : {
              kind: 'p2p-bandwidth',
              file: context.file,
              devices,
              access,
              matrices,
              ...(wrongData ? { wrongData } : {}),
            },
    };
  },
});
