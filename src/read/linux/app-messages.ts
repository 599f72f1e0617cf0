import { messageFormat } from '../kit/messages.ts';

/** Error texts that programs print wherever they like. */
export const appMessages = messageFormat({
  id: 'program-output',
  from: 'application',
  hints: [
    'initialized',
    'library version',
    'device handle for',
    'communicate with the NVIDIA',
    'SystemNotReady',
    'SYSTEM_NOT_READY',
    'CUDA error 802',
    ' 802',
    'compat',
    'GDS driver',
    'not supported on',
    'uf',
    'UF',
    'could not insert',
    'detect devices',
    'Infiniband/RoCE',
    'ibv_',
    'output empty',
    'optimal provider',
    'NVLink SHARP',
    'shm',
    'out of shared memory',
    'posix_fallocate',
    'shared memory segment',
    'libibverbs',
    'infiniband_verbs',
    'IB devices list',
    'peer access',
    'P2P capability',
    'DMA-BUF cannot',
    'gdrdrv',
    'GDR driver',
    'PeerAccessUnsupported',
    'Bad address',
    'errno 14',
    'VRAM',
    'mscclpp::',
    'mem_type bit',
    'egister memory',
    'modify QP',
    'GID_Index',
    'NOT_PERMITTED',
    'not permitted',
    'gdr_pin_buffer',
    'not found in directory',
    'Gloo',
    'loopback',
    'GPUDirect RDMA is disabled',
    'cuda_copy_md',
    'cuda_ipc_md',
    'ncclUnhandledCudaError',
    'kernel ABI',
    'Transport retry count',
    'dgid',
    'ImportFromShareableHandle',
    'Rdma Devices',
    'exposing "0"',
    'RDMA device spec',
    'DiscoverHostDevices',
    'different dwords',
    'GID found on',
    'query GID',
    'available RNIC',
    'Failed to open device',
    'DMA BUF',
    'buffer object',
    'MapBufferObject',
    'map UAR',
    'IoMemory',
    '(synd 0x',
    'Unresponsive re',
    'Got completion',
    'handle_error',
    'TL_SHM',
    'in expression cu',
    'Unreachable remote',
    'prov_err: Not a directory',
    'protection error',
    'access error',
    'operation error',
    'request error',
    'memlock limits',
    'RLIMIT_MEMLOCK',
    'ibv_create_ah',
    'is not available, please',
    'are not available, please',
    'initialize NVML',
    'No devices were found',
    'DeepEP',
    'CPU recv timeout',
    'client socket has',
    'No RDMA devices found',
    'no active messages transport',
    'Destination is unreachable',
    'SHMEM allocation limit',
    'network driver detected, but',
    'Node #',
    'Domain State:',
    'retry counter exceeded',
  ],
  example: 'CUDA error at x.cu:1 code=802(cudaErrorSystemNotReady)',
  topics: [
    {
      topic: 'cuda-not-ready',
      pattern:
        /system not yet initialized|cudaErrorSystemNotReady|CUDA_ERROR_SYSTEM_NOT_READY|CUDA error 802\b|\bcuInit err: 802\b|cuda driver library init failure: 802\b/,
    },
    {
      topic: 'nvml-init',
      pattern: /Failed to initialize NVML: (?!Driver\/library)\S.{3,60}|^\W{0,4}No devices were found\s*$/,
    },
    { topic: 'driver-mismatch', pattern: /Driver\/library version mismatch/ },
    { topic: 'gpu-gone', pattern: /device handle for [Gg][Pp][Uu] ?([0-9a-fA-F:.]{7,16}): GPU is lost/ },
    { topic: 'gpu-handle', pattern: /Unable to determine the device handle for .{0,40}: Unknown Error/ },
    {
      topic: 'driver-absent',
      pattern: /couldn't communicate with the NVIDIA driver|could not communicate with the NVIDIA driver/,
    },
    {
      topic: 'compat-mode',
      pattern:
        /cuFile compat mode|GDS driver\s*[|:]\s*N\/A|running in compatible mode|cuFile posix read\/write with compat mode/,
    },
    { topic: 'gds-driver', pattern: /GDS driver\s*\|\s*v(\d{1,3}(?:\.\d{1,4})?)/ },
    { topic: 'file-unsupported', pattern: /GPUDirect Storage not supported on current file/ },
    {
      topic: 'dmabuf-unsupported',
      pattern:
        /(?:dma[_-]?[bB]uf_?[Ss]upported|DMA_BUF_SUPPORTED)\)?\s*[:=]+\s*(?:0|false|no)\b|DMA-?BUF (?:is )?(?:not supported|unsupported)|(?:does not|doesn't) support DMA-?BUF/,
    },
    {
      topic: 'module-not-inserted',
      pattern: /could not insert (?:module )?'?(?:\S{0,100}\/)?([\w-]{2,40})(?:\.ko)?'?: ([A-Z][\w ,'()-]{3,80})/,
    },
    { topic: 'no-rdma-device', pattern: /Did not detect devices|Unable to find the Infiniband\/RoCE device/ },
    {
      topic: 'cannot-pin',
      pattern:
        /(?:ibv_(?:create_(?:cq|qp|srq)|reg_\w{2,12})|[Ff]ailed to (?:register|pin) (?:\w{1,20} )?memory)\b.{0,80}Cannot allocate memory/,
    },
    // Open MPI's own transport, and libibverbs when it starts.
    { topic: 'cannot-pin', pattern: /\bmemlock limits are set too low/ },
    { topic: 'memlock-small', pattern: /libibverbs: Warning: RLIMIT_MEMLOCK is (\d{1,12}) bytes/ },
    // The number in its first words is the length, where it is told: a whole window of BAR1 is refused the same way.
    {
      topic: 'bad-address',
      pattern:
        /(?:ibv_(?:exp_)?reg_mr\w{0,12}|[Ff]ailed to register memory)\b(?:.{0,60}?\blength=(\d{1,15}))?.{0,120}?(?:Bad address|\berrno:? ?14\b)/,
    },
    // Without the reason: another line may have it.
    { topic: 'not-registered', pattern: /RdmaTransport: Failed to register memory: addr 0x[0-9a-f]{1,16} length \d/ },
    { topic: 'gpu-memory', pattern: /\bVRAM is used|mem_type bit 0x2\b|memory type:? cuda|mscclpp::/ },
    { topic: 'ucx-gdr-off', pattern: /UCX {1,2}DEBUG (\w{2,40}): cuda GPUDirect RDMA is disabled/ },
    { topic: 'ucx-cuda', pattern: /UCX {1,2}DEBUG .{0,80}\bcuda device \d|cuda_(?:copy|ipc)_md\.c:\d/ },
    { topic: 'loopback', pattern: /Unable to resolve hostname to a \(local\) address\. Using the loopback/ },
    { topic: 'expert-timeout', pattern: /DeepEP (?:error: timeout|timeout)|DeepEP error: CPU recv timeout/ },
    {
      topic: 'store-unreachable',
      pattern:
        /\[c10d\].{0,40}The client socket has (?:timed out|failed to connect)|The client socket has timed out after/,
    },
    { topic: 'gloo-mesh', pattern: /Gloo connectFullMesh failed/ },
    {
      topic: 'qp-unreachable',
      pattern:
        /(?:[Ff]ailed to modify QP to RTR|ibv_modify_qp)\b.{0,120}(?:[Cc]onnection timed out|[Nn]etwork is unreachable|[Nn]o such device)/,
    },
    {
      topic: 'rnic-unusable',
      pattern:
        /RdmaTransport: No available RNIC|No RDMA devices found, check your device|Failed to open device \S{1,60} on port\b|No suitable GID found on \S/,
    },
    { topic: 'ucx-retry', pattern: /Transport retry count exceeded on \w{1,40}:\d{1,3}\/(IB|RoCE)/ },
    // NCCL's own word where its prefix was cut off: the last error that PyTorch prints, the title of an issue.
    {
      topic: 'nccl-status',
      pattern:
        /NET\/IBP? ?: ?.{0,60}Got completion (?:from peer .{1,120} )?with (?:error |status=(?:\w+\()?)(\d{1,3})\b/,
    },
    // Any other end of a transfer, as UCX prints it for its own queues.
    { topic: 'ucx-syndrome', pattern: / on \w{1,40}:\d{1,3}\/(?:IB|RoCE) \(synd 0x([0-9a-f]{1,2}) vend 0x/ },
    {
      topic: 'verbs-status',
      pattern:
        /(?:[Cc]ompletion|\b[Ww][Cc]\b|\bCQ|[Ss]lice|[Ww]ork [Rr]equest)\b.{0,400}?\b(local (?:QP operation|protection|access) error|remote (?:invalid request|access|operation) error|(?:transport|RNR) retry counter exceeded)/,
    },
    { topic: 'ucx-peer-gid', pattern: /\brmac [0-9a-f:]{17} sgix (\d{1,3}) dgid (fe80:)/ },
    // An address that UCX looks up before it connects. InfiniBand has LIDs below 0xC000 there.
    {
      topic: 'ucx-address',
      pattern:
        /ibv_create_ah\(dlid=(\d{1,5}) .{0,80}\bdgid=([0-9a-f:.]{2,45}) .{0,60}?sgid_index=(\d{1,3}).{0,120}failed: (?:Connection timed out|No such device|Network is unreachable|No route to host|Invalid argument)/,
    },
    {
      topic: 'ucx-not-there',
      pattern:
        /UCX {1,2}WARN {1,4}(?:network devices?|transports?) '.{1,200} (?:is|are) not available, please use one or more of/,
    },
    {
      topic: 'ucx-no-way',
      pattern:
        /UCX {1,2}ERROR {1,4}no (?:active messages|remote memory access|am bcopy|tag) transport to .{1,200}|ucp_ep_create\(.{0,20}\) failed: Destination is unreachable/,
    },
    { topic: 'ucx-handle-import', pattern: /UCX {1,2}ERROR .{0,40}cuMemImportFromShareableHandle.{0,80}failed/ },
    { topic: 'plugin-no-device', pattern: /no Rdma Devices were found for resource \S|exposing "0" devices/ },
    {
      topic: 'plugin-missing-node',
      pattern:
        /missing RDMA device spec for device ([0-9a-fA-F]{4}:[0-9a-fA-F:.]{7}), RDMA device \\?"(\w{2,16})\\?" not found/,
    },
    {
      topic: 'plugin-nic',
      pattern: /DiscoverHostDevices\(\): device found: ([0-9a-fA-F]{4}:[0-9a-fA-F:.]{7})\s+0[27]\s+Mellanox/,
    },
    { topic: 'gdr-neither', pattern: /DMA BUF supported required for GPU RDMA without nvidia-peermem/ },
    { topic: 'peer-map-failed', pattern: /mapping of buffer object failed|cudaErrorMapBufferObjectFailed/ },
    {
      topic: 'nic-map-failed',
      pattern: /GPU cannot map UAR of device (\S{1,40}?)\.|cudaHostRegister with IoMemory failed/,
    },
    { topic: 'gid-used', pattern: /LID: (\d{1,5}), GID: \(GID_Index (\d{1,3})\) ((?:[0-9a-f]{2}:){15}[0-9a-f]{2})/ },
    // nvidia-imex-ctl: every node of the domain, and what the domain is in all.
    { topic: 'imex-ready', pattern: /^.{0,80}\bNode #\d{1,4}\s*- \S{1,80}\s*- READY\b|\bDomain State: UP\b/ },
    {
      topic: 'imex-down',
      pattern:
        /^.{0,80}\bNode #(\d{1,4})\s*- \S{1,80}\s*- (?:UNAVAILABLE|INVALID|DEGRADED)\b|\bDomain State: (?:DEGRADED|DOWN)\b/,
    },
    {
      topic: 'imex-channel',
      pattern:
        /cuMemCreate.{0,200}(?:operation not permitted|CUDA_ERROR_NOT_PERMITTED)|(?:operation not permitted|CUDA_ERROR_NOT_PERMITTED).{0,80}cuMemCreate/,
    },
    {
      topic: 'gdr-pin',
      pattern:
        /check error: \d{1,12} different dwords out of|Assertion.{0,10}gdr_pin_buffer\(.{0,120}failed|gdr_pin_buffer.{0,40}(?:failed|error)/,
    },
    { topic: 'gdrdrv-version', pattern: /Error getting the gdrdrv driver version/ },
    { topic: 'efa-empty', pattern: /provider efa output empty list/ },
    { topic: 'efa-no-provider', pattern: /Could(?: not|n't) find any optimal provider/ },
    // Of libfabric's EFA provider, old and new: 20 is the status of a response that never came, printed as if it were an errno.
    {
      topic: 'efa-unreachable',
      pattern:
        /\befa:\w{1,12}:.{0,200}(?:Unreachable remote|Unresponsive receiver(?! \()|prov_err: Not a directory \(20\))/,
    },
    {
      topic: 'efa-peer-gone',
      pattern:
        /\befa:\w{1,12}:.{0,200}Unresponsive (?:receiver|remote) \((?:connection|was|reachable)|\befa:cq:\w{1,60}handle_error\(\):\d{1,6}<warn> err: \d{1,4}, (?:message|prov_err): /,
    },
    { topic: 'nvls-bind', pattern: /Failed to bind NVLink SHARP/ },
    {
      topic: 'shm-full',
      pattern:
        /\/dev\/shm\S{0,80}.{0,80}No space left|insufficient shared memory \(shm\)|workers are out of shared memory|posix_fallocate failed|failed to extend \/dev\/shm|Error while creating shared memory segment/,
    },
    // What NVIDIA's images say when they start.
    { topic: 'shm-default', pattern: /SHMEM allocation limit is set to the default of 64 ?MB/ },
    { topic: 'image-no-peermem', pattern: /network driver detected, but NVIDIA peer memory driver not/ },
    // UCC finds a rank on its host, and not the segment that it made: another IPC namespace.
    { topic: 'shm-of-others', pattern: /TL_SHM ERROR Child failed to attach to shmseg/ },
    { topic: 'nvbandwidth-error', pattern: /^\s*\[CUDA_ERROR_(\w{3,40})\] .{3,80} in expression cu\w{3,60}\(/ },
    { topic: 'cuda-unhandled', pattern: /ncclUnhandledCudaError: Call to CUDA function failed/ },
    { topic: 'no-libibverbs', pattern: /libibverbs\.so\S{0,8}: cannot open shared object/ },
    {
      topic: 'no-verbs-provider',
      pattern:
        /no userspace device-specific driver found for \/sys\/class\/infiniband_verbs|Driver \w{2,20} does not support the kernel ABI of \d{1,4}/,
    },
    { topic: 'p2p-lacking', pattern: /lacks GPU P2P capability or P2P test failed/ },
    {
      topic: 'peer-refused',
      pattern: /cudaErrorPeerAccessUnsupported|[Ee]rror.{0,80}peer access is not supported between these two devices/,
    },
    { topic: 'dmabuf-order', pattern: /CUDA DMA-BUF cannot be used without CUDA/ },
    { topic: 'gdr-open', pattern: /gdr_open error: Is gdrdrv driver installed and loaded|unable to open GDR driver/ },
    {
      topic: 'gdrdrv-absent',
      pattern:
        /could not load module \S{0,100}gdrdrv\.ko\S{0,4}: No such file|modprobe: FATAL: Module gdrdrv not found in directory/,
    },
    { topic: 'peermem-absent', pattern: /Module (?:nvidia[-_]peermem|nv_peer_mem) not found in directory/ },
    { topic: 'verbs-absent', pattern: /Failed to get IB devices list: Function not implemented/ },
  ],
});
