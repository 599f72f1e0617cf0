import { LOC, NET, P2C, type PathType, PHB, PIX, PXB, pathTypes, SYS, typesOf } from './path-type.ts';
import { atLeast, type Release } from './release.ts';

/** The variables that decide paths, P2P, GDR and network choice, parsed as the release at hand parses them. */
export interface Settings {
  /** Highest path type over which P2P is used; undefined: NCCL's default. */
  readonly p2pLevel?: number;
  /** Set by NCCL_P2P_DISABLE=1, which wins over the level. */
  readonly p2pDisabled: boolean;
  readonly gdrLevel?: number;
  /** NCCL_NET_GDR_READ: -2 = NCCL decides. */
  readonly gdrRead: number;
  readonly gdrC2c: boolean;
  readonly netDisableIntra: boolean;
  readonly nvbDisable: boolean;
  readonly pxnDisable: boolean;
  readonly pxnC2c: boolean;
  readonly shmDisable: boolean;
  readonly ignoreDisabledP2p: number;
  readonly p2pRead: number;
  /** Starts of channels in an NVLink domain of several hosts go round the GPUs first. */
  readonly scatterNets: boolean;
  /** In such a domain a channel may come back to another host's NIC of the same place. */
  readonly railPerHost: boolean;
  /** 0: back to the NET a channel came from, 1: any NET, 2: NCCL tries both. */
  readonly crossNic: number;
  readonly netDevices: { readonly policy: 'AUTO' | 'ALL' | 'MAX'; readonly max: number };
  /** NCCL_IB_HCA: which RDMA ports NCCL sees at all. */
  readonly ibHca?: string;
}

/**
 * Integers as strtoll(…, 0) reads them: leading sign, 0x and 0 prefixes, trailing text ignored; text without a number
 * is 0, an empty variable counts as unset. What has no room in 64 bits does so too (src/misc/param.cc: the default is taken).
 */
export function parseInteger(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const m = /^\s*([+-]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\d*)/.exec(text);
  if (!m) return 0;
  const digits = m[2]!;
  const value = /^0[xX]/.test(digits)
    ? Number.parseInt(digits, 16)
    : digits.length > 1 && digits.startsWith('0')
      ? Number.parseInt(digits, 8)
      : Number(digits);
  if (!has64Bits(value)) return undefined;
  return m[1] === '-' ? -value : value;
}

/** Whether a number has room in 64 bits with a sign. */
export const has64Bits = (value: number): boolean => Math.abs(value) < 2 ** 63;

const digitLevels = [LOC, PIX, PXB, PHB, SYS];

/** A level variable: an exact upper-case path name of the release, else a leading digit on the old scale; else ignored. */
export function parseLevel(text: string | undefined, release: Release): number | undefined {
  if (text === undefined || text === '') return undefined;
  const name = typesOf(release).find((t) => t === text);
  if (name !== undefined) {
    const type = pathTypes.indexOf(name as PathType);
    if (type < NET) return type;
  }
  if (!/^\d/.test(text)) return undefined;
  const n = parseInteger(text) ?? 4;
  return digitLevels[Math.min(n, 4)]!;
}

function parseNetDevices(text: string | undefined): Settings['netDevices'] {
  const upper = (text ?? '').toUpperCase();
  if (upper === 'ALL') return { policy: 'ALL', max: 0 };
  const max = /^MAX:(\d+)/.exec(upper);
  if (max && Number(max[1]) > 0) return { policy: 'MAX', max: Number(max[1]) };
  return { policy: 'AUTO', max: 0 };
}

export function parseSettings(env: ReadonlyMap<string, string>, release: Release): Settings {
  const int = (name: string, from: string, fallback: number): number =>
    atLeast(release, from) ? (parseInteger(env.get(name)) ?? fallback) : fallback;
  const p2pLevel = parseLevel(env.get('NCCL_P2P_LEVEL'), release);
  const gdrLevel = parseLevel(env.get('NCCL_NET_GDR_LEVEL'), release);
  const ibHca = env.get('NCCL_IB_HCA')?.trim();
  return {
    ...(p2pLevel === undefined ? {} : { p2pLevel }),
    ...(gdrLevel === undefined ? {} : { gdrLevel }),
    ...(ibHca ? { ibHca } : {}),
    p2pDisabled: parseInteger(env.get('NCCL_P2P_DISABLE')) === 1,
    gdrRead: int('NCCL_NET_GDR_READ', '2.4.2', -2),
    gdrC2c: int('NCCL_NET_GDR_C2C', '2.26.2', atLeast(release, '2.27.3') ? 1 : 0) === 1,
    netDisableIntra: int('NCCL_NET_DISABLE_INTRA', '2.12.7', 0) === 1,
    nvbDisable: int('NCCL_NVB_DISABLE', '2.9.9', 0) !== 0,
    pxnDisable: int('NCCL_PXN_DISABLE', '2.12.7', 0) === 1,
    pxnC2c: int('NCCL_PXN_C2C', '2.27.3', atLeast(release, '2.28.3') ? 1 : 0) !== 0,
    shmDisable: int('NCCL_SHM_DISABLE', '2.3.5', 0) === 1,
    ignoreDisabledP2p: int('NCCL_IGNORE_DISABLED_P2P', '2.12.7', 0),
    p2pRead: int('NCCL_P2P_READ_ENABLE', '2.7.3', -2),
    scatterNets: int('NCCL_MNNVL_SCATTER_NETS_ENABLE', '2.27.5', 1) !== 0,
    railPerHost: int('NCCL_MNNVL_RAIL_PER_HOST', '2.28.7', 0) !== 0,
    crossNic: int('NCCL_CROSS_NIC', '2.5.6', 2),
    netDevices: atLeast(release, '2.28.3')
      ? parseNetDevices(env.get('NCCL_NETDEVS_POLICY'))
      : { policy: 'AUTO', max: 0 },
  };
}

/** The level up to which GPUDirect RDMA is used when nobody sets one. */
export function defaultGdrLevel(settings: Settings, release: Release): number {
  return atLeast(release, '2.29.2') && settings.gdrC2c ? P2C : PXB;
}
