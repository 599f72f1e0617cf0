import { nearest } from '../base/nearest.ts';
import { type Message, say } from '../words/message.ts';

export interface UcxJudged {
  readonly verdict: 'typo' | 'open' | 'value' | 'left' | 'fine';
  readonly why: Message;
}

/**
 * Variables of UCX that decide how GPU data travels, with those that stand beside them in most job scripts: from `ucx_info -cf` of
 * UCX 1.18 and https://openucx.readthedocs.io/en/master/faq.html. UCX has hundreds; the others are not judged.
 */
const known: readonly string[] = [
  ...[
    'TLS',
    'NET_DEVICES',
    'SHM_DEVICES',
    'ACC_DEVICES',
    'SELF_DEVICES',
    'SOCKADDR_TLS_PRIORITY',
    'LOG_LEVEL',
    'LOG_FILE',
  ],
  ...[
    'RNDV_THRESH',
    'RNDV_SCHEME',
    'RNDV_FRAG_MEM_TYPE',
    'RNDV_FRAG_SIZE',
    'ZCOPY_THRESH',
    'BCOPY_THRESH',
    'MEMTYPE_CACHE',
  ],
  ...[
    'MAX_RNDV_RAILS',
    'MAX_EAGER_RAILS',
    'MAX_RNDV_LANES',
    'MAX_EAGER_LANES',
    'PROTO_ENABLE',
    'PROTO_INFO',
    'PROTO_INFO_DIR',
  ],
  ...[
    'IB_GPU_DIRECT_RDMA',
    'IB_GID_INDEX',
    'IB_TRAFFIC_CLASS',
    'IB_SL',
    'IB_NUM_PATHS',
    'IB_PCI_RELAXED_ORDERING',
    'IB_PKEY',
  ],
  ...[
    'IB_REG_METHODS',
    'IB_ADDR_TYPE',
    'IB_SUBNET_PREFIX',
    'IB_AR_ENABLE',
    'IB_ROCE_LOCAL_SUBNET',
    'IB_PREFER_NEAREST_DEVICE',
  ],
  ...[
    'IB_RCACHE_MAX_REGIONS',
    'IB_MLX5_DEVX',
    'RC_TIMEOUT',
    'RC_RETRY_COUNT',
    'RC_PATH_MTU',
    'RC_MAX_RD_ATOMIC',
    'UD_TIMEOUT',
  ],
  ...[
    'CUDA_COPY_DMABUF',
    'CUDA_COPY_ASYNC_MEM_TYPE',
    'CUDA_COPY_REG_WHOLE_ALLOC',
    'CUDA_IPC_CACHE',
    'CUDA_IPC_ENABLE_MNNVL',
  ],
  ...[
    'TCP_CM_REUSEADDR',
    'TCP_MAX_NUM_EPS',
    'WARN_UNUSED_ENV_VARS',
    'HANDLE_ERRORS',
    'ERROR_SIGNALS',
    'KEEPALIVE_INTERVAL',
  ],
  ...[
    'UNIFIED_MODE',
    'ADDRESS_VERSION',
    'MODULE_DIR',
    'MODULES',
    'STATS_DEST',
    'STATS_TRIGGER',
    'TOPO_PRIO',
    'DYNAMIC_TL_SWITCH_INTERVAL',
  ],
].map((name) => `UCX_${name}`);

const all = new Set(known);
const no = /^(?:n|no|0|off|false)$/i;

/** A setting of UCX, read as UCX reads it where that is known. */
export function judgeUcx(name: string, text: string): UcxJudged {
  const value = text.trim();
  if (!all.has(name)) {
    const near = nearest(name, known);
    return near
      ? { verdict: 'typo', why: say('env.ucx.typo', { near }) }
      : { verdict: 'open', why: say('env.ucx.unknown') };
  }
  switch (name) {
    case 'UCX_NET_DEVICES': {
      const bare = value.split(',').find((d) => /^(?:mlx\d+_|irdma|bnxt_re|hns_|rocep|roceo|ibp)\w*$/.test(d.trim()));
      return bare ? { verdict: 'value', why: say('env.ucx.port', { device: bare.trim() }) } : fine;
    }
    case 'UCX_TLS': {
      const list = value.split(',').map((x) => x.trim());
      const gpu = list.some((x) => /^(?:\^|all$|cuda|rocm|gpu|gdr_copy)/.test(x));
      return gpu || value === ''
        ? fine
        : { verdict: 'left', why: say('env.ucx.no-gpu', { value: value.slice(0, 60) }) };
    }
    case 'UCX_IB_GPU_DIRECT_RDMA':
      return no.test(value) ? { verdict: 'left', why: say('env.ucx.no-gdr') } : fine;
    case 'UCX_MEMTYPE_CACHE':
    case 'UCX_CUDA_COPY_DMABUF':
    case 'UCX_PROTO_ENABLE':
      return no.test(value) ? { verdict: 'left', why: say('env.left') } : fine;
    default:
      return fine;
  }
}

const fine: UcxJudged = { verdict: 'fine', why: say('env.ucx.fine') };
