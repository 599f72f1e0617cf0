/** Findings about networks, processes and containers: title, what it does, how to mend it, how it is known. */
export const doctorNet = {
  'doctor.title.containers-apart': 'Ranks of one host are in containers that do not see each other',
  'doctor.title.efa-device-not-exposed': 'libfabric finds no EFA device',
  'doctor.title.efa-peer-unreachable': 'No answer from a peer over EFA',
  'doctor.title.efa-plugin-no-provider': 'The OFI plugin found no provider it can use',
  'doctor.title.ipoib-used-instead-of-verbs': 'InfiniBand is used through sockets (IPoIB)',
  'doctor.title.memlock-limit': 'The limit on locked memory is too low for RDMA',
  'doctor.title.mtu-mismatch': 'The nodes use different RDMA MTUs',
  'doctor.title.nic-firmware-error': 'The firmware of a NIC stopped with an error',
  'doctor.title.nic-link-degraded': "A NIC's link is slower than the NIC",
  'doctor.title.nic-link-flapping': "A NIC's link went down many times",
  'doctor.title.nic-missing': 'A NIC fell off the bus',
  'doctor.title.nic-no-subnet-manager': 'No subnet manager configures the port',
  'doctor.title.nic-port-down': 'A NIC port is down',
  'doctor.title.nic-set-differs-between-nodes': 'The nodes name their working NICs differently',
  'doctor.title.rdma-device-not-in-container': 'The process cannot open the RDMA device',
  'doctor.title.rdma-drivers-not-loaded': 'The RDMA drivers are not loaded',
  'doctor.title.roce-gid-index-differs-between-nodes': 'The routable RoCE v2 address has another index on each node',
  'doctor.title.roce-gid-index-wrong': 'The RoCE address in use is one that the peers cannot reach',
  'doctor.title.roce-mtu-small': 'RoCE runs with packets of 1024 bytes',
  'doctor.title.roce-not-lossless': 'Bandwidth collapses from some size on, as on a network that drops packets',
  'doctor.title.shm-too-small': 'Shared memory is too small for NCCL',
  'doctor.title.nics-left-out': 'NCCL_IB_HCA leaves out the NICs beside some GPUs',
  'doctor.title.slow-nic-in-nccl-set': 'NCCL uses slower NICs together with fast ones',
  'doctor.title.sockets-fallback': 'Data between nodes goes over TCP',
  'doctor.title.sockets-fallback-no-libibverbs': 'libibverbs is missing, or has no driver for the NIC',
  'doctor.title.wrong-interface': 'The job starts over an interface where other nodes are not reached',
  'doctor.title.rdma-packets-lost': 'RDMA packets are lost and sent again',
  'doctor.effect.containers-apart':
    'Data between GPUs of one host takes the network instead of NVLink, PCIe or shared memory, and all containers share the same NICs.',
  'doctor.effect.efa-device-not-exposed': 'The job runs over TCP.',
  'doctor.effect.efa-peer-unreachable':
    'The first transfer between the nodes ends the job, or it hangs; TCP between the same nodes works.',
  'doctor.effect.efa-plugin-no-provider': 'NCCL falls back to sockets.',
  'doctor.effect.ipoib-used-instead-of-verbs':
    'All data goes through the kernel and the CPU, at a fraction of the line rate and without GPUDirect.',
  'doctor.effect.memlock-limit': 'Registering memory or creating queues fails with Cannot allocate memory.',
  'doctor.effect.mtu-mismatch': 'Connections fail or fall back, with an error that says nothing of the MTU.',
  'doctor.effect.nic-firmware-error':
    'All transfers of the NIC break off, and a job that uses it ends or hangs; some cards come back by a reset of the driver, some not.',
  'doctor.effect.nic-link-degraded': 'The network has a half or a quarter of the bandwidth the card could give.',
  'doctor.effect.nic-link-flapping': 'Each time jobs stall or end; the port looks healthy now.',
  'doctor.effect.nic-missing': 'NCCL uses fewer NICs, or none.',
  'doctor.effect.nic-no-subnet-manager': 'The port has no address and carries nothing.',
  'doctor.effect.nic-port-down': 'Its bandwidth is missing, and jobs that choose it fail.',
  'doctor.effect.nic-set-differs-between-nodes':
    'One NCCL_IB_HCA for all nodes selects other NICs on each, and jobs hang.',
  'doctor.effect.rdma-device-not-in-container': 'NCCL finds no device and falls back to sockets.',
  'doctor.effect.rdma-drivers-not-loaded': 'Neither tools nor NCCL find a device.',
  'doctor.effect.roce-gid-index-differs-between-nodes': 'One NCCL_IB_GID_INDEX for all nodes is wrong on one of them.',
  'doctor.effect.roce-gid-index-wrong': 'The first transfer ends with error 12 or a timeout.',
  'doctor.effect.roce-mtu-small': 'A few percent of the bandwidth goes to headers.',
  'doctor.effect.roce-not-lossless': 'Large messages run at a hundredth of the speed.',
  'doctor.effect.shm-too-small': 'NCCL stops with an unhandled system error.',
  'doctor.effect.nics-left-out':
    'These GPUs send through the NIC of a neighbour or across the CPU, and the NICs that are left share the traffic of all.',
  'doctor.effect.slow-nic-in-nccl-set': 'Channels over the slow NICs set the pace.',
  'doctor.effect.sockets-fallback':
    'The CPU copies everything, and there is no GPUDirect. On nodes without RDMA this is as expected.',
  'doctor.effect.sockets-fallback-no-libibverbs': 'The RDMA network is not used; the job runs over TCP.',
  'doctor.effect.wrong-interface': 'Nodes do not reach each other and the start hangs, or data takes a detour.',
  'doctor.effect.rdma-packets-lost': 'Large transfers run far below the line rate, and some end with error 12.',
  'doctor.fix.containers-apart':
    "Run all ranks of a host in one container; or give each container all GPUs of the host (choose by CUDA_VISIBLE_DEVICES), the host's IPC namespace or one /dev/shm for all, and one PID namespace.",
  'doctor.fix.efa-device-not-exposed': 'Request the EFA device for the pod, and mount /dev/infiniband.',
  'doctor.fix.efa-peer-unreachable':
    'Let the security group allow all traffic from itself and to itself: a rule inbound and one outbound that name the group, for 0.0.0.0/0 does not cover EFA. If both are there, look whether the process of the peer had ended.',
  'doctor.fix.efa-plugin-no-provider':
    'Repair the libfabric and EFA installation; the line about libibverbs after it is an echo.',
  'doctor.fix.ipoib-used-instead-of-verbs':
    'Make NCCL use NET/IB: install libibverbs and its providers, and expose /dev/infiniband.',
  'doctor.fix.memlock-limit':
    'Set memlock to unlimited in limits.conf and in whatever starts the job (sshd, slurmd, LimitMEMLOCK of systemd), then check it through the launcher.',
  'doctor.fix.mtu-mismatch': 'Set the same MTU on both hosts and on the switch.',
  'doctor.fix.nic-firmware-error':
    'Save the kernel log and a dump of the card for its maker, update its firmware, and reset the card or power the host off and on; where it returns, have the card replaced.',
  'doctor.fix.nic-link-degraded':
    "Replace the cable or the optic by one of the card's generation, and check the switch port.",
  'doctor.fix.nic-link-flapping': 'Clear the counter, watch it, reseat or replace the cable or optic.',
  'doctor.fix.nic-missing': 'Look at the kernel log for PCIe errors, and reset or reseat the card.',
  'doctor.fix.nic-no-subnet-manager': "Start a subnet manager (opensm or the switch's own).",
  'doctor.fix.nic-port-down':
    'Check cable, optic and switch port; leave the port out of NCCL_IB_HCA when it is not meant to be used.',
  'doctor.fix.nic-set-differs-between-nodes':
    'Set NCCL_IB_HCA for each node in /etc/nccl.conf, or rename the devices by udev rules.',
  'doctor.fix.rdma-device-not-in-container':
    'Give the container /dev/infiniband with its uverbs nodes, IPC_LOCK and unlimited memlock; with rdma system in exclusive mode, move the device into its network namespace.',
  'doctor.fix.rdma-drivers-not-loaded': 'Start openibd, or load the driver of the card and ib_uverbs.',
  'doctor.fix.roce-gid-index-differs-between-nodes':
    'Set the index for each node, or configure the nodes so that their tables match.',
  'doctor.fix.roce-gid-index-wrong':
    'Use the index of the RoCE v2 row with the routable address (UCX_IB_GID_INDEX for UCX, MC_GID_INDEX for Mooncake), or leave NCCL_IB_GID_INDEX unset on NCCL 2.21 and newer.',
  'doctor.fix.roce-mtu-small': 'Raise the MTU of the network device to 4200 or more, on the switch too.',
  'doctor.fix.roce-not-lossless':
    'Enable PFC or pause frames (and ECN) on switches and hosts, and look at the drop counters.',
  'doctor.fix.shm-too-small': 'Start the container with more, such as --shm-size=1g.',
  'doctor.fix.nics-left-out':
    'Name all NICs of the compute network in NCCL_IB_HCA, or exclude those of storage and management with ^.',
  'doctor.fix.slow-nic-in-nccl-set': 'Leave the storage and management NICs out with NCCL_IB_HCA.',
  'doctor.fix.sockets-fallback':
    'Nothing where there is no RDMA NIC; if it stalls there, check firewall and MTU. Else repair what the finding above names.',
  'doctor.fix.sockets-fallback-no-libibverbs': 'Install libibverbs and its providers in the image.',
  'doctor.fix.wrong-interface':
    "Name the right interface in NCCL_SOCKET_IFNAME; in a container use the host's network.",
  'doctor.fix.rdma-packets-lost':
    'On RoCE set up PFC or ECN alike on hosts and switches; on InfiniBand look for bad cables. Clear or note the counters, run the job, and see whether they rise.',
  'doctor.known.containers-apart':
    'NCCL counts one node and connects its ranks by NET, between different host names or by sockets. With the GPUs of others hidden CUDA maps no memory of them, whatever is shared besides.',
  'doctor.known.efa-device-not-exposed': 'The provider efa gives an empty list. Bootstrap works all the same.',
  'doctor.known.efa-peer-unreachable':
    'The OFI plugin prints RC: 20, a response that timed out, or libfabric Unreachable remote or Unresponsive receiver. Where a connection had been there before, the peer is gone, which is another thing.',
  'doctor.known.efa-plugin-no-provider': 'NCCL prints Could not find any optimal provider.',
  'doctor.known.ipoib-used-instead-of-verbs':
    'NET/Socket uses an interface such as ib0: the name says ib, the way is TCP.',
  'doctor.known.memlock-limit':
    'ulimit -l is finite, and ibv_reg_mr or ibv_create_cq fails. Daemons and launchers do not read limits.conf.',
  'doctor.known.mtu-mismatch': 'active_mtu differs between the nodes.',
  'doctor.known.nic-firmware-error':
    "The driver reads the card's health buffer and prints what the firmware reports, with severity 3 (error) or worse, or that its counter stands still. NCCL then tells of a local catastrophic error.",
  'doctor.known.nic-link-degraded':
    'The rate is below that of the adapter type, or below that of its sisters. Both PCIe functions of one card show the same port.',
  'doctor.known.nic-link-flapping': 'link_downed is high although the state says ACTIVE.',
  'doctor.known.nic-missing':
    'ibstat cannot read a device that it has listed; healthy ones above make it easy to miss.',
  'doctor.known.nic-no-subnet-manager': 'The state is Initializing with the link up and SM lid 0: the cable is fine.',
  'doctor.known.nic-port-down':
    'The state is Down with Polling or Disabled. The rate shown for such a port is no speed.',
  'doctor.known.nic-set-differs-between-nodes': 'The lists of the nodes differ.',
  'doctor.known.rdma-device-not-in-container':
    'sysfs shows the device inside a container although /dev/infiniband is missing.',
  'doctor.known.rdma-drivers-not-loaded':
    'ibv_devinfo says Function not implemented, or the list of modules lacks the driver of a card that lspci shows.',
  'doctor.known.roce-gid-index-differs-between-nodes': 'The tables of GIDs differ.',
  'doctor.known.roce-gid-index-wrong':
    'The index points to an fe80 address or to RoCE v1. That 3 is always right is folklore.',
  'doctor.known.roce-mtu-small': 'An MTU of 1500 leaves 1024 for RDMA; 4096 needs about 4200.',
  'doctor.known.roce-not-lossless':
    'The table falls to next to nothing at one size and stays there. Counters of the host may read zero.',
  'doctor.known.shm-too-small': '/dev/shm is full or cannot grow; 64 MB is the default of Docker.',
  'doctor.known.nics-left-out':
    'A matrix shows NICs on the switch of a GPU, and NCCL_IB_HCA names others but none of these.',
  'doctor.known.slow-nic-in-nccl-set':
    'The list of NET/IB mixes InfiniBand and RoCE, or rates that differ by half and more. NCCL takes all it sees.',
  'doctor.known.sockets-fallback': 'Channels go via NET/Socket. GDR 1 in the summary of NCCL proves nothing.',
  'doctor.known.sockets-fallback-no-libibverbs':
    'NCCL failed to open libibverbs.so, or the library warns that it drives none of the devices that the kernel has. On a single machine the first is harmless.',
  'doctor.known.wrong-interface':
    "The interface is a veth, docker, br- or the like, two nodes announce the same address, or one starts over a link-local address (169.254.…) or Docker's and another does not. NCCL leaves out only lo and docker by default; of a name in NCCL_SOCKET_IFNAME that no interface has it says: no socket interface found. Gloo takes what the name of the host resolves to, and the loopback address when it resolves to nothing.",
  'doctor.known.rdma-packets-lost':
    'packet_seq_err counts packets that arrived after a gap, local_ack_timeout_err answers that never came. They count from boot on; without loss they stand at nought.',
} as const;
