/** Findings about GPUs, PCIe, NVLink and the driver: title, what it does, how to mend it, how it is known. */
export const doctorGpu = {
  'doctor.title.acs-enabled': 'ACS redirects PCIe traffic between cards up to the root',
  'doctor.title.acs-redirect-off-path': 'ACS redirects, but not on the way of any GPU or NIC',
  'doctor.title.acs-srcvalid-only': 'ACS source validation is on; it redirects nothing',
  'doctor.title.bar1-too-small': 'The BAR1 window of the GPU ran out',
  'doctor.title.dmabuf-needs-open-kernel-module': 'DMA-BUF export of GPU memory needs the open kernel modules',
  'doctor.title.fabric-manager-not-running': 'The fabric manager does not run on an NVSwitch machine',
  'doctor.title.fabric-manager-restarted-without-gpu-reset':
    'The fabric manager was restarted without a reset of the GPUs',
  'doctor.title.gdr-asymmetric-between-nodes': 'One node uses GPUDirect RDMA and another does not',
  'doctor.title.gdr-disabled-by-default-grace': 'GPUDirect RDMA is off by default on Grace with this NCCL',
  'doctor.title.gdr-disabled-in-topo': 'The topology says that no GPU and no NIC can do GPUDirect RDMA',
  'doctor.title.gdr-disabled-nccl-too-old-for-peermem': 'This NCCL is too old to see the loaded nvidia_peermem',
  'doctor.title.gdr-disabled-peermem-loaded': 'nvidia_peermem is loaded, but NCCL has no GPUDirect RDMA',
  'doctor.title.gdr-disabled-peermem-missing': 'GPUDirect RDMA is off: nothing registers GPU memory with the NIC',
  'doctor.title.gdr-unsupported-geforce': 'GeForce boards have no GPUDirect RDMA',
  'doctor.title.gdr-unsupported-unified-memory':
    'This GPU has no memory of its own: there is no GPUDirect to switch on',
  'doctor.title.gdrdrv-device-node-missing': 'gdrdrv is loaded, but /dev/gdrdrv is not there',
  'doctor.title.gdrdrv-wrong-driver-flavour': 'gdrdrv was built for the other flavour of the NVIDIA driver',
  'doctor.title.gpu-nic-cross-numa': 'A GPU and its NICs are on different CPU sockets',
  'doctor.title.gpu-xid-119-gsp-timeout': "Xid 119: the GPU's system processor stopped answering",
  'doctor.title.gpu-xid-79-off-the-bus': 'Xid 79: the GPU has fallen off the bus',
  'doctor.title.gpu-xid-nvlink': 'Xid errors of NVLink',
  'doctor.title.imex-fabric-handle-import': 'Memory cannot be shared by handles of the NVLink fabric',
  'doctor.title.iommu-on': 'The IOMMU translates addresses of transfers',
  'doctor.title.kernel-module-symbol-mismatch': 'A kernel module was built for another driver',
  'doctor.title.nccl-segfault': 'A program crashed inside libnccl',
  'doctor.title.numa-nps-setting': 'This EPYC runs with one NUMA node per socket',
  'doctor.title.nvlink-down': 'NVLinks of a GPU are down',
  'doctor.title.nvls-multicast-fabric-fault': 'NVLink multicast (NVLS) cannot be set up',
  'doctor.title.nvswitch-error-in-fm-log': 'An NVSwitch reported an error',
  'doctor.title.p2p-bandwidth-abnormal': 'P2P between GPUs is slower than a copy through host memory',
  'doctor.title.p2p-broken-geforce': 'P2P on these GeForce boards is offered and does not work',
  'doctor.title.p2p-disabled-geforce': 'These boards have no P2P over PCIe',
  'doctor.title.pcie-link-speed-idle': 'A PCIe link runs below its speed while the GPU rests',
  'doctor.title.pcie-link-width-degraded': 'A PCIe link runs on fewer lanes than the card has',
  'doctor.title.peermem-invalid-context': 'nvidia_peermem met memory of a process that had ended',
  'doctor.title.peermem-symbol-mismatch-ofed': 'nvidia_peermem does not fit the RDMA core that runs',
  'doctor.title.perftest-missing-dmabuf-flag': 'perftest was not told to use DMA-BUF',
  'doctor.title.process-on-one-core': 'Every rank is bound to a single core',
  'doctor.title.process-not-numa-pinned': 'The process was bound to the socket far from its GPU',
  'doctor.title.topo-file-bottleneck': 'A virtual switch of the topology file has a link that nothing would run at',
  'doctor.title.topo-file-suspicious-link-speed': 'A switch of the topology file was recorded at rest',
  'doctor.title.topo-xml-empty-link-speed': 'The topology has links without a speed',
  'doctor.title.vm-flat-topology-needs-topo-file': 'The virtual machine hides which GPU and NIC share a switch',
  'doctor.title.workaround-env-left': 'A workaround is still set',
  'doctor.title.p2p-mapping-refused': 'P2P was chosen between these GPUs and CUDA refuses it',
  'doctor.title.cumem-host-refused': 'NCCL cannot share host memory through cuMem',
  'doctor.title.dmabuf-registration-refused': 'The RDMA driver does not take GPU memory as a DMA-BUF',
  'doctor.title.perftest-option-order': 'perftest is told of DMA-BUF before it is told of the GPU',
  'doctor.title.gdrdrv-not-loaded': 'GDRCopy finds no driver',
  'doctor.title.fabric-manager-not-needed': 'The fabric manager fails because there is no NVSwitch for it',
  'doctor.title.tests-not-joined': 'Each process ran a test of its own',
  'doctor.effect.acs-enabled':
    'Data between GPUs, or between a GPU and a NIC, turns at the root port instead of in the switch: far slower, and with an IOMMU it can be lost or hang.',
  'doctor.effect.acs-redirect-off-path':
    'None: the bridges that redirect carry NVSwitch management, a BMC or disks only.',
  'doctor.effect.acs-srcvalid-only': 'None: SrcValid+ without ReqRedir+ and CmpltRedir+ leaves the direct way open.',
  'doctor.effect.bar1-too-small':
    'Transfers that need more of GPU memory mapped at a time fail or fall back to host memory.',
  'doctor.effect.dmabuf-needs-open-kernel-module':
    'Buffers from cuMem cannot be registered with the NIC, while those from cudaMalloc may work through nvidia_peermem.',
  'doctor.effect.fabric-manager-not-running': 'Every CUDA program fails with error 802, although nvidia-smi works.',
  'doctor.effect.fabric-manager-restarted-without-gpu-reset':
    'NVLink multicast (NVLS) cannot be set up any more; jobs fail when they start.',
  'doctor.effect.gdr-asymmetric-between-nodes':
    'The node without it copies through host memory and sets the pace for all.',
  'doctor.effect.gdr-disabled-by-default-grace':
    'Data goes through Grace memory; forcing GPUDirect RDMA was measured about 20 % faster.',
  'doctor.effect.gdr-disabled-in-topo': 'NCCL copies through host memory on every way to the network.',
  'doctor.effect.gdr-disabled-nccl-too-old-for-peermem':
    'GPUDirect RDMA stays off although the module is loaded and registered.',
  'doctor.effect.gdr-disabled-peermem-loaded': 'Data between GPUs of different nodes goes through host memory.',
  'doctor.effect.gdr-disabled-peermem-missing':
    'Data between GPUs of different nodes is copied through host memory, often at a third of the line rate.',
  'doctor.effect.gdr-unsupported-geforce':
    'GPU memory cannot be registered with the NIC; data goes through host memory.',
  'doctor.effect.gdr-unsupported-unified-memory':
    'NCCL and cuFile copy through a buffer in the same memory, which costs a copy but hardly any of the rate; that is expected here.',
  'doctor.effect.gdrdrv-device-node-missing': 'GDRCopy cannot be used; small copies take the slower way.',
  'doctor.effect.gdrdrv-wrong-driver-flavour': 'It loads, and pinning GPU memory fails or does nothing.',
  'doctor.effect.gpu-nic-cross-numa':
    'GPUDirect RDMA is off by default over this distance, and every transfer crosses the link between the sockets.',
  'doctor.effect.gpu-xid-119-gsp-timeout': 'The GPU hangs or drops out; jobs on it fail.',
  'doctor.effect.gpu-xid-79-off-the-bus':
    'The host no longer reaches the GPU over PCIe: every job on it ends, and rings and trees that pass it stop with it.',
  'doctor.effect.gpu-xid-nvlink': 'The link failed and jobs that use it end; other GPUs report Xid 45 as victims.',
  'doctor.effect.imex-fabric-handle-import': 'NCCL stops when it connects the GPUs, with Cuda failure 101 or 800.',
  'doctor.effect.iommu-on': 'P2P and GPUDirect transfers slow down, fail or hang.',
  'doctor.effect.kernel-module-symbol-mismatch': 'The module does not load, or loads with missing parts.',
  'doctor.effect.nccl-segfault': 'The job ended. This is a fault of software, not of a link.',
  'doctor.effect.numa-nps-setting': 'GPUs and NICs lose some locality; NPS4 helps some workloads.',
  'doctor.effect.nvlink-down': 'Traffic of this GPU is slower than that of its sisters, or leaves NVLink altogether.',
  'doctor.effect.nvls-multicast-fabric-fault':
    'Jobs fail when they start, or run without NVLS when it is switched off.',
  'doctor.effect.nvswitch-error-in-fm-log': 'Links through that port may be slow or down.',
  'doctor.effect.p2p-bandwidth-abnormal': 'Collectives over these pairs crawl or hang.',
  'doctor.effect.p2p-broken-geforce': 'Programs that use it hang or get wrong data.',
  'doctor.effect.p2p-disabled-geforce': 'GPUs exchange data through host memory; that is expected here.',
  'doctor.effect.pcie-link-speed-idle': 'None at rest: the link speeds up under load.',
  'doctor.effect.pcie-link-width-degraded': 'Bandwidth to this card is a half or a quarter of what it could be.',
  'doctor.effect.peermem-invalid-context': 'None by itself.',
  'doctor.effect.peermem-symbol-mismatch-ofed': 'The module does not load, so GPUDirect RDMA is off.',
  'doctor.effect.perftest-missing-dmabuf-flag':
    'It asks for nvidia_peermem, which is not there, and cannot register GPU memory.',
  'doctor.effect.process-on-one-core':
    'The threads with which NCCL drives the network and shared memory take turns with the program on it: bandwidth falls, most where data goes through them.',
  'doctor.effect.process-not-numa-pinned':
    'Copies between host and GPU cross the link between the sockets, at a half or a third of the speed.',
  'doctor.effect.topo-file-bottleneck': 'NCCL ranks ways through the host as if they had 0.2 GB/s.',
  'doctor.effect.topo-file-suspicious-link-speed':
    'NCCL underestimates ways through the host; harmless while GPU and NIC share the switch.',
  'doctor.effect.topo-xml-empty-link-speed': 'NCCL takes a default speed for them.',
  'doctor.effect.vm-flat-topology-needs-topo-file':
    'NCCL treats every NIC as equally far from every GPU and pairs them badly; GPUDirect RDMA may stay off.',
  'doctor.effect.workaround-env-left': 'A direct way stays switched off after its fault was mended.',
  'doctor.effect.p2p-mapping-refused': 'The job ends at the first connection between these GPUs.',
  'doctor.effect.cumem-host-refused':
    'The job ends when the shared-memory transport is set up; GPUs and links are not at fault.',
  'doctor.effect.dmabuf-registration-refused': 'Registering GPU memory with the NIC fails, although the GPU offers it.',
  'doctor.effect.perftest-option-order': 'The test does not start; nothing was measured.',
  'doctor.effect.gdrdrv-not-loaded': 'UCX, NVSHMEM and MPI copy small messages in a slower way, or refuse to start.',
  'doctor.effect.fabric-manager-not-needed':
    'None: GPUs that stand alone, or that NVLink bridges join, work without it.',
  'doctor.effect.tests-not-joined':
    'The numbers are those of single GPUs, or of several runs that disturb each other; nothing was measured between them.',
  'doctor.fix.acs-enabled':
    'Clear the ACS control bits of the bridges above GPUs and NICs now; for good, switch ACS off in the BIOS or run this at every boot.',
  'doctor.fix.acs-redirect-off-path': 'Nothing to do; leave these bridges as they are.',
  'doctor.fix.acs-srcvalid-only': 'Nothing to do.',
  'doctor.fix.bar1-too-small': 'Use smaller transfers, or enable Above 4G Decoding and Resizable BAR in the BIOS.',
  'doctor.fix.dmabuf-needs-open-kernel-module': 'Install the open flavour of the NVIDIA kernel modules.',
  'doctor.fix.fabric-manager-not-running':
    'Install nvidia-fabricmanager in exactly the version of the driver, then enable and start it.',
  'doctor.fix.fabric-manager-restarted-without-gpu-reset':
    'Stop all jobs, stop the fabric manager, reset the GPUs, start it again.',
  'doctor.fix.gdr-asymmetric-between-nodes':
    'Load nvidia_peermem (or use DMA-BUF) on the node whose channels lack /GDRDMA.',
  'doctor.fix.gdr-disabled-by-default-grace':
    'Set NCCL_NET_GDR_LEVEL=SYS, or use a newer NCCL, which does it by itself.',
  'doctor.fix.gdr-disabled-in-topo':
    'Make GPUDirect RDMA detectable: load nvidia_peermem, or use the open kernel modules with DMA-BUF. Writing gdr="1" into the file does not make it work.',
  'doctor.fix.gdr-disabled-nccl-too-old-for-peermem': 'Use NCCL 2.23.4 or newer.',
  'doctor.fix.gdr-disabled-peermem-loaded':
    'Reload or rebuild nvidia_peermem against the ib_core that runs (install the driver after OFED), or use DMA-BUF with the open kernel modules.',
  'doctor.fix.gdr-disabled-peermem-missing':
    'Load nvidia_peermem now and at every boot, or use a driver and kernel with DMA-BUF.',
  'doctor.fix.gdr-unsupported-geforce': 'Use a data centre or professional GPU for this.',
  'doctor.fix.gdr-unsupported-unified-memory':
    'Nothing to repair: nvidia_peermem, DMA-BUF, GDRCopy and nvidia-fs cannot work. Programs of your own take buffers from cudaHostAlloc and register them with ibv_reg_mr.',
  'doctor.fix.gdrdrv-device-node-missing':
    "Create the device file with the module's major number, or use the service of the package, which does so at boot.",
  'doctor.fix.gdrdrv-wrong-driver-flavour': 'Rebuild gdrdrv on this host against the driver that is installed.',
  'doctor.fix.gpu-nic-cross-numa':
    'Move the NIC to the socket (better, the switch) of the GPU. NCCL_NET_GDR_LEVEL=SYS forces GPUDirect RDMA and may not help.',
  'doctor.fix.gpu-xid-119-gsp-timeout':
    'Drain the node, reset the GPU or reboot, and update the driver with its firmware.',
  'doctor.fix.gpu-xid-79-off-the-bus':
    'Drain the node and power-cycle it; where it comes back, look for PCIe errors, heat and power, reseat the card, and replace it or its slot.',
  'doctor.fix.gpu-xid-nvlink':
    'Drain the node, reset the GPUs, collect a bug report; replace the part when it comes back.',
  'doctor.fix.imex-fabric-handle-import':
    'Give both containers all GPUs of the host, or set NCCL_MNNVL_ENABLE=0 or NCCL_CUMEM_ENABLE=0.',
  'doctor.fix.iommu-on':
    'Boot with iommu=pt (no translation for the host), or switch the IOMMU off. Look at ACS as well: with an IOMMU active, Linux enables it.',
  'doctor.fix.kernel-module-symbol-mismatch': 'Rebuild it for the NVIDIA driver that is installed.',
  'doctor.fix.nccl-segfault': 'Keep the core file and note the NCCL version; try another release.',
  'doctor.fix.numa-nps-setting': 'Set NPS4 in the BIOS, then bind each rank to the node of its GPU.',
  'doctor.fix.nvlink-down':
    'Reset the GPU and the fabric and run the field diagnostic; replace the board when it comes back.',
  'doctor.fix.nvls-multicast-fabric-fault':
    "Look at the fabric manager's log and at NVSwitch errors (SXid), then reset the fabric. NCCL_NVLS_ENABLE=0 only hides it.",
  'doctor.fix.nvswitch-error-in-fm-log':
    'Look the SXid number up, reset the fabric, and have the tray serviced when it returns.',
  'doctor.fix.p2p-bandwidth-abnormal':
    'Look at ACS and the IOMMU, which send P2P over the root; until then NCCL_P2P_DISABLE=1 is the faster way.',
  'doctor.fix.p2p-broken-geforce':
    'Use a newer driver, which no longer offers P2P on these boards, or set NCCL_P2P_DISABLE=1.',
  'doctor.fix.p2p-disabled-geforce': 'Nothing to repair; an NVLink bridge helps where the board has a connector.',
  'doctor.fix.pcie-link-speed-idle': 'Read it again while a copy is running.',
  'doctor.fix.pcie-link-width-degraded': 'Reseat the card, clean its contacts, or move it to a slot with all lanes.',
  'doctor.fix.peermem-invalid-context':
    'Nothing, unless it repeats with failing jobs; then update the driver or use DMA-BUF.',
  'doctor.fix.peermem-symbol-mismatch-ofed':
    "Rebuild the driver's modules against the headers of the OFED that runs, or use DMA-BUF with the open kernel modules and drop nvidia_peermem.",
  'doctor.fix.perftest-missing-dmabuf-flag': 'Add --use_cuda_dmabuf after --use_cuda, or load nvidia_peermem.',
  'doctor.fix.process-on-one-core': 'Bind ranks to the cores of a NUMA node, or not at all (--bind-to none).',
  'doctor.fix.process-not-numa-pinned': 'Bind it to the CPUs and the memory near the GPU.',
  'doctor.fix.topo-file-bottleneck':
    'Write the real speed of the uplink into the file, such as 16.0 GT/s and width 16, and make GPUDirect RDMA work.',
  'doctor.fix.topo-file-suspicious-link-speed': 'Record the file again under load, or write the real speed.',
  'doctor.fix.topo-xml-empty-link-speed': 'Nothing, unless NCCL chooses badly; then write the real speed.',
  'doctor.fix.vm-flat-topology-needs-topo-file':
    'Give NCCL a topology file that describes the real switches (NCCL_TOPO_FILE), or let the hypervisor expose NUMA and switches.',
  'doctor.fix.workaround-env-left': 'Unset it once the fault is repaired, and measure again.',
  'doctor.fix.p2p-mapping-refused':
    'Let every process see all GPUs of the node (no isolation of single GPUs) and use a newer NCCL; where the boards have no P2P, NCCL_P2P_DISABLE=1 goes through shared memory, and an all-reduce that a program brings along is to be switched off (--disable-custom-all-reduce).',
  'doctor.fix.cumem-host-refused':
    'Set NCCL_CUMEM_HOST_ENABLE=0, which shares host memory through /dev/shm as before, or use a newer NCCL or driver.',
  'doctor.fix.dmabuf-registration-refused':
    'Use a kernel from 5.12 on with a current rdma-core, or a current DOCA or MLNX OFED; until then go through nvidia_peermem: NCCL_DMABUF_ENABLE=0, and perftest without its DMA-BUF option.',
  'doctor.fix.perftest-option-order': 'Name the GPU first: --use_cuda=N, and --use_cuda_dmabuf after it.',
  'doctor.fix.gdrdrv-not-loaded':
    'Install gdrdrv for the driver and the kernel that run, load it, and give containers /dev/gdrdrv.',
  'doctor.fix.fabric-manager-not-needed': 'Switch the service off; nothing has to be repaired.',
  'doctor.fix.tests-not-joined':
    'Build nccl-tests with MPI=1 (and MPI_HOME), and start it with the mpirun of that MPI.',
  'doctor.known.acs-enabled':
    'lspci -vvv shows ACSCtl with ReqRedir+ or CmpltRedir+ on a bridge above a GPU or a NIC. SrcValid+ alone redirects nothing. A BIOS that says off does not always mean off, and an active IOMMU makes Linux set the bits.',
  'doctor.known.acs-redirect-off-path': 'Each redirecting bridge was matched with what hangs below it.',
  'doctor.known.acs-srcvalid-only':
    'Guides tell people to search for SrcValid+, so such lines look alarming; only the redirect bits send traffic to the root.',
  'doctor.known.bar1-too-small':
    'cuFile logs Inc-bar-usage failed, with large transfers only, or CUDA ends P2P with "mapping of buffer object failed"; nvidia-smi -q shows the total of BAR1.',
  'doctor.known.dmabuf-needs-open-kernel-module':
    '/proc/driver/nvidia/version says Kernel Module, not Open Kernel Module, and a program reports DMA-BUF as unsupported.',
  'doctor.known.fabric-manager-not-running':
    'CUDA says system not yet initialized, the Fabric state stays In Progress, or the unit is inactive or missing. On machines without NVSwitch the service fails and that is normal.',
  'doctor.known.fabric-manager-restarted-without-gpu-reset':
    'nvls.cc fails with Cuda failure 1 invalid argument, and the journal shows the service stopped and started. The service itself looks healthy.',
  'doctor.known.gdr-asymmetric-between-nodes':
    'Channels of one host carry /GDRDMA and those of its peer do not; the lines stand far apart in the log.',
  'doctor.known.gdr-disabled-by-default-grace':
    'A GPU with Grace, an NCCL before the change, and network channels without /GDRDMA.',
  'doctor.known.gdr-disabled-in-topo': 'Every <gpu> and <net> of the topology has gdr="0".',
  'doctor.known.gdr-disabled-nccl-too-old-for-peermem':
    'Releases up to 2.22.3 look for nv_mem under /sys/kernel/mm/memory_peers; the module registers there as nvidia-peermem. Only the version tells this from a missing module.',
  'doctor.known.gdr-disabled-peermem-loaded':
    'Loaded is not registered: see whether /sys/kernel/mm/memory_peers lists it.',
  'doctor.known.gdr-disabled-peermem-missing':
    'NCCL prints GPU Direct RDMA Disabled for HCA, or channels over NET/IB lack /GDRDMA, or perftest cannot allocate its memory region. The module is gone after a reboot unless it is listed in modules-load.d. Without it NCCL also plans a shared switch as PHB.',
  'doctor.known.gdr-unsupported-geforce': 'The driver refuses registration on GeForce although nvidia_peermem loads.',
  'doctor.known.gdr-unsupported-unified-memory':
    'NVIDIA says so of DGX Spark; on Jetson too what a NIC is to reach comes from cudaHostAlloc.',
  'doctor.known.gdrdrv-device-node-missing': 'modprobe alone does not create the file.',
  'doctor.known.gdrdrv-wrong-driver-flavour':
    'The module depends on nv-p2p-dummy, or the kernel log says built for proprietary NVIDIA driver where the open one runs.',
  'doctor.known.gpu-nic-cross-numa':
    'NCCL prints distance A > B, where the numbers are path types of that release, or the matrix shows SYS between a GPU and every NIC. Storage NICs far away are normal when near ones exist.',
  'doctor.known.gpu-xid-119-gsp-timeout':
    'The kernel log shows Xid 119 with a timeout waiting for an RPC response. The process it names is a witness, not the cause.',
  'doctor.known.gpu-xid-79-off-the-bus': 'Xid 79 in the kernel log; nvidia-smi then lists one GPU less, or none.',
  'doctor.known.gpu-xid-nvlink': 'Xid 74 or one of 144 to 150 in the kernel log. Xid 45 after it is a consequence.',
  'doctor.known.imex-fabric-handle-import':
    'p2p.cc fails with 101 on multi-node NVLink hardware whose containers see one GPU each; or cuMemCreate is not permitted, or NCCL says that MNNVL is available but not working, where a process has no IMEX channel.',
  'doctor.known.iommu-on':
    "intel_iommu=on without iommu=pt, IOMMU enabled or domain type Translated in the kernel log, or RCCL's own warning. amd_iommu=on is no real option: AMD's IOMMU is on by default.",
  'doctor.known.kernel-module-symbol-mismatch':
    'The kernel log says disagrees about version of symbol, or no symbol version, for nvidia_p2p symbols. The driver was updated and the module was not.',
  'doctor.known.nccl-segfault': 'The kernel log shows a segfault in libnccl.so.',
  'doctor.known.numa-nps-setting': 'lscpu counts as many NUMA nodes as sockets.',
  'doctor.known.nvlink-down':
    'nvidia-smi nvlink -s shows inactive links on one GPU where its sisters have them all. On PCIe boards and on H100 NVL some links are unused by design.',
  'doctor.known.nvls-multicast-fabric-fault':
    'NCCL fails in nvls.cc, or says that it could not bind NVLink SHARP memory: the fabric manager or an NVSwitch is at fault.',
  'doctor.known.nvswitch-error-in-fm-log':
    "The fabric manager's log has a line of level ERROR among many of level INFO.",
  'doctor.known.p2p-bandwidth-abnormal':
    'A cell of the matrix with P2P enabled is far below the same cell with P2P disabled. CAN Access only says that the driver allows it.',
  'doctor.known.p2p-broken-geforce':
    'CAN Access Peer on boards of the RTX 40 series or newer, with a bandwidth that is absurd: far below a copy through host memory, or above what the slot carries.',
  'doctor.known.p2p-disabled-geforce': 'CANNOT Access Peer Device on GeForce is a policy of the board, not a fault.',
  'doctor.known.pcie-link-speed-idle': 'The width is full and only the speed is lower. Power saving does that.',
  'doctor.known.pcie-link-width-degraded':
    'LnkSta shows fewer lanes than LnkCap. Lower speed at rest is normal, fewer lanes never are.',
  'doctor.known.peermem-invalid-context': 'The line usually follows a process that died.',
  'doctor.known.peermem-symbol-mismatch-ofed':
    'Unknown symbol ib_register_peer_memory_client, or modprobe says Invalid argument. The RDMA core of the distribution has no such symbol.',
  'doctor.known.perftest-missing-dmabuf-flag':
    'The command has --use_cuda and not --use_cuda_dmabuf, and the driver has the open kernel modules.',
  'doctor.known.process-on-one-core':
    'The command says --bind-to core or names a single CPU, or it is mpirun of Open MPI with one or two ranks, which it binds to a core each unless told otherwise.',
  'doctor.known.process-not-numa-pinned':
    "The node given to numactl or the CPUs given to taskset are not among the GPU's CPU Affinity.",
  'doctor.known.topo-file-bottleneck':
    'A switch with 2.5 GT/s and width 1 in the XML, or PCI[0.2] in the log: a sample value that was copied.',
  'doctor.known.topo-file-suspicious-link-speed': 'An uplink of 5.0 or 2.5 GT/s with all lanes above faster cards.',
  'doctor.known.topo-xml-empty-link-speed':
    'link_speed is empty: a virtual machine without link registers. This is no degraded link.',
  'doctor.known.vm-flat-topology-needs-topo-file':
    'Every GPU and NIC pair is PHB although NVLink is whole, QEMU root ports stand in lspci, or the NUMA node of the NICs is -1.',
  'doctor.known.workaround-env-left':
    'Settings such as NCCL_P2P_DISABLE=1 or NCCL_NVLS_ENABLE=0 outlive the reason for which they were set.',
  'doctor.known.p2p-mapping-refused':
    'NCCL decides by what NVML reports of the whole node; opening the memory of a GPU that CUDA cannot reach, or that the process may not see, fails with error 217 or at the IPC handle.',
  'doctor.known.cumem-host-refused':
    'NCCL 2.24 and newer take host buffers from the driver where it offers them; on GPUs without P2P, or in containers that forbid memory policies, the driver refuses, and the error stands in shm.cc.',
  'doctor.known.dmabuf-registration-refused':
    "Error 95 or 93, not supported, comes from the verbs library or the NIC's kernel driver: ibv_reg_dmabuf_mr is not there. The open kernel modules of the GPU are only the other half.",
  'doctor.known.perftest-option-order':
    'perftest reads its options in order and says that DMA-BUF cannot be used without CUDA.',
  'doctor.known.gdrdrv-not-loaded':
    'gdr_open fails when the module is not loaded, when /dev/gdrdrv is not there, or when the container does not see it.',
  'doctor.known.fabric-manager-not-needed':
    'It asks the driver for NVSwitches, is told that there is nothing to do, and ends with an error.',
  'doctor.known.tests-not-joined':
    'A test that knows its processes lists ranks 0 to n−1 once. Here several processes are rank 0 of their own.',
  'doctor.title.p2p-chipset-unsupported': 'The driver allows no P2P between the GPUs on this chipset',
  'doctor.title.p2p-data-wrong': 'Data sent from GPU to GPU over PCIe arrives wrong',
  'doctor.effect.p2p-chipset-unsupported':
    'Data between the GPUs is copied through host memory (SHM). In a virtual machine, and behind the root ports of many desktop and workstation boards, that is as it is.',
  'doctor.effect.p2p-data-wrong':
    'Jobs compute with wrong data, or hang while they wait for a flag that never arrives.',
  'doctor.fix.p2p-chipset-unsupported':
    'In a virtual machine the hypervisor must show the GPUs as one P2P clique (QEMU: x-nv-gpudirect-clique) and let them reach each other. On bare metal try a newer driver, and slots behind one PCIe switch; where the board can do neither, there is nothing to mend.',
  'doctor.fix.p2p-data-wrong':
    'Use NCCL_P2P_DISABLE=1 until it is mended. Then clear ACS on the bridges above the GPUs, boot with iommu=pt or without an IOMMU, and test again; a driver patched to offer P2P also needs Resizable BAR.',
  'doctor.known.p2p-chipset-unsupported':
    'Every pair of nvidia-smi topo -p2p is CNS, chipset not supported, which NCCL takes at its word. GeForce boards say the same of their own policy.',
  'doctor.known.p2p-data-wrong':
    'simpleP2P prints Verification error: the peer could be opened and the copy ran, but other data stood there afterwards.',
  'doctor.title.gpu-fabric-not-joined': 'The GPU did not join the NVLink fabric',
  'doctor.effect.gpu-fabric-not-joined':
    'nvidia-smi looks healthy and NVLink to other GPUs, or NVLink multicast, is not available: jobs fail when they start or take a slower way.',
  'doctor.fix.gpu-fabric-not-joined':
    'Look at the log of the fabric manager (on NVL72, of the one on the switch trays), reset the GPU, and have the node serviced when it comes back.',
  'doctor.known.gpu-fabric-not-joined':
    'nvidia-smi -q shows Fabric with State Completed and a Status other than Success: the request was answered, and refused.',
  'doctor.title.driver-library-mismatch':
    "The NVIDIA driver's libraries and its kernel module are of different releases",
  'doctor.effect.driver-library-mismatch': 'NVML does not start, and NCCL and CUDA may fail with it.',
  'doctor.fix.driver-library-mismatch':
    'Restart the host, or unload and load the nvidia modules, so that the installed release runs; in a container, let the container toolkit bring the libraries of the host.',
  'doctor.known.driver-library-mismatch':
    'Every library asks the module for its version and gives up when it is another one. An update of packages changes the files, and the loaded module stays until a restart.',
} as const;
